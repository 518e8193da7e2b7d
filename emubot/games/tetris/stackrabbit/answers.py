"""Answers in StackRabbit's form, by emubot's own search; facts: interfaces, StackRabbit HTTP.

A placement is the turns by A from the spawn, the columns to the right of it, and the rows below it. Values are those of
our search, in its own unit, and not StackRabbit's.
"""

from __future__ import annotations

import json
from collections import OrderedDict
from collections.abc import Callable, Mapping, Sequence
from typing import Any, Final

import numpy as np

from emubot.errors import UsageError
from emubot.games.offers import ToolParameter
from emubot.games.tetris.board.board import LANE_OF, Rows, clear_rows, write_piece
from emubot.games.tetris.reach import Start, gravity_at, timeline
from emubot.games.tetris.rules import (
    COLUMNS,
    HIDDEN_ROWS,
    NES_NTSC,
    PIECE_NAMES,
    ROWS,
    SPAWN_COLUMN,
    SPAWN_ORIENTATION,
    SPAWN_ROW,
)
from emubot.games.tetris.scoring import level_after
from emubot.games.tetris.search.engine import engine_for
from emubot.games.tetris.search.search import Position, Search
from emubot.games.tetris.stackrabbit.query import PARAMETERS, Query, read_query, short_board
from emubot.pad import Pad
from emubot.snapshot import Piece, Placement
from emubot.tempo import Tempo
from emubot.version import __version__
from emubot.weights import Weights

_NODES: Final = 8_000  # boards of a decision: an answer comes in a few milliseconds
_NODES_AFTER: Final = 500  # the same for where the next piece goes
_MOVES: Final = 10  # of a list
_KEPT: Final = 8  # searches, one for each tempo and number of boards
_NOTHING, _UNKNOWN, _NOT_FOUND = "No legal moves", "Unknown score", "Error: player move not found"
# Frames after the lock: of the entry delay, of which the last ones come after the rows have vanished; facts: NES 3.2.
_WAITS, _VANISHES, _LAST_WAITS, _VANISH_FRAMES = "*", "^", 5, 17
_PLAYOUT: Final = '{ "pieceSequence":"", "placements": [ ], "resultingBoard":"%s",  "score":%.2f }'
_PLAYOUTS: Final = 7
# A letter for the buttons of a frame: way and turn.
_LETTERS: Final = {
    (Pad.NONE, Pad.NONE): ".",
    (Pad.LEFT, Pad.NONE): "L",
    (Pad.RIGHT, Pad.NONE): "R",
    (Pad.NONE, Pad.A): "A",
    (Pad.NONE, Pad.B): "B",
    (Pad.LEFT, Pad.A): "E",
    (Pad.LEFT, Pad.B): "F",
    (Pad.RIGHT, Pad.A): "I",
    (Pad.RIGHT, Pad.B): "G",
}


class StackRabbitAnswers:
    """Answers one question at a time; its searches are not to be shared by threads."""

    def __init__(self, weights: Weights) -> None:
        self._weights = weights
        self._searches: OrderedDict[tuple[Tempo, int], Search] = OrderedDict()
        version = f"emubot {__version__}"
        self._plain = {
            "ping": "pong",
            "version": json.dumps({"jsVersion": version, "cppVersion": version}, separators=(",", ":")),
        }
        self._answers: Mapping[str, Callable[[Query], str]] = {
            "get-move": self._move,
            "get-move-cpp": self._move,
            "engine-movelist": self._list,
            "engine-movelist-cpp": self._cpp_list,
            "engine-movelist-cpp-hybrid": self._both_lists,
            "rate-move": self._rating,
            "rate-move-cpp": self._cpp_rating,
            "eval": self._value,
        }

    @property
    def paths(self) -> tuple[str, ...]:
        """The paths that are answered."""
        return (*self._plain, *self._answers)

    def parameters(self, path: str) -> Sequence[ToolParameter]:
        """Returns what a question at a path takes."""
        return () if path in self._plain else PARAMETERS

    def answer(self, path: str, given: Mapping[str, str]) -> str:
        """Returns the answer to a question. Raises UsageError for a question that has none."""
        return self._plain.get(path) or self._answers[path](read_query(given))

    def _search(self, tempo: Tempo, nodes: int = _NODES) -> Search:
        key = (tempo, nodes)
        if key not in self._searches:
            self._searches[key] = Search(engine_for(self._weights, tempo, NES_NTSC, nodes), tempo, NES_NTSC)
            if len(self._searches) > _KEPT:
                self._searches.popitem(last=False)
        self._searches.move_to_end(key)
        return self._searches[key]

    def _ranked(self, query: Query, shown: bool = True) -> list[Placement]:
        return self._search(query.tempo).rank(query.position(shown))[0]

    def _move(self, query: Query) -> str:
        ranked = self._ranked(query)
        if not ranked:
            return _NOTHING
        best, position = ranked[0], query.position()
        rows, level, lines = _after(position, best)
        place = ",".join(map(str, _place(best)))
        board = "".join("01"[row >> column & 1] for row in rows[HIDDEN_ROWS:].tolist() for column in range(COLUMNS))
        return f"{place}|{_inputs(query, best)}|{board}|{level}|{lines}"

    def _list(self, query: Query) -> str:
        position, ranked = query.position(), self._ranked(query)[:_MOVES]
        if query.following is None:
            return _json([_told(position.rows, one, one.value) for one in ranked])
        pairs = ((one, self._next(query, position, one)) for one in ranked)
        return _json(
            [
                [_told(position.rows, one, one.value), _told(_after(position, one)[0], then, one.value)]
                for one, then in pairs
                if then
            ]
        )

    def _cpp_list(self, query: Query, shown: bool = True) -> str:
        return f"[{','.join(self._cpp_move(query, one, shown) for one in self._ranked(query, shown)[:_MOVES])}]"

    def _cpp_move(self, query: Query, move: Placement, shown: bool) -> str:
        position = query.position(shown)
        then = self._next(query, position, move) if shown and query.following is not None else None
        rows, level, lines = _after(position, move)
        if then is not None:
            start = _entering(query.following, query.tempo)
            rows, *_ = _after(Position(rows, start, None, level, lines), then)
        second = "" if then is None else f', "secondPlacement":{_bracketed(then)}'
        scores = f', "playoutScore":{move.value:.2f}, "shallowEvalScore":{move.value:.2f}'
        board = short_board(rows)
        playouts = "".join(
            f', "playout{number}":{_PLAYOUT % (board, move.value)}' for number in range(1, _PLAYOUTS + 1)
        )
        return f'{{"firstPlacement":{_bracketed(move)}{second}{scores}, "resultingBoard":"{board}"{playouts} }}'

    def _both_lists(self, query: Query) -> str:
        if query.following is None:
            raise UsageError("engine-movelist-cpp-hybrid needs nextPiece.")
        return f'{{"noNextBox":{self._cpp_list(query, shown=False)}, "nextBox":{self._cpp_list(query)}}}'

    def _rated(self, query: Query) -> dict[str, float | None] | None:
        """Returns the values of the player's move and of the best one, without and with the next piece; see `rate`."""
        if query.second_board is None:
            raise UsageError("rate-move needs secondBoard, the board after the player's move.")
        hidden = np.zeros((HIDDEN_ROWS, COLUMNS), dtype=np.uint8)
        wanted = np.concatenate([hidden, query.second_board]) @ (1 << np.arange(COLUMNS))
        found: dict[str, float | None] = {}
        for shown, when in ((False, "No"), (True, "After")):
            if shown and query.following is None:
                continue
            position, ranked = query.position(shown), self._ranked(query, shown)
            if not ranked:
                return None
            own = (one.value for one in ranked if (_after(position, one)[0] == wanted).all())
            found[f"playerMove{when}Adjustment"] = next(own, None)
            found[f"bestMove{when}Adjustment"] = ranked[0].value
        return found

    def _rating(self, query: Query) -> str:
        rated = self._rated(query)
        if rated is None:
            return _NOTHING
        return _json({name: _UNKNOWN if value is None else f"{value:.2f}" for name, value in rated.items()})

    def _cpp_rating(self, query: Query) -> str:
        rated = self._rated(query)
        if rated is None or rated["playerMoveNoAdjustment"] is None:
            return _NOT_FOUND
        return "{" + ", ".join(f'"{name}":{value or 0:.6f}' for name, value in rated.items()) + "}"

    def _value(self, query: Query) -> str:
        """The mean over all pieces of the best placement's value, without a next one."""
        search, position = self._search(query.tempo), query.position(shown=False)
        values = []
        for piece in range(len(PIECE_NAMES)):
            start = _entering(piece, query.tempo)
            ranked, _ = search.rank(Position(position.rows, start, None, query.level, query.lines))
            values.append(ranked[0].value if ranked else 0.0)
        return f"{sum(values) / len(values):.2f}"

    def _next(self, query: Query, position: Position, move: Placement) -> Placement | None:
        rows, level, lines = _after(position, move)
        after = Position(rows, _entering(query.following, query.tempo), None, level, lines)
        return next(iter(self._search(query.tempo, _NODES_AFTER).rank(after)[0]), None)


def _entering(piece: int | None, tempo: Tempo) -> Start:
    return Start(int(SPAWN_ORIENTATION[piece or 0]), limiter=tempo.reaction, turn_limiter=tempo.reaction)


def _after(position: Position, move: Placement) -> tuple[Rows, int, int]:
    """Returns the board, the level and the lines after a placement."""
    rows = position.rows.copy()
    write_piece(rows, move.orientation, move.column, move.row)
    cleared = int(clear_rows(rows, move.row))
    return rows, int(level_after(position.level, position.lines, cleared)), position.lines + cleared


def _place(move: Placement) -> tuple[int, int, int]:
    return int(LANE_OF[move.orientation]), move.column - SPAWN_COLUMN, move.row - SPAWN_ROW


def _bracketed(move: Placement) -> str:
    return f"[{','.join(map(str, _place(move)))}]"


def _inputs(query: Query, move: Placement) -> str:
    """Returns a letter for each frame until the lock, a point for one without input, and signs for those after it."""
    position, target = query.position(), Piece(move.orientation, move.column, move.row)
    gravity = gravity_at(query.level, NES_NTSC)
    route = timeline(position.rows, position.start, target, gravity, query.tempo, NES_NTSC, soft_drop=False)
    letters = "".join(
        _LETTERS[step.pad & (Pad.LEFT | Pad.RIGHT), step.pad & (Pad.A | Pad.B)] for step in route.placement.timeline
    )
    _, _, lines = _after(position, move)
    vanishing = _VANISHES * _VANISH_FRAMES if lines > position.lines else ""
    waits = _entry_delay(move.row - SPAWN_ROW) - _LAST_WAITS
    return f"{letters}{_WAITS * waits}{vanishing}{_WAITS * _LAST_WAITS}"


def _entry_delay(rows: int) -> int:
    """Returns the frames from a lock so many rows below the spawn to the next piece, rows that vanish left out."""
    return min(18, 10 + (ROWS + 1 - rows) // 4 * 2)


def _told(rows: Rows, move: Placement, value: float) -> dict[str, Any]:
    """Returns a move of a list, on this board. Special are those that a straight fall does not reach: tucks, spins."""
    own = np.zeros_like(rows)
    write_piece(own, move.orientation, move.column, move.row)
    return {
        "placement": list(_place(move)),
        "isSpecialMove": bool((np.bitwise_or.accumulate(rows) & own).any()),
        "totalValue": f"{value:.2f}",
        "evalExplanation": "",
        "evalScore": f"{move.value:.2f}",
    }


def _json(content: object) -> str:
    return json.dumps(content, separators=(",", ":"))
