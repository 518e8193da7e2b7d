"""What the two real cores never do: a core of our own, built by the tests, does it on demand."""

from __future__ import annotations

from collections.abc import Callable
from functools import partial
from pathlib import Path

import pytest

from emubot.bridges.libretro import LibretroBridge, connect
from emubot.errors import BridgeError, CoreError, RomError, StateError
from emubot.machine import FRAME_RATE_PAL
from emubot.pad import Pad
from tests.bridges.cores import pad_cartridge
from tests.bridges.toy import build_toy

Build = Callable[..., Path]


@pytest.fixture
def build(tmp_path: Path) -> Build:
    """Compile the toy core with these flags."""
    return partial(build_toy, tmp_path)


def opened(core: Path) -> LibretroBridge:
    return connect(rom=pad_cartridge(), core=str(core), emu_speed=None)


def test_pads_ports_and_ram(build: Build) -> None:
    with opened(build()) as bridge:
        assert bridge.facts.emulator == "Toy 1.0"
        assert bridge.read("ram", 0x710, 2) == b"\x01\x01", "a standard pad is plugged into both ports"
        assert bridge.read("ram", 0x700, 1) == b"N", "the cartridge begins with NES"
        bridge.press(0, Pad.A | Pad.RIGHT)
        bridge.press(1, Pad.START | Pad.UP)
        assert bridge.advance() == 1
        assert bridge.read("ram", 0, 4) == bytes([1, 0x80, 0x18, 1])
        bridge.press(0, Pad.NONE)
        assert bridge.advance() == 2
        assert bridge.read("ram", 0, 4) == bytes([2, 0, 0x18, 0])


def test_questions_beyond_two_pads_are_answered_with_nothing(build: Build) -> None:
    with opened(build("ASKS_ODDLY")) as bridge:
        bridge.press(0, Pad.A)
        bridge.press(1, Pad.A)
        bridge.advance()
        assert bridge.read("ram", 4, 1) == b"\x00"


def test_a_lent_picture_is_copied_and_a_repeated_one_kept(build: Build) -> None:
    with opened(build()) as bridge:
        with pytest.raises(BridgeError, match="no picture yet"):
            bridge.picture()
        bridge.advance()
        bridge.advance()
        expected = [[[255, 0, 0], [0, 255, 0]], [[0, 0, 255], [0, 0, 2 << 3]]]
        assert bridge.picture().tolist() == expected
        bridge.advance()
        assert bridge.picture().tolist() == expected


def test_a_core_that_wants_a_file_gets_one_and_it_is_removed(build: Build) -> None:
    bridge = opened(build("FULLPATH"))
    folder = bridge._core._private
    assert bridge.read("ram", 0x700, 1) == b"N"
    assert (folder / "cartridge.nes").exists()
    bridge.close()
    assert not folder.exists()


def test_pal_runs_at_the_consoles_rate(build: Build) -> None:
    with opened(build()) as bridge:
        assert bridge.facts.frame_rate == FRAME_RATE_PAL


@pytest.mark.parametrize(
    ("flag", "kind", "words"),
    [
        ("API_VERSION=2", CoreError, "speaks libretro API version 2 and emubot version 1"),
        ('EXTENSIONS="smc|sfc"', CoreError, r"is Toy 1.0, which plays no NES cartridges \(it takes smc, sfc\)"),
        ("NO_RAM", CoreError, "does not show the console's RAM"),
        ("REFUSE", RomError, "refused the cartridge"),
    ],
)
def test_an_unusable_core_is_one_sentence(build: Build, flag: str, kind: type[Exception], words: str) -> None:
    core = build(flag)
    for _ in range(2):  # the second time shows that the first left nothing behind
        with pytest.raises(kind, match=words):
            opened(core)


def test_a_core_without_states_says_so(build: Build) -> None:
    with opened(build("STATELESS")) as bridge, pytest.raises(StateError, match="could not save"):
        bridge.save()


def test_a_file_open_twice_is_two_machines_and_a_new_one_after_closing(build: Build) -> None:
    core = build()
    with opened(core) as first, opened(core) as second:
        first.advance()
        first.advance()
        second.advance()
        assert (first.read("ram", 0, 1), second.read("ram", 0, 1)) == (b"\x02", b"\x01")
    with opened(core) as again:
        assert again.read("ram", 0, 1) == b"\x00"


def test_the_second_machine_outlives_the_first(build: Build) -> None:
    core = build()
    first, second = opened(core), opened(core)
    first.close()
    third = opened(core)
    third.advance()
    second.advance()
    second.advance()
    assert (second.read("ram", 0, 1), third.read("ram", 0, 1)) == (b"\x02", b"\x01")
    second.close()
    third.close()
