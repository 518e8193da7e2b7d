"""Finds the moves of a game and judges them: the loss of each against the bot's best, and how accurate a game was."""

from __future__ import annotations

import statistics
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from typing import Final, NamedTuple, TypeAlias

import numpy as np

from emubot.errors import PositionError, UsageError
from emubot.explanation import ExplainedPlacement, ExplainOptions, Explanation, Misdrops
from emubot.games.edition import Depiction, Edition, Explainer, part_of
from emubot.games.variety import LOST
from emubot.human_error import HumanError
from emubot.looks import Looks
from emubot.snapshot import Phase, Piece, Snapshot
from emubot.tempo import FULL_SPEED, Tempo, tempo_for_speed
from emubot.weights import Weights

PHASES: Final = ("first third", "middle", "last third")
Cells: TypeAlias = tuple[tuple[int, int, int], ...]  # column, row, kind
_ALL: Final = 10_000  # more placements than any piece has


class Person(NamedTuple):
    """Whose misdrops are counted: how fast they tap, and with what error."""

    tempo: Tempo
    error: HumanError


@dataclass(frozen=True, slots=True, eq=False)
class Move:
    """One piece: its number from 1, the frame and the snapshot in which it came under control, and where it locked."""

    number: int
    frame: int
    snapshot: Snapshot
    locked: Piece


def moves_of(snapshots: Iterable[Snapshot]) -> Iterator[Move]:
    """Yields every piece that locked, in order. A piece still in the air at the end is left out.

    Raises PositionError at a frame that no game can have.
    """
    begun: tuple[int, Snapshot] | None = None
    last: Snapshot | None = None
    number = 0
    for frame, snapshot in enumerate(snapshots):
        if snapshot.fault is not None:
            raise PositionError(f"No game can have the position in frame {frame}: {snapshot.fault}. Review another.")
        if snapshot.phase is Phase.PLAYING and snapshot.current is not None:
            if begun is None:
                begun = (frame, snapshot)
            last = snapshot
        elif begun is not None and last is not None and snapshot.phase is not Phase.PAUSED:
            if snapshot.phase.between_pieces or snapshot.phase is Phase.OVER:
                number += 1
                yield Move(number, begun[0], begun[1], _locked(last, snapshot))
            begun = last = None


def _locked(last: Snapshot, after: Snapshot) -> Piece:
    """Returns where the piece of `last` locked: in the frame of its lock it may still have made a step or a turn."""
    before, now = last.current, after.current
    assert before is not None, "it was under control"
    if now is None or after.phase is not Phase.LOCKED or not np.array_equal(last.playfield, after.playfield):
        return before
    return now if abs(now.column - before.column) <= 1 and 0 <= now.row - before.row <= 1 else before


@dataclass(frozen=True, slots=True, eq=False)
class JudgedMove:
    """A move beside the one that the bot would have played.

    `loss`, never below 0, is in the unit of the values: the loss of value, or of points that were ready if that is more
    (Explainer.ready). `accuracy` is 1 for a move that is worth as much, and falls to 0 at the median of what was
    possible. `remarks` say in words what is worse, the worst first. `cells` and `best_cells` are those of both
    placements, (column, row, kind). `missed` are the misdrops of a person at both, if they are counted.
    """

    move: Move
    played: ExplainedPlacement
    best: ExplainedPlacement
    loss: float
    accuracy: float
    remarks: tuple[str, ...]
    cells: Cells
    best_cells: Cells
    missed: tuple[Misdrops | None, Misdrops | None] = (None, None)


@dataclass(frozen=True, slots=True, eq=False)
class Review:
    """A whole game. `skipped` moves could not be judged, because the search does not know how to get there."""

    judged: tuple[JudgedMove, ...]
    skipped: int
    unit: str
    meaning: str
    title: str
    looks: Looks

    @property
    def accuracy(self) -> float | None:
        """The mean accuracy of all moves; None without one."""
        return _mean(self.judged)

    @property
    def by_phase(self) -> dict[str, float | None]:
        """The mean accuracy of each third of the game."""
        size = len(self.judged)
        bounds = [0, size // 3, 2 * size // 3, size]
        return {name: _mean(self.judged[bounds[at] : bounds[at + 1]]) for at, name in enumerate(PHASES)}

    @property
    def missed(self) -> tuple[float | None, float | None]:
        """The share of tries in which a person misses what was played, and what was best; None if nobody counted."""
        counted = [
            [one.misses / one.tries for move in self.judged if (one := move.missed[side]) is not None]
            for side in (0, 1)
        ]
        played, best = (statistics.fmean(shares) if shares else None for shares in counted)
        return played, best

    def worst(self, count: int = 10) -> list[JudgedMove]:
        """Returns the moves that lost most, the worst first; the first of equal ones first."""
        lost = [move for move in self.judged if move.loss > 0]
        return sorted(lost, key=lambda move: (-move.loss, move.move.number))[:count]


def review(
    edition: Edition,
    weights: Weights,
    moves: Iterable[Move],
    title: str,
    progress: Callable[[Move], None] | None = None,
    nodes: int | None = None,
    person: Person | None = None,
) -> Review:
    """Judge these moves of one player. `progress` is called with each move before it is judged.

    Of a `person` the misdrops are counted. Raises UsageError if the family cannot explain decisions or count misdrops,
    or if there is no move.
    """
    moves_judged: list[JudgedMove] = []
    skipped = 0
    last: Explanation | None = None
    for judged, explained in _each(edition, weights, moves, progress, nodes):
        last = explained
        if judged is None:
            skipped += 1
        else:
            moves_judged.append(judged if person is None else _with_misdrops(edition, judged, person))
    if last is None:
        raise UsageError("The game has no piece that locked: review a longer one.")
    return Review(tuple(moves_judged), skipped, last.unit, last.meaning, title, edition.game.looks)


def _with_misdrops(edition: Edition, judged: JudgedMove, person: Person) -> JudgedMove:
    explainer = part_of(edition, "explainer", edition.explainer, "explained decisions")
    played, best = (
        explainer.misdrops(judged.move.snapshot, _piece(one), person.tempo, person.error)
        for one in (judged.played, judged.best)
    )
    return replace(judged, missed=(played, best))


def _each(
    edition: Edition,
    weights: Weights,
    moves: Iterable[Move],
    progress: Callable[[Move], None] | None,
    nodes: int | None,
) -> Iterator[tuple[JudgedMove | None, Explanation]]:
    explainer = part_of(edition, "explainer", edition.explainer, "explained decisions")
    look = part_of(edition, "depiction", edition.depiction, "pieces to draw")
    tempo = tempo_for_speed(FULL_SPEED)
    options = ExplainOptions(nodes, _ALL, games=0)
    for move in moves:
        if progress is not None:
            progress(move)
        explained = explainer.explain(move.snapshot, weights, tempo, options)
        yield _judged(explainer, look, move, explained), explained


def _judged(explainer: Explainer, look: Depiction, move: Move, explained: Explanation) -> JudgedMove | None:
    """Returns the move beside the best one; None if the search does not have it among its placements."""
    cells = _cells(look, move.snapshot, move.locked)
    placements = [(placement, _cells(look, move.snapshot, _piece(placement))) for placement in explained.placements]
    same = [placement for placement, its_cells in placements if sorted(its_cells) == sorted(cells)]
    if not same or not placements:
        return None
    played = max(same, key=lambda placement: placement.value)
    best, best_cells = next((pair for pair in placements if pair[0].chosen), placements[0])
    loss = max(0.0, best.value - played.value)
    accuracy = _accuracy(played.value, best.value, [placement.value for placement, _ in placements])
    mine, other = explainer.ready(played), explainer.ready(best)
    if mine is not None and other is not None and other > mine:
        loss = max(loss, other - mine)
        accuracy = min(accuracy, max(0.0, mine) / other)
    remarks = explainer.remarks(move.snapshot, played, best) if loss else ()
    return JudgedMove(move, played, best, loss, accuracy, tuple(remarks), cells, best_cells)


def _accuracy(played: float, best: float, values: Sequence[float]) -> float:
    """Returns 1 for the best value and 0 for the median of those that do not lose the game, and below."""
    alive = [value for value in values if value > LOST]
    if played >= best:
        return 1.0
    if not alive or played <= LOST:
        return 0.0
    spread = best - statistics.median(alive)
    return max(0.0, 1.0 - (best - played) / spread) if spread > 0 else 1.0


def _piece(explained: ExplainedPlacement) -> Piece:
    place = explained.placement
    return Piece(place.orientation, place.column, place.row)


def _cells(look: Depiction, snapshot: Snapshot, piece: Piece) -> Cells:
    return tuple((cell.column, cell.row, cell.kind) for cell in look.cells(snapshot, piece))


def _mean(judged: Sequence[JudgedMove]) -> float | None:
    return statistics.fmean(move.accuracy for move in judged) if judged else None
