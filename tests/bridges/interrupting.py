"""Ctrl-C between any two instructions of some modules, as a signal comes: by tracing them, opcode by opcode."""

from __future__ import annotations

import gc
import signal
import sys
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from types import FrameType, ModuleType
from typing import Any

Trace = Callable[[FrameType, str, Any], Any]


class Points:
    """Counts the points of a block at which a signal may come, and sends SIGINT at those that are named."""

    def __init__(self, modules: list[ModuleType], at: set[int]) -> None:
        self.passed = 0
        self._files = {module.__file__ for module in modules}
        self._at = at

    def trace(self, frame: FrameType, event: str, _: Any) -> Trace | None:
        if frame.f_code.co_filename not in self._files:
            return None
        frame.f_trace_opcodes, frame.f_trace_lines = True, False
        if event == "opcode":
            self.passed += 1
            if self.passed in self._at:
                signal.raise_signal(signal.SIGINT)
        return self.trace


@contextmanager
def interrupted(modules: list[ModuleType], *at: int) -> Iterator[Points]:
    """The block with Ctrl-C at these points of the modules, counted from 1; an interrupt ends it and is not raised."""
    points = Points(modules, set(at))
    before = sys.gettrace()
    gc.disable()  # what it finds is not part of the block
    sys._getframe().f_trace_opcodes = True  # Python 3.12 looks once, as tracing begins, whether anybody wants opcodes
    sys.settrace(points.trace)
    try:
        yield points
    except KeyboardInterrupt:
        pass
    finally:
        sys.settrace(before)
        gc.enable()
