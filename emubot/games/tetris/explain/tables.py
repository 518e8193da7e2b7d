"""Values in points: by table, and by the number of pieces that are looked at; knows no text and no picture.

The best placements are all searched to the fourth piece here, while a decision of play searches only as many as its
budget allows. The value of a placement is that of its best line: its lock, then one of the next piece, then the third
and the fourth piece, each with its exact probability and with its best lock.
"""

from __future__ import annotations

from bisect import bisect_right
from dataclasses import dataclass
from typing import Final

import numpy as np

from emubot.explanation import DepthValue, Part
from emubot.games.tetris.board.board import Rows, lock
from emubot.games.tetris.board.columns import columns_of
from emubot.games.tetris.evaluation import layout
from emubot.games.tetris.evaluation.layout import TERMS
from emubot.games.tetris.evaluation.network import part_of_board
from emubot.games.tetris.evaluation.points import entries_of_board, gain, is_over, place_on_course
from emubot.games.tetris.explain.valued import Lock, ValuedLock, best_of
from emubot.games.tetris.reach.state import Begin
from emubot.games.tetris.rules import COLUMNS
from emubot.games.tetris.search.chance import CHAIN, DEEP_LOCKS
from emubot.games.tetris.search.expectimax import search_points
from emubot.games.tetris.search.plies import MOST_PLACEMENTS, PIECES, Lookahead

SECONDS: Final = 3  # locks of the next piece, the best ones by the third, that are searched to the fourth
_ONLY_THE_FIRST: Final = 1  # a budget
_NOT_KNOWN: Final = -1
_THOUSAND: Final = 1000.0

# Where each table begins within a phase. That of the lines comes after all phases.
_TABLES: Final = (
    ("surfaces", 0),
    ("columns", layout.COLUMNS_AT),
    ("well", layout.WELL_AT),
    ("tap clearance", layout.CLEARANCE_AT),
    ("holes", layout.HOLE_ROWS_AT),
    ("cells above holes", layout.DEPTH_AT),
    ("wells", layout.WELLS_AT),
    ("row transitions", layout.ROW_CHANGES_AT),
    ("column transitions", layout.COLUMN_CHANGES_AT),
    ("locks without a hole", layout.FITS_AT),
    ("volume", layout.VOLUME_AT),
    ("locks without a hole", layout.QUALITY_AT),
)
_STARTS: Final = [start for _, start in _TABLES]
_LINES: Final = "lines left"
TABLE_NAMES: Final = (*dict.fromkeys(name for name, _ in _TABLES), _LINES)
WHOLE: Final = "board as a whole"  # what the tables miss, if a network says it


def table_of(entry: int) -> str:
    """Returns the name of the table that an entry of `entries_of_board` is in."""
    if entry >= layout.LINES_AT:
        return _LINES
    return _TABLES[bisect_right(_STARTS, entry % layout.PHASE) - 1][0]


@dataclass(frozen=True, slots=True)
class _Board:
    """A board after locks, and what these brought; `over` is true if the tables' game has ended."""

    rows: Rows
    gained: float
    lines: int
    level: int
    over: bool


class PointsEvaluator:
    """Values the locks of one position by the tables of a search in points."""

    def __init__(
        self, look: Lookahead, rows: Rows, piece: int, begin: Begin, next_piece: int | None, lines: int, level: int
    ) -> None:
        """`begin` is the piece in the air; `next_piece` is an index of PIECE_NAMES, None if it is not known."""
        self._look, self._piece, self._begin, self._next = look, piece, begin, next_piece
        self._root = _Board(rows, 0.0, lines, level, over=False)
        in_lines = look.player.rewards[1, 0] == 1  # else in thousands of points
        self.unit, self._scale = ("lines", 1.0) if in_lines else ("points", _THOUSAND)
        self.meaning = f"the {self.unit} still to come from this lock on, until the tables' game ends"
        if in_lines and look.player.stop_worth:
            self.meaning += f", which is worth {look.player.stop_worth:g} more"
        self._found = np.zeros((MOST_PLACEMENTS, 3), dtype=np.int64)
        self._values = np.zeros(MOST_PLACEMENTS)

    def best(self, places: list[Lock], top: int, chosen: Lock) -> list[ValuedLock]:
        """See LockEvaluator."""
        if self._next is None:
            expected = dict(self._expected(self._root, self._piece, self._begin))
            return best_of([self._lock_alone(place, expected[place]) for place in places], top, chosen)
        lines = {place: self._seconds(place) for place in places}
        order = sorted(places, key=lambda place: -max((value for _, value in lines[place]), default=0.0))
        deep = [place for number, place in enumerate(order) if number < top or place == chosen]
        return best_of([self._searched(place, lines[place]) for place in deep], top, chosen)

    def _lock_alone(self, place: Lock, value: float) -> ValuedLock:
        """Returns the value of a lock before an unknown piece; `value` is the expectation over that piece."""
        after = self._after(self._root, place)
        parts = {"this lock": after.gained, **self._tables(after)}
        static = sum(parts.values())
        return self._valued(place, None, parts | {"second piece": value - static}, [(1, static), (2, value)])

    def _seconds(self, place: Lock) -> list[tuple[Lock, float]]:
        """Returns the best locks of the next piece after this one, with the value of both and of the third piece."""
        assert self._next is not None
        after = self._after(self._root, place)
        found = [] if after.over else self._expected(after, self._next, self._look.begin)
        return sorted(((second, after.gained + value) for second, value in found), key=lambda one: -one[1])[:SECONDS]

    def _searched(self, place: Lock, seconds: list[tuple[Lock, float]]) -> ValuedLock:
        """Returns the value of a lock by the best of these locks of the next piece, with the fourth piece."""
        after = self._after(self._root, place)
        if not seconds:  # the game ends with this lock, or the next piece can lock nowhere
            return self._valued(place, None, {"this lock": after.gained}, [(2, after.gained)])
        return max((self._line(place, after, second, third) for second, third in seconds), key=lambda one: one.value)

    def _line(self, place: Lock, after: _Board, second: Lock, third: float) -> ValuedLock:
        last = self._after(after, second)
        parts = {"this lock": after.gained, "the next lock": last.gained, **self._tables(last)}
        pair = sum(parts.values())
        if last.over:
            return self._valued(place, second, parts, [(2, pair)])
        fourth = after.gained + last.gained + self._expected_twice(last)
        parts |= {"third piece": third - pair, "fourth piece": fourth - third}
        return self._valued(place, second, parts, [(2, pair), (3, third), (4, fourth)])

    def _expected_twice(self, board: _Board) -> float:
        """Returns what a board is worth before the third piece, with the fourth searched after its best locks."""
        assert self._next is not None
        outcomes = np.zeros(PIECES)
        for piece in range(PIECES):
            found = self._expected(board, piece, self._look.begin)
            leaves = sorted(found, key=lambda one: -self._leaf(board, one[0]))
            outcomes[piece] = max((value for _, value in leaves[:DEEP_LOCKS]), default=0.0)
        chances = CHAIN[self._next]
        weights = chances * np.where(outcomes < chances @ outcomes, self._look.loss_weight, 1.0)
        return float(weights @ outcomes / weights.sum())

    def _leaf(self, board: _Board, place: Lock) -> float:
        after = self._after(board, place)
        return after.gained + sum(self._tables(after).values())

    def _expected(self, board: _Board, piece: int, begin: Begin) -> list[tuple[Lock, float]]:
        """Returns the locks of a piece, each with what it brings and what is expected with one more piece."""
        count, _, _ = search_points(
            board.rows,
            piece,
            begin,
            _NOT_KNOWN,
            board.lines,
            board.level,
            _ONLY_THE_FIRST,
            self._look,
            self._found,
            self._values,
        )
        places = [(int(o), int(x), int(y)) for o, x, y in self._found[:count]]
        return list(zip(places, map(float, self._values[:count]), strict=True))

    def _after(self, board: _Board, place: Lock) -> _Board:
        rows = board.rows.copy()
        player = self._look.player
        gained, lines, level = gain(lock(rows, *place), board.lines, board.level, player)
        return _Board(rows, gained, int(lines), int(level), bool(is_over(lines, level, player)))

    def _tables(self, board: _Board) -> dict[str, float]:
        """Returns what each table gives for a board; nothing if the game has ended."""
        if board.over:
            return {}
        stacks, entries = np.zeros(COLUMNS, dtype=np.int64), np.zeros(TERMS, dtype=np.int64)
        player = self._look.player
        columns_of(board.rows, stacks)
        entries_of_board(stacks, board.lines, board.level, player, entries)
        values = dict.fromkeys(TABLE_NAMES, 0.0)
        for entry in entries:
            values[table_of(int(entry))] += float(player.values[entry])
        if player.network.used:
            place = place_on_course(board.lines, board.level, player)
            values[WHOLE] = float(part_of_board(stacks, place, player.stop_lines, entries, player.network))
        return values

    def _valued(
        self, place: Lock, following: Lock | None, parts: dict[str, float], depths: list[tuple[int, float]]
    ) -> ValuedLock:
        scale = self._scale
        return ValuedLock(
            place,
            following,
            tuple(DepthValue(pieces, scale * value) for pieces, value in depths),
            tuple(Part(name, scale * value) for name, value in parts.items()),
        )
