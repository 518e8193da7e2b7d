"""From a Snapshot to a Decision: converts decoded values to the search's types; knows no address and no bridge."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import replace

import numpy as np

from emubot.errors import UsageError
from emubot.games import motion
from emubot.games.ahead import Ahead
from emubot.games.pace import Pace
from emubot.games.tetris.board.board import BOARD_ROWS, Rows, clear_rows, rows_from, write_piece
from emubot.games.tetris.bounds import AIMS, MOST_NODES, NEUTRAL, NODES, SCORE
from emubot.games.tetris.decode.gate import check_position
from emubot.games.tetris.decode.map_checks import OWN_ID, check_map, profile_of
from emubot.games.tetris.evaluation.features import FEATURES
from emubot.games.tetris.evaluation.names import FEATURE_NAMES, FEATURE_VERSION, GAME
from emubot.games.tetris.reach import Start, gravity_at, timeline
from emubot.games.tetris.reach.mapped import MappedMotion, Offer
from emubot.games.tetris.rules import COLUMNS, NES_NTSC, ROWS, SPAWN_ORIENTATION, TYPE_B, Profile
from emubot.games.tetris.scoring import level_after
from emubot.games.tetris.search.engine import check_risk, engine_for, features_engine
from emubot.games.tetris.search.search import Position, Ranked, Search, chosen_of, rank_locks
from emubot.games.tetris.search.timed import TimedSearch
from emubot.games.tetris.search.two_plies import DEAD
from emubot.games.thinking import Decision
from emubot.games.variety import Choose
from emubot.rammap import RamMap
from emubot.snapshot import Piece, Placement, Snapshot
from emubot.tempo import InputState, Tempo, parse_taps
from emubot.text import did_you_mean
from emubot.weights import Weights


class TetrisThinker:
    """The search for one player.

    Pieces move as in the release whose timing the map names; without one, by the map's tables (mapped.py).
    """

    def __init__(self, ram_map: RamMap, weights: Weights, tempo: Tempo) -> None:
        """Raises WeightsError if weights have other features, MapError if the family cannot play by the map."""
        self._vector = weights.vector(GAME, FEATURE_NAMES, FEATURE_VERSION, (COLUMNS, ROWS))
        self._weights, self._tempo = weights, tempo
        tables = check_map(ram_map)
        self._profile = profile_of(ram_map)
        self._deep: Search | None = None
        self._two_plies: Search | None = None
        self._ahead: Ahead[Position, Ranked] | None = None
        self._aim: str | None = None
        self._aggression: float | None = None
        if self._profile is not None:
            self._search_within(self._profile, NODES)
            self._two_plies = Search(features_engine(self._vector, tempo, self._profile), tempo, self._profile)
        self._motion = MappedMotion(ram_map, tempo, tables)

    def limit(self, nodes: int | None = None, milliseconds: float | None = None) -> None:
        """From now on value about so many boards in a decision (engine.py), or as many as it can in time (timed.py)."""
        if self._profile is None:
            option = "--nodes" if milliseconds is None else "--budget-ms"
            raise UsageError(f"The search of a cartridge without known timing has no budget: leave out {option}.")
        self._search_within(self._profile, NODES if nodes is None else nodes, milliseconds)

    def aim_for(self, aim: str | None, aggression: float | None) -> None:
        """From now on play for this aim, at this risk, see search/engine.py."""
        if self._profile is None:
            raise UsageError(
                "The search of a cartridge without known timing has no aim: leave out --aim and --aggression."
            )
        if aim is not None and aim not in AIMS:
            near = did_you_mean(aim, AIMS)
            raise UsageError(f"Tetris is not played for {aim!r}{near}: --aim is one of {', '.join(AIMS)}.")
        self._aim, self._aggression = aim, aggression
        self._search_within(self._profile, *self._budget)

    def decide(self, snapshot: Snapshot, input_state: InputState) -> Decision:
        """Returns the best placement of the piece in the air; `placement` is None if it cannot lock anywhere."""
        return self.decide_by(snapshot, input_state, None)

    def decide_by(self, snapshot: Snapshot, input_state: InputState, choose: Choose | None) -> Decision:
        """Like `decide`, but `choose` selects the placement; None selects the best."""
        search = self._search_for(snapshot)
        if search is None:
            return self._decide_mapped(snapshot, input_state, choose)
        position = position_of(snapshot, input_state)
        ready = self._ahead.take(position) if self._ahead is not None and search is self._deep else None
        found = search.decide(position, choose, known=ready)
        return Decision(found.placement, found.value, found.nodes)

    def check_set_out(self) -> None:
        """Raise UsageError without a release's timing: then nobody knows where a piece can still go."""
        if self._profile is None:
            raise UsageError("The timing of this cartridge is not known: leave out --see-next.")

    def set_out(self, snapshot: Snapshot, input_state: InputState, choose: Choose | None) -> Decision:
        """Like `decide_by`, without the next piece and without soft drop."""
        search = self._search_for(snapshot)
        assert search is not None, "check_set_out allows no cartridge without a search"
        position = replace(position_of(snapshot, input_state), next_piece=None)
        found = search.decide(position, choose, soft_drop=False)
        return Decision(found.placement, found.value, found.nodes)

    def ranked(self, snapshot: Snapshot, input_state: InputState) -> Sequence[Placement]:
        """Returns the placements of the piece in the air with their values, best first, without timelines.

        By a map's tables they are those of the surest offer.
        """
        search = self._search_for(snapshot)
        if search is None:
            return next(self._rankings(snapshot, input_state))[1]
        return search.rank(position_of(snapshot, input_state))[0]

    def reroute(self, snapshot: Snapshot, input_state: InputState, chosen: Placement) -> Placement | None:
        """Returns the way to the same lock from here; None if there is none, or without a release's timing."""
        if self._profile is None:
            return None
        target = Piece(chosen.orientation, chosen.column, chosen.row)
        gravity = gravity_at(snapshot.counters["level"], self._profile)
        try:
            route = timeline(
                _rows(snapshot), _start(snapshot, input_state), target, gravity, self._tempo, self._profile
            )
        except UsageError:
            return None
        return replace(route.placement, value=chosen.value)

    def preview_next(self, snapshot: Snapshot, chosen: Placement) -> Piece | None:
        """Returns where the next piece is to go; None if it is not known, or without a release's timing."""
        following, search = _following(snapshot), self._search_for(snapshot)
        if search is None or following is None:
            return None
        ranked, _ = search.rank(self._after(snapshot, chosen, following))
        return Piece(ranked[0].orientation, ranked[0].column, ranked[0].row) if ranked else None

    def prepare(self, snapshot: Snapshot, chosen: Placement) -> None:
        """Begin to search the decisions that may come after this placement, one for each piece that may be shown."""
        following, search = _following(snapshot), self._search_for(snapshot)
        if search is None or search is not self._deep or following is None:
            return
        if self._ahead is None:
            another = self._another()
            self._ahead = Ahead(another.rank, another.key)
        after = self._after(snapshot, chosen, following)
        self._ahead.prepare([replace(after, next_piece=int(shown)) for shown in SPAWN_ORIENTATION])

    def _after(self, snapshot: Snapshot, chosen: Placement, following: int) -> Position:
        """Returns the position in which the next piece, of orientation `following`, comes after this placement."""
        rows, lines = _rows(snapshot), _lines(snapshot)
        write_piece(rows, chosen.orientation, chosen.column, chosen.row)
        cleared = int(clear_rows(rows, chosen.row))
        level = int(level_after(snapshot.counters["level"], lines, cleared))
        start = Start(following, limiter=self._tempo.reaction, turn_limiter=self._tempo.reaction)
        return Position(rows, start, None, level, lines + cleared)

    def _search_within(self, profile: Profile, nodes: int, milliseconds: float | None = None) -> None:
        """Search with this budget from now on."""
        aim, aggression = self._aim or SCORE, NEUTRAL if self._aggression is None else self._aggression
        check_risk(aim, nodes, self._aggression is not None)
        self._budget = nodes, milliseconds

        def another() -> Search:
            engine = engine_for(self._weights, self._tempo, profile, nodes, aim=aim, aggression=aggression)
            if milliseconds is None:
                return Search(engine, self._tempo, profile)
            return TimedSearch(engine, self._tempo, profile, Pace(milliseconds, MOST_NODES))

        self._another = another
        self._deep, self._ahead = another(), None

    def _search_for(self, snapshot: Snapshot) -> Search | None:
        """Returns the search for this game; None without a release's timing. Tables of values know no garbage."""
        return self._two_plies if snapshot.counters.get("game_type") == TYPE_B else self._deep

    def _decide_mapped(self, snapshot: Snapshot, input_state: InputState, choose: Choose | None) -> Decision:
        """Returns the best placement of the surest offer that does not lose the game, or of all offers if all lose."""
        best, chosen, evaluated = DEAD, None, 0
        for offer, ranking, nodes in self._rankings(snapshot, input_state):
            evaluated += nodes
            if ranking and (chosen is None or ranking[0].value > best):
                best, chosen = ranking[0].value, offer.finished(chosen_of(ranking, choose))
            if best > DEAD / 2:
                break
        return Decision(chosen, best, evaluated)

    def _rankings(self, snapshot: Snapshot, input_state: InputState) -> Iterator[tuple[Offer, list[Placement], int]]:
        rows, counters = _rows(snapshot), snapshot.counters
        offers = self._motion.offers(
            rows, _piece(snapshot), counters[OWN_ID], counters.get("level", 0), counters.get("drop_timer"), input_state
        )
        for offer in offers:
            yield (offer, *rank_locks(rows, offer.locks, _following(snapshot), self._vector))


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


def kernels_of_release() -> Sequence[tuple[str, Callable[[], object]]]:
    """Returns jobs that compile every kernel of a decision by a release's timing, each for its only signature."""
    return [("search by taps", lambda: _decide_once("30hz")), ("search by DAS", lambda: _decide_once("das"))]


def kernels_of_tables() -> Sequence[tuple[str, Callable[[], object]]]:
    """Returns the same for a decision without a release's timing."""
    return [("search by a map's tables", _rank_once)]


def _decide_once(taps: str) -> None:
    rows = np.zeros(BOARD_ROWS, dtype=np.uint16)
    start, following = Start(int(SPAWN_ORIENTATION[0])), int(SPAWN_ORIENTATION[1])
    engine = features_engine(np.zeros(FEATURES), parse_taps(taps), NES_NTSC)
    Search(engine, parse_taps(taps), NES_NTSC).decide(Position(rows, start, following, 18, 0))


def _rank_once() -> None:
    motion.compile_once()
    rank_locks(np.zeros(BOARD_ROWS, dtype=np.uint16), np.array([[10, 5, 18]]), 0, np.zeros(FEATURES))


def _rows(snapshot: Snapshot) -> Rows:
    """Returns the board, whoever asks for it: so no kernel sees a position that no game can have."""
    check_position(snapshot)
    return rows_from(snapshot.playfield, snapshot.hidden)
