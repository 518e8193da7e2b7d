"""Signals held back where nobody but Python handles them, as in a ten-line script: they come after the block."""

from __future__ import annotations

import signal
import threading

import pytest

from emubot.interrupts import held_back

pytestmark = pytest.mark.xdist_group("signals")


def interrupt() -> None:
    signal.raise_signal(signal.SIGINT)


def test_an_interrupt_waits_for_the_end_of_the_block_and_so_does_a_second_one() -> None:
    done = []

    def end() -> None:
        with held_back():
            interrupt()
            interrupt()
            done.append("said")
        done.append("not reached")

    with pytest.raises(KeyboardInterrupt):
        end()
    assert done == ["said"]
    with pytest.raises(KeyboardInterrupt):
        interrupt()


def test_an_interrupt_is_not_lost_where_the_block_fails() -> None:
    def fail() -> None:
        with held_back():
            interrupt()
            raise OSError

    with pytest.raises(KeyboardInterrupt):
        fail()


@pytest.mark.skipif(not hasattr(signal, "SIGHUP"), reason="this system has no terminals that hang up")
@pytest.mark.parametrize("name", ["SIGTERM", "SIGHUP"])
def test_so_does_every_signal_that_ends_the_program(name: str, monkeypatch: pytest.MonkeyPatch) -> None:
    number, said = getattr(signal, name), []
    before = signal.signal(number, lambda *_: said.append("signal"))
    try:
        with held_back():
            signal.raise_signal(number)
            said.append("last words")
        assert said == ["last words", "signal"]
    finally:
        signal.signal(number, before)


def test_other_threads_are_never_interrupted_and_touch_no_handler() -> None:
    failures: list[BaseException] = []

    def close() -> None:
        try:
            with held_back():
                pass
        except BaseException as failure:
            failures.append(failure)

    thread = threading.Thread(target=close)
    thread.start()
    thread.join()
    assert failures == []
