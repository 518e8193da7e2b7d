"""What a terminal shows: whether it takes escape sequences, and whether it has colours."""

from __future__ import annotations

import os
import sys

TYPE_CHECKING = False  # as in typing, which takes time to load
if TYPE_CHECKING:
    from typing import Final

_NO_COLOURS: Final = 0
# Variables of terminals for Windows that take them. Its old console would print them instead.
_SEQUENCES: Final = ("WT_SESSION", "TERM", "ConEmuANSI", "ANSICON")


def takes_sequences(file: int) -> bool:
    """Returns whether an open file is a terminal that takes escape sequences, such as the one that shows the cursor."""
    return os.isatty(file) and (sys.platform != "win32" or any(os.environ.get(name) for name in _SEQUENCES))


def has_colours() -> bool:
    """Returns whether the terminal that TERM names has colours; True where that is not known."""
    try:
        import curses
    except ImportError:  # Windows
        return True
    try:
        curses.setupterm(os.environ.get("TERM", ""), 2)
        return curses.tigetnum("colors") > _NO_COLOURS
    except (curses.error, OSError):
        return True
