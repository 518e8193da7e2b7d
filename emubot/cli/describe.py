"""Formats figures for people; knows each family's word for its pieces, and nothing else about it."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

if TYPE_CHECKING:
    from emubot.pilot import Tally

_PIECES: Final = {"puyo": "pairs"}  # families whose word is not "pieces"


def describe_tally(family: str, tally: Tally) -> str:
    """Returns a player's figures as a phrase: pieces, lines, score, level, games won and completed, as far as known."""
    pieces = _PIECES.get(family, "pieces")
    return worded(
        (f"{{:,}} {pieces}", tally.pieces),
        ("{:,} lines", tally.lines),
        ("score {:,}", tally.score),
        ("level {}", tally.level),
        ("{:,} won", tally.wins or None),
        ("{:,} completed", tally.completed or None),
        ("{:,} pauses", tally.pauses or None),
        ("{:,} pieces called", tally.called or None),
        ("{:,} of them right", tally.called_right if tally.called else None),
    )


def worded(*figures: tuple[str, int | None], between: str = ", ") -> str:
    """Returns the figures joined; each is a text with {} for its number. Figures that are None are left out."""
    return between.join(text.format(number) for text, number in figures if number is not None)
