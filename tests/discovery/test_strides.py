"""Where further pieces land tells how many units lie from a row to the next, whatever the first piece leaves open."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any, cast

import numpy as np
import pytest

from emubot.discovery import board, strides
from emubot.discovery.board import Place
from emubot.discovery.drops import Drop, Dropper
from emubot.discovery.strides import stride
from emubot.pad import Pad

_COLUMNS, _ROWS, _FIRST = 10, 16, 100
_SQUARE = ((0, 0), (0, 1), (1, 0), (1, 1))
_FLAT = ((0, 0), (0, 1), (0, 2), (0, 3))
_T = ((0, 1), (1, 0), (1, 1), (1, 2))


@dataclass(frozen=True)
class _Toy:
    """A board in bytes, on which these pieces fall in turn; a state is the number of pieces and the board."""

    pieces: Sequence[Sequence[Place]]
    step: int

    @property
    def slow(self) -> _Toy:
        return self

    def tapped(self, button: Pad, times: int = 1) -> list[Pad]:
        return [button] * times

    def drop(self, state: bytes, pads: Iterable[Pad] = ()) -> Drop:
        aside = sum(1 if pad is Pad.RIGHT else -1 for pad in pads)
        piece, memory = self.pieces[state[0] % len(self.pieces)], np.frombuffer(state[1:], np.uint8).copy()
        wide = 1 + max(column for _, column in piece)
        left = min(max(_COLUMNS // 2 - wide // 2 + aside, 0), _COLUMNS - wide)

        def cells(row: int) -> list[int]:
            return [_FIRST + (row + down) * self.step + left + column for down, column in piece]

        row = 0
        while row + 1 + max(down for down, _ in piece) < _ROWS and not memory[cells(row + 1)].any():
            row += 1
        memory[cells(row)] = 1
        memory[5] = state[0] + 1
        return Drop(memory[None], 0, 0, False, bytes([state[0] + 1]) + memory.tobytes())

    def in_every_column(self, state: bytes, turning: Iterable[Pad] = ()) -> Mapping[int, Drop]:
        wide = 1 + max(column for _, column in self.pieces[state[0] % len(self.pieces)])
        left = _COLUMNS // 2 - wide // 2
        ways = {aside: Pad.LEFT if aside < 0 else Pad.RIGHT for aside in range(-left, _COLUMNS - wide - left + 1)}
        return {aside: self.drop(state, [way] * abs(aside)) for aside, way in ways.items()}


def _stride(toy: _Toy) -> int | None:
    start = bytes(1) + bytes(600)
    drops = toy.in_every_column(start)
    found = board.across(np.zeros((1, 600), np.uint8), [drops], np.zeros(600, np.bool_))[0]
    return stride(cast("Dropper", toy), replace(found, sets=(drops,)), np.zeros(600, np.uint8))


@pytest.mark.parametrize("step", [10, 11, 13])
@pytest.mark.parametrize("pieces", [[_SQUARE, _T], [_SQUARE], [_FLAT, _T], [_FLAT], [_T, _SQUARE]], ids=str)
def test_rows_are_told_apart_by_landings(pieces: Sequence[Sequence[Place]], step: int) -> None:
    assert _stride(_Toy(pieces, step)) == step


def test_what_else_looks_filled_does_not_hide_where_a_piece_landed(monkeypatch: pytest.MonkeyPatch) -> None:
    toy, start = _Toy([_FLAT], 10), bytes(1) + bytes(600)
    drops = toy.in_every_column(start)
    found = board.across(np.zeros((1, 600), np.uint8), [drops], np.zeros(600, np.bool_))[0]
    plain = strides._new

    def noisy(*arguments: Any) -> list[int]:
        new = plain(*arguments)
        return [*new, 20 + 7 * min(new), 25 + 9 * max(new)]

    expected = strides._landed(cast("Dropper", toy), replace(found, sets=(drops,)), 0, 256)
    monkeypatch.setattr(strides, "_new", noisy)
    assert strides._landed(cast("Dropper", toy), replace(found, sets=(drops,)), 0, 256) == expected
    assert {*expected} == {0, 10}


def test_a_byte_far_away_that_changes_with_the_column_is_no_cell() -> None:
    """It would be the empty one, and all that lies between it and the board would be the board's."""
    toy, start = _Toy([_SQUARE, _T], 10), bytes(1) + bytes(600)
    drops = toy.in_every_column(start)
    found = board.across(np.zeros((1, 600), np.uint8), [drops], np.zeros(600, np.bool_))[0]
    before = np.zeros(600, np.uint8)
    before[7] = 99
    stray = replace(found, sets=(drops,), cells=(found.cells[0] | {7},))
    assert stride(cast("Dropper", toy), stray, before) == 10


@pytest.mark.parametrize("step", [10, 16])
def test_rows_may_be_half_as_far_apart_as_landings(step: int, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(strides, "_landed", lambda *_: [0, -2 * step, -2 * step])
    assert _stride(_Toy([_FLAT, _T], step)) == step


def test_a_set_with_many_strays_is_outvoted() -> None:
    tee = frozenset((100, 111, 112, 113))
    noisy = frozenset((*tee, 901, 950, 978, 1003))
    assert board.row_steps(1, 10, [tee, noisy, tee]) == board.row_steps(1, 10, [tee])


def test_bits_that_do_not_stay_when_the_next_piece_falls_elsewhere_are_no_cells() -> None:
    """A mask of the column has one bit that moves with a piece, as a cell has; but it has the next piece's, too."""
    mask, column, floor = range(3)

    def rested(own: int, filled: int) -> Drop:
        image = np.zeros((1, 40), np.uint8)
        image[0, [mask, column, floor]] = 1 << own, own, filled
        image[0, column + 3 : column + 20] = 1 << own  # copies of it
        return Drop(image, 0, 0, False, b"")

    empty = np.zeros((1, 40), np.uint8)
    drops = {aside: rested(4 + aside, 3 << (4 + aside)) for aside in (-2, -1, 0, 1, 2)}
    far = [rested(own, 3 << 4 | 3 << own) for own in (1, 6)]
    assert not board.across(empty, [drops], np.zeros(40, np.bool_))
    loose = board.loose_bytes(empty, drops[0], far)
    assert not loose[floor]
    found = board.across(empty, [drops], loose)
    assert {cell // 8 for cell in found[0].cells[0]} == {floor}
