"""Shows the progress of long work, and lets a signal stop it in an orderly way; does no work itself."""

from __future__ import annotations

import contextlib
import time
from collections.abc import Callable, Iterator
from functools import partial
from typing import TYPE_CHECKING

from emubot import interrupts
from emubot.cli import common
from emubot.cli.played import describe_game
from emubot.cli.terminal import NowAndThen, can_redraw

if TYPE_CHECKING:
    from emubot.looks import Looks
    from emubot.pilot import Match, View


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
    started, lines = time.perf_counter(), NowAndThen()
    came = 0

    def line() -> str:
        speed = came / max(time.perf_counter() - started, 1e-9)
        left = f", {duration((total - done - came) / speed)} left" if speed else ""
        return f"{done + came:,}/{total:,} {what}, {speed:,.0f} {what}/s{left}"

    def tell(more: int) -> None:
        nonlocal came
        came += more
        lines.say(line)

    return tell


@contextlib.contextmanager
def share_of_work(title: str, what: str, quiet: bool) -> Iterator[Callable[[int, int | None], None]]:
    """Yields a function to call with how many of `what` are done, and of how many (None: that is not known).

    It shows a bar with the time left on a terminal, which is gone at the end, else a line now and then.
    """
    if quiet:
        yield lambda done, total: None
    elif can_redraw():
        from rich.console import Console
        from rich.progress import BarColumn, Progress, TextColumn, TimeRemainingColumn

        columns = (TextColumn("{task.description}"), BarColumn(bar_width=None), TimeRemainingColumn())
        with Progress(*columns, console=Console(stderr=True), expand=True, transient=True) as bar:
            task = bar.add_task(title, total=None)
            yield lambda done, total: bar.update(
                task, completed=done, total=total, description=f"{title}: {_of(done, total)} {what}"
            )
    else:
        started, lines = time.perf_counter(), NowAndThen()

        def line(done: int, total: int | None) -> str:
            spent = time.perf_counter() - started
            left = f", {duration((total - done) * spent / done)} left" if total and done else ""
            return f"{title}: {_of(done, total)} {what}{left}"

        yield lambda done, total: lines.say(lambda: line(done, total))


def _of(done: int, total: int | None) -> str:
    return f"{done:,}" if total is None else f"{done:,}/{total:,}"


def duration(seconds: float) -> str:
    """Returns a time in words: seconds, minutes, or hours and minutes."""
    minutes = int(seconds / 60)
    if minutes >= 60:
        return f"{minutes // 60:,} h {minutes % 60:02} min"
    return f"{minutes} min" if minutes else f"{seconds:.0f} s"


def with_lines(looks: Looks, match: Match) -> Callable[[], None]:
    """Returns a function that plays one frame, and prints a line about each player from time to time."""
    latest: dict[int, View] = {}
    lines = NowAndThen()

    def see(seat: int, view: View) -> None:
        latest[seat] = view

    for seat, pilot in enumerate(match.pilots):
        pilot.watchers.append(partial(see, seat))

    def described() -> str:
        return "\n".join(
            f"{f'player {seat + 1}: ' if len(latest) > 1 else ''}"
            f"{describe_game(looks, view.tally.pieces, view.snapshot.counters)}; {view.snapshot.state}"
            for seat, view in sorted(latest.items())
        )

    def step() -> None:
        match.step()
        if latest:
            lines.say(described)

    return step
