"""What one placement of a matching game does worse than another, in words, from the features of the fields after both.

Knows no search and no rules.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Mapping, Sequence
from typing import Final, NamedTuple

from emubot.explanation import ExplainedPlacement
from emubot.games.colours.explain.matching import WON
from emubot.games.colours.explain.valued import LOST
from emubot.text import counted

_MOST: Final = 3  # remarks on a placement
_UNIT: Final = 16  # of a height's square, as in evaluation/matching_names.py

Amounts = Mapping[str, float]


class _Topic(NamedTuple):
    """Features that say one thing, and what is said of the amounts of both fields; nothing if no word fits."""

    features: tuple[str, ...]
    say: Callable[[Amounts, Amounts], str | None]


def remarks(played: ExplainedPlacement, best: ExplainedPlacement) -> Sequence[str]:
    """Returns what is worse after `played` than after `best`, what costs most first."""
    (mine, worth), (other, could) = _field(played), _field(best)
    said = []
    if LOST in worth and LOST not in could:
        said.append("shuts the entry: the game ends")
    if WON in could and WON not in worth:
        said.append("does not win the stage")
    costs = []
    for topic in _TOPICS:
        cost = sum(could.get(name, 0.0) - worth.get(name, 0.0) for name in topic.features)
        words = topic.say(mine, other) if cost > 0 else None
        if words is not None:
            costs.append((cost, words))
    said += [words for _, words in sorted(costs, key=lambda one: -one[0])]
    return said[:_MOST]


def _field(one: ExplainedPlacement) -> tuple[Amounts, Mapping[str, float]]:
    """Returns the features of the field after a placement, and what each of its parts adds to its value."""
    parts = () if one.after is None else one.after.parts
    return {part.name: part.amount or 0.0 for part in parts}, {part.name: part.value for part in parts}


def _more(name: str, mine: Amounts, other: Amounts) -> int:
    return round(mine.get(name, 0.0) - other.get(name, 0.0))


def _rows(name: str, mine: Amounts, other: Amounts) -> int:
    """Returns by how many rows a height is more that a feature has as its square."""
    return round(math.sqrt(_UNIT * mine.get(name, 0.0)) - math.sqrt(_UNIT * other.get(name, 0.0)))


def _clears(mine: Amounts, other: Amounts) -> str | None:
    targets, lines = _more("targets", mine, other), _more("lines", other, mine)
    if targets > 0:
        return f"leaves {counted(targets, 'target')} that the other one clears"
    if lines > 0:
        cleared = round(mine.get("lines", 0.0))
        return f"clears {counted(cleared, 'line') if cleared else 'no line'}, where {cleared + lines} can go"
    return None


def _buries(mine: Amounts, other: Amounts) -> str | None:
    covered = _more("covered", mine, other)
    if covered > 0:
        return "buries a target" if covered == 1 else f"buries {covered} targets"
    return "puts more on a buried target" if _more("buried", mine, other) > 0 else None


def _shuts_targets(mine: Amounts, other: Amounts) -> str | None:
    shut = max(_more("shut", mine, other), _more("sealed", mine, other))
    return f"cuts off {'a target' if shut == 1 else counted(shut, 'target')}" if shut > 0 else None


def _shuts_columns(mine: Amounts, other: Amounts) -> str | None:
    closed = _more("closed", mine, other)
    if closed > 0:
        return "closes a column" if closed == 1 else f"closes {closed} columns"
    room = any(_more(name, mine, other) > 0 for name in ("tight", "narrow", "brink"))
    return "leaves less room at the top" if room else None


def _raises_entry(mine: Amounts, other: Amounts) -> str | None:
    rows = _rows("entry", mine, other)
    return f"stacks {counted(rows, 'row')} higher below the entry" if rows > 0 else None


def _breaks_lines(mine: Amounts, other: Amounts) -> str | None:
    fewer = sum(_more(name, other, mine) for name in ("ready", "target_ready"))
    if fewer <= 0:
        return None
    return "spoils a line that lacks one cell" if fewer == 1 else f"spoils {fewer} lines that lack one cell"


def _begins_fewer(mine: Amounts, other: Amounts) -> str | None:
    names = ("unripe", "target_unripe", "begun", "target_begun", "target_alone")
    return "leaves less to build on" if any(_more(name, other, mine) > 0 for name in names) else None


def _mixes(mine: Amounts, other: Amounts) -> str | None:
    if _more("changes_down", mine, other) > 0:
        return "puts different colours on each other"
    return "puts different colours side by side" if _more("changes_across", mine, other) > 0 else None


def _makes_holes(mine: Amounts, other: Amounts) -> str | None:
    holes = _more("holes", mine, other)
    return f"makes {'a hole' if holes == 1 else counted(holes, 'hole')}" if holes > 0 else None


def _stacks(mine: Amounts, other: Amounts) -> str | None:
    rows = _more("highest", mine, other)
    if rows > 0:
        return f"stacks {counted(rows, 'row')} higher"
    return "leaves a rougher surface" if _more("roughness", mine, other) > 0 else None


_TOPICS: Final = (
    _Topic(("targets", "lines", "cleared", "chain", "filled"), _clears),
    _Topic(("covered", "buried", "stifled"), _buries),
    _Topic(("shut", "sealed"), _shuts_targets),
    _Topic(("closed", "tight", "narrow", "brink"), _shuts_columns),
    _Topic(("entry",), _raises_entry),
    _Topic(("ready", "target_ready"), _breaks_lines),
    _Topic(("unripe", "target_unripe", "begun", "target_begun", "target_alone"), _begins_fewer),
    _Topic(("changes_down", "changes_across"), _mixes),
    _Topic(("holes",), _makes_holes),
    _Topic(("highest", "high", "high_targets", "roughness"), _stacks),
)
