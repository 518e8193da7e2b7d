"""Games of NES Tetris beside each other, frame by frame by the pad: the simulator's own frames, in arrays."""

from __future__ import annotations

from typing import Final, NamedTuple

import numpy as np
from numpy.typing import NDArray

from emubot.games.arrays import are_below
from emubot.games.batch import PAD_WORDS, STEP_PADS, Batch, Counter, Shown
from emubot.games.lots import draw
from emubot.games.tetris.batches.shapes import cells_at, in_boxes
from emubot.games.tetris.decode import addresses as reg
from emubot.games.tetris.decode.addresses import CURTAIN
from emubot.games.tetris.looks import LOOKS
from emubot.games.tetris.rules import COLUMNS, HIDDEN_PIECE, ORIENTATIONS, PIECE_OF, PROFILES, ROWS
from emubot.games.tetris.simulator.opening import first_pieces, new_game
from emubot.games.tetris.simulator.play_states import TILE
from emubot.games.tetris.simulator.simulator import step_frame
from emubot.games.tetris.timing import ReleaseTiming, timing_of
from emubot.games.tetris.worlds import REWARDS, NesWorld
from emubot.jit import Scalar, inlined, kernel
from emubot.looks import Looks

# Play states (facts 2): what fills or empties cells, the line animation, which goes over to the count of level, lines
# and score in the middle of a frame, and what follows a piece that did not fit.
_LOCK, _CHECK, _ANIMATION, _COUNT = 2, 3, 4, 5
_BYTE: Final = 0x100
_MOST_LINES: Final = 25_699  # the hundreds are a byte in plain binary
_GENERATORS: Final = 0x7FFF  # states from which the generator never stops; its lowest bit decides nothing (facts 5.1)
_KIND = np.zeros(_BYTE, dtype=np.uint8)  # of each tile; all others are empty
_KINDS: Final = 4  # of the family's looks: empty, and one for each tile
_KIND[[0x7B, 0x7C, 0x7D]] = range(1, _KINDS)
_KIND_OF = _KIND[TILE].astype(np.int64)  # of each orientation

# Of `rules`, int64: the level and the wait at the start, the frames of a step, the most frames (0: any), the reward.
_LEVEL, _WAIT, _SKIP, _MOST_FRAMES, _REWARD = range(5)
# Of the counters.
_PIECE, _COLUMN, _ROW, _NEXT, _LEVEL_NOW, _LINES, _SCORE, _STATE, _CHARGE, _FRAMES = range(10)
_NUMBERS: Final = (
    Counter("piece", 0, HIDDEN_PIECE),
    Counter("column", 0, _BYTE - 1),
    Counter("row", 0, _BYTE - 1),
    Counter("next", 0, ORIENTATIONS - 1),
    Counter("level", 0, _BYTE - 1),
    Counter("lines", 0, _MOST_LINES),
    Counter("score", 0, 999_999),
    Counter("play_state", 0, CURTAIN),
    Counter("das", 0, _BYTE - 1),
    Counter("frames", 0, 2**62),
)


class Play(NamedTuple):
    """What the games are made of."""

    rules: NDArray[np.int64]
    states: NDArray[np.uint8]  # (games, fields)
    pages: NDArray[np.uint8]  # (games, PAGE_SIZE)
    held: NDArray[np.int64]  # (games,): the pad of the frame before
    pads: NDArray[np.int64]  # (actions,)


class FramesBatch(Batch):
    """A-type games, a pad a step, held for `frame_skip` frames; see Batch. `kinds` are the tiles of the release."""

    looks = Looks(LOOKS.kinds[:_KINDS])
    numbers = _NUMBERS
    actions = PAD_WORDS

    def __init__(self, world: NesWorld, games: int) -> None:
        super().__init__(games, ROWS, COLUMNS)
        profile = PROFILES[world.release]
        self._timing, self.rate = timing_of(profile), profile.frame_rate / world.frame_skip
        rules = (world.start_level, profile.start_wait, world.frame_skip, world.cap, REWARDS.index(world.reward))
        self._play = Play(
            np.array(rules, dtype=np.int64),
            np.zeros((games, len(reg.FIELDS)), dtype=np.uint8),
            np.zeros((games, reg.PAGE_SIZE), dtype=np.uint8),
            np.zeros(games, dtype=np.int64),
            np.array(STEP_PADS, dtype=np.int64),
        )

    def _begin(self, game: int) -> None:
        _begin(self._play, self._lots[game], self._shown, game)

    def _step(self, actions: NDArray[np.int64]) -> bool:
        return bool(_step(self._play, self._timing, self._lots, self._shown, actions))

    def _air(self) -> NDArray[np.int64]:
        number, column, row = self.counters[:, [_PIECE, _COLUMN, _ROW]].T
        orientation = np.minimum(number, ORIENTATIONS - 1)
        row = np.where(row >= ROWS, row - _BYTE, row)
        hidden = np.where(number < ORIENTATIONS, row, -ROWS)
        return cells_at(orientation, hidden, column, _KIND_OF[orientation])

    def _coming(self, column: int) -> NDArray[np.int64]:
        following = self.counters[:, _NEXT]
        return in_boxes(PIECE_OF.astype(np.int64)[following][:, None], _KIND_OF[following][:, None], column)


@kernel
def _begin(play: Play, lots: NDArray[np.int64], shown: Shown, game: Scalar) -> None:
    """Begin a game as the menus do, whose length is anything: generator and counters are drawn."""
    state, page = play.states[game], play.pages[game]
    generator = 1 + draw(lots, _GENERATORS) << 1
    state[reg.LFSR_HI], state[reg.LFSR_LO] = generator >> 8, generator & 0xFF
    state[reg.FRAME_LO], state[reg.FRAME_HI] = draw(lots, _BYTE), draw(lots, _BYTE)
    state[reg.SPAWN_COUNT] = draw(lots, _BYTE)
    new_game(state, page, play.rules[_LEVEL], play.rules[_WAIT])
    first_pieces(state)
    play.held[game] = 0
    shown.rewards[game], shown.ended[game], shown.cut[game] = 0.0, False, False
    shown.counters[game, _FRAMES] = 0
    _show_board(page, shown.cells[game])
    _show_piece(state, shown.counters[game])
    _show_count(state, shown.counters[game])


@kernel
def _step(play: Play, timing: ReleaseTiming, lots: NDArray[np.int64], shown: Shown, actions: NDArray[np.int64]) -> bool:
    if not are_below(actions, len(play.pads)):
        return False
    skip, most = play.rules[_SKIP], play.rules[_MOST_FRAMES]
    for game in range(len(actions)):
        if shown.ended[game] or shown.cut[game]:
            _begin(play, lots[game], shown, game)
            continue
        state, page, counters = play.states[game], play.pages[game], shown.counters[game]
        held, pad = play.held[game], play.pads[actions[game]]
        lines, score = counters[_LINES], counters[_SCORE]
        fills = counts = False
        for _ in range(skip):
            before = state[reg.PLAY_STATE]
            fills |= before in (_LOCK, _CHECK)
            counts |= before in (_ANIMATION, _COUNT)
            step_frame(state, page, pad & ~held, pad, timing)
            held = pad
            counters[_FRAMES] += 1
            if state[reg.PLAY_STATE] == CURTAIN:
                break
        play.held[game] = held
        if fills:
            _show_board(page, shown.cells[game])
        if counts:
            _show_count(state, counters)
        _show_piece(state, counters)
        shown.rewards[game] = (counters[_SCORE] - score) if play.rules[_REWARD] == 0 else (counters[_LINES] - lines)
        shown.ended[game] = state[reg.PLAY_STATE] == CURTAIN
        shown.cut[game] = 0 < most <= counters[_FRAMES] and not shown.ended[game]
    return True


@kernel
def show(play: Play, shown: Shown) -> None:
    """Write what the first game's state and page show."""
    _show_board(play.pages[0], shown.cells[0])
    _show_piece(play.states[0], shown.counters[0])
    _show_count(play.states[0], shown.counters[0])


@inlined
def _show_board(page: NDArray[np.uint8], board: NDArray[np.uint8]) -> None:
    for row in range(ROWS):
        for column in range(COLUMNS):
            board[row, column] = _KIND[page[COLUMNS * row + column]]


@inlined
def _show_piece(state: NDArray[np.uint8], counters: NDArray[np.int64]) -> None:
    counters[_PIECE], counters[_COLUMN], counters[_ROW] = state[reg.PIECE], state[reg.X], state[reg.Y]
    counters[_NEXT], counters[_STATE], counters[_CHARGE] = state[reg.NEXT_PIECE], state[reg.PLAY_STATE], state[reg.DAS]


@inlined
def _show_count(state: NDArray[np.uint8], counters: NDArray[np.int64]) -> None:
    counters[_LEVEL_NOW] = state[reg.LEVEL]
    counters[_LINES] = _number_of(np.int64(state[reg.LINES_LO])) + 100 * np.int64(state[reg.LINES_HI])
    counters[_SCORE] = _score_of(state)


@inlined
def _number_of(bcd: Scalar) -> Scalar:
    """Returns the number that a byte shows in two decimal digits; a digit may be more than 9 for a moment."""
    return (bcd >> 4) * 10 + (bcd & 0x0F)


@inlined
def _score_of(state: NDArray[np.uint8]) -> Scalar:
    """Returns the score of a game's state, three such bytes from the lowest."""
    low, middle, high = np.int64(state[reg.SCORE]), np.int64(state[reg.SCORE + 1]), np.int64(state[reg.SCORE + 2])
    return _number_of(low) + 100 * _number_of(middle) + 10_000 * _number_of(high)
