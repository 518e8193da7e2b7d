"""Text from files and peers, made safe to show to a person; knows no file and no terminal."""

from __future__ import annotations

import unicodedata
from typing import Final

# Control characters, what changes the direction of writing and the like, halves of characters, ends of lines.
_NOT_SHOWN: Final = {"Cc", "Cf", "Cs", "Zl", "Zp"}
_LONGEST: Final = 200  # characters of a stranger's text that a sentence has room for


def printable(text: object, longest: int = _LONGEST) -> str:
    """`text` on one line: "?" for every control character, and what is beyond `longest` characters as "...".

    Control characters move a terminal's cursor, colour it or retitle its window; so do some format characters.
    """
    shown = str(text)
    cut = shown if len(shown) <= longest else f"{shown[: longest - 3]}..."
    return "".join(char if char.isprintable() else "?" for char in cut)


def is_one_line(text: str) -> bool:
    """Whether a text of a file of ours is one line without control characters; anything else is refused in it."""
    return all(unicodedata.category(char) not in _NOT_SHOWN for char in text)
