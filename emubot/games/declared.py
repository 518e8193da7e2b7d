"""What all installed families declare, together: options of several families as one; knows no family."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Any

from emubot import games
from emubot.errors import UsageError
from emubot.games.kinds import Choice, OptionKind, Whole
from emubot.games.options import GameOptions, Option
from emubot.text import did_you_mean

if TYPE_CHECKING:
    from emubot.games.offers import EnvironmentOffer
    from emubot.games.protocol import Game


@dataclass(frozen=True, slots=True)
class Shared:
    """An option of one or more families, with help that says which of them reads it, and how.

    Its values are those of all of them; `agrees` is whether each takes all of these.
    """

    option: Option
    families: tuple[str, ...]
    text: str
    agrees: bool


def all_options(families: Iterable[str] | None = None) -> dict[str, GameOptions]:
    """Returns what these families declare (None: all); one that cannot be loaded, or declares nothing, is left out."""
    found = {}
    for name in games.names() if families is None else families:
        with suppress(UsageError, AttributeError):  # no command should fail because of a package that it does not use
            found[name] = games.game(name).options
    return found


def demos(families: Iterable[str] | None = None) -> dict[str, str]:
    """Returns the family of each demo of these families (None: all) by the demo's name, the first one first."""
    found: dict[str, str] = {}
    for name in games.names() if families is None else families:
        with suppress(UsageError, AttributeError):
            found |= {demo.name: name for demo in games.game(name).offers.demos}
    return found


def environments() -> dict[str, EnvironmentOffer]:
    """Returns the environments of all families by name."""
    found: dict[str, EnvironmentOffer] = {}
    for name in games.names():
        with suppress(UsageError, AttributeError):  # a package's fault does not take away the others' environments
            found |= {offer.name: offer for offer in games.game(name).offers.environments}
    return found


def owners(demo: str) -> list[str] | None:
    """Returns the family that a demo is named after, in a list; None if all may have it."""
    named = [demo] if demo in games.names() else []
    return named if demo in demos(named) else None


def demo_family(name: str | None) -> Game:
    """Returns the family that plays a demo (None: the first one). Raises UsageError if there is none of this name."""
    known = demos(name and owners(name))
    name = name or next(iter(known))
    if name not in known:
        raise UsageError(f"There is no demo {name!r}{did_you_mean(name, known)}; known: {', '.join(known)}.")
    return games.game(known[name])


def merged(options: Mapping[str, Sequence[Option]]) -> list[Shared]:
    """Returns the options of families, given by name, each once; it may have the values of all of its families."""
    by_name: dict[str, list[tuple[str, Option]]] = {}
    for family, own in options.items():
        for one in own:
            by_name.setdefault(one.name, []).append((family, one))
    found = []
    for each in by_name.values():
        agrees = len({one.kind for _, one in each}) == 1
        families = tuple(dict.fromkeys(family for family, _ in each))
        found.append(Shared(_joined([one for _, one in each]), families, _help(each, agrees), agrees))
    return found


def _joined(options: Sequence[Option]) -> Option:
    first, kinds = options[0], [one.kind for one in options]
    kind: OptionKind[Any] = first.kind
    if isinstance(kind, Whole):
        numbers = [one for one in kinds if isinstance(one, Whole)]
        highest = [one.high for one in numbers if one.high is not None]
        most = max(highest) if len(highest) == len(numbers) else None
        kind = Whole(kind.metavar, min(one.low for one in numbers), most)
    elif isinstance(kind, Choice):
        kind = Choice(tuple(dict.fromkeys(word for one in kinds if isinstance(one, Choice) for word in one.words)))
    return replace(first, kind=kind)


def _help(options: Sequence[tuple[str, Option]], agrees: bool) -> str:
    families: dict[str, list[str]] = {}
    for family, one in options:
        words = [one.kind.metavar] if not agrees and isinstance(one.kind, Choice) else []
        notes = "; ".join([*words, *([one.notes] if one.notes else [])])
        families.setdefault(f"{one.help} ({notes})" if notes else one.help, []).append(family)
    return "; ".join(f"{', '.join(names)}: {text}" for text, names in families.items())
