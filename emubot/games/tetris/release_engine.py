"""What decides by a release's timing, to the frame; knows no address and no bridge."""

from __future__ import annotations

from collections.abc import Callable, Hashable, Sequence
from dataclasses import replace
from typing import NamedTuple

import numpy as np

from emubot.errors import UsageError
from emubot.games.edition import Job, Jobs
from emubot.games.strength import Strength
from emubot.games.tetris.board.board import BOARD_ROWS, Rows, clear_rows, rows_from, write_piece
from emubot.games.tetris.bounds import AIMS, GOAL, MOST_NODES, NEUTRAL, NODES, SCORE, SURVIVE
from emubot.games.tetris.decode.gate import check_position
from emubot.games.tetris.decode.value_names import NEXT_HIDDEN
from emubot.games.tetris.evaluation.features import FEATURES
from emubot.games.tetris.reach import Start, gravity_at, timeline
from emubot.games.tetris.rules import GOAL_LINES, NES_NTSC, SPAWN_ORIENTATION, TYPE_B, Profile
from emubot.games.tetris.scoring import level_after
from emubot.games.tetris.search.engine import check_risk, engine_for, features_engine
from emubot.games.tetris.search.search import Position, Search
from emubot.games.thinker import Engine, Ranking
from emubot.snapshot import Piece, Placement, Snapshot
from emubot.tempo import InputState, Tempo, parse_taps
from emubot.text import did_you_mean
from emubot.weights import Weights


class ReleaseTask(NamedTuple):
    """A position, the search for it, and whether the way to its placement may drop softly.

    `next_hidden` says whether the next piece is hidden on the screen, as far as it is known.
    """

    position: Position
    search: Search
    soft_drop: bool
    next_hidden: bool | None = None


class ReleaseEngine(Engine[ReleaseTask, Ranking]):
    """Moves pieces as the release whose timing the map names."""

    def __init__(self, profile: Profile, weights: Weights, tempo: Tempo, strength: Strength) -> None:
        """Raises WeightsError if weights have other features, UsageError for what the search cannot do."""
        check_aim(strength.aim)
        check_nodes(strength.nodes)
        self._profile, self._weights, self._tempo, self._strength = profile, weights, tempo, strength
        self._deep = self._another()
        self._goal: Search | None = None  # that of B-type

    def task(self, snapshot: Snapshot, input_state: InputState, shown: bool) -> ReleaseTask:
        """Returns the task. Without the next piece there is no soft drop: the course may change."""
        position = position_of(snapshot, input_state)
        position = position if shown else replace(position, next_piece=None)
        return ReleaseTask(position, self._search_for(snapshot), shown, _next_hidden(snapshot))

    def rank(self, task: ReleaseTask) -> Ranking:
        """Returns all locks, best first."""
        return task.search.ranking(task.position)

    def placement(self, task: ReleaseTask, ranking: Ranking, index: int) -> Placement:
        """Returns a lock with its timeline."""
        target = Piece(*map(int, ranking.places[index]))
        position = task.position
        gravity = gravity_at(position.level, self._profile)
        route = timeline(
            position.rows, position.start, target, gravity, self._tempo, self._profile, soft_drop=task.soft_drop
        )
        placement = replace(route.placement, value=float(ranking.values[index]))
        return task.search.on_its_way(position, placement, task.next_hidden)

    def reroute(self, snapshot: Snapshot, input_state: InputState, chosen: Placement) -> Placement | None:
        """Returns the way to the same lock from here; None if there is none."""
        target = Piece(chosen.orientation, chosen.column, chosen.row)
        gravity = gravity_at(snapshot.counters["level"], self._profile)
        position = position_of(snapshot, input_state)
        try:
            route = timeline(position.rows, position.start, target, gravity, self._tempo, self._profile)
        except UsageError:
            return None
        placement = replace(route.placement, value=chosen.value)
        return self._search_for(snapshot).on_its_way(position, placement, _next_hidden(snapshot))

    def preview(self, snapshot: Snapshot, chosen: Placement) -> Piece | None:
        """Returns where the next piece is to go; None if it is not known."""
        following = following_of(snapshot)
        if following is None:
            return None
        ranking = self._search_for(snapshot).ranking(self._after(snapshot, chosen, following))
        return Piece(*map(int, ranking.places[0])) if len(ranking.values) else None

    def coming(self, snapshot: Snapshot, chosen: Placement) -> Sequence[ReleaseTask]:
        """Returns a task for each piece that may be shown after the next one; none in B-type."""
        following, search = following_of(snapshot), self._search_for(snapshot)
        if search is not self._deep or following is None:
            return ()
        after = self._after(snapshot, chosen, following)
        return [ReleaseTask(replace(after, next_piece=int(shown)), search, True) for shown in SPAWN_ORIENTATION]

    def key(self, task: ReleaseTask) -> Hashable:
        """Returns the key of the position, for the search that is prepared."""
        return task.search is self._deep and task.search.key(task.position)

    def another_rank(self) -> Callable[[ReleaseTask], Ranking]:
        """Returns the ranking by a search with a memory of its own."""
        search = self._another()
        return lambda task: search.ranking(task.position)

    def _another(self) -> Search:
        strength = self._strength
        aim, aggression = strength.aim or SCORE, NEUTRAL if strength.aggression is None else strength.aggression
        check_risk(aim, self._nodes, strength.aggression is not None)
        return self._search(aim, aggression)

    @property
    def _nodes(self) -> int:
        return NODES if self._strength.nodes is None else self._strength.nodes

    def _search(self, aim: str, aggression: float, stop_lines: int = 0) -> Search:
        strength, tempo, profile = self._strength, self._tempo, self._profile
        engines = [
            engine_for(self._weights, tempo, profile, self._nodes, stop_lines, aim, aggression)
            for _ in range(strength.threads)
        ]
        helpers = None
        if strength.threads > 1:
            from emubot.games.tetris.search.helpers import Helpers

            helpers = Helpers(engines[1:])
        cautious = aim == SURVIVE and profile == NES_NTSC
        if strength.milliseconds is None:
            return Search(engines[0], tempo, profile, helpers, cautious)
        from emubot.games.pace import Pace
        from emubot.games.tetris.search.timed import TimedSearch

        return TimedSearch(engines[0], tempo, profile, Pace(strength.milliseconds, MOST_NODES), helpers, cautious)

    def _search_for(self, snapshot: Snapshot) -> Search:
        if snapshot.counters.get("game_type") != TYPE_B:
            return self._deep
        if self._goal is None:
            self._goal = self._search(GOAL, NEUTRAL, GOAL_LINES)
        return self._goal

    def _after(self, snapshot: Snapshot, chosen: Placement, following: int) -> Position:
        """Returns the position in which the next piece, of orientation `following`, comes after this placement."""
        rows, lines = rows_of(snapshot), _lines(snapshot)
        write_piece(rows, chosen.orientation, chosen.column, chosen.row)
        cleared = int(clear_rows(rows, chosen.row))
        level = snapshot.counters["level"]
        if snapshot.counters["game_type"] != TYPE_B:
            level = int(level_after(level, lines, cleared))
        start = Start(following, limiter=self._tempo.reaction, turn_limiter=self._tempo.reaction)
        return Position(rows, start, None, level, lines + cleared)


def check_aim(aim: str | None) -> None:
    """Raise UsageError for an aim that Tetris does not have; None is its own."""
    if aim is not None and aim not in AIMS:
        raise UsageError(
            f"Tetris is not played for {aim!r}{did_you_mean(aim, AIMS)}: --aim is one of {', '.join(AIMS)}."
        )


def check_nodes(nodes: int | None) -> None:
    """Raise UsageError for more boards of a decision than there may be; None is the search's own number."""
    if nodes is not None and nodes > MOST_NODES:
        raise UsageError(f"--nodes of Tetris is 0 to {MOST_NODES:,}, not {nodes:,}.")


def piece_of(snapshot: Snapshot) -> Piece:
    """Returns the piece in the air. Raises ValueError if there is none."""
    if snapshot.current is None:
        raise ValueError("a snapshot without a piece in the air has nothing to decide")
    return snapshot.current


def following_of(snapshot: Snapshot) -> int | None:
    """Returns the orientation of the next piece; None if it is not known."""
    return snapshot.next[0] if snapshot.next else None


def position_of(snapshot: Snapshot, input_state: InputState) -> Position:
    """Returns the position of a snapshot with a piece in the air, under a release's timing."""
    counters = snapshot.counters
    return Position(
        rows_of(snapshot), _start(snapshot, input_state), following_of(snapshot), counters["level"], _lines(snapshot)
    )


def _lines(snapshot: Snapshot) -> int:
    """Returns the lines that have been cleared; those of B-type count down."""
    lines = snapshot.counters["lines"]
    return max(GOAL_LINES - lines, 0) if snapshot.counters["game_type"] == TYPE_B else lines


def _next_hidden(snapshot: Snapshot) -> bool | None:
    hidden = snapshot.counters.get(NEXT_HIDDEN)
    return None if hidden is None else bool(hidden)


def _start(snapshot: Snapshot, input_state: InputState) -> Start:
    piece, counters = piece_of(snapshot), snapshot.counters
    return Start(
        orientation=piece.orientation,
        column=piece.column,
        row=piece.row,
        fall_timer=counters["fall_timer"],
        autorepeat_y=counters["autorepeat_y"],
        das=counters["das"],
        held=input_state.held,
        limiter=input_state.rest,
        turn_limiter=input_state.turn_rest,
    )


def rows_of(snapshot: Snapshot) -> Rows:
    """Returns the board, whoever asks for it: so no kernel sees a position that no game can have."""
    check_position(snapshot)
    return rows_from(snapshot.playfield, snapshot.hidden)


def kernels_of_release() -> Jobs:
    """Returns jobs that compile every kernel of a decision by a release's timing, each for its only signature."""
    return [
        Job("search by taps", lambda: _decide_once("30hz"), 8.1),
        Job("search by DAS", lambda: _decide_once("das"), 0.8),
    ]


def _decide_once(taps: str) -> None:
    rows = np.zeros(BOARD_ROWS, dtype=np.uint16)
    start, following = Start(int(SPAWN_ORIENTATION[0])), int(SPAWN_ORIENTATION[1])
    engine = features_engine(np.zeros(FEATURES), parse_taps(taps), NES_NTSC)
    Search(engine, parse_taps(taps), NES_NTSC).decide(Position(rows, start, following, 18, 0))
