"""What decides for pairs on a field of any size: joins reach and search; knows no address and no bridge."""

from __future__ import annotations

from functools import partial
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from emubot.errors import UsageError
from emubot.games.colours.board.anyboard_bounds import limits_of
from emubot.games.colours.decode.decode import cells_of
from emubot.games.colours.decode.gate import check_pair
from emubot.games.colours.decode.inference import Pending
from emubot.games.colours.decode.upcoming import next_pairs
from emubot.games.colours.map_rules import rules_of_map
from emubot.games.colours.reach.offer import Pair, PuyoOffers, pair_of
from emubot.games.colours.reach.reach import Offer
from emubot.games.colours.search.anyboard_search import MOST_NODES, AnySearch
from emubot.games.edition import Job, Jobs
from emubot.games.motion import compile_once
from emubot.games.strength import Strength
from emubot.games.thinker import Engine, Ranking
from emubot.rammap import RamMap
from emubot.snapshot import Placement, Snapshot
from emubot.tempo import InputState, Tempo
from emubot.weights import Weights


class AnyFieldTask(NamedTuple):
    """A field with its pairs, and what can be reached on it."""

    cells: NDArray[Any]
    pair: Pair
    following: tuple[Pair, ...]
    offer: Offer
    pending: int


class AnyFieldEngine(Engine[AnyFieldTask, Ranking]):
    """Searches a field of any size, with what `reach.offer` offers."""

    def __init__(self, ram_map: RamMap, weights: Weights, tempo: Tempo, strength: Strength) -> None:
        """Raises WeightsError for weights of other features, UsageError for what the search cannot do."""
        strength.refuse_aim()
        strength.refuse_see_next()
        strength.refuse_threads()
        nodes = strength.nodes or 0
        if nodes > MOST_NODES:
            raise UsageError(f"--nodes of pairs on this field is 0 to {MOST_NODES:,}, not {nodes:,}.")
        self._rules, self._tempo = rules_of_map(ram_map), tempo
        self._search = AnySearch(self._rules, weights, nodes, strength.milliseconds)
        self._offers = PuyoOffers(ram_map, tempo)
        self._pending = Pending(self._rules)

    def task(self, snapshot: Snapshot, input_state: InputState, shown: bool) -> AnyFieldTask | None:
        """Returns the task; None without a pair in the air."""
        check_pair(snapshot, self._rules)
        pair = pair_of(snapshot)
        if snapshot.current is None or not all(pair):
            return None
        offer = self._offers.offer(snapshot, snapshot.current, input_state)
        return AnyFieldTask(cells_of(snapshot), pair, next_pairs(snapshot), offer, self._pending.on_its_way(snapshot))

    def rank(self, task: AnyFieldTask) -> Ranking:
        """Returns the placements of the offer with their values."""
        cells, pair, following, offer, pending = task
        limits = None if offer.gravity is None else limits_of(self._rules, self._tempo, offer.gravity)
        values, nodes = self._search.rank(cells, pair, following, offer.places, pending, limits)
        return Ranking(offer.places, values, nodes)

    def placement(self, task: AnyFieldTask, ranking: Ranking, index: int) -> Placement:
        """Returns a placement with the way to it."""
        return task.offer.placement(index, float(ranking.values[index]))

    def reroute(self, snapshot: Snapshot, input_state: InputState, chosen: Placement) -> Placement | None:
        """Returns the same lock with a new timeline from here; None if it cannot be reached or without known timing."""
        return self._offers.reroute(snapshot, input_state, chosen)


def kernels(ram_map: RamMap, weights: Weights) -> Jobs:
    """Returns the jobs that compile all kernels of a decision on the map's field."""
    return [
        Job("the way of a piece", compile_once, 1.3),
        Job("search of pairs on any field", partial(_rank_once, ram_map, weights), 7.4),
    ]


def _rank_once(ram_map: RamMap, weights: Weights) -> None:
    rules = rules_of_map(ram_map)
    nothing = np.zeros((rules.stored_rows, rules.columns), dtype=np.uint8)
    AnySearch(rules, weights).rank(nothing, (1, 2), ((3, 4),), np.zeros((1, 2), dtype=np.int64))
