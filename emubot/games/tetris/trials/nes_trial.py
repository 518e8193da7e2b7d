"""Untimed games of NES Tetris to be measured: its reach, gravity, dealing and points; knows no frames and no file.

A search of two plies chooses the place of each piece among those that the tempo can reach in time. A piece that can
lock nowhere ends the game. Pieces come by the cartridge's rule (facts: NES Tetris 5.2), but from independent random
numbers, because its generator counts frames. Soft drop gives no points. In B-type a game begins with garbage and ends
as `completed` after 25 lines; its level stays, so the search and the score see no lines.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any, ClassVar, Final, NamedTuple

import numpy as np
from numpy.typing import NDArray

from emubot.errors import UsageError
from emubot.games.options import Options
from emubot.games.tetris.board.board import BOARD_ROWS, Rows, Words
from emubot.games.tetris.evaluation.features import FEATURES
from emubot.games.tetris.evaluation.points_player import LINES, SCORE
from emubot.games.tetris.generator import DRAWS, deal
from emubot.games.tetris.rules import (
    COLUMNS,
    GARBAGE_ROWS,
    GOAL_LINES,
    NES_NTSC,
    PROFILES,
    TYPE_B,
    TYPES,
    Profile,
)
from emubot.games.tetris.search.engine import MOST_NODES, NODES, Engine, engine_for, features_engine, limited
from emubot.games.tetris.search.timed import Pace
from emubot.games.tetris.trials import point_tables
from emubot.games.tetris.trials.untimed import Scratch, place, scratch
from emubot.games.trial import Settings
from emubot.jit import Scalar, kernel
from emubot.tempo import MAX_REACTION, Tempo, parse_taps
from emubot.weights import PointTables, Weights

_KILL_SCREEN: Final = 29
_FIGURES: Final = ("score", "lines", "pieces", "tetrises", "level", "reached_29", "nodes")
_COMPLETED: Final = "completed"  # of B-type alone
_OPTIONS: Final = (
    "start_level",
    "taps",
    "reaction",
    "stop_lines",
    "nodes",
    "budget_ms",
    "aim",
    "type",
    "height",
    "rng",
)
_SCORE, _LINES, _PIECES, _TETRISES, _LEVEL, _REACHED, _NODES = range(len(_FIGURES))


class Bounds(NamedTuple):
    """Where a game begins and ends, as in NesTrial; `levels_rise` is 0 or 1."""

    start_level: Scalar
    stop_lines: Scalar
    levels_rise: Scalar


@dataclass(frozen=True, slots=True)
class NesTrial:
    """Games from `start_level`. A game ends by a top-out, or after `stop_lines` lines if that is not 0.

    `nodes` are the boards that a decision may value (search/engine.py), in A-type: tables of values know no garbage, so
    B-type is played with two pieces of lookahead. `budget_ms` is a decision's time instead (search/timed.py).
    `aim` says which tables play: for the score, or for lines.
    `garbage` is the height of a B-type game (0 to 5); None for A-type.
    """

    profile: Profile
    tempo: Tempo
    start_level: int
    stop_lines: int
    nodes: int = NODES
    aim: str = SCORE
    garbage: int | None = None
    budget_ms: float | None = None

    sides: ClassVar[int] = 1

    @property
    def figures(self) -> tuple[str, ...]:
        """The figures of a game, what it aims at first; those of B-type end with `completed`."""
        figures = (LINES, SCORE, *_FIGURES[2:]) if self.aim == LINES else _FIGURES
        return figures if self.garbage is None else (*figures, _COMPLETED)

    @property
    def settings(self) -> Settings:
        """The rules and every option."""
        settings: dict[str, Any] = {
            "rules": self.profile.name,
            "rng": "blind",
            "start_level": self.start_level,
            "taps": self.tempo.name,
            "reaction": self.tempo.reaction,
        }
        if self.garbage is None:
            budget = {"nodes": self.nodes} if self.budget_ms is None else {"budget_ms": self.budget_ms}
            return settings | {"stop_lines": self.stop_lines, **budget, "aim": self.aim}
        return settings | {"type": TYPES[TYPE_B], "height": self.garbage}

    def play(self, players: Sequence[Weights], seeds: Sequence[int]) -> NDArray[np.int64]:
        """Play one game for each seed; see Trial."""
        (weights,) = players
        nodes = self.nodes if self.garbage is None else 0
        engine = engine_for(weights, self.tempo, self.profile, nodes, self.stop_lines, self.aim)
        results = np.zeros((len(seeds), len(_FIGURES)), dtype=np.int64)
        pace = None if self.budget_ms is None else Pace(self.budget_ms)
        memory, bounds = scratch(), Bounds(self.start_level, self.stop_lines, int(self.garbage is None))
        for seed, result in zip(seeds, results, strict=True):
            rng = np.random.default_rng(seed)
            rows = np.zeros(BOARD_ROWS, dtype=np.uint16) if self.garbage is None else garbage_rows(rng, self.garbage)
            if pace is None:
                play_game(rng, rows, bounds, engine, memory, result)
            else:
                _play_timed(rng, rows, bounds, engine, memory, result, pace)
        if self.aim == LINES:
            results[:, [_SCORE, _LINES]] = results[:, [_LINES, _SCORE]]
        if self.garbage is None:
            return results
        results[:, _LINES] = np.minimum(results[:, _LINES], GOAL_LINES)  # as the cartridge counts
        return np.column_stack((results, results[:, _LINES] == GOAL_LINES))

    def warm_up(self) -> None:
        """Compile or load the kernels."""
        compile_once()

    def check_points(self) -> None:
        """Raise UsageError if there can be no tables of points for these games; see training.td_points.Pointed."""
        if self.garbage is not None:
            raise UsageError("Tables of points know no garbage: leave out --type b.")
        if self.nodes == 0:
            raise UsageError("With --nodes 0 no tables of points play: leave it out.")
        point_tables.check(self._course())

    def begin_points(self, base: Weights) -> point_tables.Known:
        """Returns tables of points to begin with."""
        self.check_points()
        return point_tables.first(base, self._course())

    def learn_points(
        self, base: Weights, known: point_tables.Known, seed: int, pieces: int, rate: float, taught: bool, coarse: bool
    ) -> tuple[point_tables.Known, NDArray[np.float64], Mapping[str, float]]:
        """Returns the tables after `pieces` pieces, what each game brought, and figures."""
        block = point_tables.BlockSettings(pieces, rate, taught, coarse)
        return point_tables.learnt(base, self._course(), known, seed, block)

    def weights_of_points(self, base: Weights, values: NDArray[np.float64]) -> Weights:
        """Returns the weights `base` with these tables of points, (entries,)."""
        return point_tables.with_tables(base, self._course(), values)

    def points_of(self, weights: Weights) -> PointTables | None:
        """Returns the tables of points that the weights have for these games."""
        return point_tables.tables_of(weights, self._course())

    def _course(self) -> point_tables.Course:
        return point_tables.Course(self.profile, self.tempo, self.start_level, self.stop_lines, self.aim)


def nes_trial(options: Mapping[str, Any], rules: str = NES_NTSC.name) -> NesTrial:
    """Returns the trial with these options. Raises UsageError if there are no such rules, options or values."""
    chosen = Options(options, f"the rules {rules}", _OPTIONS)
    chosen.choice("rng", "blind", ("blind", "aware"))
    tempo = parse_taps(chosen.text("taps", "12hz"))
    reaction = chosen.whole("reaction", tempo.reaction, 0, MAX_REACTION)
    if rules not in PROFILES:
        raise UsageError(f"NES Tetris has no rules {rules!r}; known: {', '.join(PROFILES)}.")
    start_level = chosen.whole("start_level", 18, 0, 255)
    tempo = replace(tempo, reaction=reaction)
    nodes = chosen.whole("nodes", NODES, 0, MOST_NODES)
    budget_ms = chosen.positive("budget_ms")
    if budget_ms is not None and "nodes" in options:
        raise UsageError("A decision has one budget: give --nodes or --budget-ms, not both.")
    if chosen.choice("type", TYPES[0], TYPES) == TYPES[TYPE_B]:
        if "stop_lines" in options:
            raise UsageError(f"A game of --type b ends after {GOAL_LINES} lines: leave out --stop-lines.")
        height = chosen.whole("height", 0, 0, len(GARBAGE_ROWS) - 1)
        pointless = [name for name in ("nodes", "budget_ms", "aim") if name in options]
        if pointless:
            raise UsageError(
                f"B-type is played with two pieces of lookahead: leave out --{pointless[0].replace('_', '-')}."
            )
        return NesTrial(PROFILES[rules], tempo, start_level, GOAL_LINES, garbage=height)
    if "height" in options:
        raise UsageError("--height is the height of the garbage in B-type: add --type b, or leave it out.")
    stop_lines = chosen.whole("stop_lines", 0, 0, 1_000_000)
    aim = chosen.choice("aim", SCORE, (SCORE, LINES))
    return NesTrial(PROFILES[rules], tempo, start_level, stop_lines, nodes, aim, budget_ms=budget_ms)


def garbage_rows(rng: np.random.Generator, height: int) -> Rows:
    """Returns the board (22,) of a new B-type game: half of the cells are filled, at least one of each row is empty.

    The first cell of the garbage is always empty, because the cartridge clears one cell too many (facts 4).
    """
    rows = np.zeros(BOARD_ROWS, dtype=np.uint16)
    for row in range(BOARD_ROWS - GARBAGE_ROWS[height], BOARD_ROWS):
        filled, hole = rng.integers(1 << COLUMNS), rng.integers(COLUMNS)
        rows[row] = filled & ~(1 << hole)
    if height:
        rows[-GARBAGE_ROWS[height]] &= ~np.uint16(1)
    return rows


def compile_once() -> None:
    """Compile (or load) the kernels, each for its only signature."""
    engine = features_engine(np.zeros(FEATURES), parse_taps("30hz"), NES_NTSC)
    rows, result = np.zeros(BOARD_ROWS, dtype=np.uint16), np.zeros(len(_FIGURES), dtype=np.int64)
    play_game(np.random.default_rng(0), rows, Bounds(0, 1, 1), engine, scratch(), result)


def _play_timed(
    rng: np.random.Generator,
    rows: Rows,
    bounds: Bounds,
    engine: Engine,
    scratch: Scratch,
    result: Words,
    pace: Pace,
) -> None:
    """Play a game like `play_game`, each decision with the budget of the pace."""

    def play_within(boards: int) -> tuple[bool, int]:
        before = int(result[_NODES])
        goes_on = play_piece(rng, rows, bounds, limited(engine, boards), scratch, pieces, result)
        return goes_on, int(result[_NODES]) - before

    pieces = np.zeros(2, dtype=np.int64)
    begin_game(rng, bounds, pieces, result)
    while pace.spend(play_within)[0]:
        pass


@kernel
def play_game(
    rng: np.random.Generator,
    rows: Rows,
    bounds: Bounds,
    engine: Engine,
    scratch: Scratch,
    result: Words,
) -> None:
    """Play one game from the board `rows` to its end and write its figures into result (7,)."""
    pieces = np.empty(2, dtype=np.int64)
    begin_game(rng, bounds, pieces, result)
    while play_piece(rng, rows, bounds, engine, scratch, pieces, result):
        pass


@kernel
def begin_game(rng: np.random.Generator, bounds: Bounds, pieces: Words, result: Words) -> None:
    """Write the first piece and the next one into pieces (2,), and the figures before the first lock."""
    result[:] = 0
    result[_LEVEL] = bounds.start_level
    pieces[0] = deal(-1, rng.integers(0, DRAWS), rng.integers(0, DRAWS))
    pieces[1] = deal(pieces[0], rng.integers(0, DRAWS), rng.integers(0, DRAWS))


@kernel
def play_piece(
    rng: np.random.Generator,
    rows: Rows,
    bounds: Bounds,
    engine: Engine,
    scratch: Scratch,
    pieces: Words,
    result: Words,
) -> bool:
    """Place a piece, deal another one and update the figures; returns whether the game goes on."""
    if bounds.stop_lines and result[_LINES] >= bounds.stop_lines:
        return False
    lines = result[_LINES] if bounds.levels_rise else 0
    cleared, level, points, nodes = place(rows, pieces[0], pieces[1], result[_LEVEL], lines, engine, scratch)
    result[_NODES] += nodes
    if cleared < 0:
        return False
    result[_LINES] += cleared
    result[_LEVEL] = level
    result[_SCORE] += points
    result[_PIECES] += 1
    result[_TETRISES] += cleared == 4
    if level >= _KILL_SCREEN:
        result[_REACHED] = 1
    pieces[0] = pieces[1]
    pieces[1] = deal(pieces[0], rng.integers(0, DRAWS), rng.integers(0, DRAWS))
    return True
