"""Text from files and peers, made safe to show to a person; knows no file and no terminal."""

from __future__ import annotations

from typing import Final

_LONGEST: Final = 200  # characters of a stranger's text that a sentence has room for


def printable(text: object, longest: int = _LONGEST) -> str:
    """`text` on one line: "?" for every control character, and what is beyond `longest` characters as "...".

    Control characters move a terminal's cursor, colour it or retitle its window; so do some format characters.
    """
    shown = str(text)
    cut = shown if len(shown) <= longest else f"{shown[: longest - 3]}..."
    return "".join(char if char.isprintable() else "?" for char in cut)
