"""What a game family offers to pilot, trials and commands; knows no bridge and no particular family."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Final, Protocol, runtime_checkable

import numpy as np

from emubot.games.counts import Counts
from emubot.games.trial import Settings, Trial
from emubot.games.variety import Choose
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


class Game(Protocol):
    """One family, as `check_game` checks it."""

    name: str
    title: str
    feature_names: tuple[str, ...]
    feature_version: int  # of their definitions
    default_weights: str
    default_map: str
    ladder: tuple[str, ...]  # names of hand-made weights, from random play upwards, to measure others by
    modes: Mapping[str, int]  # what menus may be asked for as `mode`: "endless", and "versus" where two can meet

    def decoder(self, ram_map: RamMap, player: int = 0) -> Callable[[bytes], Snapshot]:
        """A pure function from 2,048 bytes to a Snapshot."""

    def advanced(self, before: Snapshot, after: Snapshot) -> bool:
        """Whether the game itself moved between two successive frames of play; a counter may run in lag frames too."""

    def predict(self, ram_map: RamMap, snapshot: Snapshot, pads: Sequence[Pad]) -> Snapshot:
        """The snapshot after the pads already in flight."""

    def thinker(self, ram_map: RamMap, weights: Weights, tempo: Tempo) -> Thinker:
        """A search for this map's rules and timing. Raises WeightsError if the weights are for other features."""

    def learner(self, ram_map: RamMap, player: int = 0) -> Learner | None:
        """What finds out the rest of this map in play; None where the map leaves nothing open."""

    def simulator(self, ram_map: RamMap, rng: np.random.Generator | None, even: bool = False) -> Any:
        """The family's simulator as a bridge's Machine, its RAM by the map; no `rng`: a console's power-on state.

        `even`: the n-th piece is the same for everyone with this `rng`, however long each takes.
        """

    def recorder(self, ram_map: RamMap, order: str) -> Recorder:
        """A recorder of what a replay needs."""

    def records(self, snapshot: Snapshot) -> bool:
        """Whether this frame belongs into a recorded game."""

    def replays(self, trace: Trace) -> bool:
        """Whether a trace holds what this family's simulator needs."""

    def verify(self, trace: Trace, ram_map: RamMap | None = None) -> tuple[int, int]:
        """Replay such a trace on the simulator: how many rows differ, and the first of them or -1.

        `ram_map` is the map it was recorded with, where that is not to be looked for under the name the trace tells.
        """

    def draw(self, trace: Trace, row: int, ram_map: RamMap | None = None) -> Sequence[str]:
        """The playfield after a row of such a trace, as lines of text; `ram_map` as for `verify`."""

    def time_simulator(self, frames: int) -> float:
        """Seconds of CPU time the simulator takes for that many frames of play."""

    def kernels(self, self_play: bool = False) -> Sequence[tuple[str, Callable[[], object]]]:
        """Named jobs that compile (or load) every kernel of play once, and with `self_play` those of self-play too."""

    def cells(self, snapshot: Snapshot, piece: Piece) -> Sequence[Cell]:
        """The cells of the piece in the air if it were there, with their kinds."""

    def next_cells(self, snapshot: Snapshot, there: Piece | None = None) -> Sequence[Cell]:
        """The cells of the next piece if it were there (default: as it comes, around (0, 0)); empty if not known."""

    def summary(self, snapshot: Snapshot) -> Mapping[str, Any]:
        """The figures a report shows: at least lines, score and level, None for one that the map cannot tell.

        `won` (0 or 1) in a game against somebody.
        """

    def self_play_settings(self, rules: str | None, colors: int | None) -> tuple[str, int | None]:
        """What self-play plays by where these are asked: the profile, and how many colours (None: no choice of them).

        Raises UsageError for what there is not, here or in `self_play`.
        """

    def self_play(self, seed: int, pieces: int, weights: Weights, rules: str | None, colors: int | None) -> Counts:
        """That many pieces placed flat out on the rules alone, the search looking as far as it does in play."""

    def trial(self, sides: int, rules: str | None, options: Settings) -> Trial:
        """A way of playing to be measured: `sides` players meet (1 or 2), under a profile and the options asked for.

        Raises UsageError for rules, options or values that there are not.
        """

    @property
    def self_play_measure(self) -> str:
        """What `Counts.heights` counts: "puyos" or "height"."""
