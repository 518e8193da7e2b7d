"""Compiles a game's kernels at their first use, or loads them, and shows the progress; opens the session of `play`."""

from __future__ import annotations

import contextlib
import time
from functools import partial
from typing import TYPE_CHECKING, Final

from emubot.cli import common
from emubot.cli.terminal import can_redraw
from emubot.session.compiling import Progress, left_to_compile

if TYPE_CHECKING:
    from collections.abc import Sequence

    from emubot.games.edition import Edition
    from emubot.games.protocol import Game
    from emubot.games.trial import Trial
    from emubot.session.compiling import Purpose
    from emubot.session.request import SessionRequest
    from emubot.session.session import Session
    from emubot.training.plan import TrainingPlan

_LOOKS: Final = 5  # a second, at the progress of the process that compiles


def compile_kernels(edition: Edition, quiet: bool) -> None:
    """Load the compiled kernels of play by an edition, or compile them once and show the progress."""
    from emubot.session.compiling import play_by

    compile_first(edition.game, [play_by(edition)], quiet)


def compile_self_play(game: Game, quiet: bool) -> None:
    """The same for all kernels of a game: those of play by any map, and those of self-play."""
    from emubot.session.purposes import self_play

    compile_first(game, [self_play(game)], quiet)


def compile_trial(game: Game, trial: Trial, quiet: bool) -> None:
    """Load or compile the kernels of a trial."""
    from emubot.session.purposes import trial_of

    compile_first(game, [trial_of(game, trial)], quiet)


def compile_training(plan: TrainingPlan, quiet: bool) -> None:
    """Load or compile the kernels of a training method and its contests."""
    from emubot.games import game
    from emubot.session.purposes import method_of, trial_of

    family = game(plan.game)
    contests = [trial_of(family, contest.trial()) for contest in (plan.contest, plan.last_contest)]
    compile_first(family, [*contests, method_of(plan)], quiet)


def compile_first(game: Game, purposes: Sequence[Purpose], quiet: bool) -> None:
    """Load or compile what a command needs, and begin to compile the rest of the family for those that come after."""
    for purpose in purposes:
        compile_purpose(purpose, quiet)
    if left_to_compile([game]):
        from emubot.session.making import compile_ahead

        compile_ahead([game])


def compile_purpose(purpose: Purpose, quiet: bool) -> None:
    """Load or compile what a purpose needs, and show the progress, or that of the process that this one waits for."""
    if quiet or purpose.is_warm:
        purpose.compile()
        return
    if can_redraw():
        _compile_with_bar(purpose)
        return
    what, how_far = _told(purpose)
    common.say(f"emubot: {what}: {how_far} ...")
    started = time.perf_counter()
    purpose.compile()
    common.say(f"emubot: compiled in {time.perf_counter() - started:.0f} s.")


def _compile_with_bar(purpose: Purpose) -> None:
    from rich.console import Console, Group
    from rich.live import Live
    from rich.progress_bar import ProgressBar
    from rich.table import Table
    from rich.text import Text

    ended = False

    def picture() -> Group:
        what, how_far = _told(purpose) if not ended else (f"compiled for this machine: {purpose.title}", "")
        now = None if ended else Progress.read(purpose.scope)
        line = Table.grid(padding=(0, 1), expand=True)
        line.add_column(ratio=1)
        line.add_column(no_wrap=True)
        line.add_row(ProgressBar(total=1.0, completed=now.share if now else float(ended)), how_far)
        return Group(Text(f"{what[0].upper()}{what[1:]}"), line)

    with Live(get_renderable=picture, console=Console(stderr=True), refresh_per_second=_LOOKS):
        purpose.compile()
        ended = True


def _told(purpose: Purpose) -> tuple[str, str]:
    """Returns what is compiled, by this process or by another one that it waits for, and how far it is."""
    now = Progress.read(purpose.scope)
    if now is None:
        return f"compiling for this machine, first use of {purpose.title}", f"about {max(purpose.cost, 1):.0f} s"
    who = "compiling for this machine, first use of" if now.own else "another emubot is compiling"
    return f"{who} {now.title}", f"{now.job} ({now.done + 1}/{now.of}), about {max(now.remaining, 1):.0f} s"


def open_compiled(request: SessionRequest, in_window: bool, quiet: bool) -> Session:
    """Open a session and compile its kernels. Raises as `open_session`; UsageError for a window that cannot be."""
    from emubot.session import session

    compiling = partial(compile_kernels, quiet=quiet)
    with contextlib.ExitStack() as stack:
        opened = _open_for_window(request) if in_window else session.open_session(request)
        opened = session.reopened_if_cold(opened, request, compiling)
        stack.callback(opened.close)
        if opened.readiness is None:
            compiling(opened.edition)
        stack.pop_all()
    return opened


def _open_for_window(request: SessionRequest) -> Session:
    from emubot.cli.window import check_display, check_window
    from emubot.session.session import open_session

    check_display()
    with contextlib.ExitStack() as stack:
        opened = open_session(request)
        stack.callback(opened.close)
        check_window(opened)
        stack.pop_all()
    return opened
