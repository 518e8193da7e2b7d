"""Compiles a game's kernels at the first start, or loads them, and shows the progress; opens the session of `play`."""

from __future__ import annotations

import contextlib
import time
from functools import partial
from typing import TYPE_CHECKING

from emubot.cli import common
from emubot.cli.terminal import can_redraw
from emubot.interrupts import apart

if TYPE_CHECKING:
    from emubot.games.edition import Edition, Jobs
    from emubot.games.protocol import Game
    from emubot.games.trial import Trial
    from emubot.session.request import SessionRequest
    from emubot.session.session import Session
    from emubot.training.plan import TrainingPlan


def compile_kernels(edition: Edition, quiet: bool) -> None:
    """Load the compiled kernels of play by an edition, or compile them once and show the progress."""
    from emubot.jit import kernel_scope
    from emubot.session.compiling import purpose_of

    jobs = edition.kernels()
    _compile(jobs, kernel_scope(type(edition.game).__module__), purpose_of(jobs), quiet)


def compile_self_play(game: Game, quiet: bool) -> None:
    """The same for all kernels of a game: those of play by any map, and those of self-play."""
    from emubot.games.protocol import Compiled
    from emubot.jit import kernel_scope

    jobs = game.kernels() if isinstance(game, Compiled) else ()
    _compile(jobs, kernel_scope(type(game).__module__), f"self-play-{game.name}", quiet)


def compile_trial(trial: Trial, quiet: bool) -> None:
    """Load or compile the kernels of a trial."""
    from emubot.jit import kernel_scope

    rules = str(trial.settings["rules"])
    scope = kernel_scope(type(trial).__module__)
    _compile([(rules, trial.warm_up)], scope, f"trial-{rules}-{trial.sides}", quiet)


def compile_method(plan: TrainingPlan, quiet: bool) -> None:
    """Load or compile the kernels that a training method needs in addition to those of its contests."""
    from emubot.jit import kernel_scope

    trial = plan.contest.trial()
    scope = kernel_scope(type(trial).__module__)
    _compile([(plan.method, plan.warm_up)], scope, f"train-{plan.method}-{trial.settings['rules']}", quiet)


def _compile(jobs: Jobs, scope: str, purpose: str, quiet: bool) -> None:
    from emubot.jit import is_warm, warm_up

    if not jobs:
        return
    if quiet or is_warm(scope, purpose):
        apart(lambda: warm_up(jobs, scope, purpose=purpose))
        return
    if not can_redraw():
        common.say("emubot: compiling for this machine, first start only; this takes a minute or two ...")
        started = time.perf_counter()
        apart(lambda: warm_up(jobs, scope, purpose=purpose))
        common.say(f"emubot: compiled in {time.perf_counter() - started:.0f} s.")
        return
    from rich.console import Console
    from rich.progress import BarColumn, Progress, TextColumn, TimeElapsedColumn

    title = "Compiling, first start only"
    done = TextColumn("{task.completed}/{task.total}")
    columns = (TextColumn("{task.description}"), BarColumn(bar_width=None), done, TimeElapsedColumn())
    with Progress(*columns, console=Console(stderr=True), expand=True) as bar:
        task = bar.add_task(title, total=len(jobs))
        done_before = iter(range(len(jobs)))

        def begins(name: str) -> None:
            bar.update(task, description=f"{title}: {name}", completed=next(done_before))

        apart(lambda: warm_up(jobs, scope, begins, purpose))
        bar.update(task, description=title, completed=len(jobs))


def open_compiled(request: SessionRequest, in_window: bool, quiet: bool) -> Session:
    """Open a session and compile its kernels. Raises as `open_session`; UsageError for a window that cannot be."""
    from emubot.session import session

    compiling = partial(compile_kernels, quiet=quiet)
    with contextlib.ExitStack() as stack:
        opened = _open_for_window(request) if in_window else session.open_session(request)
        opened = session.reopened_if_cold(opened, request, compiling)
        stack.callback(opened.close)
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
