"""Opens the session of `play`, and says before anything compiles what its view would lack."""

from __future__ import annotations

import contextlib
from functools import partial

from emubot.cli.compiling import compile_kernels
from emubot.session import session
from emubot.session.request import SessionRequest


def open_compiled(request: SessionRequest, in_window: bool, quiet: bool) -> session.Session:
    """Open a session and compile its kernels. Raises as `open_session`; UsageError for a window that cannot be."""
    compiling = partial(compile_kernels, quiet=quiet)
    with contextlib.ExitStack() as stack:
        opened = _open_for_window(request) if in_window else session.open_session(request)
        opened = session.reopened_if_cold(opened, request, compiling)
        stack.callback(opened.close)
        compiling(opened.edition)
        stack.pop_all()
    return opened


def _open_for_window(request: SessionRequest) -> session.Session:
    from emubot.cli.window import check_display, check_window

    check_display()
    with contextlib.ExitStack() as stack:
        opened = session.open_session(request)
        stack.callback(opened.close)
        check_window(opened)
        stack.pop_all()
    return opened
