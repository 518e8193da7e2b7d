"""What maps of a family may say, each word with its meaning, for docs/reference/maps.md; knows no map, no family."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from typing import Any, Final, Protocol, TypeVar, runtime_checkable

YES = "yes"  # every map of the family needs it
NO = "no"
BY_CELLS = "yes, or `place`"  # the place of the piece's cells says the same
REPLAYED = "for replays"  # the simulator and the replay of a recording need it, and the bot in an emulator does not

# Values that several families have, each with its meaning.
PIVOT: Final = {
    "x": "the column from which `cells` of `pieces` are counted",
    "y": "the row from which they are counted, 0 at the top; hidden rows are negative",
    "orientation": "an id of `pieces`",
}
PAD: Final = {
    "held_buttons": "the buttons that were held in the last frame, by the bits of the pad",
    "new_buttons": "those that were newly pressed",
    "repeat": "frames for which a direction was held, as on the demo cartridge",
}
DROP_TIMER: Final = {"drop_timer": "counts down to the fall; 1 is the frame before it"}
GENERATOR: Final = "the state of the generator of {}; mark it `hidden_from_search`"

_T = TypeVar("_T")


@dataclass(frozen=True, slots=True)
class ValueWord:
    """A value's meaning, and whether a map needs it: one of the words above, or for which profiles."""

    meaning: str
    needed: str


@dataclass(frozen=True, slots=True)
class RuleWord:
    """A rule's meaning, what a map may write, and its value in each profile, as a map would write it."""

    meaning: str
    may_be: str
    defaults: Mapping[str, object]


@dataclass(frozen=True, slots=True)
class TimingWord:
    """What a family adds to the meaning of a key of `timing`, or the time in frames that it takes without the key."""

    meaning: str = ""
    default: object = None


@dataclass(frozen=True, slots=True)
class MapWords:
    """All words of a family's maps, by name, in the order in which people look them up.

    `timing` holds the keys of `timing` that the family reads. `choices` are those of `menu.asked` that options or the
    learner know. `notes` are sentences.
    """

    profiles: Mapping[str, str]
    values: Mapping[str, ValueWord]
    rules: Mapping[str, RuleWord]
    kinds: Mapping[str, str]
    piece_codes: Mapping[str, str]
    timing: Mapping[str, TimingWord]
    regions: Mapping[str, str]
    choices: Mapping[str, str]
    notes: tuple[str, ...] = ()


@runtime_checkable
class DescribesMaps(Protocol):
    """A family that says what its maps may say."""

    @property
    def map_words(self) -> MapWords:
        """The words of its maps."""


def worded(names: Iterable[str], meanings: Mapping[str, _T]) -> dict[str, _T]:
    """Returns the meaning of each name, in the order of `meanings`; a name may come several times.

    Raises ValueError unless both have the same names: what the code reads has a meaning, and nothing else has one.
    """
    known = {*names}
    if known != meanings.keys():
        raise ValueError(f"a name without a meaning, or a meaning that nothing reads: {known ^ meanings.keys()}")
    return dict(meanings)


def whole(least: int, most: int) -> str:
    """Returns the words for a decimal in a range."""
    return f"decimal, {least} to {most}"


def wholes(least: int, most: int) -> str:
    """Returns the words for a list of decimals in a range."""
    return f"list of decimals, {least} to {most}"


def written(value: Any) -> object:
    """Returns a rule's value as a map would write it: a tuple of tuples is one list."""
    if not isinstance(value, tuple):
        return value
    return [number for part in value for number in (part if isinstance(part, tuple) else (part,))]
