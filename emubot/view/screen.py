"""A live drawing on a terminal that is redrawn in place, also after its size changes."""

from __future__ import annotations

from types import TracebackType
from typing import Self

from rich.console import Console, RenderableType
from rich.live import Live

from emubot.systems.terminals import has_colours


def console_of_terminal() -> Console:
    """Returns a console for stderr, without styles on a terminal that has no colours."""
    return Console(stderr=True, color_system="auto" if has_colours() else None)


class Screen:
    """A context manager that draws at the bottom of the terminal; other lines that are printed go above."""

    def __init__(self, console: Console) -> None:
        self._console = console
        self._live = Live(console=console, auto_refresh=False, vertical_overflow="crop")
        self._size = console.size

    def __enter__(self) -> Self:
        self._live.__enter__()
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self._live.__exit__(kind, error, trace)

    def leave(self) -> None:
        """Give the terminal to another program for a while: the cursor is shown."""
        self._console.show_cursor(True)

    def come_back(self) -> None:
        """Take the terminal again, which shows what others have written: it is cleared."""
        self._console.show_cursor(False)
        self._console.clear()

    def draw(self, picture: RenderableType) -> None:
        """Replace the last picture by this one."""
        if self._console.size != self._size:  # the terminal has wrapped the lines anew: nobody knows where they are
            self._size = self._console.size
            self._console.clear()
        self._live.update(picture, refresh=True)
