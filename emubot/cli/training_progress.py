"""Shows the progress of a training run: a bar on a terminal, else a line per generation; trains nothing."""

from __future__ import annotations

import time
from contextlib import contextmanager
from typing import TYPE_CHECKING, Any, Final

from emubot.cli import common
from emubot.cli.progress import duration
from emubot.cli.terminal import can_redraw
from emubot.text import counted
from emubot.training.run import RunListener

if TYPE_CHECKING:
    from collections.abc import Iterator

    from rich.console import Console, RenderableType

    from emubot.training.trainer import Report


_DECIMAL = 100  # games a second from which on no decimal is shown: a line of a narrow terminal has no room for it
_SHARE: Final = "share_of_"  # of the names of such figures


class _Messages(RunListener):
    """Prints the run's messages, but no progress."""

    def on_message(self, sentence: str) -> None:
        """Print the message."""
        common.say(f"emubot: {sentence}")


class _Lines(_Messages):
    """Prints a line for each generation."""

    def __init__(self, generations: int) -> None:
        self._clock = _Clock(generations)

    def on_round(self, generation: int, games: int) -> None:
        """Print a line when the final games begin."""
        if generation == 0:
            common.say(f"measuring what came out: {counted(games, 'game')}")

    def on_generation(self, report: Report) -> None:
        """Print the generation's line."""
        common.say(", ".join((described(report), *self._clock.after(report))))


class _Bar(_Messages):
    """A bar for the games of the current generation, with the result of the last one below it."""

    def __init__(self, bar: Any, generations: int) -> None:
        self._bar, self._generations = bar, generations
        self._task = bar.add_task("", total=None, left="")
        self._clock = _Clock(generations)

    def on_round(self, generation: int, games: int) -> None:
        """Start a new bar."""
        what = f"generation {generation}/{self._generations}" if generation else "measuring what came out"
        self._bar.reset(self._task, total=games, description=what)

    def on_games(self, games: int) -> None:
        """Advance the bar."""
        self._bar.update(self._task, advance=games)

    def on_generation(self, report: Report) -> None:
        """Show the generation's result below the bar."""
        speed, left = self._clock.after(report)
        self._bar.last = f"{described(report)}, {speed}"
        self._bar.update(self._task, left=left)


class _Clock:
    """Measures games per second, and estimates the time left."""

    def __init__(self, generations: int) -> None:
        self._generations = generations
        self._before = time.monotonic()

    def after(self, report: Report) -> tuple[str, str]:
        """Returns the speed of the generation that has just ended, and the time left if the rest are as fast."""
        now = time.monotonic()
        seconds, self._before = max(now - self._before, 1e-9), now
        left = (self._generations - report.generation) * seconds
        speed = report.games / seconds
        return f"{speed:,.{int(speed < _DECIMAL)}f} games/s", f"{duration(left)} left"


@contextmanager
def listener(generations: int, quiet: bool) -> Iterator[RunListener]:
    """Yields the listener for a run with this number of generations."""
    if quiet:
        yield _Messages()
    elif can_redraw():
        from rich.console import Console

        with two_lines(Console(stderr=True)) as bar:
            yield _Bar(bar, generations)
    else:
        yield _Lines(generations)


def two_lines(console: Console) -> Any:
    """Returns a progress bar with a label and the time left; one line of text, `last`, is below it."""
    from rich.progress import BarColumn, MofNCompleteColumn, Progress, TextColumn
    from rich.text import Text

    class TwoLines(Progress):
        last = ""

        def get_renderables(self) -> Iterator[RenderableType]:
            yield from super().get_renderables()
            yield Text(self.last, no_wrap=True, overflow="ellipsis")

    label, left = TextColumn("{task.description}"), TextColumn("{task.fields[left]}")
    return TwoLines(label, BarColumn(bar_width=None), MofNCompleteColumn(), left, console=console, expand=True)


def described(report: Report) -> str:
    """Returns a generation in one line: best, mean with its interval, and shares by name if there are such figures."""
    figures = report.figures
    interval = f"{_short(figures['low95'])} to {_short(figures['high95'])}"
    reached = f"best {_short(figures['best'])}, mean {_short(figures['mean'])} ({interval})"
    shares = [
        f"{name.removeprefix(_SHARE).replace('_', ' ')} {100 * share:.0f} %"
        for name, share in figures.items()
        if name.startswith(_SHARE)
    ]
    return ", ".join((f"generation {report.generation}: {reached}", *shares))


def _short(value: float) -> str:
    return f"{value:,.0f}" if abs(value) >= 1000 else f"{value:.4g}"
