"""The part of an edition that explains decisions: what every family's explainer can be asked; knows no family."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import TYPE_CHECKING, Protocol

if TYPE_CHECKING:
    from emubot.explanation import ExplainedPlacement, ExplainOptions, Explanation, Misdrops
    from emubot.human_error import HumanError
    from emubot.snapshot import Piece, Snapshot
    from emubot.tempo import Tempo
    from emubot.weights import Weights


class Explainer(Protocol):
    """Explains decisions, and says in words what one placement does worse than another. Inherit from it."""

    def explain(self, snapshot: Snapshot, weights: Weights, tempo: Tempo, options: ExplainOptions) -> Explanation:
        """Returns the best placements of the piece in the air, explained; the first input may be in the next frame.

        Raises WeightsError if weights have other features, UsageError without a piece in the air or a known timing.
        """

    def remarks(self, snapshot: Snapshot, played: ExplainedPlacement, best: ExplainedPlacement) -> Sequence[str]:
        """Returns what is worse after `played` than after `best`, the worst first; none if no word fits.

        Each is a clause such as "makes a hole". Both placements are of the piece in the air.
        """
        return ()

    def misdrops(self, snapshot: Snapshot, place: Piece, tempo: Tempo, human: HumanError) -> Misdrops | None:
        """Returns how often a person misses a lock of the piece in the air; None if the tempo does not lead there."""
        from emubot.explanation import no_misdrops

        raise no_misdrops()

    def threat(self) -> Callable[[Snapshot], int]:
        """Returns a function from a snapshot with a piece in the air to the largest clear that its field is ready for.

        That is an amount as in GameOffer.worth; 0 where nobody can tell.
        """
        return lambda snapshot: 0

    def ready(self, one: ExplainedPlacement) -> float | None:
        """Returns the points that a placement takes at once or leaves ready; None if its value says it all."""
        return None
