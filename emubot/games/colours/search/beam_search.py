"""Finds the best placement by a beam over the known pairs and then over sampled ones; knows no RAM and no bridge.

The beam of the known pairs is common to all samples. A candidate's value is the mean of what it is worth (beam.Aim) in
its samples. Few samples and a wide beam build better than many and a narrow one, as long as the next decision foresees
the same pairs again: samples depend on a seed and on how full the field is, which two puyos more turn into the next
pair's. So decisions repeat.
"""

from __future__ import annotations

from collections.abc import Sequence
from functools import cache, partial
from typing import Any, Final

import numpy as np
from numpy.typing import NDArray

from emubot.games.colours.bounds import NODES
from emubot.games.colours.evaluation.building import Weighing
from emubot.games.colours.reach.entry import limits_of
from emubot.games.colours.rules import BIG, Rules
from emubot.games.colours.scoring import table_of
from emubot.games.colours.search.battle_sense import battle_aim
from emubot.games.colours.search.beam import Aim, Beam, Plan, grow, plant
from emubot.games.colours.search.nodes import Layer, scratch
from emubot.games.colours.search.search import Position, Search, field_of
from emubot.games.colours.search.two_plies import DEAD, Pair
from emubot.games.pace import Pace

DEPTH: Final = 12  # pairs from the current one on
CLOSELY: Final = 3  # see beam.Plan
_BRANCHES: Final = 18  # different children of a node, about
_LEAST_SAMPLES: Final = 4
# The number of nodes in a layer, from so many fields on (docs/measurements/puyo.md).
_WIDTHS: Final = ((0, 4), (4_000, 6), (10_000, 14), (20_000, 30), (40_000, 60), (200_000, 100))
_PUYOS: Final = 2  # of a pair
_FORESEEN: Final = 64  # pairs of a sample: a full field and the depth of a search
_TIE: Final = 1e-3  # points for a hundredth of a step in the field's own value: decides between equals only

Values = NDArray[np.float64]  # one for each candidate


class BeamSearch(Search):
    """A beam with fixed rules, weights and aim."""

    def __init__(
        self,
        rules: Rules,
        weights: Weighing,
        aim: Aim,
        nodes: int = NODES,
        seed: int = 0,
        eagerness: float = 1.0,
        battles: bool = False,
    ) -> None:
        """`weights` are those of building.py. About `nodes` fields are made in a decision.

        A chain that the current pair fires counts `eagerness` times. The samples are searched as if they were known, so
        what is said to come later is too good. With `battles` the aim of a position is that of battle_sense.py.
        """
        self._rules, self._table, self._weights, self._aim = rules, table_of(rules), weights, aim
        self._nodes, self._seed, self._eagerness, self._battles = nodes, seed, eagerness, battles
        self._memory = scratch()

    def rank(self, position: Position, candidates: NDArray[Any]) -> tuple[NDArray[np.float64], int]:
        """Returns what each candidate is worth, and the number of fields made; raises like `decide`."""
        cells = field_of(position, self._rules)
        places = np.ascontiguousarray(candidates, dtype=np.int8).reshape(-1, 2)
        worths, values = np.zeros(len(places)), np.zeros(len(places))
        width = self._width
        beam = self._beam(position, 2 * width)
        count = plant(cells, places, *position.pair, position.pending, beam, worths, values)
        if count == 0:
            return worths, len(places)
        now = np.where(worths > 0, worths * self._eagerness, worths)
        known = self._known(position)
        kept, made = grow(self._memory.first, count, known, 1, beam, worths)
        samples = self._samples(position, len(known), width) if kept else []
        made += len(places)
        if not samples:
            return _valued(worths, now, values), made
        parents, beam = self._memory.parents, self._beam(position, width)
        start = Layer(parents.boards[:kept].copy(), parents.roots[:kept].copy(), parents.numbers[:kept].copy())
        total = np.zeros(len(places))
        for sample in samples:
            found = worths.copy()
            made += grow(start, kept, sample, 1 + len(known), beam, found)[1]
            total += found
        return _valued(total / len(samples), now, values), made

    def _beam(self, position: Position, width: int) -> Beam:
        limits = limits_of(self._rules) if position.limits is None else position.limits
        aim = self._aim
        if self._battles:
            height = int(np.count_nonzero(position.cells[:, self._rules.spawn.column]))
            aim = battle_aim(aim, self._rules, height, position.opponent_room)
        return Beam(self._table, self._weights, aim, Plan(width, CLOSELY, limits), self._memory)

    @property
    def _width(self) -> int:
        return next(width for least, width in reversed(_WIDTHS) if self._nodes >= least)

    @staticmethod
    def _known(position: Position) -> NDArray[np.uint8]:
        """Returns the next pairs up to the first item, whose effect the beam does not search, or to the end."""
        pairs: list[Pair] = []
        for pair in position.following[: position.left]:
            if max(pair) >= BIG:
                break
            pairs.append(pair)
        return np.array(pairs, dtype=np.uint8).reshape(-1, 2)

    def _samples(self, position: Position, known: int, width: int) -> Sequence[NDArray[np.uint8]]:
        """Returns the sampled continuations, each uint8 (n, 2); none if the game ends with the known pairs."""
        depth = DEPTH - 1 - known
        if position.left is not None:
            depth = min(depth, position.left - known)
        if depth <= 0:
            return []
        count = max(self._nodes // (_BRANCHES * width * depth), _LEAST_SAMPLES)
        first = np.count_nonzero(position.cells) // _PUYOS + 1 + known
        futures = _futures(self._rules.colors, 1 << (count - 1).bit_length(), self._seed)
        return list(futures[:count, first : first + depth])


class TimedBeam(BeamSearch):
    """A beam whose decisions take about the time of its pace; results by the clock do not repeat."""

    def __init__(
        self,
        rules: Rules,
        weights: Weighing,
        aim: Aim,
        pace: Pace,
        seed: int = 0,
        eagerness: float = 1.0,
        battles: bool = False,
    ) -> None:
        super().__init__(rules, weights, aim, 1, seed, eagerness, battles)
        self._pace = pace

    def rank(self, position: Position, candidates: NDArray[Any]) -> tuple[NDArray[np.float64], int]:
        """Returns what `BeamSearch.rank` returns, after as many fields as the time is enough for."""
        return self._pace.spend(partial(self._rank_within, position, candidates))

    def _rank_within(self, position: Position, candidates: NDArray[Any], nodes: int) -> tuple[NDArray[np.float64], int]:
        self._nodes = nodes
        return super().rank(position, candidates)


@cache
def _futures(colors: int, count: int, seed: int) -> NDArray[np.uint8]:
    """Returns the pairs of samples, uint8 (count, _FORESEEN, 2); more samples begin with the same."""
    return np.random.default_rng(seed).integers(1, colors + 1, size=(count, _FORESEEN, 2), dtype=np.uint8)


def _valued(worths: Values, now: Values, values: Values) -> Values:
    """Returns what candidates are worth later or at once; among equals the value of the field decides."""
    return np.where(values > DEAD, np.maximum(worths, now) + _TIE * values, DEAD)
