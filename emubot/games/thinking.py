"""What decides for one player; knows no bridge and no particular family."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Protocol

from emubot.pad import Pad
from emubot.snapshot import Piece, Placement, Snapshot
from emubot.tempo import InputState

if TYPE_CHECKING:
    from emubot.games.variety import Choose


@dataclass(frozen=True, slots=True)
class Decision:
    """The result of a search. `placement` is None if none can be reached; `nodes` counts the boards evaluated.

    With foresight, `after_lock` are the pads to the next spawn, and `called` is the orientation that is drawn then.
    """

    placement: Placement | None
    value: float
    nodes: int
    after_lock: tuple[Pad, ...] = ()
    called: int | None = None


class Thinker(Protocol):
    """A search with its weights, tempo and strength fixed. Inherit from it: only `decide` must be written."""

    def decide(
        self, snapshot: Snapshot, input_state: InputState, choose: Choose | None = None, shown: bool = True
    ) -> Decision:
        """Returns a placement of the piece in the air, from this state of the inputs.

        `choose` selects it among the candidates, of which there may be none to choose from; None selects the best.
        `shown` is false if the snapshot does not show the next piece yet, which happens only if the strength has
        `see_next`: then the way to the placement leaves the most within reach, because the course may change.
        """

    def reroute(self, snapshot: Snapshot, input_state: InputState, chosen: Placement) -> Placement | None:
        """Returns the same lock with the timeline that leads to it from here; None if there is no exact timeline."""
        return None

    def preview(self, snapshot: Snapshot, chosen: Placement) -> Piece | None:
        """Returns where the search plans to put the next piece after `chosen` is locked and has had its effect.

        For display only. None if the next piece is not known or the family cannot tell.
        """
        return None

    def prepare(self, snapshot: Snapshot, chosen: Placement) -> None:
        """Begin to search, in a thread, what may be decided after `chosen` is locked.

        No decision changes by it, only its time: `decide` waits for what is in work for its position, and ends the
        rest.
        """
        return

    def prepare_between(self, snapshot: Snapshot) -> None:
        """The same between two pieces, as soon as more is known than when the first one was placed."""
        return
