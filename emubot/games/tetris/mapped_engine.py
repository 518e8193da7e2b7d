"""What decides on the usual board by a map's tables, without a release's timing; knows no address and no bridge."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, replace
from typing import NamedTuple

import numpy as np

from emubot.errors import UsageError
from emubot.games import motion
from emubot.games.edition import Job, Jobs
from emubot.games.strength import Strength
from emubot.games.tetris.board.board import BOARD_ROWS, Rows
from emubot.games.tetris.decode.map_checks import OWN_ID
from emubot.games.tetris.evaluation.features import FEATURES
from emubot.games.tetris.evaluation.names import FEATURE_NAMES, FEATURE_VERSION, GAME
from emubot.games.tetris.reach.mapped import MappedMotion, Offer
from emubot.games.tetris.release_engine import following_of, piece_of, rows_of
from emubot.games.tetris.rules import COLUMNS, ROWS
from emubot.games.tetris.search.search import ranked_locks
from emubot.games.tetris.search.two_plies import DEAD
from emubot.games.thinker import Engine, Ranking
from emubot.snapshot import Placement, Snapshot
from emubot.tempo import InputState
from emubot.weights import Weights


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
        strength.refuse_threads()
        self._vector = weights.vector(GAME, FEATURE_NAMES, FEATURE_VERSION, (COLUMNS, ROWS))
        self._motion = motion_of_map

    def task(self, snapshot: Snapshot, input_state: InputState, shown: bool) -> MappedTask:
        """Returns the task."""
        return MappedTask(rows_of(snapshot), snapshot, input_state)

    def rank(self, task: MappedTask) -> OfferRanking:
        """Returns the locks of the surest offer, best first."""
        return surest(self._rankings(task))

    def placement(self, task: MappedTask, ranking: OfferRanking, index: int) -> Placement:
        """Returns a lock with its timeline, or with its moves."""
        return ranking.offer.finished(ranking.at(index))

    def _rankings(self, task: MappedTask) -> Iterator[OfferRanking]:
        rows, counters = task.rows, task.snapshot.counters
        level, timer = counters.get("level", 0), counters.get("drop_timer")
        offers = self._motion.offers(rows, piece_of(task.snapshot), counters[OWN_ID], level, timer, task.input_state)
        for offer in offers:
            ranking = ranked_locks(rows, offer.locks, following_of(task.snapshot), self._vector)
            yield OfferRanking(ranking.places, ranking.values, ranking.nodes, offer)


def kernels_of_tables() -> Jobs:
    """Returns the same for a decision without a release's timing."""
    return [Job("search by a map's tables", _rank_once, 1.5)]


def _rank_once() -> None:
    motion.compile_once()
    ranked_locks(np.zeros(BOARD_ROWS, dtype=np.uint16), np.array([[10, 5, 18]]), 0, np.zeros(FEATURES))
