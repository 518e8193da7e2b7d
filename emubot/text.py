"""Text for people: foreign text made safe, numbers with their words, what a mistyped name meant."""

from __future__ import annotations

import unicodedata
from collections.abc import Iterable
from typing import Final

# Control characters, format characters such as a change of the writing direction, surrogates, ends of lines.
_NOT_SHOWN: Final = {"Cc", "Cf", "Cs", "Zl", "Zp"}
_ALIKE: Final = 0.75  # of difflib: a word and a name that are less alike mean different things
_BEGINNING: Final = 3  # letters of a name that are enough to mean it
_LONGEST: Final = 200  # characters of foreign text that fit into a sentence
_MOST_DIGITS: Final = 18


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


def nearest(word: str, known: Iterable[str]) -> str | None:
    """Returns the known name that a mistyped word most likely means, None if none is like it; case does not matter."""
    from difflib import get_close_matches

    plain = {name.lower().lstrip("-"): name for name in known}  # the dashes of options would make all of them alike
    wanted = word.lower().lstrip("-")
    begun = [name for name in plain if name.startswith(wanted) and len(wanted) >= _BEGINNING]
    near = begun or get_close_matches(wanted, plain, n=1, cutoff=_ALIKE)
    return plain[near[0]] if near else None


def did_you_mean(word: str, known: Iterable[str]) -> str:
    """Returns " (did you mean NAME?)", to be put behind a mistyped word; nothing if no other name is like it."""
    near = nearest(word, known)
    return "" if near in (None, word) else f" (did you mean {near}?)"


def whole_number(text: str) -> int | None:
    """Returns the number of 1 to 18 decimal digits, None for any other text. `int` raises for thousands of digits."""
    return int(text) if 0 < len(text) <= _MOST_DIGITS and text.isascii() and text.isdecimal() else None
