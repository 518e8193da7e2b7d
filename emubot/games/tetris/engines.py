"""What decides on the usual board: by a release's timing, or by a map's tables; knows no address and no bridge."""

from __future__ import annotations

from collections.abc import Callable, Hashable, Iterator, Sequence
from dataclasses import dataclass, replace
from typing import NamedTuple

import numpy as np

from emubot.errors import UsageError
from emubot.games import motion
from emubot.games.edition import Jobs
from emubot.games.pace import Pace
from emubot.games.strength import Strength
from emubot.games.tetris.board.board import BOARD_ROWS, Rows, clear_rows, rows_from, write_piece
from emubot.games.tetris.bounds import AIMS, MOST_NODES, NEUTRAL, NODES, SCORE
from emubot.games.tetris.decode.gate import check_position
from emubot.games.tetris.decode.map_checks import OWN_ID
from emubot.games.tetris.evaluation.features import FEATURES
from emubot.games.tetris.evaluation.names import FEATURE_NAMES, FEATURE_VERSION, GAME
from emubot.games.tetris.reach import Start, gravity_at, timeline
from emubot.games.tetris.reach.mapped import MappedMotion, Offer
from emubot.games.tetris.rules import COLUMNS, NES_NTSC, ROWS, SPAWN_ORIENTATION, TYPE_B, Profile
from emubot.games.tetris.scoring import level_after
from emubot.games.tetris.search.engine import check_risk, engine_for, features_engine
from emubot.games.tetris.search.search import Position, Search, ranked_locks
from emubot.games.tetris.search.timed import TimedSearch
from emubot.games.tetris.search.two_plies import DEAD
from emubot.games.thinker import Engine, Ranking
from emubot.snapshot import Piece, Placement, Snapshot
from emubot.tempo import InputState, Tempo, parse_taps
from emubot.text import did_you_mean
from emubot.weights import Weights


class Task(NamedTuple):
    """A position, the search for it, and whether the way to its placement may drop softly."""

    position: Position
    search: Search
    soft_drop: bool


class ReleaseEngine(Engine[Task, Ranking]):
    """Moves pieces as the release whose timing the map names."""

    def __init__(self, profile: Profile, weights: Weights, tempo: Tempo, strength: Strength) -> None:
        """Raises WeightsError if weights have other features, UsageError for an aim or a risk that it does not have."""
        if strength.aim is not None and strength.aim not in AIMS:
            near = did_you_mean(strength.aim, AIMS)
            raise UsageError(f"Tetris is not played for {strength.aim!r}{near}: --aim is one of {', '.join(AIMS)}.")
        self._profile, self._weights, self._tempo, self._strength = profile, weights, tempo, strength
        self._deep = self._another()
        self._garbage: Search | None = None  # that of B-type: tables of values know no garbage

    def task(self, snapshot: Snapshot, input_state: InputState, shown: bool) -> Task:
        """Returns the task. Without the next piece there is no soft drop: the course may change."""
        position = position_of(snapshot, input_state)
        return Task(position if shown else replace(position, next_piece=None), self._search_for(snapshot), shown)

    def rank(self, task: Task) -> Ranking:
        """Returns all locks, best first."""
        return task.search.ranking(task.position)

    def placement(self, task: Task, ranking: Ranking, index: int) -> Placement:
        """Returns a lock with its timeline."""
        target = Piece(*map(int, ranking.places[index]))
        position = task.position
        gravity = gravity_at(position.level, self._profile)
        route = timeline(
            position.rows, position.start, target, gravity, self._tempo, self._profile, soft_drop=task.soft_drop
        )
        return replace(route.placement, value=float(ranking.values[index]))

    def reroute(self, snapshot: Snapshot, input_state: InputState, chosen: Placement) -> Placement | None:
        """Returns the way to the same lock from here; None if there is none."""
        target = Piece(chosen.orientation, chosen.column, chosen.row)
        gravity = gravity_at(snapshot.counters["level"], self._profile)
        start = _start(snapshot, input_state)
        try:
            route = timeline(_rows(snapshot), start, target, gravity, self._tempo, self._profile)
        except UsageError:
            return None
        return replace(route.placement, value=chosen.value)

    def preview(self, snapshot: Snapshot, chosen: Placement) -> Piece | None:
        """Returns where the next piece is to go; None if it is not known."""
        following = _following(snapshot)
        if following is None:
            return None
        ranking = self._search_for(snapshot).ranking(self._after(snapshot, chosen, following))
        return Piece(*map(int, ranking.places[0])) if len(ranking.values) else None

    def coming(self, snapshot: Snapshot, chosen: Placement) -> Sequence[Task]:
        """Returns a task for each piece that may be shown after the next one; none in B-type."""
        following, search = _following(snapshot), self._search_for(snapshot)
        if search is not self._deep or following is None:
            return ()
        after = self._after(snapshot, chosen, following)
        return [Task(replace(after, next_piece=int(shown)), search, True) for shown in SPAWN_ORIENTATION]

    def key(self, task: Task) -> Hashable:
        """Returns the key of the position, for the search that is prepared."""
        return task.search is self._deep and task.search.key(task.position)

    def another_rank(self) -> Callable[[Task], Ranking]:
        """Returns the ranking by a search with a memory of its own."""
        search = self._another()
        return lambda task: search.ranking(task.position)

    def _another(self) -> Search:
        strength, tempo, profile = self._strength, self._tempo, self._profile
        nodes = NODES if strength.nodes is None else strength.nodes
        aim, aggression = strength.aim or SCORE, NEUTRAL if strength.aggression is None else strength.aggression
        check_risk(aim, nodes, strength.aggression is not None)
        engine = engine_for(self._weights, tempo, profile, nodes, aim=aim, aggression=aggression)
        if strength.milliseconds is None:
            return Search(engine, tempo, profile)
        return TimedSearch(engine, tempo, profile, Pace(strength.milliseconds, MOST_NODES))

    def _search_for(self, snapshot: Snapshot) -> Search:
        if snapshot.counters.get("game_type") != TYPE_B:
            return self._deep
        if self._garbage is None:
            vector = self._weights.vector(GAME, FEATURE_NAMES, FEATURE_VERSION, (COLUMNS, ROWS))
            self._garbage = Search(features_engine(vector, self._tempo, self._profile), self._tempo, self._profile)
        return self._garbage

    def _after(self, snapshot: Snapshot, chosen: Placement, following: int) -> Position:
        """Returns the position in which the next piece, of orientation `following`, comes after this placement."""
        rows, lines = _rows(snapshot), _lines(snapshot)
        write_piece(rows, chosen.orientation, chosen.column, chosen.row)
        cleared = int(clear_rows(rows, chosen.row))
        level = int(level_after(snapshot.counters["level"], lines, cleared))
        start = Start(following, limiter=self._tempo.reaction, turn_limiter=self._tempo.reaction)
        return Position(rows, start, None, level, lines + cleared)


@dataclass(frozen=True, slots=True, eq=False)
class OfferRanking(Ranking):
    """The candidates of the offer that is taken."""

    offer: Offer


def surest(rankings: Iterator[OfferRanking]) -> OfferRanking:
    """Returns the first ranking whose best placement does not lose the game, or the best of all if all lose.

    Its `nodes` are those of all rankings that were looked at.
    """
    best, nodes = None, 0
    for ranking in rankings:
        nodes += ranking.nodes
        if best is None or (len(ranking.values) and not (len(best.values) and best.values[0] >= ranking.values[0])):
            best = ranking
        if len(best.values) and best.values[0] > DEAD / 2:
            break
    assert best is not None, "a piece has an offer, if only an empty one"
    return replace(best, nodes=nodes)


class MappedTask(NamedTuple):
    """A board with the frame that it is of."""

    rows: Rows
    snapshot: Snapshot
    input_state: InputState


class MappedEngine(Engine[MappedTask, OfferRanking]):
    """Moves pieces by a map's tables (reach/mapped.py), because no release's timing is known."""

    def __init__(self, motion_of_map: MappedMotion, weights: Weights, strength: Strength) -> None:
        """Raises WeightsError if weights have other features, UsageError for what needs a release's timing."""
        if strength.nodes is not None or strength.milliseconds is not None:
            raise UsageError(
                f"The search of a cartridge without known timing has no budget: leave out {strength.budget_option}."
            )
        if strength.aim is not None or strength.aggression is not None:
            raise UsageError(
                "The search of a cartridge without known timing has no aim: leave out --aim and --aggression."
            )
        if strength.see_next:
            raise UsageError("The timing of this cartridge is not known: leave out --see-next.")
        self._vector = weights.vector(GAME, FEATURE_NAMES, FEATURE_VERSION, (COLUMNS, ROWS))
        self._motion = motion_of_map

    def task(self, snapshot: Snapshot, input_state: InputState, shown: bool) -> MappedTask:
        """Returns the task."""
        return MappedTask(_rows(snapshot), snapshot, input_state)

    def rank(self, task: MappedTask) -> OfferRanking:
        """Returns the locks of the surest offer, best first."""
        return surest(self._rankings(task))

    def placement(self, task: MappedTask, ranking: OfferRanking, index: int) -> Placement:
        """Returns a lock with its timeline, or with its moves."""
        return ranking.offer.finished(ranking.at(index))

    def _rankings(self, task: MappedTask) -> Iterator[OfferRanking]:
        rows, counters = task.rows, task.snapshot.counters
        level, timer = counters.get("level", 0), counters.get("drop_timer")
        offers = self._motion.offers(rows, _piece(task.snapshot), counters[OWN_ID], level, timer, task.input_state)
        for offer in offers:
            ranking = ranked_locks(rows, offer.locks, _following(task.snapshot), self._vector)
            yield OfferRanking(ranking.places, ranking.values, ranking.nodes, offer)


def _piece(snapshot: Snapshot) -> Piece:
    if snapshot.current is None:
        raise ValueError("a snapshot without a piece in the air has nothing to decide")
    return snapshot.current


def _following(snapshot: Snapshot) -> int | None:
    return snapshot.next[0] if snapshot.next else None


def position_of(snapshot: Snapshot, input_state: InputState) -> Position:
    """Returns the position of a snapshot with a piece in the air, under a release's timing."""
    counters = snapshot.counters
    return Position(
        _rows(snapshot), _start(snapshot, input_state), _following(snapshot), counters["level"], _lines(snapshot)
    )


def _lines(snapshot: Snapshot) -> int:
    """Returns the lines that levels depend on: none in B-type, whose level stays."""
    return 0 if snapshot.counters["game_type"] == TYPE_B else snapshot.counters["lines"]


def _start(snapshot: Snapshot, input_state: InputState) -> Start:
    piece, counters = _piece(snapshot), snapshot.counters
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


def _rows(snapshot: Snapshot) -> Rows:
    """Returns the board, whoever asks for it: so no kernel sees a position that no game can have."""
    check_position(snapshot)
    return rows_from(snapshot.playfield, snapshot.hidden)


def kernels_of_release() -> Jobs:
    """Returns jobs that compile every kernel of a decision by a release's timing, each for its only signature."""
    return [("search by taps", lambda: _decide_once("30hz")), ("search by DAS", lambda: _decide_once("das"))]


def kernels_of_tables() -> Jobs:
    """Returns the same for a decision without a release's timing."""
    return [("search by a map's tables", _rank_once)]


def _decide_once(taps: str) -> None:
    rows = np.zeros(BOARD_ROWS, dtype=np.uint16)
    start, following = Start(int(SPAWN_ORIENTATION[0])), int(SPAWN_ORIENTATION[1])
    engine = features_engine(np.zeros(FEATURES), parse_taps(taps), NES_NTSC)
    Search(engine, parse_taps(taps), NES_NTSC).decide(Position(rows, start, following, 18, 0))


def _rank_once() -> None:
    motion.compile_once()
    ranked_locks(np.zeros(BOARD_ROWS, dtype=np.uint16), np.array([[10, 5, 18]]), 0, np.zeros(FEATURES))
