"""What a game family offers to pilot, trials and commands; knows no bridge and no particular family.

What it offers of one map's cartridge is in edition.py, what decides in thinking.py.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Protocol, TypeVar, runtime_checkable

from emubot.errors import UsageError

if TYPE_CHECKING:
    from collections.abc import Mapping

    from emubot.explanation import DrawnPosition
    from emubot.games.counts import Counts, Watch
    from emubot.games.edition import Edition, Jobs
    from emubot.games.offers import Offers
    from emubot.games.options import GameOptions
    from emubot.games.trial import Settings, Trial
    from emubot.looks import Looks
    from emubot.rammap import RamMap
    from emubot.snapshot import Snapshot
    from emubot.trace import Trace
    from emubot.weights import Weights


@dataclass(frozen=True, slots=True)
class GameFacts:
    """The fixed facts of a family.

    `title` is a line of text for users. `default_map` and `default_weights` are names or paths. `feature_names` are the
    features that weights may name, and `feature_version` is the version of their definitions. `ladder` names hand-made
    weights, from random play upwards; other weights are measured against them. With `plays_uncompiled` a first game
    begins before the kernels are compiled, at the strength `Edition.at_once`.
    """

    title: str
    default_map: str
    default_weights: str
    feature_names: tuple[str, ...]
    feature_version: int
    ladder: tuple[str, ...] = ()
    plays_uncompiled: bool = False


class Game(Protocol):
    """One family: what a pilot needs to play it. `check_game` checks it and its optional parts (below).

    Importing the module of a Game and reading its facts loads no kernels: what plays is imported by `open`.

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

    def open(self, ram_map: RamMap) -> Edition:
        """Returns the game as the cartridge of this map plays it. Raises MapError if the family cannot play by it."""


@runtime_checkable
class Replayable(Protocol):
    """A family whose recorded games can be replayed, by the `recorder` of an edition: `trace`."""

    def replays(self, trace: Trace) -> bool:
        """Returns whether a trace holds what this family's simulator needs."""


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
    """A family whose decisions can be explained, by the `explainer` of an edition: `explain`."""

    def position(self, drawn: DrawnPosition, ram_map: RamMap | None = None) -> tuple[Edition, Snapshot]:
        """Returns a position that a person drew, with the edition of its rules, or of a map with its field and rules.

        Raises UsageError, which says what to draw otherwise, if no game can have this position.
        """


@runtime_checkable
class Compiled(Protocol):
    """A family with kernels that are compiled before its first game."""

    def kernels(self) -> Jobs:
        """Returns named jobs that compile (or load) every kernel of play by any map, and of self-play."""


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
