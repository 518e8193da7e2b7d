"""Chooses a placement together with the piece that is drawn after it: the search of `--rng aware`; knows no bridge.

The piece after the next one is drawn when the next one spawns. So the frame of the lock decides which piece it is, and
a pause between lock and spawn makes that frame any later one. After each of the best placements, each piece within
reach is searched as a known one, and no line is cleared but by a Tetris if that can be.
"""

from __future__ import annotations

from dataclasses import replace
from typing import Final, NamedTuple

import numpy as np

from emubot.errors import UsageError
from emubot.games.strength import Strength
from emubot.games.tetris.board.board import Rows, cells_in_full_rows, clear_rows, write_piece
from emubot.games.tetris.bounds import NODES
from emubot.games.tetris.decode.map_checks import profile_of
from emubot.games.tetris.decode.value_names import GENERATOR, GENERATOR_COUNTER
from emubot.games.tetris.evaluation.features import FEATURES, placement_features
from emubot.games.tetris.evaluation.points import gain, is_over
from emubot.games.tetris.foresight.calls import Caller
from emubot.games.tetris.foresight.draws import GeneratorState
from emubot.games.tetris.foresight.spawns import wait_after
from emubot.games.tetris.reach import gravity_at, timelines
from emubot.games.tetris.release_engine import position_of
from emubot.games.tetris.rules import NES_NTSC, PIECE_NAMES, PIECE_OF, SPAWN_ORIENTATION, TYPE_B, Profile
from emubot.games.tetris.scoring import level_after
from emubot.games.tetris.search.engine import BY_FEATURES, Engine, decide, engine_for, search_of, stage_of
from emubot.games.tetris.search.search import Position, Search
from emubot.games.tetris.search.two_plies import DEAD, MOST_LOCKS
from emubot.games.thinking import Decision, Thinker
from emubot.games.variety import Choose
from emubot.rammap import RamMap
from emubot.snapshot import Piece, Placement, Snapshot
from emubot.tempo import InputState, Tempo
from emubot.weights import Weights

_PLACEMENTS: Final = 3  # that are searched with each piece to come
_PAUSE_COST: Final = 0.02  # thousands of points: of two ways that are almost equal, the one without a pause
_BURN_COST: Final = 10.0  # thousands of points a line: more than a line brings in a Tetris at any level


class GeneratorReader:
    """Reads one player's generator and frame counter, which no snapshot shows, from RAM through the map."""

    def __init__(self, ram_map: RamMap) -> None:
        """Raises UsageError if the map does not say where the generator is, or names no release."""
        named = ram_map.document.foresight
        reader = ram_map.reader()
        if profile_of(ram_map) is None or not {*GENERATOR} <= {*named} or GENERATOR_COUNTER not in reader.names:
            raise UsageError(
                f"--rng aware: the map {ram_map.name} does not name the generator of a known release under "
                "`foresight`: leave the option out."
            )
        self._select = reader.select((*GENERATOR, GENERATOR_COUNTER))

    def __call__(self, ram: bytes) -> tuple[GeneratorState, int]:
        """Returns the generator after this frame, and the frame counter."""
        hi, lo, spawn_id, spawn_count, counter = self._select(ram)
        return GeneratorState(hi << 8 | lo, spawn_id, spawn_count), counter


class ForesightSearch(Thinker):
    """The search with foresight for the first player."""

    def __init__(
        self, ram_map: RamMap, weights: Weights, tempo: Tempo, strength: Strength, stop_lines: int = 0
    ) -> None:
        """A decision values some 20,000 boards at least. `stop_lines` is where the game ends, 0 for a top-out.

        Raises UsageError if the map does not name the generator, or for a budget of time or of no boards; WeightsError
        if the weights do not fit.
        """
        if strength.milliseconds is not None:
            raise UsageError("--rng aware has a budget of boards: give --nodes instead of --budget-ms.")
        if strength.nodes == 0:
            raise UsageError("--rng aware searches beyond two pieces: give --nodes of at least 1, or leave it out.")
        self._read = GeneratorReader(ram_map)
        self._profile = profile_of(ram_map) or NES_NTSC
        self._weights, self._tempo, self._stop_lines = weights, tempo, stop_lines
        self._b_type = self._valuer(0)
        self._ram = bytes(ram_map.image_size)
        self._a_type = self._valuer(NODES if strength.nodes is None else strength.nodes)

    def observe(self, ram: bytes) -> None:
        """Keep this frame. The generator is read from it when a decision is due."""
        self._ram = ram

    def decide(
        self, snapshot: Snapshot, input_state: InputState, choose: Choose | None = None, shown: bool = True
    ) -> Decision:
        """Returns the best placement, what to press until the next spawn, and the piece that is drawn then."""
        valuer = self._b_type if snapshot.counters["game_type"] == TYPE_B else self._a_type
        position = position_of(snapshot, input_state)
        if position.next_piece is None:
            found = valuer.first.decide(position)
            return Decision(found.placement, found.value, found.nodes)
        ranked, nodes = valuer.first.rank(position)
        generator, counter = self._read(self._ram)
        gravity = gravity_at(position.level, self._profile)
        afters = [valuer.after(position, position.next_piece, lock) for lock in ranked[:_PLACEMENTS]]
        flights = [
            timelines(position.rows, position.start, after.lock, gravity, self._tempo, self._profile)
            for after in afters
        ]
        longest = max((len(way.timeline) for flight in flights for way in flight), default=0)
        caller = Caller(generator, input_state, self._tempo, longest)
        best, chosen = -np.inf, None
        for after, flight in zip(afters, flights, strict=True):
            waits = [wait_after(after.lock.row, after.cleared, counter + len(way.timeline)) for way in flight]
            for piece, call in caller.calls([*zip(flight, waits, strict=True)]).items():
                value, more = valuer.value(after, piece)
                nodes += more
                value -= _PAUSE_COST * bool(call.starts)
                if value > best:
                    best, chosen = value, call
        if chosen is None:
            return Decision(None, DEAD, nodes)
        placement = replace(chosen.placement, value=best)
        return Decision(placement, best, nodes, chosen.after_lock, int(SPAWN_ORIENTATION[chosen.piece]))

    def _valuer(self, nodes: int) -> _Valuer:
        engine = engine_for(self._weights, self._tempo, self._profile, nodes, self._stop_lines)
        return _Valuer(engine, self._tempo, self._profile)


class _After(NamedTuple):
    """What a lock leads to: the board, the next piece, lines and level; and what the lock brings.

    `cleared` are the lines of this lock. `is_over` says that the tables' game ends with it.
    """

    lock: Piece
    rows: Rows
    piece: int
    lines: int
    level: int
    cleared: int
    gained: float
    is_over: bool


class _Valuer:
    """Values placements, and the pieces after them: in points, or by features where there are no tables."""

    def __init__(self, engine: Engine, tempo: Tempo, profile: Profile) -> None:
        engine = _for_tetrises(engine)
        early = engine._replace(budget=engine.budget // 8, late_budget=engine.late_budget // 8)
        self.first = Search(early, tempo, profile)
        share = 2 * _PLACEMENTS * len(PIECE_NAMES)
        self._later = engine._replace(budget=engine.budget // share, late_budget=engine.late_budget // share)
        self._found, self._values = np.zeros((MOST_LOCKS, 3), dtype=np.int64), np.zeros(MOST_LOCKS)

    def after(self, position: Position, following: int, lock: Placement) -> _After:
        """Returns what the lock leads to; `following` is the next piece's orientation."""
        rows = position.rows.copy()
        write_piece(rows, lock.orientation, lock.column, lock.row)
        own_cells = cells_in_full_rows(rows, lock.orientation, lock.row)
        cleared = int(clear_rows(rows, lock.row))
        lines, level = position.lines + cleared, int(level_after(position.level, position.lines, cleared))
        engine = self._later
        stage, ends = stage_of(position.lines, position.level, engine), False
        if stage == BY_FEATURES:
            features = np.zeros(FEATURES)
            placement_features(lock.orientation, lock.row, cleared, own_cells, features)
            gained = float(engine.player[0][:FEATURES] @ features)
        else:
            look, standing, _ = search_of(stage, position.level, engine)
            gained = gain(cleared, position.lines, standing, look.player)[0]
            ends = is_over(lines, search_of(stage, level, engine)[1], look.player)
        there = Piece(lock.orientation, lock.column, lock.row)
        return _After(there, rows, int(PIECE_OF[following]), lines, level, cleared, gained, ends)

    def value(self, after: _After, piece: int) -> tuple[float, int]:
        """Returns what a lock brings, and what is to come if `piece` comes after the next one; and the nodes."""
        if after.is_over:
            return after.gained, 0
        _, nodes, best = decide(
            after.rows,
            after.piece,
            self._later.look.begin,
            piece,
            after.lines,
            after.level,
            self._later,
            self._found,
            self._values,
        )
        return after.gained + (float(self._values[best]) if best >= 0 else DEAD), nodes


def _for_tetrises(engine: Engine) -> Engine:
    """Returns the engine with a price on lines that are not cleared by a Tetris."""
    player = engine.look.player
    rewards = player.rewards.copy()
    burnt = np.arange(1, len(rewards) - 1)
    rewards[burnt] -= _BURN_COST * burnt[:, None]
    rewards.setflags(write=False)  # as kernels are compiled for
    return engine._replace(look=engine.look._replace(player=player._replace(rewards=rewards)))
