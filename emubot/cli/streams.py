"""Makes stdout and stderr print any text, also where the terminal shows ASCII only; prints nothing."""

from __future__ import annotations

import codecs
import io
import os
import sys

TYPE_CHECKING = False  # as in typing, which takes time to load
if TYPE_CHECKING:
    from typing import Final

_NAME: Final = "emubot"
_ASCII: Final = {"·": "-", "…": "~", "█": "#", "▀": "#", "▄": "#", "░": ":", "▓": "#", "▒": "o", "│": "|", "━": "-"}
_PLAIN: Final = ("C", "POSIX")


def prepare() -> None:
    """Let both streams replace characters that their encoding does not have by similar ones.

    What is printed to a stream that was closed before the start is discarded, and nothing is read from one. A terminal
    of a person who asked for no locale by LC_ALL=C gets ASCII; Python would send UTF-8.
    """
    codecs.register_error(_NAME, _replaced)
    sys.stdin = sys.stdin or io.TextIOWrapper(io.FileIO(os.devnull), encoding="utf-8")
    sys.stdout = sys.stdout or _nowhere()
    sys.stderr = sys.stderr or _nowhere()
    plain = os.environ.get("LC_ALL") in _PLAIN and not {"PYTHONIOENCODING", "PYTHONUTF8"} & os.environ.keys()
    for stream in (sys.stdout, sys.stderr):
        if isinstance(stream, io.TextIOWrapper):
            if plain and stream.isatty():
                stream.reconfigure(encoding="ascii", errors=_NAME)
            else:  # UTF-8 too has no code for what stands for undecodable bytes in a file's name
                stream.reconfigure(errors=_NAME)


def _nowhere() -> io.TextIOWrapper:
    return io.TextIOWrapper(io.FileIO(os.devnull, "w"), encoding="utf-8")


def _replaced(failure: UnicodeError) -> tuple[str, int]:
    """Returns what stands for the characters that cannot be encoded, and where the text goes on."""
    if not isinstance(failure, UnicodeEncodeError):
        raise failure
    from unicodedata import normalize

    text = ""
    for char in failure.object[failure.start : failure.end]:
        plain = normalize("NFKD", char).encode("ascii", "ignore").decode()
        text += _ASCII.get(char) or plain or "?"
    return text, failure.end
