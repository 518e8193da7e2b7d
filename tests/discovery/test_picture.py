"""Where the board stands in the picture is found from the cells and the pixels that change with locks."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from emubot.bridges.libretro import connect
from emubot.bridges.simulated import SimulatedBridge
from emubot.demos import image
from emubot.discovery.picture import Lock, board_in_picture, place_of
from emubot.rammap import load_map
from emubot.view.window.layout import Screen
from tests.bridges.cores import require_core
from tests.toys.machine import ToyMachine
from tests.toys.shelf import TOYS

HEIGHT, WIDTH = 224, 240
SIZES = {"tetris": "nes_tetris_usa", "puyo": "demo_pairs", "capsules": "demo_capsules"}


def locks_of(screen: Screen, rows: int, columns: int, number: int, rng: np.random.Generator) -> list[Lock]:
    """Locks of four cells each, with a counter above the board."""
    left, top, width, height = screen
    made = []
    for _ in range(number):
        cells = np.zeros((rows, columns), np.bool_)
        cells.flat[rng.choice(rows * columns, 4, replace=False)] = True
        pixels = np.zeros((HEIGHT, WIDTH), np.bool_)
        pixels[top : top + rows * height, left : left + columns * width] = np.kron(
            cells, np.ones((height, width), np.bool_)
        )
        pixels[:8, -8:] |= rng.random((8, 8)) < 0.3
        made.append(Lock(cells, pixels))
    return made


@settings(max_examples=10)
@given(st.data())
def test_a_board_is_found_wherever_it_is(data: st.DataObject) -> None:
    rows, columns = data.draw(st.integers(8, 20)), data.draw(st.integers(6, 12))
    width, height = data.draw(st.integers(4, WIDTH // columns)), data.draw(st.integers(4, (HEIGHT - 8) // rows))
    left, top = data.draw(st.integers(0, WIDTH - columns * width)), data.draw(st.integers(8, HEIGHT - rows * height))
    screen = (left, top, min(width, 32), min(height, 32))
    rng = np.random.default_rng(data.draw(st.integers(0, 2**32 - 1)))
    assert place_of(locks_of(screen, rows, columns, 60, rng)) == screen


def test_cells_with_an_edge_like_an_empty_one_are_tiles() -> None:
    screen = (80, 40, 8, 8)
    edged = locks_of(screen, 20, 10, 40, np.random.default_rng(1))
    for lock in edged:
        lock.pixels[40:200:8] = lock.pixels[:, 80:160:8] = False
    assert place_of(edged) == screen


def test_pixels_that_do_not_follow_the_board_are_no_place() -> None:
    rng = np.random.default_rng(2)
    locks = locks_of((80, 40, 8, 8), 20, 10, 40, rng)
    assert place_of(locks[:4]) is None, "too few"
    assert place_of([]) is None
    mixed = [Lock(lock.cells, other.pixels) for lock, other in zip(locks, reversed(locks), strict=True)]
    assert place_of(mixed) is None
    dark = [Lock(lock.cells, np.zeros_like(lock.pixels)) for lock in locks]
    assert place_of(dark) is None


@pytest.mark.jit
@pytest.mark.core("fceumm")
@pytest.mark.parametrize(
    "demo", ["tetris", *(pytest.param(name, marks=pytest.mark.slow) for name in SIZES if name != "tetris")]
)
def test_the_boards_of_the_demos_stand_where_their_maps_say(demo: str) -> None:
    ram_map = load_map(SIZES[demo])
    with connect(rom=image(demo), core=str(require_core("fceumm")), emu_speed=None) as bridge:
        assert board_in_picture(bridge, ram_map, lambda edition: None) == ram_map.screen(0)


def test_a_bridge_without_a_picture_shows_nothing() -> None:
    assert (
        board_in_picture(SimulatedBridge(ToyMachine(TOYS["plain"])), load_map("nes_tetris_usa"), lambda edition: None)
        is None
    )
