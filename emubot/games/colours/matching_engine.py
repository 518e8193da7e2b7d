"""What decides for matching games: joins decoded values, reach and search; knows no address and no bridge."""

from __future__ import annotations

from collections.abc import Callable, Hashable, Sequence
from dataclasses import replace
from itertools import product
from typing import Final, NamedTuple

import numpy as np

from emubot.errors import UsageError
from emubot.games.colours.board.matching_cells import checked_field, put_piece, resolve_field, targets_in
from emubot.games.colours.bounds import MATCHING_NODES, MOST_MATCHING_NODES
from emubot.games.colours.decode.frame import field_of, kinds_of
from emubot.games.colours.decode.gate import check_piece
from emubot.games.colours.decode.map_checks import check_matching
from emubot.games.colours.decode.matching_decode import frames_per_row
from emubot.games.colours.evaluation.matching_names import FEATURES
from emubot.games.colours.matching_rules import CAPSULES, Rules
from emubot.games.colours.reach.matching_entry import Drops, drops_of
from emubot.games.colours.reach.reach import Cells, Offer, Offers, Start, piece_start
from emubot.games.colours.search.choice import key_of
from emubot.games.colours.search.matching_search import (
    LATER,
    Budget,
    Position,
    Search,
    check_features,
    search_for,
    straight_drops,
)
from emubot.games.colours.timing import MATCHING, is_timed, timing_of
from emubot.games.edition import Job, Jobs
from emubot.games.motion import Fall, compile_once
from emubot.games.strength import Strength
from emubot.games.thinker import Engine, Ranking
from emubot.rammap import RamMap
from emubot.snapshot import Phase, Piece, Placement, Snapshot
from emubot.tempo import InputState, Tempo
from emubot.weights import Weights

_CLOCK: Final = "drop_timer"
_MOST_PREPARED: Final = 10  # pieces that may be shown next
_PENDING: Final = "pending"


class MatchingTask(NamedTuple):
    """A position, and what can be reached in it."""

    position: Position
    offer: Offer


class MatchingOffers(Offers):
    """Finds the placements of a map's pieces."""

    numbers = 3

    def __init__(self, ram_map: RamMap, tempo: Tempo) -> None:
        super().__init__(ram_map, tempo)
        self._rules, self._timing = check_matching(ram_map), timing_of(ram_map, MATCHING)

    def _start(self, snapshot: Snapshot, piece: Piece, quick: bool) -> Start:
        return piece_start(field_of(snapshot)[0], kinds_of(snapshot, self._rules), piece, self._rules)

    def _stated_fall(self, snapshot: Snapshot) -> Fall:
        return Fall(frames_per_row(snapshot.counters, self._rules, self._timing), self._timing.soft_drop)


class MatchingEngine(Engine[MatchingTask, Ranking]):
    """Searches fields of any size."""

    def __init__(self, ram_map: RamMap, weights: Weights, tempo: Tempo, strength: Strength) -> None:
        """Raises WeightsError for weights of other features, UsageError for what the search cannot do."""
        self._rules = check_matching(ram_map)
        check_features(weights)
        strength.refuse_aim()
        strength.refuse_see_next()
        strength.refuse_threads()
        nodes = MATCHING_NODES if strength.nodes is None else strength.nodes
        if nodes > MOST_MATCHING_NODES:
            raise UsageError(f"--nodes of matching games is 0 to {MOST_MATCHING_NODES:,}, not {nodes:,}.")
        self._weights, self._tempo, self._timing = weights, tempo, timing_of(ram_map, MATCHING)
        self._timed, self._offers = is_timed(ram_map), MatchingOffers(ram_map, tempo)
        self._budget = Budget(nodes, strength.milliseconds)
        self._search = search_for(weights, self._rules, self._budget)

    def task(self, snapshot: Snapshot, input_state: InputState, shown: bool) -> MatchingTask | None:
        """Returns the task; None without a piece in the air."""
        check_piece(snapshot, self._rules)
        kinds = kinds_of(snapshot, self._rules)
        if snapshot.current is None or not all(kinds):
            return None
        offer = self._offers.offer(snapshot, snapshot.current, input_state)
        cells, links = field_of(snapshot)
        following, later = self._following(snapshot.next), self._drops(snapshot, LATER)
        return MatchingTask(Position(cells, links, kinds, following, self._drops(snapshot), later), offer)

    def rank(self, task: MatchingTask) -> Ranking:
        """Returns the placements of the offer with their values."""
        return _ranking(task, self._search)

    def placement(self, task: MatchingTask, ranking: Ranking, index: int) -> Placement:
        """Returns a placement with the way to it."""
        return task.offer.placement(index, float(ranking.values[index]))

    def coming(self, snapshot: Snapshot, chosen: Placement) -> Sequence[MatchingTask]:
        """Returns a task for each piece that may be shown.

        While garbage is on its way, or if the stage ends, the field after the placement is not known.
        """
        rules, following = self._rules, snapshot.next
        shown = [*product(range(1, rules.colors + 1), repeat=rules.piece_cells)]
        shown = [one for one in shown if self._following(one) == one]
        if not following or len(shown) > _MOST_PREPARED or snapshot.counters.get(_PENDING, 0):
            return ()
        check_piece(snapshot, rules)
        cells, links = self._after(snapshot, chosen)
        if rules.targets and not targets_in(cells):
            return ()
        coming = self._at_spawn(snapshot, cells, following)
        assert coming.current is not None, "at its spawn it is in the air"
        rest = self._tempo.reaction
        offer = self._offers.offer(coming, coming.current, InputState(rest=rest, turn_rest=rest))
        drops, later = self._drops(coming), self._drops(coming, LATER)
        positions = [Position(cells, links, following, self._following(one), drops, later) for one in shown]
        return [MatchingTask(position, offer) for position in positions]

    def key(self, task: MatchingTask) -> Hashable:
        """Returns what the position and the offer depend on."""
        return key_of(task.position, task.offer.places)

    def another_rank(self) -> Callable[[MatchingTask], Ranking]:
        """Returns the ranking by a search of its own."""
        search = search_for(self._weights, self._rules, self._budget)
        return lambda task: _ranking(task, search)

    def reroute(self, snapshot: Snapshot, input_state: InputState, chosen: Placement) -> Placement | None:
        """Returns the same lock with a new timeline from here; None if it cannot be reached or without known timing."""
        return self._offers.reroute(snapshot, input_state, chosen)

    def preview(self, snapshot: Snapshot, chosen: Placement) -> Piece | None:
        """Returns the place planned for the next piece, at rest; None if it is not known or there is no placement."""
        check_piece(snapshot, self._rules)
        if not snapshot.next or not all(kinds_of(snapshot, self._rules)):
            return None
        cells, links = self._after(snapshot, chosen)
        drops = self._drops(snapshot)
        places = straight_drops(cells, snapshot.next, self._rules, drops)
        position = Position(cells, links, snapshot.next, (), drops, self._drops(snapshot, LATER))
        choice = self._search.decide(position, places)
        return None if choice.index < 0 else Piece(*map(int, places[choice.index]))

    def _after(self, snapshot: Snapshot, chosen: Placement) -> tuple[Cells, Cells]:
        """Returns the cells and links after a placement and all that follows it."""
        cells, links = checked_field(*field_of(snapshot))
        place = (chosen.orientation, chosen.column, chosen.row)
        put_piece(cells, links, self._rules, place, kinds_of(snapshot, self._rules))
        resolve_field(cells, links, self._rules)
        return cells, links

    def _at_spawn(self, snapshot: Snapshot, cells: Cells, kinds: tuple[int, ...]) -> Snapshot:
        """Returns the snapshot in which this piece comes under control on this field, in the frame of its spawn."""
        counters = {**snapshot.counters, **{f"kind_{part}": kind for part, kind in enumerate(kinds, start=1)}}
        if "pieces" in counters:
            counters["pieces"] += 1
        if _CLOCK in counters:
            counters[_CLOCK] = frames_per_row(counters, self._rules, self._timing)
        hidden, spawn = self._rules.hidden_rows, self._rules.spawn
        return replace(
            snapshot,
            phase=Phase.PLAYING,
            playfield=cells[hidden:],
            hidden=cells[:hidden][::-1],
            current=Piece(spawn.orientation, spawn.column, spawn.row),
            counters=counters,
        )

    def _following(self, kinds: tuple[int, ...]) -> tuple[int, ...]:
        """Returns the same for both orders of a piece of two to come, if two turns exchange its halves."""
        return tuple(sorted(kinds)) if self._rules.exchanges else kinds

    def _drops(self, snapshot: Snapshot, pieces: int = 1) -> Drops:
        """Returns the rows that a piece falls while it is moved, so many pieces later; none without known timing."""
        if not self._timed:
            return drops_of()
        counters = {**snapshot.counters, "pieces": snapshot.counters.get("pieces", 1) + pieces}
        return drops_of(self._tempo, frames_per_row(counters, self._rules, self._timing))


def _ranking(task: MatchingTask, search: Search) -> Ranking:
    values, nodes = search.rank(task.position, task.offer.places)
    return Ranking(task.offer.places, values, nodes)


def kernels() -> Jobs:
    """Returns the jobs that compile all kernels of a decision."""
    return [
        Job("the way of a piece", compile_once, 1.3),
        Job("search of matching pieces", lambda: _decide_once(CAPSULES), 5.8),
    ]


def _decide_once(rules: Rules) -> None:
    cells = np.zeros((rules.stored_rows, rules.columns), dtype=np.uint8)
    position = Position(cells, cells, (1, 2), (2, 3))
    Search(rules, np.zeros(FEATURES)).decide(position, straight_drops(cells, (1, 2), rules))
    resolve_field(cells, cells.copy(), rules)
