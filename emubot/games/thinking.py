"""What decides for one player, and what it can do besides; knows no bridge and no particular family."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Protocol, runtime_checkable

from emubot.games.variety import Choose
from emubot.pad import Pad
from emubot.snapshot import Piece, Placement, Snapshot
from emubot.tempo import InputState


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
    """A search with its weights and tempo fixed."""

    def decide(self, snapshot: Snapshot, input_state: InputState) -> Decision:
        """Returns the best placement of the piece in the air, from this state of the inputs."""


@runtime_checkable
class CanReroute(Protocol):
    """A thinker that can find another way to the placement it chose."""

    def reroute(self, snapshot: Snapshot, input_state: InputState, chosen: Placement) -> Placement | None:
        """Returns the same lock with the timeline that leads to it from here; None if there is no exact timeline."""


@runtime_checkable
class CanVary(Protocol):
    """A thinker that lets its caller choose among the candidates."""

    def decide_by(self, snapshot: Snapshot, input_state: InputState, choose: Choose | None) -> Decision:
        """Like `decide`, but `choose` selects the placement; None selects the best."""


@runtime_checkable
class CanLimit(Protocol):
    """A thinker whose search can be given a budget."""

    def limit(self, nodes: int | None = None, milliseconds: float | None = None) -> None:
        """From now on value about so many boards in a decision, or as many as it can in this time.

        Raises UsageError if this cartridge's search cannot.
        """


@runtime_checkable
class CanAim(Protocol):
    """A thinker that can be told what to play for."""

    def aim_for(self, aim: str | None, aggression: float | None) -> None:
        """From now on play for this aim, at this risk (0 to 1); None is the game's own.

        Raises UsageError if there is no such aim, or if this cartridge's search has none.
        """


@runtime_checkable
class CanSetOut(Protocol):
    """A thinker that can send a piece on its way before the next one is shown."""

    def check_set_out(self) -> None:
        """Raise UsageError if this cartridge's search cannot."""

    def set_out(self, snapshot: Snapshot, input_state: InputState, choose: Choose | None) -> Decision:
        """Like `decide_by`, for a snapshot that does not show the next piece yet.

        The way to the placement leaves the most within reach, because the course may change when it is shown.
        """


@runtime_checkable
class CanPrepare(Protocol):
    """A thinker that can search the next decision before it is due, in a thread of its own."""

    def prepare(self, snapshot: Snapshot, chosen: Placement) -> None:
        """Begin to search what may be decided after `chosen` is locked. No decision changes by it, only its time.

        `decide` waits for what is in work for its position, and ends the rest.
        """


@runtime_checkable
class CanPrepareBetween(Protocol):
    """A thinker that also prepares between two pieces, as soon as more is known than when the first one was placed."""

    def prepare_between(self, snapshot: Snapshot) -> None:
        """Begin to search what may be decided after this frame, if something else was prepared. As `CanPrepare`."""


@runtime_checkable
class CanPreview(Protocol):
    """A thinker that can show its plan for the next piece."""

    def preview_next(self, snapshot: Snapshot, chosen: Placement) -> Piece | None:
        """Returns where the search plans to put the next piece after `chosen` is locked and has had its effect.

        For display only. None if the next piece is not known or the family cannot tell.
        """
