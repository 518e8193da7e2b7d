"""A name decides which cells lock, alone or with other bytes; bytes that only look so are none."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest

from emubot.discovery.axes import Axis
from emubot.discovery.coordinates import Coordinate, coordinates
from emubot.discovery.naming import Name, Named, names, steady
from emubot.discovery.pieces import PieceSpan
from emubot.pad import Pad

X, Y, BYTE, KIND, TURN, NOISE, PAD, HALF = 0x10, 0x11, 0x12, 0x13, 0x14, 0x15, 0x16, 0x17
CELLS_X, CELLS_Y = (0x20, 0x21), (0x28, 0x29)
COPIES_X, COPIES_Y = (0x30, 0x31), (0x38, 0x39)
SHAPES = {
    (0, 0): ((0, 0), (0, 1)),
    (0, 1): ((0, 0), (1, 0)),
    (1, 0): ((0, 0), (1, 1)),
    (1, 1): ((1, 0), (0, 1)),
}
COLUMN, ROW = Axis(X, 1), Axis(Y, 1)


def spans(count: int = 80) -> list[PieceSpan]:
    """Dominoes and diagonals that are turned, if at all, in their fourth frame, and lie still in their last ones."""
    generator = np.random.default_rng(3)
    made = []
    for _ in range(count):
        kind, turns = int(generator.integers(2)), int(generator.integers(2))
        x, y = int(generator.integers(9)), int(generator.integers(2, 18))
        frames = np.zeros((24, 64), np.uint8)
        pads = [Pad.A if turns and 2 <= frame < 4 else Pad.NONE for frame in range(24)]
        for frame in range(24):
            turn = turns if frame >= 4 else 0
            row = y - max(20 - frame, 0) // 10
            frames[frame, [X, Y, KIND, TURN]] = x, row, kind, turn
            frames[frame, BYTE] = 40 + 2 * kind + turn
            frames[frame, [NOISE, PAD, HALF]] = generator.integers(256), int(pads[frame]), turn
            for at, (dy, dx) in enumerate(SHAPES[kind, turn]):
                frames[frame, [CELLS_X[at], CELLS_Y[at]]] = x + dx, row + dy
        cells = tuple((y + dy, x + dx) for dy, dx in SHAPES[kind, turns])
        made.append(PieceSpan(frames, tuple(pads), 22, 22, cells, np.zeros((20, 10), np.bool_)))
    return made


def without(index: int) -> list[PieceSpan]:
    made = spans()
    for span in made:
        span.frames[:, index] = 0
    return made


def test_one_byte_is_the_name() -> None:
    watched = spans()
    found = names(watched, COLUMN, ROW, steady(watched, set()))
    assert found[0].name == Name((BYTE,), (1,))
    assert found[0].agreed == 1


def test_two_bytes_together_are_the_name_where_none_is_alone() -> None:
    watched = without(BYTE)
    found = names(watched, COLUMN, ROW, steady(watched, {*CELLS_X, *CELLS_Y}))
    assert found[0].name in (Name((KIND, TURN), (1, 2)), Name((KIND, HALF), (1, 2)))


OFFSETS = (0xD0, 0xD1, 0xD3)


def turned_cells(count: int = 150) -> list[PieceSpan]:
    """Pieces whose second cell lies aside by three bytes together, among many bytes that show a picture."""
    generator = np.random.default_rng(5)
    made = []
    for _ in range(count):
        bits = generator.integers(2, size=len(OFFSETS))
        x, y = int(generator.integers(6)), int(generator.integers(2, 18))
        frames = np.zeros((24, 256), np.uint8)
        frames[:, 0x30:0xD0] = generator.integers(2, size=0xA0)
        frames[:, [X, Y]] = x, y
        frames[:, OFFSETS] = bits
        cells = ((y, x), (y + int(bits[0]), x + 1 + int(bits[1] + 2 * bits[2])))
        made.append(PieceSpan(frames, (Pad.NONE,) * 24, 22, 22, cells, np.zeros((20, 10), np.bool_)))
    return made


def test_three_bytes_together_are_the_name_where_no_two_are() -> None:
    watched = turned_cells()
    found = names(watched, COLUMN, ROW, steady(watched, set()))
    assert found[0] == Named(Name(OFFSETS, (1, 2, 4)), 1)
    for span in watched:
        span.frames[:, OFFSETS[1]] = 0
    assert names(watched, COLUMN, ROW, steady(watched, set())) == []


COPY = 0x18


def with_copy(late: int) -> list[PieceSpan]:
    """Pieces whose next one comes in the last frame but two; a copy of their name knows of it so many frames later."""
    made = spans()
    for span in made:
        span.frames[:, COPY] = span.frames[:, BYTE]
        span.frames[-2:, [X, BYTE]] = 77, 99
        span.frames[len(span.frames) - 2 + late :, COPY] = 99
    return [replace(span, last=20, named=20) for span in made]


def test_a_copy_that_is_made_later_is_the_name_only_if_nothing_else_is() -> None:
    watched, row = with_copy(late=1), Axis(Y, 1)
    found = [each.name.bytes for each in names(watched, COLUMN, row, steady(watched, {*CELLS_X, *CELLS_Y}))]
    assert found.index((BYTE,)) < found.index((COPY,))
    for span in watched:
        span.frames[:, [BYTE, KIND, TURN, HALF]] = 0
    alone = names(watched, COLUMN, row, steady(watched, {*CELLS_X, *CELLS_Y}))
    assert alone[0].name.bytes == (COPY,)


def test_bytes_that_never_rest_come_last() -> None:
    watched = with_copy(late=0)
    found = names(watched, COLUMN, ROW, steady(watched, {*CELLS_X, *CELLS_Y}), restless={BYTE})
    assert found[0].name.bytes == (COPY,)


def test_noise_and_copies_of_the_pad_are_not_steady() -> None:
    watched = spans()
    assert not {NOISE, X, Y}.intersection(steady(watched, {X, Y}).tolist())


@pytest.mark.parametrize("known", [True, False])
def test_two_pieces_that_are_taken_for_one_do_not_tell_what_is_steady(known: bool) -> None:
    watched = spans()
    for at, span in enumerate(watched[:6]):
        span.frames[15:, BYTE] += 1  # the next one came, in the row in which this one locked
        watched[at] = replace(span, cells=span.cells if known else None)
    assert (BYTE in steady(watched, {X, Y})) is not known


def test_a_name_that_is_right_by_chance_alone_is_none() -> None:
    watched = without(BYTE)
    for span in watched:
        span.frames[:, [KIND, TURN, HALF]] = 0
    assert names(watched, COLUMN, ROW, steady(watched, {*CELLS_X, *CELLS_Y})) == []


def test_the_places_of_all_cells_are_found_with_what_turns_make_of_them() -> None:
    across, down = [Axis(index, 1) for index in (X, *CELLS_X)], [Axis(index, 1) for index in (Y, *CELLS_Y)]
    found = coordinates(spans(), across, down, [Pad.A, Pad.B])
    assert found is not None
    assert {(column.axis.index, row.axis.index) for column, row in found.cells} <= {
        (X, Y), (CELLS_X[0], CELLS_Y[0]), (CELLS_X[1], CELLS_Y[1]), (X, CELLS_Y[0]), (CELLS_X[0], Y),
    }  # fmt: skip
    assert len(found.orientations) == len(SHAPES)
    assert found.turns == [Pad.A]
    by_cells = {one.cells: one for one in found.orientations}
    flat = by_cells[SHAPES[0, 0]]
    assert found.orientations[flat.after[Pad.A]].piece == flat.piece
    assert len(found.orientations[flat.after[Pad.A]].cells) == 2
    assert not found.in_order, "a form tells all"


def in_pixels() -> list[PieceSpan]:
    """The same with places of cells in pixels, and an odd number of them aside."""
    made = spans()
    for span in made:
        span.frames[:, [*CELLS_X, *CELLS_Y]] = 8 * span.frames[:, [*CELLS_X, *CELLS_Y]] + 27
    return made


def test_places_in_pixels_are_found_where_they_are_not_those_of_sprites() -> None:
    across, down = [Axis(index, 8) for index in CELLS_X], [Axis(index, 8) for index in CELLS_Y]
    found = coordinates(in_pixels(), across, down, [Pad.A])
    assert found is not None
    assert {*found.cells[0]} == {Coordinate(across[0], -3), Coordinate(down[0], -3)}
    assert len(found.orientations) == len(SHAPES)
    assert coordinates(in_pixels(), across, down, [Pad.A], {*CELLS_X, *CELLS_Y}) is None


def test_a_copy_that_has_the_next_piece_later_is_not_taken_for_the_place_of_a_cell() -> None:
    watched = []
    for number, span in enumerate(in_pixels()):
        span.frames[:, [*COPIES_X, *COPIES_Y]] = (span.frames[:, [*CELLS_X, *CELLS_Y]] - 27) // 8
        span.frames[-2:, [*CELLS_X, *CELLS_Y]] = 27
        if number % 3:  # of others the frames end before
            span.frames[-1, [*COPIES_X, *COPIES_Y]] = 0
        watched.append(replace(span, last=20))
    across = [Axis(index, step) for indices, step in ((COPIES_X, 1), (CELLS_X, 8)) for index in indices]
    down = [Axis(index, step) for indices, step in ((COPIES_Y, 1), (CELLS_Y, 8)) for index in indices]
    found = coordinates(watched, across, down, [Pad.A])
    assert found is not None
    assert {part.axis.index for cell in found.cells for part in cell} == {*CELLS_X, *CELLS_Y}


def rolling(count: int = 60) -> list[PieceSpan]:
    """Dominoes that turn twice about their first cell: flat ones go where their order says, not where they stand."""
    generator = np.random.default_rng(5)
    made = []
    for _ in range(count):
        x, y, first, turns = (int(generator.integers(least, most)) for least, most in ((2, 8), (4, 18), (0, 4), (0, 3)))
        frames = np.zeros((44, 64), np.uint8)
        pads = [Pad.A if turns > frame // 20 and frame % 20 in (2, 3) else Pad.NONE for frame in range(44)]
        for frame in range(44):
            turn = first + sum(turns > nth and frame >= 20 * nth + 4 for nth in range(2))
            row, (dy, dx) = y - max(40 - frame, 0) // 20, ((0, 1), (1, 0), (0, -1), (-1, 0))[turn % 4]
            frames[frame, [*CELLS_X, *CELLS_Y]] = x, x + dx, row, row + dy
        ends = tuple(
            (int(frames[-1, row]), int(frames[-1, column])) for column, row in zip(CELLS_X, CELLS_Y, strict=True)
        )
        made.append(PieceSpan(frames, tuple(pads), 42, 42, ends, np.zeros((20, 10), np.bool_)))
    return made


def test_forms_that_turn_elsewhere_by_which_cell_is_where_are_told_apart() -> None:
    across, down = [Axis(index, 1) for index in CELLS_X], [Axis(index, 1) for index in CELLS_Y]
    found = coordinates(rolling(), across, down, [Pad.A])
    assert found is not None
    assert found.in_order
    assert len(found.orientations) == 4
    start = here = found.orientations[0]
    for _ in range(4):
        assert here.cells[0] == start.cells[0], "the cell about which it turns stays"
        here = found.orientations[here.after[Pad.A]]
    assert here == start, "four turns are a whole one"


@pytest.mark.parametrize("index", [CELLS_X[1], CELLS_Y[0]])
def test_a_cell_whose_place_is_nowhere_is_not_invented(index: int) -> None:
    watched = spans()
    for span in watched:
        span.frames[:, index] = 99
    across, down = [Axis(index, 1) for index in CELLS_X], [Axis(index, 1) for index in CELLS_Y]
    assert coordinates(watched, across, down, [Pad.A]) is None
