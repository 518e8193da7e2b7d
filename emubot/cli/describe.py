"""Formats figures for people, with a family's own words; knows no family."""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING

from emubot.text import counted

if TYPE_CHECKING:
    from emubot.looks import Looks
    from emubot.pilot import Tally


def describe_tally(looks: Looks, tally: Tally) -> str:
    """Returns a player's figures as a phrase: pieces, lines, score, level, games won and completed, as far as known."""
    called, word = tally.called or None, looks.piece
    return worded(
        counted(tally.pieces, word),
        None if tally.lines is None else counted(tally.lines, "line"),
        ("score {:,}", tally.score),
        ("level {}", tally.level),
        ("{:,} won", tally.wins or None),
        ("{:,} completed", tally.completed or None),
        counted(tally.pauses, "pause") if tally.pauses else None,
        None if called is None else f"{counted(called, word)} called",
        ("{:,} of them right", tally.called_right if called else None),
    )


def describe_game(looks: Looks, pieces: int, counters: Mapping[str, int]) -> str:
    """Returns the figures of a game under way as a phrase; `pieces` counts those of earlier games too."""
    figures = [(f"{name} {{:,}}", counters.get(name)) for name in looks.figures]
    return worded(counted(pieces, looks.piece), *figures)


def worded(*figures: tuple[str, int | None] | str | None, between: str = ", ") -> str:
    """Returns the figures joined; each is a text, or one with {} and its number. None and numbers None are left out."""
    texts: list[str] = []
    for figure in figures:
        if isinstance(figure, str):
            texts.append(figure)
        elif figure is not None and figure[1] is not None:
            texts.append(figure[0].format(figure[1]))
    return between.join(texts)
