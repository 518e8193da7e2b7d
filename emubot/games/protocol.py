"""What a game family offers to pilot, trials and commands; knows no bridge and no particular family."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Final, Protocol, TypeVar, runtime_checkable

import numpy as np

from emubot.errors import UsageError
from emubot.games.counts import Counts
from emubot.games.trial import Settings, Trial
from emubot.games.variety import Choose
from emubot.machine import Machine
from emubot.pad import Pad
from emubot.rammap import RamMap
from emubot.snapshot import Cell, Piece, Placement, Snapshot
from emubot.tempo import InputState, Tempo
from emubot.trace import Recorder, Trace
from emubot.weights import Weights

FIGURES: Final = ("lines", "score", "level")  # of a game, in its summary; a map may not tell all of them


@dataclass(frozen=True, slots=True)
class Decision:
    """What a search chose: None where no placement can be reached; `nodes` counts the boards that were evaluated."""

    placement: Placement | None
    value: float
    nodes: int


class Thinker(Protocol):
    """A search with its weights and tempo fixed."""

    def decide(self, snapshot: Snapshot, input_state: InputState) -> Decision:
        """The best placement of the piece in the air, for these hands."""


@runtime_checkable
class CanReroute(Protocol):
    """A thinker that can find another way to the placement it chose."""

    def reroute(self, snapshot: Snapshot, input_state: InputState, chosen: Placement) -> Placement | None:
        """The same lock with the timeline that leads to it from here; None where it cannot be planned to the frame."""


@runtime_checkable
class CanVary(Protocol):
    """A thinker that leaves it to somebody else which of its candidates is taken."""

    def decide_by(self, snapshot: Snapshot, input_state: InputState, choose: Choose | None) -> Decision:
        """As `decide`, but the placement is the one of `choose`; None: the best."""


@runtime_checkable
class CanPreview(Protocol):
    """A thinker that can tell an onlooker what comes after the placement it chose."""

    def preview_next(self, snapshot: Snapshot, chosen: Placement) -> Piece | None:
        """Where the search means to put the next piece once `chosen` is locked and has had its effect.

        For onlookers; None where the next piece is not known or the family cannot tell.
        """


class Learner(Protocol):
    """Watches one player's frames and finds out what the map leaves open."""

    @property
    def blind(self) -> bool:
        """Whether too little is known to promise where a piece will lock, so that `explore` must be asked."""

    def observe(self, ram: bytes, pad: Pad | None = None) -> RamMap | None:
        """One frame of the map's memory space and the pad that the game used in it (None: not known).

        A better map whenever more is known than before.
        """

    @property
    def measuring(self) -> bool:
        """Whether a piece should be left to fall by itself for a while, so that its fall can be measured."""

    def rewind(self) -> None:
        """The emulator was taken to another frame: what was seen of the game under way is no longer so."""

    def explore(self, snapshot: Snapshot) -> tuple[int, int]:
        """For the piece in the air: how often to rotate it, and towards which column to take it."""


@dataclass(frozen=True, slots=True)
class GameFacts:
    """What a family says of itself.

    `title` is a line for people. `default_map` and `default_weights` are names or paths. `feature_names` are those that
    weights may name, and `feature_version` is the version of their definitions. `ladder` names hand-made weights, from
    random play upwards, to measure others by.
    """

    title: str
    default_map: str
    default_weights: str
    feature_names: tuple[str, ...]
    feature_version: int
    ladder: tuple[str, ...] = ()


class Game(Protocol):
    """One family: what a pilot needs to play it. `check_game` checks it, and the optional parts below that it has.

    `modes` are the words and numbers that menus may be asked for as `mode`: "endless", and "versus" if two can meet.
    """

    @property
    def name(self) -> str:
        """The family's name: a word of small letters, digits and hyphens, as a map's `family`."""

    @property
    def facts(self) -> GameFacts:
        """What the family says of itself."""

    @property
    def modes(self) -> Mapping[str, int]:
        """The modes of its menus."""

    def decoder(self, ram_map: RamMap, player: int = 0) -> Callable[[bytes], Snapshot]:
        """Returns a pure function from 2,048 bytes to a Snapshot."""

    def advanced(self, before: Snapshot, after: Snapshot) -> bool:
        """Returns whether the game itself moved between two successive frames of play; its counter may not tell."""

    def predict(self, ram_map: RamMap, snapshot: Snapshot, pads: Sequence[Pad]) -> Snapshot:
        """Returns the snapshot after the pads that are already on their way to the game."""

    def thinker(self, ram_map: RamMap, weights: Weights, tempo: Tempo) -> Thinker:
        """Returns a search for this map's rules and timing. Raises WeightsError for weights of other features."""

    def learner(self, ram_map: RamMap, player: int = 0) -> Learner | None:
        """Returns what finds out the rest of this map in play; None if the map leaves nothing open."""

    def summary(self, snapshot: Snapshot) -> Mapping[str, Any]:
        """Returns the figures of a report: at least FIGURES, None for one that the map cannot tell.

        `won` (0 or 1) is among them in a game against somebody.
        """


@runtime_checkable
class Simulated(Protocol):
    """A family with a simulator of its own: `play --bridge simulated`, demos without a core, `bench`."""

    def simulator(self, ram_map: RamMap, rng: np.random.Generator | None, even: bool = False) -> Machine:
        """Returns the simulator, its RAM laid out by the map; without `rng` in a console's power-on state.

        `even`: the n-th piece is the same for everyone with this `rng`, however long each takes.
        """

    def time_simulator(self, frames: int) -> float:
        """Returns the seconds of CPU time that the simulator takes for that many frames of play."""


@runtime_checkable
class Replayable(Protocol):
    """A family whose games can be recorded and replayed: `play --record`, `trace`."""

    def recorder(self, ram_map: RamMap, order: str) -> Recorder:
        """Returns a recorder of what a replay needs."""

    def records(self, snapshot: Snapshot) -> bool:
        """Returns whether this frame belongs to a recorded game."""

    def replays(self, trace: Trace) -> bool:
        """Returns whether a trace holds what this family's simulator needs."""

    def verify(self, trace: Trace, ram_map: RamMap | None = None) -> tuple[int, int]:
        """Replays such a trace; returns how many rows differ, and the first of them or -1.

        `ram_map` is the map it was recorded with; None: the one of the name that the trace gives.
        """

    def draw(self, trace: Trace, row: int, ram_map: RamMap | None = None) -> Sequence[str]:
        """Returns the playfield after a row of such a trace as lines of text; `ram_map` as for `verify`."""


@runtime_checkable
class Depictable(Protocol):
    """A family whose pieces can be drawn: `--view board`, `--view window`, `--overlay`."""

    def cells(self, snapshot: Snapshot, piece: Piece) -> Sequence[Cell]:
        """Returns the cells of the piece in the air if it were there, with their kinds."""

    def next_cells(self, snapshot: Snapshot, there: Piece | None = None) -> Sequence[Cell]:
        """Returns the cells of the next piece if it were there; empty if it is not known.

        Without `there` they are as the piece comes, around (0, 0).
        """


@runtime_checkable
class Measurable(Protocol):
    """A family that plays games to be measured: `selfplay`, `evaluate`, `train`, `bench`."""

    @property
    def self_play_measure(self) -> str:
        """What `Counts.heights` counts: "puyos" or "height"."""

    def self_play_settings(self, rules: str | None, colors: int | None) -> tuple[str, int | None]:
        """Returns what self-play plays by: the profile, and the number of colours (None: there is no choice).

        Raises UsageError if the family does not have these rules or colours.
        """

    def self_play(self, seed: int, pieces: int, weights: Weights, rules: str | None, colors: int | None) -> Counts:
        """Places that many pieces on the rules alone, without frames; the search looks as far as in play.

        Raises UsageError as `self_play_settings`.
        """

    def trial(self, sides: int, rules: str | None, options: Settings) -> Trial:
        """Returns a way of playing to be measured: `sides` players (1 or 2) under a profile and options.

        Raises UsageError if there are no such rules, options or values.
        """


@runtime_checkable
class Compiled(Protocol):
    """A family with kernels that are compiled before its first game."""

    def kernels(self, self_play: bool = False) -> Sequence[tuple[str, Callable[[], object]]]:
        """Returns named jobs that compile (or load) every kernel of play, and with `self_play` those of it too."""


_Part = TypeVar("_Part")


def require_part(game: Game, part: type[_Part], purpose: str) -> _Part:
    """Returns the game as one that has this part. Raises UsageError, naming the part, if it does not have it.

    `purpose` is what it is needed for, such as "recorded games".
    """
    if isinstance(game, part):
        return game
    raise UsageError(
        f"The family {game.name} does not offer {purpose}: its Game object lacks the part {part.__name__} "
        "(emubot.games.protocol)."
    )
