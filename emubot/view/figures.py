"""The running figures of players as text for a terminal: a table, or a line for each player."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Final, Protocol

from rich.text import Text

from emubot.looks import Looks
from emubot.snapshot import Snapshot
from emubot.view.arrangement import parts_that_fit

_NAME: Final = 9  # characters of the longest name
_VALUE: Final = 9  # such as 1,234,567
_STATE: Final = "state"  # the only figure that is a word
_ONE_ABOVE_THE_OTHER: Final = _NAME + 1 + _VALUE  # characters of a table of one player


class Figures(Protocol):
    """A player's running figures that the board shows."""

    pieces: int
    wins: int | None
    decision_ms: list[float]

    @property
    def misplaced(self) -> int | None:
        """Pieces that locked elsewhere than the player had decided; None: nothing is known of its decisions."""


def figures_of(looks: Looks, snapshot: Snapshot, tally: Figures, frames_per_second: float) -> dict[str, str]:
    """Returns a player's figures by name, the most important first."""
    counters = snapshot.counters
    known = {name: f"{counters[name]:,}" for name in looks.figures if name in counters}
    won = {"won": f"{tally.wins:,}"} if tally.wins else {}
    decided = {}
    if tally.misplaced is not None:
        latest = tally.decision_ms[-1] if tally.decision_ms else 0.0
        decided = {"misplaced": f"{tally.misplaced:,}", "thinking": f"{latest:,.1f} ms"}
    return {
        **known,
        f"{looks.piece}s": f"{tally.pieces:,}",
        **won,
        **decided,
        "frames/s": f"{frames_per_second:,.0f}",
        _STATE: snapshot.state,
    }


def table(players: Sequence[Mapping[str, str]], width: int) -> list[Text]:
    """Returns a line for each figure, with a column for each player; without columns if one player's do not fit."""
    names = list(dict.fromkeys(name for figures in players for name in figures))
    if len(players) == 1 and width < _ONE_ABOVE_THE_OTHER:
        return [
            Text.assemble((name, "bold"), f" {_fitting(name, players[0][name], width - len(name) - 1)}")
            for name in names
        ]
    most = width - _NAME - 1 if len(players) == 1 else _VALUE
    values = [[_fitting(name, figures.get(name, ""), most) for name in names] for figures in players]
    lines = []
    for number, name in enumerate(names):
        line = Text(name.ljust(_NAME), style="bold")
        for own in values:
            line.append(f" {own[number]:>{max(_VALUE, *map(len, own))}}", style="not bold")
        lines.append(line)
    return lines


def _fitting(name: str, value: str, most: int) -> str:
    """Returns a figure for `most` characters: the state is cut, a number loses its separators but never a digit."""
    if name == _STATE:
        return value[:most]
    return value if len(value) <= most else value.replace(",", "")


def in_a_line(number: int | None, figures: Mapping[str, str], width: int) -> Text:
    """Returns the figures that fit in a line, the most important first; `number` is the player's, if there are two."""
    parts = [f"{name} {value}" for name, value in figures.items()]
    head = "" if number is None else f"{number}: "
    return Text(head + next(iter(parts_that_fit(parts, "  ", max(width - len(head), 0)))))
