"""What a family offers to others: games of the arena and what their clears are worth, bots, demos, environments."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from fractions import Fraction
from typing import TYPE_CHECKING, Any, Final, NamedTuple, Protocol

from emubot.machine import FRAME_RATE_NTSC

if TYPE_CHECKING:
    from emubot.games.batch import Batch, Console
    from emubot.games.options import Values
    from emubot.weights import Weights

MARGIN: Final = 0.02  # of two equal bots (games/variety.py); docs/explanation/variety.md has what it costs
FRAMES, PLACEMENTS = ACTIONS = ("frames", "placements")  # of an environment: a pad for some frames, or where one locks
Worth = tuple[tuple[int, int], ...]  # amounts of a clear, rising, each with its units of garbage


@dataclass(frozen=True, slots=True)
class GameOffer:
    """A game on the family's simulator: the map gives rules and choices, and tells where its bytes are.

    `worth` is what a clear sends in a match against another game: `worth_of`. `has_versus`: the machine has a game for
    two, which two sides of this game then play. `margin` is that of two equal bots, so that their games differ soon
    (games/variety.py). `frame_rate` is that of the simulator: only games of the same rate meet.
    """

    id: str
    title: str
    map: str
    worth: Worth = ()
    has_versus: bool = False
    margin: float = MARGIN
    frame_rate: float = FRAME_RATE_NTSC


@dataclass(frozen=True, slots=True)
class Demo:
    """A game to watch at once: `--demo NAME`. Without a cartridge of this name it is played on the simulator."""

    name: str
    title: str


@dataclass(frozen=True, slots=True)
class Bot:
    """How strong a bot is: the name or path of its weights, and its nodes of a decision; None is the family's own."""

    weights: str | None = None
    nodes: int | None = None


@dataclass(frozen=True, slots=True)
class EnvironmentOffer:
    """An environment for programs that learn, `emubot/NAME-v0`: what it is, and its options.

    `open` takes the options with their values and makes so many games of it: with two `seats`, an even number, of which
    each two that follow each other are a match. `on_console` makes one game on a cartridge; None if that cannot be.
    """

    name: str
    about: str
    values: type[Values]
    open: Callable[[Any, int], Batch]
    seats: int = 1
    on_console: Callable[[Any, Console], Batch] | None = None


class ToolParameter(NamedTuple):
    """A parameter of another tool's questions; `needed`: without it there is no answer."""

    name: str
    about: str
    needed: bool = False


class Tool(Protocol):
    """Answers to the clients of another tool, in that tool's form, by path; one thread at a time asks."""

    @property
    def paths(self) -> Sequence[str]:
        """The paths that are answered, without a slash."""

    def parameters(self, path: str) -> Sequence[ToolParameter]:
        """Returns what a question at a path takes."""

    def answer(self, path: str, given: Mapping[str, str]) -> str:
        """Returns the answer to the parameters of a question. Raises EmubotError, in a sentence, if it has none."""


@dataclass(frozen=True, slots=True)
class ToolOffer:
    """The HTTP interface of another tool, whose clients then get their answers from emubot; `open` takes weights."""

    name: str
    open: Callable[[Weights], Tool]


@dataclass(frozen=True, slots=True)
class Offers:
    """Everything that a family offers.

    The arena has five bots, gentle, easy, middle, strong and full, each of a speed. `bots` says how strong each of them
    is; one that is not named plays as well as the family can.
    """

    games: tuple[GameOffer, ...] = ()
    bots: Mapping[str, Bot] = field(default_factory=dict)
    demos: tuple[Demo, ...] = ()
    environments: tuple[EnvironmentOffer, ...] = ()
    tools: tuple[ToolOffer, ...] = ()


def worth_of(worth: Worth, amount: int) -> Fraction:
    """Returns the units of a clear: between two entries in proportion, after the last one no more."""
    before, units = 0, 0
    for until, more in worth:
        if amount <= until:
            return units + Fraction((max(amount, 0) - before) * (more - units), until - before)
        before, units = until, more
    return Fraction(units)
