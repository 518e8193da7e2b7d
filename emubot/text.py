"""Makes text from files and peers safe to show to a person, and puts numbers with their words; knows no terminal."""

from __future__ import annotations

import unicodedata
from typing import Final

# Control characters, format characters such as a change of the writing direction, surrogates, ends of lines.
_NOT_SHOWN: Final = {"Cc", "Cf", "Cs", "Zl", "Zp"}
_LONGEST: Final = 200  # characters of foreign text that fit into a sentence


def printable(text: object, longest: int = _LONGEST) -> str:
    """Returns `text` on one line: "?" for each control character, and "..." for what is beyond `longest` characters.

    Control characters move a terminal's cursor, colour it or retitle its window; so do some format characters.
    """
    shown = str(text)
    cut = shown if len(shown) <= longest else f"{shown[: longest - 3]}..."
    return "".join(char if char.isprintable() else "?" for char in cut)


def counted(number: int, word: str, many: str | None = None) -> str:
    """Returns a number with its word: `1 piece`, `1,234 pieces`; `many` is the plural if it is not `word` with s."""
    return f"{number:,} {word if number == 1 else many or f'{word}s'}"


def is_one_line(text: str) -> bool:
    """Returns whether a text of one of our files is one line without control characters; others are refused."""
    return all(unicodedata.category(char) not in _NOT_SHOWN for char in text)
