"""What counts to a fall is found in made-up frames, upwards and downwards; and a cartridge's fall is stated rightly."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from emubot.bridges.libretro import connect
from emubot.discovery.clocks import Falling, Timer, speeds_of, timers_of
from emubot.discovery.completion import completed
from emubot.discovery.lab import Lab
from emubot.discovery.proof import PIECES, prove
from emubot.discovery.timing import timing_of
from tests.bridges.cores import require_core
from tests.discovery.told_map import map_of
from tests.toys.strangers import build, stranger, truth

SIZE = 40
FREE = np.ones(SIZE, np.bool_)
SPEEDS = st.lists(st.tuples(st.integers(2, 40), st.integers(1, 40)), min_size=1, max_size=5)


def falling(speed: int, first: int, seed: int, frames: int = 160) -> Falling:
    """A piece that falls in frame `first`, and then always after as many frames; its bytes are noise."""
    images = np.random.default_rng(seed).integers(256, size=(frames, SIZE), dtype=np.uint8)
    rows = np.maximum((np.arange(frames) - first) // speed + 1, 0)
    return Falling(images, rows)


@given(SPEEDS, st.booleans(), st.integers(-1, 2), st.integers(0, 99))
def test_timers_are_found_and_the_frames_per_row(
    speeds: list[tuple[int, int]], up: bool, ahead: int, seed: int
) -> None:
    pieces = []
    for speed, first in speeds:
        piece = falling(speed, min(first, speed), seed)
        left = np.array([*piece.left, *[0] * (len(piece.images) - len(piece.left))])
        ahead = max(ahead, -1 + up)  # no byte is below 0
        piece.images[:, 7] = (speed - left if up else left) + ahead
        assert piece.frames_per_row == speed
        pieces.append(piece)
    assert timers_of(pieces, FREE, 0) == [Timer(7, up, ahead)]
    for piece in pieces:
        piece.images[3, 7] += 1
    assert timers_of(pieces, FREE, 0) == []


@given(SPEEDS, st.integers(0, 99))
def test_a_byte_that_holds_the_frames_per_row_is_told_by_two_speeds(speeds: list[tuple[int, int]], seed: int) -> None:
    pieces = [falling(speed, 1, seed) for speed, _ in speeds]
    for piece, (speed, _) in zip(pieces, speeds, strict=True):
        piece.images[:, 9] = speed
    assert speeds_of(pieces, FREE) == ([9] if len({speed for speed, _ in speeds}) > 1 else [])


def test_uneven_falls_have_no_frames_per_row() -> None:
    rows = np.cumsum(np.isin(np.arange(100), (10, 20, 31, 41)), dtype=np.int64)
    assert Falling(np.zeros((100, SIZE), np.uint8), rows).frames_per_row is None


@pytest.mark.jit
@pytest.mark.core("fceumm")
@pytest.mark.parametrize("seed", [5, *(pytest.param(seed, marks=pytest.mark.slow) for seed in (13, 14, 15, 17, 20))])
def test_the_fall_of_a_cartridge_is_stated(seed: int, tmp_path: Path) -> None:
    """The draft is the truth's map without counters; a map with the fall foretells every frame, and plays."""
    told, image = truth(stranger(seed)), build(stranger(seed), tmp_path)
    with connect(rom=image, core=str(require_core("fceumm")), emu_speed=None) as bridge:
        lab = Lab(bridge)
        power_on = lab.save()
        proof = prove(bridge, map_of(told, counters=False), lambda edition: None)
        whole = completed(proof.ram_map, proof.seen.marks())
        timing = timing_of(lab, whole.ram_map, proof.seen)
        assert timing.ram_map is not None, timing.why
        lab.load(power_on)
        again = prove(bridge, timing.ram_map, lambda edition: None, PIECES)
    assert again.holds
    stated, gravity = timing.ram_map, told["gravity"]
    assert stated.addresses("drop_timer")[-1] == gravity["timer"]["at"]
    assert stated.timing.get("soft_drop") == told["pads"]["soft_drop"]
    speeds = gravity["frames_per_row"]
    if len(speeds) == 1:
        assert list(stated.timing["gravity"]) == speeds
        return
    table = stated.document.values["speed"].numbers
    assert table is not None
    first = told["numbers"]["level"]["first"]
    assert {code: frames for code, frames in table.items() if code < 10} == {
        code: speeds[min(code - first, len(speeds) - 1)] for code in table if code < 10
    }
