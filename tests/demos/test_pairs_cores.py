"""The pairs demo in each real core: the simulator's game in every frame, no lag frame, a picture and sound."""

from __future__ import annotations

from itertools import product
from pathlib import Path

import numpy as np
import pytest
from numpy.typing import NDArray

from emubot.bridges.libretro import LibretroBridge, abi, connect
from emubot.demos import image
from emubot.pad import Pad
from emubot.rammap import load_map
from tests.bridges.cores import CORES, in_each_core, require_core
from tests.demos.pairs_builder import build, true_map
from tests.demos.pairs_twins import Twins, steady
from tests.demos.twins import lag_frames_of, mashed

MAP = load_map("demo_pairs")
each_core = pytest.mark.parametrize("name", [pytest.param(name, marks=pytest.mark.core(name)) for name in CORES])


def opened(name: str, rom: Path | None = None) -> LibretroBridge:
    return connect(rom=rom or image("puyo"), core=str(require_core(name)), emu_speed=None)


@pytest.mark.parametrize(
    ("name", "versus", "longest"),
    [
        pytest.param("fceumm", False, 120, marks=pytest.mark.core("fceumm")),
        pytest.param("nestopia", True, 120, marks=pytest.mark.core("nestopia")),
        *(
            pytest.param(name, versus, 2500, marks=[pytest.mark.core(name), pytest.mark.slow])
            for name in CORES
            for versus in (False, True)
        ),
    ],
)
def test_six_games_are_the_simulators_games(name: str, versus: bool, longest: int) -> None:
    """From the title on, with menus, pauses and ends, in one go: games that last, and mashed ones, on six levels."""
    with opened(name) as bridge:
        twins = Twins(bridge, MAP)
        for number, level in enumerate((0, 3, 15, 9, 12, 6)):
            twins.begin(versus=versus, level=level, colors=4 + number % 3)
            twins.play(mashed(number) if number % 2 else steady(twins, number), longest)
            twins.give_up()
        assert twins.frames > 2.4 * longest
        assert lag_frames_of(bridge) == 0


@in_each_core("name", quick="fceumm")
@pytest.mark.parametrize(
    "seeds", [range(7, 9), pytest.param(range(1, 21), marks=pytest.mark.slow)], ids=["two", "twenty"]
)
def test_builds_boot_and_play_their_own_game(name: str, seeds: range, tmp_path: Path) -> None:
    """Codes, halves, spawn, clock and points of each build as its symbols say, in one mode or the other."""
    for seed in seeds:
        built = build(seed, tmp_path)
        with opened(name, built.path) as bridge:
            twins = Twins(bridge, true_map(built))
            twins.begin(versus=bool(seed % 2), level=seed % 16, colors=4 + seed % 3)
            twins.play(steady(twins, seed), 500)
            assert twins.value("pairs") > 1
            assert lag_frames_of(bridge) == 0


# Kinds of 14 rows that cost most: each cell in a group, everything to be popped, everything to fall.
WORST = {
    "one color": np.ones((14, 6), dtype=np.uint8),
    "stripes": np.array([[1 + row % 2] * 6 for row in range(14)], dtype=np.uint8),
    "nuisance between": np.array([[7 if row % 2 else 1] * 6 for row in range(14)], dtype=np.uint8),
    "two colors": np.random.default_rng(5).integers(1, 3, (14, 6), dtype=np.uint8),
}
# Both players: (play state, frames to wait). A search for groups comes in one of SETTLE's first two frames, the fall in
# the last frame of POP: together they are the most that a frame can hold.
SETTLE, POP = 2, 3
MOMENTS = [((SETTLE, 5), (SETTLE, 5)), ((POP, 1), (SETTLE, 5)), ((POP, 2), (SETTLE, 5)), ((SETTLE, 5), (POP, 1))]
CELLS, POPPING, DRAWN = (
    0x0500,
    0x80,
    0x0090,
)  # the cartridge's own copy of the playfields: 128 bytes a player, kind at 16 * x + y
PLAY_STATE, WAIT = 0x001E, 0x0615


def overwrite(bridge: LibretroBridge, address: int, data: bytes) -> None:
    """Change the console's RAM, which only a test does."""
    pointer, size = bridge._core.memory(abi.MEMORY_SYSTEM_RAM)
    abi.ffi.buffer(pointer, size)[address : address + len(data)] = data


def stored(kinds: NDArray[np.uint8], state: int) -> bytes:
    """The cartridge's copy of a playfield; in POP every visible cell pops."""
    cells = np.full((8, 16), 0xFF, dtype=np.uint8)
    cells[1:7, :14] = kinds.T
    if state == POP:
        cells[1:7, 1:14] |= POPPING
    return cells.tobytes()


@in_each_core("name", quick="nestopia")
def test_no_lag_frame_when_both_players_resolve_full_playfields(name: str) -> None:
    with opened(name) as bridge:
        twins = Twins(bridge, MAP)
        twins.begin(versus=True)
        begun = bridge.save()
        for first, second, moment in product(WORST, WORST, MOMENTS):
            bridge.load(begun)
            for player, (kinds, (state, wait)) in enumerate(zip((first, second), moment, strict=True)):
                overwrite(bridge, CELLS + 128 * player, stored(WORST[kinds], state))
                overwrite(bridge, PLAY_STATE + player, bytes([state]))
                overwrite(bridge, WAIT + player, bytes([wait]))
            for _ in range(40):
                bridge.advance()
            assert lag_frames_of(bridge) == 0, (first, second, moment)
            assert (cells_left(bridge) < 6 * 14).all(), "both fields popped"


def cells_left(bridge: LibretroBridge) -> NDArray[np.int64]:
    """How many cells each player's stored playfield holds."""
    both = np.frombuffer(bridge.read("ram", CELLS, 256), dtype=np.uint8).reshape(2, 8, 16)[:, 1:7, :14]
    counted: NDArray[np.int64] = ((both != 0) & (both < POPPING)).sum(axis=(1, 2))
    return counted


@each_core
def test_cells_differ_without_color_too(name: str) -> None:
    """Where a cell's lightest pixels are tells its kind, in the picture as each core gives it."""
    with opened(name) as bridge:
        twins = Twins(bridge, MAP)
        twins.begin(colors=6)
        row = np.array([[1, 2, 3, 4, 5, 6]], dtype=np.uint8)
        overwrite(
            bridge, CELLS, stored(np.concatenate([np.zeros((12, 6), dtype=np.uint8), row, 7 * (row > 0)]), SETTLE)
        )
        overwrite(bridge, DRAWN, bytes([1] * 14))
        for _ in range(12):
            bridge.advance()
        picture = bridge.picture()
        across, down = (256 - picture.shape[1]) // 2, (240 - picture.shape[0]) // 2  # a core may cut the edges off
        where = MAP.screen(0)
        assert where is not None
        left, top, width, height = where
        marks = set()
        for row_number, column in ((11, 0), (11, 1), (11, 2), (11, 3), (11, 4), (11, 5), (12, 0), (5, 0)):
            x, y = left - across + column * width, top - down + row_number * height
            cell = picture[y : y + height, x : x + width]
            marks.add((cell.min(axis=2) > 200).tobytes() + (cell.max(axis=2) > 100).tobytes())
        assert len(marks) == 8


@each_core
def test_the_title_is_silent_and_a_game_is_not(name: str) -> None:
    with opened(name) as bridge:
        twins = Twins(bridge, MAP)
        bridge.listen()
        for _ in range(30):
            bridge.advance()
        assert np.ptp(bridge.heard()) == 0
        for button in (Pad.START, Pad.NONE, Pad.NONE, Pad.NONE, Pad.START, Pad.NONE):
            twins.bridge.press(0, button)
            bridge.advance()
        for _ in range(120):
            bridge.advance()
        assert np.ptp(bridge.heard()) > 1000
