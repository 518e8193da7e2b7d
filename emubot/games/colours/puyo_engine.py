"""What decides for pairs on fields that bitboards hold: joins decoded values, reach and search; knows no address."""

from __future__ import annotations

from collections.abc import Callable, Hashable, Sequence
from typing import Final, NamedTuple, TypeAlias

import numpy as np
from numpy.typing import NDArray

from emubot.errors import UsageError
from emubot.games.colours.board.words import checked_cells
from emubot.games.colours.bounds import BATTLE, MOST_NODES, NODES
from emubot.games.colours.decode.decode import cells_of
from emubot.games.colours.decode.gate import check_pair
from emubot.games.colours.decode.inference import Pending
from emubot.games.colours.decode.upcoming import at_spawn, coming_pairs, next_pairs, unordered
from emubot.games.colours.evaluation.features import FEATURES
from emubot.games.colours.map_rules import rules_of_map
from emubot.games.colours.reach.entry import limits_of
from emubot.games.colours.reach.offer import PuyoOffers, pair_of
from emubot.games.colours.reach.reach import Offer
from emubot.games.colours.rules import BIG, COLUMNS, DOWN, FAMICOM_1991, LEFT, RIGHT, Rules, rules_in
from emubot.games.colours.scoring import table_of
from emubot.games.colours.search.battle_sense import room_of
from emubot.games.colours.search.choice import key_of
from emubot.games.colours.search.engine import Budget, aim_in, check_aim, check_features, search_for, warm_beam
from emubot.games.colours.search.search import Position, Search, TwoPlies, placements
from emubot.games.colours.search.two_plies import lock_cells, resolve_cells
from emubot.games.edition import Job, Jobs
from emubot.games.motion import compile_once
from emubot.games.strength import Strength
from emubot.games.thinker import Engine, Ranking
from emubot.rammap import RamMap
from emubot.snapshot import Phase, Piece, Placement, Snapshot
from emubot.tempo import InputState, Tempo
from emubot.weights import Weights

_PREVIEW_NODES: Final = 2_000  # of a plan that is only shown: less than a millisecond


_Play: TypeAlias = tuple[Rules, str, Budget]  # what a search is made for


class PuyoTask(NamedTuple):
    """A position, what can be reached in it, and what its search is made for."""

    position: Position
    offer: Offer
    play: _Play


class PuyoEngine(Engine[PuyoTask, Ranking]):
    """Searches fields that the bitboards hold.

    If the map states gravity and a drop timer, paths to placements are planned frame by frame. Otherwise only
    placements whose moves need no timing are candidates.
    """

    def __init__(self, ram_map: RamMap, weights: Weights, tempo: Tempo, strength: Strength) -> None:
        """Raises WeightsError for weights of other features, UsageError for what the search cannot do."""
        check_features(weights)
        strength.refuse_see_next()
        strength.refuse_threads()
        if strength.aggression is not None:
            raise UsageError("Pairs have no --aggression: leave it out.")
        if strength.aim is not None:
            check_aim(strength.aim)
        nodes = NODES if strength.nodes is None else strength.nodes
        if nodes > MOST_NODES:
            raise UsageError(f"--nodes of pairs is 0 to {MOST_NODES:,}, not {nodes:,}.")
        self._weights, self._tempo = weights, tempo
        self._rules = rules_of_map(ram_map)
        self._table = table_of(self._rules)
        self._budget, self._aim = Budget(nodes, strength.milliseconds), strength.aim or ""
        self._searches: dict[_Play, Search] = {}
        self._shown: tuple[int, ...] = ()  # the next pairs at the last choice
        self._expected: Hashable = None  # what is prepared for: field, pending nuisance, next pairs, room
        self._offers = PuyoOffers(ram_map, tempo)
        self._pending = Pending(self._rules)

    def task(self, snapshot: Snapshot, input_state: InputState, shown: bool) -> PuyoTask | None:
        """Returns the task; None without a pair in the air."""
        check_pair(snapshot, self._rules)
        pair = pair_of(snapshot)
        if snapshot.current is None or not all(pair):
            return None
        offer = self._offers.offer(snapshot, snapshot.current, input_state)
        following = unordered(next_pairs(snapshot))
        pending = self._pending.on_its_way(snapshot)
        room, limits = self._room(snapshot), self._limits(offer.gravity)
        position = Position(cells_of(snapshot), pair, following, pending, limits, opponent_room=room)
        return PuyoTask(position, offer, self._play_in(snapshot, self._budget))

    def rank(self, task: PuyoTask) -> Ranking:
        """Returns the placements of the offer with their values."""
        return _ranking(task, self._search_for(task.play))

    def placement(self, task: PuyoTask, ranking: Ranking, index: int) -> Placement:
        """Returns a placement with the way to it."""
        return task.offer.placement(index, float(ranking.values[index]))

    def coming(self, snapshot: Snapshot, chosen: Placement) -> Sequence[PuyoTask]:
        """Returns a task for each pair that may be shown.

        While nuisance is on its way, the field after the placement is not known: see `coming_between`.
        """
        if not (snapshot.next and self._offers.is_usual):
            return ()
        check_pair(snapshot, self._rules)
        after = checked_cells(cells_of(snapshot))
        lock_cells(after, chosen.orientation, chosen.column, *pair_of(snapshot), self._table)
        pending, self._shown = self._pending.expected(snapshot), snapshot.next
        self._expected = (after.tobytes(), pending, snapshot.next, self._room(snapshot))
        return () if pending else self._coming(snapshot, after, pending)

    def coming_between(self, snapshot: Snapshot) -> Sequence[PuyoTask] | None:
        """Returns the tasks if field, pending nuisance, next pairs or the opponent's room are not as expected."""
        if snapshot.phase is not Phase.LOCKED or not (snapshot.next and self._offers.is_usual):
            return None
        after = checked_cells(cells_of(snapshot))
        resolve_cells(after, self._table)
        pending = self._pending.expected(snapshot)
        found = (after.tobytes(), pending, snapshot.next, self._room(snapshot))
        if found == self._expected:
            return None
        self._expected = found
        return self._coming(snapshot, after, pending)

    def _coming(self, snapshot: Snapshot, cells: NDArray[np.uint8], pending: int) -> Sequence[PuyoTask]:
        pair, shown = coming_pairs(snapshot, self._shown, rules_in(self._rules, snapshot.counters))
        if pair[0] < BIG <= pair[1]:  # no piece, so none comes
            return ()
        fall = self._offers.fall(snapshot)
        coming = at_spawn(snapshot, cells, pair, self._rules, None if fall is None else fall.gravity)
        assert coming.current is not None, "at its spawn it is in the air"
        rest = self._tempo.reaction
        offer = self._offers.offer(coming, coming.current, InputState(rest=rest, turn_rest=rest))
        room, limits = self._room(snapshot), self._limits(offer.gravity)
        positions = [Position(cells, pair, unordered(one), pending, limits, opponent_room=room) for one in shown]
        play = self._play_in(snapshot, self._budget)
        return [PuyoTask(position, offer, play) for position in positions]

    def key(self, task: PuyoTask) -> Hashable:
        """Returns what the search, the position and the offer depend on."""
        return task.play, key_of(task.position, task.offer.places)

    def another_rank(self) -> Callable[[PuyoTask], Ranking]:
        """Returns the ranking by searches of its own."""
        weights, searches = self._weights, dict[_Play, Search]()

        def rank(task: PuyoTask) -> Ranking:
            if task.play not in searches:
                searches[task.play] = search_for(weights, *task.play)
            return _ranking(task, searches[task.play])

        return rank

    def reroute(self, snapshot: Snapshot, input_state: InputState, chosen: Placement) -> Placement | None:
        """Returns the same lock with a new timeline from here; None if it cannot be reached or without known timing."""
        return self._offers.reroute(snapshot, input_state, chosen)

    def preview(self, snapshot: Snapshot, chosen: Placement) -> Piece | None:
        """Returns the place planned for the next pair, at rest; None for an item or if there is no placement."""
        check_pair(snapshot, self._rules)
        pair = pair_of(snapshot)
        if not snapshot.next or not all(pair) or max(*pair, *snapshot.next) >= BIG:
            return None
        following = (snapshot.next[0], snapshot.next[1])
        after = checked_cells(cells_of(snapshot))
        lock_cells(after, chosen.orientation, chosen.column, *pair, self._table)
        fall = self._offers.fall(snapshot)
        limits = self._limits(None if fall is None else fall.gravity)
        places = placements(after, following, self._rules, limits)
        search = self._search_for(self._play_in(snapshot, Budget(min(self._budget.nodes, _PREVIEW_NODES))))
        choice = search.decide(Position(after, following, limits=limits), places)
        if choice.index < 0:
            return None
        orientation, column = map(int, places[choice.index])
        heights = np.count_nonzero(after, axis=0)
        beside = column + {RIGHT: 1, LEFT: -1}.get(orientation, 0)
        level = int(max(heights[column], heights[beside])) + (orientation == DOWN)
        return Piece(orientation, column, self._rules.visible_rows - 1 - level)

    def _limits(self, gravity: int | None) -> int | None:
        """Returns the limits of the columns that the next pair can enter; None if the clock is not known."""
        return None if gravity is None else limits_of(self._rules, self._tempo, gravity)

    def _search_for(self, play: _Play) -> Search:
        if play not in self._searches:
            self._searches[play] = search_for(self._weights, *play)
        return self._searches[play]

    def _room(self, snapshot: Snapshot) -> int | None:
        """Returns the room that the opponent has left, where that counts."""
        height = snapshot.counters.get("opponent_height")
        if height is None or (self._aim or aim_in(snapshot.counters)) != BATTLE:
            return None
        return room_of(height, self._rules)

    def _play_in(self, snapshot: Snapshot, budget: Budget) -> _Play:
        return rules_in(self._rules, snapshot.counters), self._aim or aim_in(snapshot.counters), budget


def _ranking(task: PuyoTask, search: Search) -> Ranking:
    values, nodes = search.rank(task.position, task.offer.places)
    return Ranking(task.offer.places, values, nodes)


def kernels() -> Jobs:
    """Returns the jobs that compile all kernels of a decision."""
    return [
        Job("the way of a piece", compile_once, 1.3),
        Job("search of pairs", lambda: _decide_once(TwoPlies(FAMICOM_1991, np.zeros(FEATURES))), 3.9),
        Job("beam of pairs", lambda: _decide_once(warm_beam(FAMICOM_1991)), 3.9),
        Job("the field after a chain", _lock_once, 0.8),
    ]


def _decide_once(search: Search) -> None:
    cells = np.zeros((FAMICOM_1991.stored_rows, COLUMNS), dtype=np.uint8)
    search.decide(Position(cells, (1, 2), ((3, 4),)), np.zeros((1, 2), dtype=np.int64))


def _lock_once() -> None:
    cells = np.zeros((FAMICOM_1991.stored_rows, COLUMNS), dtype=np.uint8)
    lock_cells(cells, 0, 0, 1, 2, table_of(FAMICOM_1991))
    resolve_cells(cells, table_of(FAMICOM_1991))
