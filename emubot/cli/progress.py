"""Shows the progress of long work, and lets a signal stop it in an orderly way; does no work itself."""

from __future__ import annotations

import contextlib
import time
from collections.abc import Callable, Iterator
from typing import Final

from emubot import interrupts
from emubot.cli import common
from emubot.cli.terminal import can_redraw

_LINE_EVERY: Final = 10.0  # seconds between lines where there is no terminal


def stopped_in_good_order(quiet: bool, notice: str) -> contextlib.AbstractContextManager[Callable[[], bool]]:
    """Context of a function that returns whether a signal has asked the run to end; the signal prints `notice`.

    A second signal raises KeyboardInterrupt.
    """

    def say() -> None:
        # The signal may come while a line is being written, or because the terminal was closed.
        with contextlib.suppress(RuntimeError, OSError):
            common.say(f"emubot: {notice}; once more ends at once.")

    return interrupts.noted((lambda: None) if quiet else say)


@contextlib.contextmanager
def progress(done: int, total: int, what: str, quiet: bool) -> Iterator[Callable[[int], None]]:
    """Yields a function to call with the number of newly finished `what`. Shows a bar on a terminal, else lines."""
    if quiet:
        yield lambda more: None
    elif can_redraw():
        from rich.console import Console
        from rich.progress import BarColumn, Progress, TextColumn, TimeRemainingColumn

        count = TextColumn(f"{{task.completed:,.0f}}/{{task.total:,.0f}} {what}")
        speed = TextColumn(f"{{task.fields[speed]:,.0f}} {what}/s")
        columns = (count, BarColumn(bar_width=None), speed, TimeRemainingColumn())
        with Progress(*columns, console=Console(stderr=True), expand=True) as bar:
            task, started = bar.add_task("", total=total, completed=done, speed=0.0), time.perf_counter()
            came = 0

            def draw(more: int) -> None:
                nonlocal came
                came += more
                bar.update(task, advance=more, speed=came / max(time.perf_counter() - started, 1e-9))

            yield draw
    else:
        yield _lines(done, total, what)


def _lines(done: int, total: int, what: str) -> Callable[[int], None]:
    started = last = time.perf_counter()
    came = 0

    def tell(more: int) -> None:
        nonlocal came, last
        came += more
        now = time.perf_counter()
        if now - last >= _LINE_EVERY:
            last = now
            speed = came / (now - started)
            left = (total - done - came) / speed
            common.say(f"{done + came:,}/{total:,} {what}, {speed:,.0f} {what}/s, {left:,.0f} s left")

    return tell
