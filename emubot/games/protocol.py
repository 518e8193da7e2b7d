"""What a game family offers to pilot, trials and commands; knows no bridge and no particular family.

What decides, and what it can do besides, is in thinking.py.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Final, Protocol, TypeVar, runtime_checkable

import numpy as np

from emubot.errors import UsageError
from emubot.explanation import DrawnPosition, ExplainedPlacement, ExplainOptions, Explanation
from emubot.games.counts import Counts, Watch
from emubot.games.offers import Offers
from emubot.games.options import GameOptions
from emubot.games.thinking import CanLimit, Thinker
from emubot.games.trial import Settings, Trial
from emubot.looks import Looks
from emubot.machine import Machine
from emubot.pad import Pad
from emubot.rammap import RamMap
from emubot.snapshot import Cell, Piece, Snapshot
from emubot.tempo import Tempo
from emubot.trace import Recorder, Trace
from emubot.weights import Weights

FIGURES: Final = ("lines", "score", "level")  # in a game's summary; a map may lack some of them


class Foresight(Thinker, CanLimit, Protocol):
    """A search that knows the generator: `decide` is for the frame observed last, with `after_lock` and `called`."""

    def observe(self, ram: bytes) -> None:
        """Read the generator in one frame of the map's memory space."""


class Learner(Protocol):
    """Watches one player's frames and finds out what the map leaves open."""

    @property
    def blind(self) -> bool:
        """Whether too little is known to predict where a piece will lock; then `explore` plans the piece."""

    def observe(self, ram: bytes, pad: Pad | None = None) -> RamMap | None:
        """Observe one frame: the map's memory space and the pad that the game used in it (None: not known).

        Returns a better map whenever more is known than before, else None.
        """

    @property
    def measuring(self) -> bool:
        """Whether a piece should be left to fall by itself for a while, so that its fall can be measured."""

    def rewind(self) -> None:
        """Drop what was seen of the current game, because the emulator went to another frame."""

    def explore(self, snapshot: Snapshot) -> tuple[int, int]:
        """Returns how often to rotate the piece in the air, and the column to move it towards."""


@dataclass(frozen=True, slots=True)
class GameFacts:
    """The fixed facts of a family.

    `title` is a line of text for users. `default_map` and `default_weights` are names or paths. `feature_names` are the
    features that weights may name, and `feature_version` is the version of their definitions. `ladder` names hand-made
    weights, from random play upwards; other weights are measured against them.
    """

    title: str
    default_map: str
    default_weights: str
    feature_names: tuple[str, ...]
    feature_version: int
    ladder: tuple[str, ...] = ()


class Game(Protocol):
    """One family: what a pilot needs to play it. `check_game` checks it and its optional parts (below).

    `modes` maps words to the numbers that menus take as `mode`: "endless", and "versus" if it has a two-player game.
    """

    @property
    def name(self) -> str:
        """The family's name, as in a map's `family`: lower-case letters, digits and hyphens."""

    @property
    def facts(self) -> GameFacts:
        """The fixed facts of the family."""

    @property
    def options(self) -> GameOptions:
        """What commands can be told about its games."""

    @property
    def looks(self) -> Looks:
        """The looks of its cells, and its words."""

    @property
    def offers(self) -> Offers:
        """What it offers to the arena and to forms."""

    @property
    def modes(self) -> Mapping[str, int]:
        """The modes of its menus."""

    def decoder(self, ram_map: RamMap, player: int = 0) -> Callable[[bytes], Snapshot]:
        """Returns a pure function from 2,048 bytes to a Snapshot."""

    def advanced(self, before: Snapshot, after: Snapshot) -> bool:
        """Returns whether the game advanced between two successive frames of play; its counter may not show it."""

    def predict(self, ram_map: RamMap, snapshot: Snapshot, pads: Sequence[Pad]) -> Snapshot:
        """Returns the snapshot after the pads that are already on their way to the game."""

    def thinker(self, ram_map: RamMap, weights: Weights, tempo: Tempo) -> Thinker:
        """Returns a search for this map's rules and timing. Raises WeightsError if weights have other features."""

    def learner(self, ram_map: RamMap, player: int = 0) -> Learner | None:
        """Returns a learner for what this map leaves open; None if it leaves nothing open."""

    def summary(self, snapshot: Snapshot) -> Mapping[str, Any]:
        """Returns the figures for a report: at least FIGURES. A figure is None if the map does not have it.

        A game against an opponent also has `won`, a game that can reach a goal `completed` (0 or 1 each).
        """


@runtime_checkable
class Simulated(Protocol):
    """A family with its own simulator: `play --bridge simulated`, demos without a core, `bench`."""

    def simulator(self, ram_map: RamMap, rng: np.random.Generator | None, even: bool = False) -> Machine:
        """Returns the simulator, with RAM laid out by the map; without `rng` in a console's power-on state.

        With `even` the n-th piece depends only on `rng`, not on how long the pieces before it took.
        """

    def time_simulator(self, frames: int) -> float:
        """Returns the CPU time in seconds that the simulator takes for this number of frames of play."""


@runtime_checkable
class Replayable(Protocol):
    """A family whose games can be recorded and replayed: `play --record`, `trace`."""

    def recorder(self, ram_map: RamMap, order: str) -> Recorder:
        """Returns a recorder for what a replay needs."""

    def records(self, snapshot: Snapshot) -> bool:
        """Returns whether this frame belongs to a recorded game."""

    def replays(self, trace: Trace) -> bool:
        """Returns whether a trace holds what this family's simulator needs."""

    def verify(self, trace: Trace, ram_map: RamMap | None = None) -> tuple[int, int]:
        """Replays such a trace; returns the number of rows that differ and the first of them (-1 if none).

        `ram_map` is the map of the recording; None means the map that the trace names.
        """

    def draw(self, trace: Trace, row: int, ram_map: RamMap | None = None) -> Sequence[str]:
        """Returns the playfield after a row of such a trace as lines of text; `ram_map` as for `verify`."""


@runtime_checkable
class Depictable(Protocol):
    """A family whose pieces can be drawn: `--view board`, `--view window`, `--overlay`."""

    def cells(self, snapshot: Snapshot, piece: Piece) -> Sequence[Cell]:
        """Returns the cells, with their kinds, that the piece in the air fills if it is at `piece`."""

    def next_cells(self, snapshot: Snapshot, there: Piece | None = None) -> Sequence[Cell]:
        """Returns the cells that the next piece fills if it is at `there`; none if it is not known.

        Without `there` the piece is at (0, 0), in the orientation in which it comes.
        """


@runtime_checkable
class Measurable(Protocol):
    """A family that plays games to be measured: `selfplay`, `evaluate`, `train`, `bench`."""

    @property
    def self_play_measure(self) -> str:
        """What `Counts.heights` counts: "puyos" or "height"."""

    def self_play_settings(self, rules: str | None, options: Settings) -> tuple[str, Settings]:
        """Returns the settings of self-play: the profile, and its options with defaults filled in.

        The options that were given are named as in `emubot selfplay`. Raises UsageError if the family does not have
        these rules, options or values.
        """

    def self_play(
        self, seed: int, pieces: int, weights: Weights, rules: str | None, options: Settings, watch: Watch | None = None
    ) -> Counts:
        """Plays this number of pieces by the rules alone, without frames; the search is as deep as in play.

        It ends earlier if `watch` says so, with the counts of fewer pieces.

        Raises UsageError like `self_play_settings`.
        """

    def trial(self, sides: int, rules: str | None, options: Settings) -> Trial:
        """Returns a trial: games to be measured, of `sides` players (1 or 2) under a profile and options.

        Raises UsageError if there are no such rules, options or values.
        """


@runtime_checkable
class Explainable(Protocol):
    """A family whose decisions can be explained: `explain`."""

    def position(self, drawn: DrawnPosition) -> tuple[RamMap, Snapshot]:
        """Returns a position that a person drew, with the map of its rules.

        Raises UsageError, which says what to draw otherwise, if no game can have this position.
        """

    def explain(
        self, ram_map: RamMap, snapshot: Snapshot, weights: Weights, tempo: Tempo, options: ExplainOptions
    ) -> Explanation:
        """Returns the best placements of the piece in the air, explained; the first input may be in the next frame.

        Raises WeightsError if weights have other features, UsageError if no piece is in the air, or if the map's timing
        is not known.
        """


@runtime_checkable
class Reviewable(Protocol):
    """A family that says in words what one placement does worse than another: `review`."""

    def remarks(self, snapshot: Snapshot, played: ExplainedPlacement, best: ExplainedPlacement) -> Sequence[str]:
        """Returns what is worse after `played` than after `best`, the worst first; none if no word fits.

        Each is a clause such as "makes a hole". Both placements are of the piece in the air.
        """

    def ready(self, one: ExplainedPlacement) -> float | None:
        """Returns the points that a placement takes at once or leaves ready; None if its value says it all."""


@runtime_checkable
class Foreseeable(Protocol):
    """A family whose generator can be read and timed: `--rng aware`, a class of its own."""

    def foresight(self, ram_map: RamMap, weights: Weights, tempo: Tempo) -> Foresight:
        """Returns a new search for the first player. Raises UsageError if the map does not name the generator."""


@runtime_checkable
class Compiled(Protocol):
    """A family with kernels that are compiled before its first game."""

    def kernels(
        self, self_play: bool = False, ram_map: RamMap | None = None
    ) -> Sequence[tuple[str, Callable[[], object]]]:
        """Returns named jobs that compile (or load) every kernel of play, with `self_play` also those of self-play.

        With a map, only those that play by this map needs.
        """


_Part = TypeVar("_Part")


def require_part(game: Game, part: type[_Part], purpose: str) -> _Part:
    """Returns the game, typed as one with this part. Raises UsageError, naming the part, if it does not have it.

    `purpose` is what the part is needed for, such as "recorded games".
    """
    if isinstance(game, part):
        return game
    raise UsageError(
        f"The family {game.name} does not offer {purpose}: its Game object lacks the part {part.__name__} "
        "(emubot.games.protocol)."
    )
