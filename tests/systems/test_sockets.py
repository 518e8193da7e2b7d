"""Options of sockets on each system, and waiting for one."""

from __future__ import annotations

import select
import socket
import struct
from typing import Any

import pytest

from emubot.systems import sockets
from tests.systems.conftest import Become


class Connected:
    """A socket that keeps its options."""

    def __init__(self) -> None:
        self.options: list[Any] = []

    def setsockopt(self, *option: Any) -> None:
        self.options.append(option)


def test_options(become: Become, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(socket, "SO_EXCLUSIVEADDRUSE", -5, raising=False)
    monkeypatch.setattr(socket, "TCP_QUICKACK", 12, raising=False)
    for system, linger, port, quick in (
        ("Linux", "ii", socket.SO_REUSEADDR, 12),
        ("macOS", "ii", socket.SO_REUSEADDR, None),
        ("Windows", "hh", -5, None),
    ):
        become(system)
        connected: Any = Connected()
        sockets.reset_at_close(connected)
        sockets.keep_port(connected)
        assert connected.options == [
            (socket.SOL_SOCKET, socket.SO_LINGER, struct.pack(linger, 1, 0)),
            (socket.SOL_SOCKET, port, 1),
        ]
        assert sockets.quick_acknowledgement() == quick


def test_a_wait_is_in_seconds(become: Become, monkeypatch: pytest.MonkeyPatch) -> None:
    asked: list[float] = []

    class Poll:
        def register(self, *_: object) -> None: ...

        def poll(self, milliseconds: float) -> None:
            asked.append(milliseconds)

    def selected(*given: Any) -> tuple[list[Any], list[Any], list[Any]]:
        asked.append(given[3])
        return [], [], []

    monkeypatch.setattr(select, "poll", Poll, raising=False)
    monkeypatch.setattr(select, "POLLIN", 1, raising=False)
    monkeypatch.setattr(select, "select", selected)
    for system, waited in (("macOS", 1500), ("Windows", 1.5)):
        become(system)
        connected: Any = Connected()
        sockets.waiter(connected)(1.5)
        assert asked.pop() == waited


@pytest.mark.parametrize("system", ["Linux", "Windows"])
def test_waiting(system: str, become: Become) -> None:
    if system == "Linux" and not hasattr(select, "poll"):
        pytest.skip("Windows has no poll")
    become(system)
    ours, theirs = socket.socketpair()
    with ours, theirs:
        wait = sockets.waiter(ours)
        assert not wait(0)
        assert not wait(0.001)
        theirs.send(b"!")
        assert wait(0)
        assert wait(30)
