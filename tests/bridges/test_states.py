"""Save states: only a whole state of the same core and cartridge comes out of its envelope."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from emubot.bridges.libretro.states import Owner, unwrap, wrap
from emubot.errors import StateError

OWNER = Owner("FCEUmm", "git ec7a6271", "0123456789ABCDEF")


@given(st.binary(max_size=300), st.text(max_size=20), st.text(max_size=20))
def test_what_is_wrapped_comes_out_again(state: bytes, core: str, version: str) -> None:
    owner = Owner(core, version, OWNER.rom)
    assert unwrap(wrap(state, owner), owner) == state


@given(st.binary(min_size=1, max_size=60), st.data())
def test_any_changed_byte_is_noticed(state: bytes, data: st.DataObject) -> None:
    wrapped = bytearray(wrap(state, OWNER))
    place = data.draw(st.integers(0, len(wrapped) - 1))
    wrapped[place] ^= data.draw(st.integers(1, 255))
    with pytest.raises(StateError):
        unwrap(bytes(wrapped), OWNER)


@given(st.data())
def test_any_truncation_is_noticed(data: st.DataObject) -> None:
    wrapped = wrap(bytes(100), OWNER)
    with pytest.raises(StateError):
        unwrap(wrapped[: data.draw(st.integers(0, len(wrapped) - 1))], OWNER)


@given(st.binary(max_size=200))
def test_bytes_of_anyone_are_refused(noise: bytes) -> None:
    for attempt in (noise, b"EMUSTATE" + noise):
        with pytest.raises(StateError):
            unwrap(attempt, OWNER)


@pytest.mark.parametrize(
    ("owner", "words"),
    [
        (Owner("FCEUmm", "git ec7a6271", "FEDC"), "another cartridge: its SHA-1 is 0123456789ABCDEF"),
        (Owner("FCEUmm", "git 00000000", OWNER.rom), "made by FCEUmm git ec7a6271 and this is FCEUmm git 00000000"),
        (Owner("Nestopia", "git ec7a6271", OWNER.rom), "this is Nestopia"),
    ],
)
def test_a_foreign_state_is_refused_by_name(owner: Owner, words: str) -> None:
    with pytest.raises(StateError, match=words):
        unwrap(wrap(b"state", OWNER), owner)
