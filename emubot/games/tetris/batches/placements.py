"""Games of NES Tetris beside each other, a placement a step, of those that the tap rate reaches; knows no frames.

The rules are those of `evaluate --rules nes`: the levels, points and pieces of the cartridge, no points of soft drop,
and no wait before the first piece.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final, NamedTuple

import numpy as np
from numpy.typing import NDArray

from emubot.games.arrays import are_below
from emubot.games.batch import Counter, Shown
from emubot.games.lots import draw
from emubot.games.placing import PlacedBatch
from emubot.games.tetris.batches.shapes import PIECE_LOOKS, in_boxes
from emubot.games.tetris.board.board import (
    BOARD_ROWS,
    CELLS,
    FULL_ROW,
    LANE,
    LANE_OF,
    LANES,
    ORIENTATION_OF_LANE,
    Words,
    fill_fits,
    lock,
)
from emubot.games.tetris.generator import DRAWS, deal
from emubot.games.tetris.reach.start import Start, fill_locks, history, input_rules_of, scratch
from emubot.games.tetris.reach.state import Begin, History, InputRules, Scratch
from emubot.games.tetris.rules import (
    COLUMNS,
    DX,
    DY,
    LINE_POINTS,
    PIECE_NAMES,
    PIECE_OF,
    PROFILES,
    ROWS,
    SPAWN_ORIENTATION,
)
from emubot.games.tetris.scoring import level_after
from emubot.games.tetris.worlds import REWARDS, NesWorld
from emubot.jit import Scalar, inlined, kernel
from emubot.snapshot import Snapshot
from emubot.tempo import parse_taps

_PIECES: Final = len(PIECE_NAMES)
_TURNS: Final = 4
_ACTIONS: Final = _TURNS * ROWS * COLUMNS  # turns by A, row and column of the pivot
_POINTS: Final = np.array(LINE_POINTS, dtype=np.int64)
_MOST: Final = 2**62

# Of `rules`, int64: the start level, the most pieces (0: any number), the reward.
_START_LEVEL, _MOST_PIECES, _REWARD = range(3)
# Of the counters.
_LEVEL, _LINES, _SCORE, _DROPPED, _PIECE, _NEXT = range(6)
_NUMBERS: Final = (
    Counter("level", 0, 0xFF),
    *(Counter(name, 0, _MOST) for name in ("lines", "score", "pieces")),
    Counter("piece", 0, _PIECES - 1),
    Counter("next", 0, _PIECES - 1),
)


class Play(NamedTuple):
    """What the games are made of."""

    rules: Words
    gravity: Words  # frames a row by level
    rows: NDArray[np.uint16]  # (games, BOARD_ROWS)


class Way(NamedTuple):
    """What finds the placements of a piece."""

    begin: Begin
    input_rules: InputRules
    scratch: Scratch
    history: History
    fits: Words
    locks: Words


class PlacementsBatch(PlacedBatch):
    """A-type games; see Batch. An action that the piece cannot reach is the next one, by number, that it can."""

    rate = 4.0
    looks = PIECE_LOOKS
    numbers = _NUMBERS
    actions = tuple(
        f"turned {turns} by A, row {row}, column {column}"
        for turns in range(_TURNS)
        for row in range(ROWS)
        for column in range(COLUMNS)
    )

    def __init__(self, world: NesWorld, games: int) -> None:
        super().__init__(games, ROWS, COLUMNS, masked=True)
        profile, tempo = PROFILES[world.release], parse_taps(world.taps)
        rules = (world.start_level, world.cap, REWARDS.index(world.reward))
        gravity = np.array(profile.gravity, dtype=np.int64)
        self._play = Play(np.array(rules, dtype=np.int64), gravity, np.zeros((games, BOARD_ROWS), dtype=np.uint16))
        start = Start(int(SPAWN_ORIENTATION[0]), limiter=tempo.reaction, turn_limiter=tempo.reaction)
        fits, locks = np.zeros(ROWS + 1, dtype=np.int64), np.zeros(ROWS, dtype=np.int64)
        self._way = Way(start.begin(tempo), input_rules_of(tempo, profile), scratch(), history(), fits, locks)

    def adopt(self, snapshot: Snapshot) -> None:
        """Go on with the pieces that the cartridge has dealt."""
        assert snapshot.current is not None
        self.counters[0, _PIECE] = PIECE_OF[snapshot.current.orientation]
        self.counters[0, _NEXT] = PIECE_OF[snapshot.next[0]]

    def action_of(self, place: Sequence[int]) -> int:
        """Returns the action of a lock: orientation, column and row."""
        orientation, column, row = place
        return (int(LANE_OF[orientation]) * ROWS + row) * COLUMNS + column

    def is_shown(self, snapshot: Snapshot) -> bool:
        """Returns whether the cartridge's board is that of the game; its tiles do not tell all pieces apart."""
        return bool(np.array_equal(snapshot.playfield != 0, self.boards[0] != 0))

    def _coming(self, column: int) -> NDArray[np.int64]:
        coming = self.counters[:, _PIECE:]
        return in_boxes(coming, 1 + coming, column)

    def _begin(self, game: int) -> None:
        _begin(self._play, self._way, self._lots[game], self._shown, game)

    def _step(self, actions: NDArray[np.int64]) -> bool:
        return bool(_step(self._play, self._way, self._lots, self._shown, actions))


@kernel
def _begin(play: Play, way: Way, lots: Words, shown: Shown, game: Scalar) -> None:
    counters = shown.counters[game]
    for row in range(BOARD_ROWS):
        play.rows[game, row] = 0
    for row in range(ROWS):
        for column in range(COLUMNS):
            shown.cells[game, row, column] = 0
    for index in range(_PIECE):
        counters[index] = 0
    counters[_LEVEL] = play.rules[_START_LEVEL]
    counters[_PIECE] = _deal(-1, lots)
    counters[_NEXT] = _deal(counters[_PIECE], lots)
    shown.rewards[game], shown.ended[game], shown.cut[game] = 0.0, False, False
    _show_placements(play, way, shown, game)


@inlined
def _deal(before: Scalar, lots: Words) -> Scalar:
    first = draw(lots, DRAWS)
    return deal(before, first, draw(lots, DRAWS))


@inlined
def _show_placements(play: Play, way: Way, shown: Shown, game: Scalar) -> Scalar:
    """Write the mask of a game; returns the number of placements."""
    piece, level = shown.counters[game, _PIECE], shown.counters[game, _LEVEL]
    gravity = play.gravity[min(level, len(play.gravity) - 1)]
    fill_fits(play.rows[game], piece, way.fits)
    fill_locks(way.fits, LANES[piece], way.begin, gravity, way.input_rules, way.scratch, way.locks, way.history)
    mask = shown.mask[game]
    for action in range(_ACTIONS):
        mask[action] = 0
    count = 0
    for row in range(ROWS):
        for lane in range(LANES[piece] if way.locks[row] else 0):
            columns = way.locks[row] >> (LANE * lane) & FULL_ROW
            for column in range(COLUMNS if columns else 0):
                if columns >> column & 1:
                    mask[(lane * ROWS + row) * COLUMNS + column] = 1
                    count += 1
    return count


@kernel
def _step(play: Play, way: Way, lots: NDArray[np.int64], shown: Shown, actions: NDArray[np.int64]) -> bool:
    if not are_below(actions, _ACTIONS):
        return False
    for game in range(len(actions)):
        if shown.ended[game] or shown.cut[game]:
            _begin(play, way, lots[game], shown, game)
            continue
        action = actions[game]
        while shown.mask[game, action] == 0:
            action = (action + 1) % _ACTIONS
        counters = shown.counters[game]
        piece = counters[_PIECE]
        lane, row, column = action // (ROWS * COLUMNS), action // COLUMNS % ROWS, action % COLUMNS
        orientation = ORIENTATION_OF_LANE[piece, lane]
        cleared = lock(play.rows[game], orientation, column, row)
        _show_lock(shown.cells[game], orientation, column, row, 1 + piece)
        if cleared:
            _show_clear(shown.cells[game], row)
        counters[_LEVEL] = level_after(counters[_LEVEL], counters[_LINES], cleared)
        points = _POINTS[cleared] * (counters[_LEVEL] + 1)
        counters[_LINES] += cleared
        counters[_SCORE] += points
        counters[_DROPPED] += 1
        counters[_PIECE] = counters[_NEXT]
        counters[_NEXT] = _deal(counters[_PIECE], lots[game])
        shown.rewards[game] = points if play.rules[_REWARD] == 0 else cleared
        shown.ended[game] = _show_placements(play, way, shown, game) == 0
        shown.cut[game] = 0 < play.rules[_MOST_PIECES] <= counters[_DROPPED] and not shown.ended[game]
    return True


@inlined
def _show_lock(board: NDArray[np.uint8], orientation: Scalar, column: Scalar, row: Scalar, kind: Scalar) -> None:
    for cell in range(CELLS):
        if row + DY[orientation, cell] >= 0:
            board[row + DY[orientation, cell], column + DX[orientation, cell]] = kind


@inlined
def _show_clear(board: NDArray[np.uint8], row: Scalar) -> None:
    """Remove full rows as board.clear_rows does."""
    first = max(0, row - 2)
    for checked in range(first, min(first + CELLS, ROWS)):
        full = True
        for column in range(COLUMNS):
            if board[checked, column] == 0:
                full = False
        if full:
            for moved in range(checked if checked else ROWS - 1, 0, -1):
                for column in range(COLUMNS):
                    board[moved, column] = board[moved - 1, column]
            for column in range(COLUMNS):
                board[0, column] = 0
