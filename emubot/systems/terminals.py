"""What a terminal shows, and that it is as before at the end: its escape sequences, its colours, its mode."""

from __future__ import annotations

import os
import sys

TYPE_CHECKING = False  # as in typing, which takes time to load
if TYPE_CHECKING:
    from collections.abc import Callable
    from typing import Final

_NO_COLOURS: Final = 0
# Variables of terminals for Windows that take them. Its old console would print them instead.
_SEQUENCES: Final = ("WT_SESSION", "TERM", "ConEmuANSI", "ANSICON")

changed: list[Callable[[], None]] = []  # what restores each terminal whose mode is changed now


def restore() -> None:
    """Restore each terminal that is changed now; for a process that ends without leaving its blocks."""
    while changed:
        changed.pop()()


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
