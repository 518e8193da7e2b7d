"""Judges the moves of a game: the loss of each against the bot's best, its mark, and how accurate a game was."""

from __future__ import annotations

import statistics
from collections import Counter
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass, replace
from enum import Enum
from typing import Final, NamedTuple, TypeAlias

from emubot.errors import UsageError
from emubot.explanation import ExplainedPlacement, ExplainOptions, Explanation, Misdrops
from emubot.games.edition import Depiction, Edition, part_of
from emubot.games.variety import LOST
from emubot.human_error import HumanError
from emubot.judging.moves import Move
from emubot.looks import Looks
from emubot.snapshot import Piece, Snapshot
from emubot.tempo import FULL_SPEED, Tempo, tempo_for_speed
from emubot.weights import Weights

PHASES: Final = ("first third", "middle", "last third")
Cells: TypeAlias = tuple[tuple[int, int, int], ...]  # column, row, kind
_ALL: Final = 10_000  # more placements than any piece has
_GOOD, _SLIP = 0.85, 0.4  # accuracy from which on a placement is good, and no blunder


class Mark(Enum):
    """A placement in one word. The best loses nothing; a blunder is hardly better than any, or ends the game."""

    BEST = "best"
    GOOD = "good"
    SLIP = "slip"
    BLUNDER = "blunder"


class Person(NamedTuple):
    """Whose misdrops are counted: how fast they tap, and with what error."""

    tempo: Tempo
    error: HumanError


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

    @property
    def mark(self) -> Mark:
        """The placement in one word."""
        if self.loss <= 0:
            return Mark.BEST
        return Mark.GOOD if self.accuracy >= _GOOD else Mark.SLIP if self.accuracy >= _SLIP else Mark.BLUNDER

    @property
    def why(self) -> str:
        """What is worse than after the best placement, in words; nothing if nothing is."""
        return "" if self.loss <= 0 else "; ".join(self.remarks) or "is worth less further on"


@dataclass(frozen=True, slots=True, eq=False)
class Review:
    """A whole game. `skipped` moves could not be judged, because the search does not know how to get there."""

    judged: tuple[JudgedMove, ...]
    skipped: int
    unit: str
    meaning: str
    title: str
    looks: Looks
    depiction: Depiction | None = None

    @property
    def accuracy(self) -> float | None:
        """The mean accuracy of all moves; None without one."""
        return _mean(self.judged)

    @property
    def marks(self) -> dict[Mark, int]:
        """How many placements have each mark, the best one first."""
        counts = Counter(move.mark for move in self.judged)
        return {mark: counts[mark] for mark in Mark}

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
    judge = Judge(edition, weights, nodes)
    moves_judged: list[JudgedMove] = []
    skipped = 0
    explained: Explanation | None = None
    for move in moves:
        if progress is not None:
            progress(move)
        explained = judge.explain(move.snapshot)
        judged = judge.judged(move, explained)
        if judged is None:
            skipped += 1
        else:
            moves_judged.append(judged if person is None else _with_misdrops(edition, judged, person))
    if explained is None:
        raise UsageError("The game has no piece that locked: review a longer one.")
    return Review(
        tuple(moves_judged), skipped, explained.unit, explained.meaning, title, edition.game.looks, edition.depiction
    )


class Judge:
    """Says what can be done with a piece, and how good it is: the same whoever asks, and whenever."""

    def __init__(self, edition: Edition, weights: Weights, nodes: int | None = None) -> None:
        """`nodes` are the boards that a judgement may value; None: the game's own number.

        Raises UsageError if the family cannot explain decisions.
        """
        self._explainer = part_of(edition, "explainer", edition.explainer, "explained decisions")
        self._look = part_of(edition, "depiction", edition.depiction, "pieces to draw")
        self._weights, self._tempo = weights, tempo_for_speed(FULL_SPEED)
        self._options = ExplainOptions(nodes, _ALL, games=0)

    def explain(self, snapshot: Snapshot) -> Explanation:
        """Returns all placements of the piece that has just come under control."""
        return self._explainer.explain(snapshot, self._weights, self._tempo, self._options)

    def best(self, snapshot: Snapshot, explained: Explanation) -> tuple[ExplainedPlacement, Cells] | None:
        """Returns the placement that the bot would take, with its cells; None if there is none."""
        places = explained.placements
        best = next((one for one in places if one.chosen), places[0] if places else None)
        return None if best is None else (best, _cells(self._look, snapshot, _piece(best)))

    def judged(self, move: Move, explained: Explanation) -> JudgedMove | None:
        """Returns a move beside the best one; None if the search does not have it among its placements."""
        snapshot = move.snapshot
        cells = _cells(self._look, snapshot, move.locked)
        found = self.best(snapshot, explained)
        same = [
            one for one in explained.placements if sorted(_cells(self._look, snapshot, _piece(one))) == sorted(cells)
        ]
        if not same or found is None:
            return None
        played = max(same, key=lambda placement: placement.value)
        best, best_cells = found
        loss = max(0.0, best.value - played.value)
        accuracy = _accuracy(played.value, best.value, [one.value for one in explained.placements])
        mine, other = self._explainer.ready(played), self._explainer.ready(best)
        if mine is not None and other is not None and other > mine:
            loss = max(loss, other - mine)
            accuracy = min(accuracy, max(0.0, mine) / other)
        remarks = self._explainer.remarks(snapshot, played, best) if loss else ()
        return JudgedMove(move, played, best, loss, accuracy, tuple(remarks), cells, best_cells)


def _with_misdrops(edition: Edition, judged: JudgedMove, person: Person) -> JudgedMove:
    explainer = part_of(edition, "explainer", edition.explainer, "explained decisions")
    played, best = (
        explainer.misdrops(judged.move.snapshot, _piece(one), person.tempo, person.error)
        for one in (judged.played, judged.best)
    )
    return replace(judged, missed=(played, best))


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
