"""Untimed games of NES Tetris to be measured: its reach, gravity, dealing and points; knows no frames and no file.

The search chooses the place of each piece among those that the tempo can reach in time. A piece that can lock nowhere
ends the game. Pieces come by the cartridge's rule (facts: NES Tetris 5.2), but from independent random
numbers, because its generator counts frames. Soft drop gives no points. In B-type a game begins with garbage and ends
as `completed` after 25 lines, and its level stays.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any, ClassVar, Final

import numpy as np
from numpy.typing import NDArray

from emubot.errors import UsageError
from emubot.games.options import check_rules, flag_of, read
from emubot.games.pace import Pace
from emubot.games.tetris.board.board import BOARD_ROWS, Rows, Words
from emubot.games.tetris.bounds import GOAL, LINES, MOST_NODES, NEUTRAL, NODES, SCORE, SURVIVE
from emubot.games.tetris.evaluation.course import lines_until, places_on_course
from emubot.games.tetris.options import BLIND, NesValues
from emubot.games.tetris.rules import GOAL_LINES, NES_NTSC, PROFILES, TYPE_B, TYPES, Profile, with_double_killscreen
from emubot.games.tetris.search.engine import Engine, check_risk, engine_for
from emubot.games.tetris.search.search import Search
from emubot.games.tetris.search.timed import TimedSearch
from emubot.games.tetris.trials import point_tables
from emubot.games.tetris.trials.game_start import GameStart, fill_garbage
from emubot.games.tetris.trials.nes_games import (
    FIGURES,
    KILL_SCREEN,
    LINES_AT,
    SCORE_AT,
    GameBounds,
    compile_once,
    play_game,
    play_timed,
)
from emubot.games.tetris.trials.unseen import Progress, UnseenGame
from emubot.games.tetris.trials.untimed import scratch
from emubot.games.trial import Settings
from emubot.tempo import Tempo, parse_taps
from emubot.weight_parts import PointTables
from emubot.weights import Weights

_ADJUSTMENTS: Final = "adjustments"  # of games in which the next piece is shown late
_COMPLETED: Final = "completed"  # of B-type alone
_CRASHES: Final = ("reborn", "crashed")


@dataclass(frozen=True, slots=True)
class NesTrial:
    """Games from `start_level` and `start_lines`, which end by a top-out.

    Or they end after `stop_lines` lines or at level `halt`, if not 0.

    From level `double_killscreen` on, if that is not 0, pieces fall two rows in each frame.
    `nodes` are the boards that a decision may value (search/engine.py). `budget_ms` is a decision's time instead
    (search/timed.py). `aim` and `aggression` are as for engine_for. `garbage` is the height of a B-type game (0 to 5),
    which is played for its goal; None for A-type.
    The next piece is shown `see_next` frames after the current one spawned, and with `crashes` a lock may crash the
    game (unseen.py).
    """

    profile: Profile
    tempo: Tempo
    start_level: int
    stop_lines: int
    nodes: int = NODES
    aim: str = SCORE
    garbage: int | None = None
    budget_ms: float | None = None
    see_next: int = 0
    aggression: float = NEUTRAL
    double_killscreen: int = 0
    halt: int = 0
    start_lines: int = 0
    crashes: bool = False

    sides: ClassVar[int] = 1

    @property
    def figures(self) -> tuple[str, ...]:
        """The figures of a game, what it aims at first; those of B-type end with `completed`."""
        figures = FIGURES if self.aim == SCORE else (LINES, SCORE, *FIGURES[2:])
        late = (_ADJUSTMENTS,) if self.see_next else ()
        if self.garbage is None:
            return (*figures, *late, *(_CRASHES if self.crashes else ()))
        return (*figures, *late, _COMPLETED)

    @property
    def settings(self) -> Settings:
        """The rules and every option."""
        settings: dict[str, Any] = {
            "rules": self.profile.name,
            "rng": BLIND,
            "start_level": self.start_level,
            "taps": self.tempo.name,
            "reaction": self.tempo.reaction,
            "see_next": self.see_next,
        }
        budget = {"nodes": self.nodes} if self.budget_ms is None else {"budget_ms": self.budget_ms}
        if self.garbage is None:
            format_ = {"double_killscreen": self.double_killscreen, "halt": self.halt}
            begun = {"start_lines": self.start_lines} if self.start_lines else {}
            ends = {"stop_lines": self.stop_lines, **(format_ if any(format_.values()) else {})}
            crashes = {"crashes": True} if self.crashes else {}
            return settings | {**begun, **ends, **crashes, **budget, "aim": self.aim, "aggression": self.aggression}
        return settings | {"type": TYPES[TYPE_B], "height": self.garbage, **budget}

    def play(self, players: Sequence[Weights], seeds: Sequence[int]) -> NDArray[np.int64]:
        """Play one game for each seed; see Trial."""
        (weights,) = players
        aim = self.aim if self.garbage is None else GOAL
        engine = engine_for(weights, self.tempo, self._motion, self.nodes, self._end, aim, self.aggression, self.halt)
        stepped = bool(self.see_next or self.crashes)
        more = bool(self.see_next) + (len(_CRASHES) if self.crashes else 0)
        results = np.zeros((len(seeds), len(FIGURES) + more), dtype=np.int64)
        pace = None if self.budget_ms is None else Pace(self.budget_ms, MOST_NODES)
        memory = scratch()
        bounds = GameBounds(self.start_level, self.start_lines, self.stop_lines, self.halt, int(self.garbage is None))
        for seed, result in zip(seeds, results, strict=True):
            rng = np.random.default_rng(seed)
            rows = np.zeros(BOARD_ROWS, dtype=np.uint16)
            if self.garbage is not None:
                fill_garbage(rng, self.garbage, rows)
            if stepped:
                self._play_unseen(rng, rows, bounds, engine, pace, result)
            elif pace is None:
                play_game(rng, rows, bounds, engine, memory, result)
            else:
                play_timed(rng, rows, bounds, engine, memory, result, pace)
        if self.aim != SCORE:
            results[:, [SCORE_AT, LINES_AT]] = results[:, [LINES_AT, SCORE_AT]]
        if self.garbage is None:
            return results
        results[:, LINES_AT] = np.minimum(results[:, LINES_AT], GOAL_LINES)  # as the cartridge counts
        return np.column_stack((results, results[:, LINES_AT] == GOAL_LINES))

    def _play_unseen(
        self, rng: np.random.Generator, rows: Rows, bounds: GameBounds, engine: Engine, pace: Pace | None, result: Words
    ) -> None:
        cautious = self.crashes and self.aim == SURVIVE  # what cannot crash needs no detour
        search = Search(engine, self.tempo, self._motion, cautious=cautious)
        if pace is not None:
            search = TimedSearch(engine, self.tempo, self._motion, pace, cautious=cautious)
        begun = Progress(bounds.start_level, bounds.start_lines)
        game = UnseenGame(rng, rows, begun, search, self.tempo, self._motion, self.crashes)
        done = game.play(self.see_next, bounds)
        reached = done.highest_level >= KILL_SCREEN
        result[:] = (
            *(done.score, done.lines, done.pieces, done.tetrises, done.level, reached, done.nodes),
            *((done.adjustments,) if self.see_next else ()),
            *((done.reborn, done.crashed) if self.crashes else ()),
        )

    def warm_up(self) -> None:
        """Compile or load the kernels."""
        compile_once()

    def check_points(self) -> None:
        """Raise UsageError if there can be no tables of points for these games; see training.td_points.Pointed."""
        if self.nodes == 0:
            raise UsageError("With --nodes 0 no tables of points play: leave it out.")
        if bool(self.double_killscreen) != bool(self.halt) or (self.halt and (self.stop_lines or self.aim != SCORE)):
            raise UsageError(
                "Tables for two rows a frame are learnt for --aim score up to a level: give both "
                "--double-killscreen and --halt, and leave out --stop-lines."
            )
        if self.see_next or self.aggression != NEUTRAL or self.aim not in (SCORE, LINES):
            raise UsageError(
                "Tables of points are learnt for --aim score or lines with the next piece known and no price on risk: "
                "leave out --see-next, --aggression and --aim survive."
            )
        point_tables.check(self._course())

    def begin_points(self, base: Weights, keep: bool = False) -> point_tables.Known:
        """Returns tables of points to begin with."""
        self.check_points()
        return point_tables.kept(base, self._course()) if keep else point_tables.first(base, self._course())

    def learn_points(
        self, base: Weights, known: point_tables.Known, seed: int, pieces: int, rate: float, stage: point_tables.Stage
    ) -> tuple[point_tables.Known, NDArray[np.float64], Mapping[str, float]]:
        """Returns the tables after `pieces` pieces, what each game brought, and figures."""
        block = point_tables.BlockSettings(pieces, rate, stage.taught, stage.coarse)
        learn = point_tables.network_learnt if stage.network else point_tables.learnt
        return learn(base, self._course(), known, seed, block)

    def weights_of_points(self, base: Weights, known: point_tables.Known) -> Weights:
        """Returns the weights `base` with these tables of points."""
        return point_tables.with_tables(base, self._course(), point_tables.settled(known))

    def points_of(self, weights: Weights) -> PointTables | None:
        """Returns the tables of points that the weights have for these games."""
        return point_tables.tables_of(weights, self._course())

    @property
    def _motion(self) -> Profile:
        """The release, with the double killscreen if there is one."""
        return with_double_killscreen(self.profile, self.double_killscreen) if self.double_killscreen else self.profile

    @property
    def _end(self) -> int:
        """The lines of the tables' course at which the game ends; 0 if none do."""
        if self.garbage is not None or not self.stop_lines:
            return self.stop_lines
        return places_on_course(self.profile, self.start_level, self.stop_lines, self.start_lines)[-1]

    def _course(self) -> point_tables.Course:
        aim = self.aim if self.garbage is None else GOAL
        start = GameStart(self.start_level, self.start_lines, self.garbage or 0)
        last = lines_until(self.halt, self.start_level, self.start_lines) if self.halt else self.stop_lines
        return point_tables.Course(self._motion, self.tempo, start, last, aim)


def nes_trial(options: Mapping[str, Any], rules: str = NES_NTSC.name) -> NesTrial:
    """Returns the trial with these options. Raises UsageError if there are no such rules, options or values."""
    chosen = read(NesValues, options, f"the rules {rules}")
    tempo = parse_taps(chosen.taps)
    check_rules(rules, PROFILES, "NES Tetris")
    tempo = tempo if chosen.reaction is None else replace(tempo, reaction=chosen.reaction)
    if {"nodes", "budget_ms"} <= chosen.given:
        raise UsageError("A decision has one budget: give --nodes or --budget-ms, not both.")
    trial = NesTrial(PROFILES[rules], tempo, chosen.start_level, GOAL_LINES, see_next=chosen.see_next)
    if chosen.type == TYPES[TYPE_B]:
        if "stop_lines" in chosen.given:
            raise UsageError(f"A game of --type b ends after {GOAL_LINES} lines: leave out --stop-lines.")
        pointless = [name for name in ("aim", "aggression") if name in chosen.given]
        if pointless:
            raise UsageError(f"B-type is played for its goal: leave out {flag_of(pointless[0])}.")
        if {"double_killscreen", "halt"} & chosen.given:
            raise UsageError("In B-type the level stays: leave out --double-killscreen and --halt.")
        if chosen.crashes:
            raise UsageError("Crashes come from level 155 on, and in B-type the level stays: leave out --crashes.")
        if "start_lines" in chosen.given:
            raise UsageError("The lines of B-type count down from 25: leave out --start-lines.")
        return replace(trial, garbage=chosen.height, nodes=chosen.nodes, budget_ms=chosen.budget_ms)
    if "height" in chosen.given:
        raise UsageError("--height is the height of the garbage in B-type: add --type b, or leave it out.")
    killscreen = PROFILES[rules].gravity.index(1)
    if 0 < chosen.double_killscreen <= killscreen:
        raise UsageError(
            f"Two rows a frame come after one row a frame, which begins at level {killscreen}: choose "
            f"--double-killscreen {killscreen + 1} or higher, or leave it out."
        )
    if 0 < chosen.halt <= chosen.start_level:
        raise UsageError(
            f"A game from level {chosen.start_level} is beyond --halt {chosen.halt} before its first piece: choose a "
            "higher level, or leave it out."
        )
    if 0 < chosen.stop_lines <= chosen.start_lines:
        raise UsageError(
            f"A game that begins with {chosen.start_lines} lines is beyond --stop-lines {chosen.stop_lines} before its "
            "first piece: choose more, or leave it out."
        )
    if chosen.crashes and rules != NES_NTSC.name:
        raise UsageError(f"The crashes of {rules} are not known: leave out --crashes, or choose --rules nes.")
    check_risk(chosen.aim, chosen.nodes, "aggression" in chosen.given)
    return replace(
        trial,
        stop_lines=chosen.stop_lines,
        nodes=chosen.nodes,
        budget_ms=chosen.budget_ms,
        aim=chosen.aim,
        aggression=chosen.aggression,
        double_killscreen=chosen.double_killscreen,
        halt=chosen.halt,
        start_lines=chosen.start_lines,
        crashes=chosen.crashes,
    )
