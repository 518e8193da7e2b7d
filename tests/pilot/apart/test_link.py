"""The pipe to a process that plans, with a scripted process at its other end."""

from __future__ import annotations

import sys
import threading
from collections.abc import Iterator

import pytest

from emubot.errors import EmubotError
from emubot.pilot.apart.link import LinkClosed, ProcessLink
from emubot.pilot.apart.wire import Between, Ready

PEER = """
import os, sys
for line in sys.stdin.buffer:
    if b"goodbye" in line or os.environ.get("NUMBA_DISABLE_JIT", "") != {jit!r}:
        break
    print('{{"type": "ready"}}', flush=True)
"""


@pytest.fixture(params=[False, True], ids=["uncompiled", "compiled"])
def link(request: pytest.FixtureRequest, monkeypatch: pytest.MonkeyPatch) -> Iterator[ProcessLink]:
    monkeypatch.setenv("NUMBA_DISABLE_JIT", "1")  # of a process that leaves its own kernels uncompiled
    peer = PEER.format(jit="" if request.param else "1")
    made = ProcessLink(request.param, [sys.executable, "-c", peer])
    yield made
    made.close()


def test_replies_come_in_turn_and_nobody_has_to_wait(link: ProcessLink) -> None:
    assert link.reply(0.0) is None
    for _ in range(3):
        link.tell(Between(ram=b"\x01\x02"))
    assert [link.reply(None) for _ in range(3)] == [Ready()] * 3
    assert link.reply(0.01) is None


def test_a_process_that_ends_is_noticed_at_each_use(link: ProcessLink) -> None:
    link.close()
    for _ in range(2):
        with pytest.raises(LinkClosed):
            link.reply(None)
    link.tell(Between(ram=b""))
    link.close()


def test_nobody_waits_for_a_process_that_reads_nothing() -> None:
    standing = ProcessLink(False, [sys.executable, "-c", "import time; time.sleep(60)"])

    def tell() -> None:
        for _ in range(100):
            standing.tell(Between(ram=bytes(2048)))

    telling = threading.Thread(target=tell, daemon=True)
    telling.start()
    telling.join(10)
    waits = telling.is_alive()
    standing.close()
    assert not waits


def test_a_process_that_ends_while_it_writes_has_ended() -> None:
    link = ProcessLink(False, [sys.executable, "-c", """print('{"type": "ready"}'); print('{"type": "rea', end="")"""])
    assert link.reply(None) == Ready()
    with pytest.raises(LinkClosed):
        link.reply(None)
    link.close()


def test_a_process_that_cannot_be_started_is_said_in_a_sentence() -> None:
    with pytest.raises(EmubotError, match=r"The process that plans cannot be started: .*nowhere"):
        ProcessLink(False, ["./nowhere"])
