"""What is said while kernels are compiled, by a clock that the test turns."""

from __future__ import annotations

from types import SimpleNamespace
from typing import Any

from emubot.session.readiness import _SHOWN, Readiness


def test_progress_then_full_strength_then_nothing() -> None:
    now = [0.0]
    making: Any = SimpleNamespace(
        is_off=False, ready=False, failed=False, progress=SimpleNamespace(words="compiling: 45 %")
    )
    readiness = Readiness(making, lambda: now[0])
    readiness.bots = 2
    assert readiness.words == "compiling: 45 %"
    making.progress.words = "compiling: 46 %"
    assert readiness.words == "compiling: 45 %", "the disk is not read in each frame"
    now[0] = 1.0
    assert readiness.words == "compiling: 46 %"
    making.progress = None
    now[0] = 2.0
    assert readiness.words == "warming up"
    readiness.take_over()
    assert readiness.words == "warming up", "one of two bots"
    readiness.take_over()
    assert readiness.words == "full strength"
    now[0] = 2.0 + _SHOWN - 0.01
    assert readiness.words == "full strength"
    now[0] = 2.0 + _SHOWN
    assert readiness.words == ""


def test_a_failed_compilation_is_said() -> None:
    making: Any = SimpleNamespace(is_off=False, ready=False, failed=True, progress=None)
    assert Readiness(making).words.startswith("not compiled: the bot thinks less far")


def test_who_turned_the_background_off_reads_no_promise() -> None:
    making: Any = SimpleNamespace(is_off=True, ready=False, failed=True, progress=None)
    assert Readiness(making).words == "two pieces deep: nothing is compiled in the background"
