"""From a Snapshot to a Decision by a map's own board and pieces; knows no address and no bridge."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import replace
from typing import Final

import numpy as np
from numpy.typing import NDArray

from emubot.games import motion
from emubot.games.tetris.anyboard.board import lock, outlines_of, stacks_from
from emubot.games.tetris.anyboard.checks import checked_pieces
from emubot.games.tetris.anyboard.decoder import AnySnapshot, check_position
from emubot.games.tetris.anyboard.motion import AnyMotion
from emubot.games.tetris.anyboard.search import MOST_SHAPES, search_queue
from emubot.games.tetris.anyboard.valuer import Valuer
from emubot.games.tetris.evaluation.evaluation import player_of
from emubot.games.tetris.evaluation.features import FEATURES, Stacks
from emubot.games.tetris.evaluation.names import FEATURE_NAMES, FEATURE_VERSION, GAME
from emubot.games.tetris.reach.mapped import Offer
from emubot.games.tetris.search.search import chosen_of
from emubot.games.tetris.search.two_plies import DEAD
from emubot.games.thinking import Decision
from emubot.games.variety import Choose
from emubot.rammap import RamMap
from emubot.snapshot import Placement, Snapshot
from emubot.tempo import InputState, Tempo
from emubot.weights import Weights, load_weights

_FAST_CANDIDATES: Final = 12  # placements after which the next piece is searched from where it enters
PLAIN_WEIGHTS: Final = "dt10"  # take the place of weights whose tables are of the usual board and pieces


class AnyThinker:
    """The search for one player: the piece in the air, and all pieces that the map shows after it."""

    def __init__(self, ram_map: RamMap, weights: Weights, tempo: Tempo) -> None:
        """Raises WeightsError if weights have other features or another board, MapError if the map cannot be played."""
        self._pieces = checked_pieces(ram_map)
        board = (self._pieces.columns, self._pieces.rows)
        linear = weights.vector(GAME, FEATURE_NAMES, FEATURE_VERSION, board)
        if weights.points:
            linear = load_weights(PLAIN_WEIGHTS).vector(GAME, FEATURE_NAMES, FEATURE_VERSION, board)
        self._valuer = Valuer(self._pieces, player_of(linear))
        self._motion = AnyMotion(ram_map, tempo)
        self._rest = InputState(rest=tempo.reaction, turn_rest=tempo.reaction)

    def decide(self, snapshot: Snapshot, input_state: InputState) -> Decision:
        """Returns the best placement of the piece in the air; `placement` is None if it cannot lock anywhere."""
        return self.decide_by(snapshot, input_state, None)

    def decide_by(self, snapshot: Snapshot, input_state: InputState, choose: Choose | None) -> Decision:
        """Like `decide`, but `choose` selects the placement; None selects the best.

        It is of the surest offer that does not lose the game, or of all offers if all lose. It may begin with a hold.
        """
        frame = _in_the_air(snapshot)
        best, chosen, evaluated = self._best(frame, input_state, choose)
        held = self._motion.after_hold(frame, input_state)
        if held is None:
            return Decision(chosen, best, evaluated)
        shown = len(held.snapshot.next)
        rival = best
        if shown < len(frame.next):  # the hold took the next piece: compare by as many pieces
            rival, _, more = self._best(replace(frame, next=frame.next[:shown]), input_state, choose)
            evaluated += more
        value, other, more = self._best(held.snapshot, held.input_state, choose)
        if other is not None and other.timeline and (chosen is None or value > rival):
            best, chosen = value, replace(other, timeline=(*held.steps, *other.timeline))
        return Decision(chosen, best, evaluated + more)

    def _best(
        self, frame: AnySnapshot, input_state: InputState, choose: Choose | None
    ) -> tuple[float, Placement | None, int]:
        """Returns the value of the best placement, the chosen one, and the boards evaluated."""
        best, chosen, evaluated = DEAD, None, 0
        for offer, ranked, nodes in self._rankings(frame, input_state):
            evaluated += nodes
            if ranked and (chosen is None or ranked[0].value > best):
                best, chosen = ranked[0].value, offer.finished(chosen_of(ranked, choose))
            if best > DEAD / 2:
                break
        return best, chosen, evaluated

    def ranked(self, snapshot: Snapshot, input_state: InputState) -> Sequence[Placement]:
        """Returns the placements of the surest offer with their values, best first, without timelines."""
        return next(self._rankings(_in_the_air(snapshot), input_state))[1]

    def _rankings(
        self, snapshot: AnySnapshot, input_state: InputState
    ) -> Iterator[tuple[Offer, Sequence[Placement], int]]:
        assert snapshot.current is not None, "asked for by _in_the_air"
        stacks = stacks_from(snapshot.playfield, snapshot.hidden)
        for offer in self._motion.offers(snapshot, snapshot.current, input_state):
            values, nodes = self._valuer.values(stacks, offer.placements, snapshot.next)
            ranked: Sequence[Placement] = _ranked(offer.placements, values)
            if snapshot.next and offer.flight is not None and self._valuer.is_linear and self._motion.is_fast(snapshot):
                ranked, more = self._reached(snapshot, stacks, ranked)
                nodes += more
            yield offer, ranked, nodes

    def _reached(
        self, snapshot: AnySnapshot, stacks: Stacks, ranked: Sequence[Placement]
    ) -> tuple[Sequence[Placement], int]:
        """Returns the placements, the best of them valued anew, and the boards evaluated for it.

        Where the fall is fast, the next piece cannot drop everywhere. So it is searched from where it enters.
        """
        entry, later = self._pieces.spawn(snapshot.next[0]), snapshot.next[1:]
        found, evaluated = [], 0
        for place in ranked[:_FAST_CANDIDATES]:
            board, own = self._valuer.after(stacks, place)
            then = self._motion.entered(snapshot, entry, board)
            value = DEAD + place.value
            if then is not None and (offer := next(self._motion.offers(then, entry, self._rest))).placements:
                values, nodes = self._valuer.values(board, offer.placements, later)
                value, evaluated = own + float(values.max()), evaluated + nodes
            found.append(replace(place, value=value))
        found.sort(key=lambda place: -place.value)
        least = found[-1].value if found else 0.0
        rest = [replace(place, value=min(place.value, least)) for place in ranked[_FAST_CANDIDATES:]]
        return [*found, *rest], evaluated


def _in_the_air(snapshot: Snapshot) -> AnySnapshot:
    if snapshot.current is None or not isinstance(snapshot, AnySnapshot):
        raise ValueError("a snapshot without a piece in the air has nothing to decide")
    check_position(snapshot)
    return snapshot


def _ranked(placements: Sequence[Placement], values: NDArray[np.float64]) -> list[Placement]:
    """Returns the placements with their values, best first. Ties go to the lower lock, the smaller id and column."""
    order = sorted(
        zip(placements, values.tolist(), strict=True),
        key=lambda pair: (-pair[1], -pair[0].row, pair[0].orientation, pair[0].column),
    )
    return [Placement(place.orientation, place.column, place.row, value=value) for place, value in order]


def kernels() -> Sequence[tuple[str, Callable[[], object]]]:
    """Returns jobs that compile every kernel of a decision."""
    return [("search on any board", _search_once)]


def _search_once() -> None:
    motion.compile_once()
    motion.compile_clock()
    outlines, player = outlines_of([frozenset({(0, 0)})]), player_of(np.zeros(FEATURES))
    queue, entries = np.full((1, MOST_SHAPES), -1, dtype=np.int64), np.zeros((1, 4), dtype=np.int64)
    stacks, locks = np.zeros(4, dtype=np.int64), np.zeros((1, 3), dtype=np.int64)
    search_queue(stacks, 6, locks, queue, entries, outlines, player, np.zeros(1))
    lock(stacks, np.zeros(4, dtype=np.int64), 0, 0, 0, 6, outlines, np.zeros(FEATURES))
