"""Whether stderr is a terminal that can redraw lines, and lines now and then where it is not; draws nothing."""

from __future__ import annotations

import os
import sys
import time
from collections.abc import Callable
from typing import TYPE_CHECKING, Final

from emubot.cli import common

if TYPE_CHECKING:
    from rich.console import Console, RenderableType

_DUMB: Final = ("dumb", "unknown")
_FIRST: Final = 5.0  # seconds before the first line; each wait is twice as long as the one before,
_LONGEST: Final = 60.0  # up to this


def can_redraw() -> bool:
    """Returns whether stderr is a terminal on which lines can be drawn over."""
    return sys.stderr.isatty() and os.environ.get("TERM", "").lower() not in _DUMB


def show(*pictures: RenderableType, console: Console | None = None) -> None:
    """Print what rich draws on stdout, one below the other; raises BrokenPipeError as `print` does."""
    from rich.console import Console

    console = console or Console(highlight=False)
    with console.capture() as captured:
        console.print(*pictures, sep="\n")
    print(captured.get(), end="")


class NowAndThen:
    """Prints a line on stderr after 5, 15 and 35 seconds and so on, at last every minute."""

    def __init__(self, clock: Callable[[], float] = time.monotonic) -> None:
        self._clock = clock
        self._wait = _FIRST
        self._due = clock() + _FIRST

    def say(self, line: Callable[[], str]) -> None:
        """Print the line if it is time for one."""
        now = self._clock()
        if now >= self._due:
            self._wait = min(2 * self._wait, _LONGEST)
            self._due = now + self._wait
            common.say(line())
