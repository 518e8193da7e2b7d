"""Figures in a person's words; knows what a family calls its pieces, and nothing else of it."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

if TYPE_CHECKING:
    from emubot.pilot import Tally

_PIECES: Final = {"puyo": "pairs"}  # where a family's word is another one than "pieces"


def describe_tally(family: str, tally: Tally) -> str:
    """A player's figures as a phrase: pieces, lines, score, level and games won, but for those not known."""
    pieces = _PIECES.get(family, "pieces")
    return worded(
        (f"{{:,}} {pieces}", tally.pieces),
        ("{:,} lines", tally.lines),
        ("score {:,}", tally.score),
        ("level {}", tally.level),
        ("{:,} won", tally.wins or None),
    )


def worded(*figures: tuple[str, int | None], between: str = ", ") -> str:
    """Figures in a sentence, each a text with {} for its number; those that are not known are left out."""
    return between.join(text.format(number) for text, number in figures if number is not None)
