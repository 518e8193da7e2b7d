"""The pivot is the byte that goes with the piece first, and only by the pads: no cell, and no later copy."""

from __future__ import annotations

import numpy as np
import pytest

from emubot.discovery.axes import Axis
from emubot.discovery.pieces import PieceSpan
from emubot.discovery.pivots import pivots
from emubot.pad import Pad

X, Y, LATE_X, LATE_Y, CELL_X, CELL_Y, PIXELS = range(0x10, 0x17)
FALLS, PIECES, TAP, TURN = 60, 40, 10, 20  # frames of a piece; frames in which it is moved and turned


def spans(step: int = 1) -> list[PieceSpan]:
    """Pieces that are moved, turned and dropped, then the next one: copies of its place are made a frame later."""
    generator = np.random.default_rng(7)
    made = []
    for _ in range(PIECES):
        aside, turns = int(generator.integers(-4, 5)), bool(generator.integers(2))
        pads = [Pad.NONE] * FALLS
        places = [(4, 0)]
        for frame in range(1, FALLS):
            x, y = places[-1]
            if TAP <= frame < TAP + abs(aside):
                pads[frame] = Pad.RIGHT if aside > 0 else Pad.LEFT
                x += int(np.sign(aside))
            if turns and frame == TURN:
                pads[frame] = Pad.A
            places.append((x, y + (frame % 3 == 0)))
        places[-6:] = [(4, 0)] * 6
        frames = np.zeros((FALLS, 32), np.uint8)
        for frame, (x, y) in enumerate(places):
            late_x, late_y = places[max(frame - 1, 0)]
            lifted = -1 if turns and TURN <= frame < FALLS - 6 else 0
            frames[frame, [X, Y, LATE_X, LATE_Y]] = x, step * y % 256, late_x, step * late_y % 256
            frames[frame, [CELL_X, CELL_Y]] = x - lifted, step * (y + 3 * lifted) % 256
            frames[frame, PIXELS] = (200 + 8 * y) % 256
        made.append(PieceSpan(frames, tuple(pads), FALLS - 7, FALLS - 7, ((19, 4),), np.zeros((20, 10), np.bool_)))
    return made


@pytest.mark.parametrize("column", [X, LATE_X])
@pytest.mark.parametrize("row", [Y, LATE_Y])
@pytest.mark.parametrize("step", [1, -1, 2])
def test_the_first_byte_to_move_is_the_pivot(column: int, row: int, step: int) -> None:
    across = [Axis(index, 1) for index in (LATE_X, CELL_X, X)]
    down = [Axis(index, step) for index in (LATE_Y, CELL_Y, Y)]
    best = next(pivots(spans(step), across, down, Axis(column, 1), Axis(row, step)))
    assert best == (Axis(X, 1), Axis(Y, step))


def test_a_row_of_pixels_is_one_although_it_goes_beyond_half_a_byte() -> None:
    found = pivots(spans(), [Axis(X, 1)], [Axis(PIXELS, 8), Axis(Y, 1)], Axis(X, 1), Axis(Y, 1))
    assert Axis(PIXELS, 8) in [row for _, row in found]


def test_a_path_is_counted_beyond_half_a_byte() -> None:
    frames = np.zeros((25, 4), np.uint8)
    frames[:, 1] = (240 + 8 * np.arange(25)) % 256
    assert Axis(1, 8).path(frames).tolist() == [*range(25)]
    assert Axis(1, -8).path(frames).tolist() == [*range(0, -25, -1)]


def test_in_a_narrow_board_two_columns_tell_what_a_pixel_is() -> None:
    narrow = [span for span in spans() if abs(int(span.frames[-7, X]) - 4) <= 3]
    for span in narrow:
        span.frames[:, PIXELS] = 100 + 8 * span.frames[:, X]
    found = pivots(narrow, [Axis(X, 1), Axis(PIXELS, 8)], [Axis(Y, 1)], Axis(X, 1), Axis(Y, 1))
    assert Axis(PIXELS, 8) in [column for column, _ in found]


def test_of_equal_bytes_that_one_comes_first_by_which_the_board_was_measured() -> None:
    made = spans()
    for span in made:
        span.frames[:, PIXELS] = span.frames[:, Y]
    rows = [Axis(Y, 1), Axis(PIXELS, 1)]
    for row in rows:
        assert next(pivots(made, [Axis(X, 1)], rows, Axis(X, 1), row)) == (Axis(X, 1), row)


def test_a_byte_in_which_a_game_tries_a_place_is_not_sooner_by_its_rare_chances() -> None:
    """It has the next piece's place a frame before the piece's own, but seldom: a copy would always be later."""
    made = spans()
    for number, span in enumerate(made):
        span.frames[:, CELL_Y] = span.frames[:, Y]
        if number % 4 == 0:
            span.frames[FALLS - 6, Y] = span.frames[FALLS - 7, Y]
    found = pivots(made, [Axis(X, 1)], [Axis(CELL_Y, 1), Axis(Y, 1)], Axis(X, 1), Axis(Y, 1))
    assert next(found) == (Axis(X, 1), Axis(Y, 1))


def test_a_copy_that_the_frames_end_before_is_not_sooner() -> None:
    """Of some pieces the frames end with the first one of the next piece, in which a copy is still put aside."""
    made = spans()
    for number, span in enumerate(made):
        span.frames[FALLS - 6 :, Y] = [*[250] * 4, 0, 0] if number % 3 else [*[250] * 5, 0]
        span.frames[FALLS - 6 :, LATE_Y] = [span.frames[FALLS - 7, LATE_Y], *span.frames[FALLS - 6 : -1, Y]]
    found = pivots(made, [Axis(X, 1)], [Axis(LATE_Y, 1), Axis(Y, 1)], Axis(X, 1), Axis(Y, 1))
    assert next(found) == (Axis(X, 1), Axis(Y, 1))
