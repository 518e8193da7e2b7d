"""What decides by a map's own board and pieces; knows no address and no bridge."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, replace
from typing import Final, NamedTuple

import numpy as np
from numpy.typing import NDArray

from emubot.games import motion
from emubot.games.edition import Job, Jobs
from emubot.games.strength import Strength
from emubot.games.tetris.anyboard.board import lock, outlines_of, stacks_from
from emubot.games.tetris.anyboard.decoder import AnySnapshot, check_position
from emubot.games.tetris.anyboard.motion import AnyMotion
from emubot.games.tetris.anyboard.pieces import Pieces
from emubot.games.tetris.anyboard.search import MOST_SHAPES, search_queue
from emubot.games.tetris.anyboard.valuer import Valuer
from emubot.games.tetris.evaluation.evaluation import player_of
from emubot.games.tetris.evaluation.features import FEATURES, Stacks
from emubot.games.tetris.evaluation.names import FEATURE_NAMES, FEATURE_VERSION, GAME
from emubot.games.tetris.mapped_engine import OfferRanking, surest
from emubot.games.tetris.search.two_plies import DEAD
from emubot.games.thinker import Engine, Ranking
from emubot.rammap import RamMap
from emubot.snapshot import Placement, Snapshot, Step
from emubot.tempo import InputState, Tempo
from emubot.weights import Weights, load_weights

_FAST_CANDIDATES: Final = 12  # placements after which the next piece is searched from where it enters
PLAIN_WEIGHTS: Final = "dt10"  # take the place of weights whose tables are of the usual board and pieces


class AnyBoardTask(NamedTuple):
    """A frame with a piece in the air."""

    frame: AnySnapshot
    input_state: InputState


@dataclass(frozen=True, slots=True, eq=False)
class HeldRanking(OfferRanking):
    """The candidates of the piece in the air, or, after the steps of a hold, of the other piece."""

    steps: tuple[Step, ...] = ()


class AnyboardEngine(Engine[AnyBoardTask, HeldRanking]):
    """Searches the piece in the air, and all pieces that the map shows after it."""

    def __init__(self, ram_map: RamMap, pieces: Pieces, weights: Weights, tempo: Tempo, strength: Strength) -> None:
        """Raises WeightsError if weights have other features or another board, UsageError for any other strength."""
        strength.refuse_budget()
        strength.refuse_aim()
        strength.refuse_see_next()
        strength.refuse_threads()
        self._pieces = pieces
        board = (pieces.columns, pieces.rows)
        linear = weights.vector(GAME, FEATURE_NAMES, FEATURE_VERSION, board)
        if weights.points:
            linear = load_weights(PLAIN_WEIGHTS).vector(GAME, FEATURE_NAMES, FEATURE_VERSION, board)
        self._valuer = Valuer(pieces, player_of(linear))
        self._motion = AnyMotion(ram_map, tempo)
        self._rest = InputState(rest=tempo.reaction, turn_rest=tempo.reaction)

    def task(self, snapshot: Snapshot, input_state: InputState, shown: bool) -> AnyBoardTask:
        """Returns the task."""
        if snapshot.current is None or not isinstance(snapshot, AnySnapshot):
            raise ValueError("a snapshot without a piece in the air has nothing to decide")
        check_position(snapshot)
        return AnyBoardTask(snapshot, input_state)

    def rank(self, task: AnyBoardTask) -> HeldRanking:
        """Returns the placements of the surest offer, best first, or those after a hold if the best of them is better.

        Both are compared by as many pieces: a hold may take the next piece, which is then no longer shown.
        """
        frame, input_state = task
        plain, held = self._surest(frame, input_state), self._motion.after_hold(frame, input_state)
        if held is None:
            return plain
        shown, rival, nodes = len(held.snapshot.next), plain, plain.nodes
        if shown < len(frame.next):
            rival = self._surest(replace(frame, next=frame.next[:shown]), input_state)
            nodes += rival.nodes
        other = self._surest(held.snapshot, held.input_state, held.steps)
        nodes += other.nodes
        best = other if self._is_better(other, plain, rival) else plain
        return replace(best, nodes=nodes)

    def placement(self, task: AnyBoardTask, ranking: HeldRanking, index: int) -> Placement:
        """Returns a placement with its timeline, which may begin with a hold, or with its moves."""
        place = ranking.offer.finished(ranking.at(index))
        return replace(place, timeline=(*ranking.steps, *place.timeline)) if ranking.steps else place

    @staticmethod
    def _is_better(other: HeldRanking, plain: HeldRanking, rival: HeldRanking) -> bool:
        """Returns whether the placements after a hold are better; without a timeline they cannot be reached."""
        if not len(other.values) or other.offer.flight is None:
            return False
        return not len(plain.values) or bool(other.values[0] > (rival.values[0] if len(rival.values) else DEAD))

    def _surest(self, frame: AnySnapshot, input_state: InputState, steps: tuple[Step, ...] = ()) -> HeldRanking:
        found = surest(self._rankings(frame, input_state))
        return HeldRanking(found.places, found.values, found.nodes, found.offer, steps)

    def _rankings(self, snapshot: AnySnapshot, input_state: InputState) -> Iterator[OfferRanking]:
        assert snapshot.current is not None, "asked for by task"
        stacks = stacks_from(snapshot.playfield, snapshot.hidden)
        for offer in self._motion.offers(snapshot, snapshot.current, input_state):
            locks = offer.locks
            values, nodes = self._valuer.values(stacks, offer.placements, snapshot.next)
            locks, values = _sorted(locks, values)
            if snapshot.next and offer.flight is not None and self._valuer.is_linear and self._motion.is_fast(snapshot):
                locks, values, more = self._reached(snapshot, stacks, locks, values)
                nodes += more
            yield OfferRanking(locks, values, nodes, offer)

    def _reached(
        self, snapshot: AnySnapshot, stacks: Stacks, locks: NDArray[np.int64], values: NDArray[np.float64]
    ) -> tuple[NDArray[np.int64], NDArray[np.float64], int]:
        """Returns the placements, the best of them valued anew, and the boards evaluated for it.

        Where the fall is fast, the next piece cannot drop everywhere. So it is searched from where it enters.
        """
        entry, later = self._pieces.spawn(snapshot.next[0]), snapshot.next[1:]
        anew, evaluated = values.copy(), 0
        for index in range(min(len(locks), _FAST_CANDIDATES)):
            board, own = self._valuer.after(stacks, Ranking(locks, values, 0).at(index))
            then = self._motion.entered(snapshot, entry, board)
            anew[index] = DEAD + values[index]
            if then is not None and (offer := next(self._motion.offers(then, entry, self._rest))).placements:
                following, nodes = self._valuer.values(board, offer.placements, later)
                anew[index], evaluated = own + float(following.max()), evaluated + nodes
        best = np.argsort(-anew[:_FAST_CANDIDATES], kind="stable")
        order = np.concatenate([best, np.arange(len(best), len(locks))])
        locks, anew = locks[order], anew[order]
        if len(best):
            anew[len(best) :] = np.minimum(anew[len(best) :], anew[len(best) - 1])
        return locks, anew, evaluated


def _sorted(locks: NDArray[np.int64], values: NDArray[np.float64]) -> tuple[NDArray[np.int64], NDArray[np.float64]]:
    """Returns the locks, best first. Ties go to the lower lock, the smaller id and column."""
    order = np.lexsort((locks[:, 1], locks[:, 0], -locks[:, 2], -values))
    return locks[order], values[order]


def kernels() -> Jobs:
    """Returns jobs that compile every kernel of a decision."""
    return [Job("search on any board", _search_once, 3.1)]


def _search_once() -> None:
    motion.compile_once()
    motion.compile_clock()
    outlines, player = outlines_of([frozenset({(0, 0)})]), player_of(np.zeros(FEATURES))
    queue, entries = np.full((1, MOST_SHAPES), -1, dtype=np.int64), np.zeros((1, 4), dtype=np.int64)
    stacks, locks = np.zeros(4, dtype=np.int64), np.zeros((1, 3), dtype=np.int64)
    search_queue(stacks, 6, locks, queue, entries, outlines, player, np.zeros(1))
    lock(stacks, np.zeros(4, dtype=np.int64), 0, 0, 0, 6, outlines, np.zeros(FEATURES))
