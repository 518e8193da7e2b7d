"""Locks without a hole, against pieces dropped cell by cell; and how long there will be one, against the definition."""

from __future__ import annotations

import lzma
from itertools import pairwise, product
from pathlib import Path

import numpy as np
import pytest
from numpy.typing import NDArray

from emubot.errors import WeightsError
from emubot.games.tetris.evaluation import surfaces
from emubot.games.tetris.evaluation.surfaces import QUALITIES, WHOLE_STEPS, fitting_pieces, surface_qualities
from emubot.games.tetris.rules import DX, DY, ORIENTATIONS, PIECE_NAMES, PIECE_OF
from emubot.games.tetris.trials.surface_values import surface_values

LONGEST = 24.85  # pieces, from the best surface; benchmarks/surfaces.py prints it


def code_of(steps: list[int]) -> int:
    return int("".join(str(min(max(step, -3), 3) + 3) for step in steps), 7)


def locks_without_hole(heights: list[int], piece: str) -> list[list[int]]:
    """Returns the heights after each drop of a piece, in any orientation, that leaves no empty cell below it."""
    found = []
    for orientation in range(ORIENTATIONS):
        if PIECE_NAMES[PIECE_OF[orientation]] != piece:
            continue
        lowest: dict[int, int] = {}
        highest: dict[int, int] = {}
        for dx, dy in zip(DX[orientation].tolist(), DY[orientation].tolist(), strict=True):
            lowest[dx], highest[dx] = max(lowest.get(dx, dy), dy), min(highest.get(dx, dy), dy)
        for pivot in range(len(heights)):
            columns = {pivot + dx: dx for dx in lowest}
            if min(columns) < 0 or max(columns) >= len(heights):
                continue
            floors = {heights[column] + lowest[dx] for column, dx in columns.items()}
            if len(floors) == 1:  # every lowest cell stands on its column
                floor = floors.pop()
                after = list(heights)
                for column, dx in columns.items():
                    after[column] = floor + 1 - highest[dx]
                found.append(after)
    return found


def heights_of(steps: tuple[int, ...]) -> list[int]:
    return [20 + sum(steps[:column]) for column in range(len(steps) + 1)]


def worth(steps: tuple[int, ...], values: NDArray[np.floating]) -> float:
    """Returns what one more random piece makes of the values after it."""
    total = 0.0
    for piece in "OSZTLJ":
        ahead = [0.0]
        for after in locks_without_hole(heights_of(steps), piece):
            left = [right - beside for beside, right in pairwise(after)]
            if max(map(abs, left)) <= 3:
                ahead.append(1.0 + values[code_of(left)])
        total += max(ahead)
    return total / 6


@pytest.mark.parametrize("steps", [1, 2, 3])
def test_the_pieces_that_fit_are_those_that_drop_without_a_hole(steps: int) -> None:
    fitting = fitting_pieces(steps)
    for surface in product(range(-3, 4), repeat=steps):
        dropped = [bool(locks_without_hole(heights_of(surface), piece)) for piece in "OSZTLJ"]
        assert [bool(fitting[code_of(list(surface))] >> bit & 1) for bit in range(6)] == dropped, surface


def test_values_are_those_of_one_more_piece() -> None:
    values = surface_values(3, 1e-4).astype(np.float64)
    assert values.max() > 1.5
    for surface in product(range(-3, 4), repeat=3):
        assert values[code_of(list(surface))] == pytest.approx(worth(surface, values), abs=1e-3), surface


def test_the_shipped_qualities_are_those_of_one_more_piece() -> None:
    unit = LONGEST / (QUALITIES - 1)
    values = surface_qualities() * unit
    assert values.max() == pytest.approx(LONGEST)
    rng = np.random.default_rng(5)
    for surface in [(0,) * WHOLE_STEPS, *(tuple(rng.integers(-2, 3, WHOLE_STEPS).tolist()) for _ in range(200))]:
        assert abs(worth(surface, values) - values[code_of(list(surface))]) < 1.1 * unit, surface


@pytest.mark.parametrize("content", [None, b"\xfd7zXZ", lzma.compress(bytes(10))])
def test_a_file_that_cannot_be_read_is_named(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, content: bytes | None
) -> None:
    if content is not None:
        (tmp_path / "nes_tetris_surfaces.xz").write_bytes(content)
    monkeypatch.setattr(surfaces, "shipped", lambda folder: tmp_path)
    with pytest.raises(WeightsError, match=r"nes_tetris_surfaces.xz.*: install emubot anew"):
        surface_qualities.__wrapped__()
