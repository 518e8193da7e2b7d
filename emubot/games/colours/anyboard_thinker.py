"""Makes a Decision from a Snapshot of a field of any size: joins reach and search; knows no address and no bridge."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from functools import partial

import numpy as np

from emubot.errors import UsageError
from emubot.games.colours.board.cells_bounds import limits_of
from emubot.games.colours.decode.decode import cells_of
from emubot.games.colours.decode.gate import check_position
from emubot.games.colours.decode.inference import Pending
from emubot.games.colours.decode.map_checks import check_map
from emubot.games.colours.decode.upcoming import next_pairs
from emubot.games.colours.map_rules import rules_of_map
from emubot.games.colours.reach.offer import Offers, pair_of
from emubot.games.colours.search.anyboard_search import MOST_NODES, AnySearch
from emubot.games.colours.search.two_plies import DEAD
from emubot.games.motion import compile_once
from emubot.games.thinking import Decision
from emubot.games.variety import Choose
from emubot.rammap import RamMap
from emubot.snapshot import Placement, Snapshot
from emubot.tempo import InputState, Tempo
from emubot.weights import Weights


class AnyThinker:
    """Plans for one player on a field of any size, with what `reach.offer` offers."""

    def __init__(self, ram_map: RamMap, weights: Weights, tempo: Tempo) -> None:
        """Raises WeightsError for weights of other features, MapError for a map that the family cannot read."""
        check_map(ram_map)
        self._rules, self._tempo, self._weights = rules_of_map(ram_map), tempo, weights
        self.limit()
        self._offers = Offers(ram_map, tempo)
        self._pending = Pending(self._rules)

    def limit(self, nodes: int | None = None, milliseconds: float | None = None) -> None:
        """From now on value about so many fields in a decision (0: two pairs), or as many as it can in this time."""
        if nodes is not None and nodes > MOST_NODES:
            raise UsageError(f"--nodes of pairs on this field is 0 to {MOST_NODES:,}, not {nodes:,}.")
        self._search = AnySearch(self._rules, self._weights, nodes or 0, milliseconds)

    def decide(self, snapshot: Snapshot, input_state: InputState) -> Decision:
        """Returns the best placement of the piece in the air; the placement is None if it cannot lock anywhere."""
        return self.decide_by(snapshot, input_state, None)

    def decide_by(self, snapshot: Snapshot, input_state: InputState, choose: Choose | None) -> Decision:
        """Returns the placement that `choose` selects among the candidates; None selects the best."""
        check_position(snapshot, self._rules)
        pair = pair_of(snapshot)
        if snapshot.current is None or not all(pair):
            return Decision(None, 0.0, 0)
        offer = self._offers.offer(snapshot, snapshot.current, input_state)
        pending = self._pending.on_its_way(snapshot)
        limits = None if offer.gravity is None else limits_of(self._rules, self._tempo, offer.gravity)
        values, nodes = self._search.rank(cells_of(snapshot), pair, next_pairs(snapshot), offer.places, pending, limits)
        if not len(values):
            return Decision(None, DEAD, nodes)
        index = int(np.argmax(values)) if choose is None else choose(offer.places.tolist(), values.tolist())
        value = float(values[index])
        return Decision(offer.placement(index, value), value, nodes)

    def reroute(self, snapshot: Snapshot, input_state: InputState, chosen: Placement) -> Placement | None:
        """Returns the same lock with a new timeline from here; None if it cannot be reached or without known timing."""
        return self._offers.reroute(snapshot, input_state, chosen)


def kernels(ram_map: RamMap, weights: Weights) -> Sequence[tuple[str, Callable[[], object]]]:
    """Returns the jobs that compile all kernels of a decision on the map's field."""
    return [
        ("the way of a piece", compile_once),
        ("search of pairs on any field", partial(_rank_once, ram_map, weights)),
    ]


def _rank_once(ram_map: RamMap, weights: Weights) -> None:
    rules = rules_of_map(ram_map)
    nothing = np.zeros((rules.stored_rows, rules.columns), dtype=np.uint8)
    AnySearch(rules, weights).rank(nothing, (1, 2), ((3, 4),), np.zeros((1, 2), dtype=np.int64))
