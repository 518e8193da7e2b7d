"""Whatever interrupts, Nintaco hears the last words whole: at every point of a flush, at the end, killed, twice."""

from __future__ import annotations

import os
import random
import signal
import socket
import subprocess
import sys
import time
from collections.abc import Iterator
from contextlib import contextmanager
from functools import partial
from pathlib import Path
from types import ModuleType
from typing import Any

import pytest

from emubot import interrupts
from emubot.bridges.nintaco import Client, NintacoBridge, bridge, connect, route
from emubot.bridges.nintaco.api import client, wire
from emubot.bridges.nintaco.api.wire import NintacoWire
from emubot.errors import EmulatorNotFound
from emubot.pad import Pad
from tests.bridges.interrupting import interrupted
from tests.bridges.nintaco.fake_server import FakeNintaco

pytestmark = pytest.mark.xdist_group("ports")

MESSAGE, WORDS = b"a call", b"the last words"
ALL: list[ModuleType] = [wire, client, bridge, interrupts]


class Sips:
    """A socket that takes a few bytes at a time, as one with a full buffer does."""

    def __init__(self, real: socket.socket, size: int) -> None:
        self._real, self._size = real, size

    def send(self, data: bytes) -> int:
        return self._real.send(data[: self._size])

    def __getattr__(self, name: str) -> Any:
        return getattr(self._real, name)


@contextmanager
def wired(size: int) -> Iterator[tuple[Client, socket.socket]]:
    """A client on a wire that takes so many bytes at a time, and the end where they come out."""
    with socket.create_server(("127.0.0.1", 0)) as listener:
        near = socket.create_connection(listener.getsockname())
        far = listener.accept()[0]
    far.shutdown(socket.SHUT_WR)  # a server that closes at once: nothing is waited for
    with near, far:
        ours = Client()
        ours.last_words = WORDS
        ours._wire = NintacoWire(Sips(near, size), 5.0)  # type: ignore[arg-type]
        yield ours, far


def heard(far: socket.socket) -> bytes:
    said = b""
    while data := far.recv(1024):
        said += data
    return said


def said_in_all(size: int, in_flush: int, at_end: int) -> tuple[bytes, int, int]:
    """What the server hears of a message and the last words, and the points of the flush and of the end."""
    with wired(size) as (ours, far):
        ours.queue(MESSAGE)
        with interrupted([wire], in_flush) as flush:
            ours.flush()
        with interrupted([wire, client, interrupts], at_end) as end:
            ours.disconnect()
        ours.disconnect()  # as `with`, or the end of the program, does once more
        return heard(far), flush.passed, end.passed


@pytest.mark.parametrize("size", [1, 4, 100])
def test_an_interrupt_anywhere_in_a_flush_costs_no_byte_of_what_follows(size: int) -> None:
    _, points, _ = said_in_all(size, 0, 0)
    assert points > 20
    for point in range(1, points + 1):
        assert said_in_all(size, point, 0)[0] == MESSAGE + WORDS, f"at point {point} of {points}"


def test_a_second_interrupt_anywhere_in_the_end_costs_none_either() -> None:
    _, in_flush, at_end = said_in_all(4, 0, 0)
    assert at_end > 100
    for point in range(1, at_end + 1):
        first = point % in_flush + 1
        assert said_in_all(4, first, point)[0] == MESSAGE + WORDS, f"at points {first} and {point}"


@pytest.fixture
def brief(monkeypatch: pytest.MonkeyPatch) -> None:
    """A bridge that measures for one frame."""
    monkeypatch.setattr(bridge, "observe", partial(route.observe, frames=1))


def at_full_speed(server: FakeNintaco) -> NintacoBridge:
    opened = connect(port=server.port, emu_speed=None, route="frame")
    opened.press(0, Pad.A)
    opened.advance()
    return opened


def given_back(server: FakeNintaco) -> bool:
    """Whether somebody who attaches afterwards finds speed and pads as they were, and does nothing about them."""
    already = server.speed
    with connect(port=server.port, route="frame") as after:
        after.advance()
        after.advance()
        return already == server.speed == 100 and server.machine.pads[-1] == (Pad.NONE, Pad.NONE)


def interrupted_frame(at: int) -> int:
    """A frame at full speed with Ctrl-C at that point; the points it has."""
    with FakeNintaco(rom=(b"p", b"c"), polls=1) as server:
        with at_full_speed(server) as opened, interrupted(ALL, at) as points:
            opened.advance()
        assert given_back(server), f"at point {at}"
        return points.passed


@pytest.mark.usefixtures("brief")
def test_an_interrupted_frame_gives_speed_and_pads_back() -> None:
    points = interrupted_frame(0)
    for at in range(1, points + 1, points // 40):
        interrupted_frame(at)


@pytest.mark.slow
@pytest.mark.usefixtures("brief")
def test_so_does_a_frame_that_is_interrupted_at_any_point() -> None:
    for at in range(1, interrupted_frame(0) + 1):
        interrupted_frame(at)


@pytest.mark.usefixtures("brief")
def test_a_bridge_that_nobody_closes_says_its_last_words_all_the_same() -> None:
    """Ctrl-C between `connect` and `with`."""
    with FakeNintaco(rom=(b"p", b"c"), polls=1) as server:
        opened = at_full_speed(server)
        del opened
        assert given_back(server)


PROGRAM = """
import sys
from emubot.bridges.nintaco import connect
from emubot.pad import Pad
with connect(port=int(sys.argv[1]), emu_speed=None, route=sys.argv[2]) as bridge:
    bridge.press(0, Pad.A)
    bridge.advance()
    print("plays", flush=True)
    while True:
        bridge.advance()
"""


@contextmanager
def playing(server: FakeNintaco, cache: Path, way: str = "frame") -> Iterator[subprocess.Popen[bytes]]:
    """An emubot of its own at full speed, in the middle of the game."""
    with subprocess.Popen(
        [sys.executable, "-c", PROGRAM, str(server.port), way],
        env={**os.environ, "EMUBOT_CACHE_DIR": str(cache)},
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
    ) as program:
        try:
            assert program.stdout is not None
            assert program.stdout.readline() == b"plays\n"
            assert server.speed == 0
            yield program
        finally:
            program.kill()


def test_the_next_one_that_attaches_gives_back_what_a_killed_one_left(attachments: Path) -> None:
    with FakeNintaco() as server:
        with playing(server, attachments.parent) as program:
            program.kill()
        assert server.speed == 0, "nobody was left to say anything"
        for _ in range(2):
            with connect(port=server.port, route="frame") as after:
                after.advance()
                after.advance()
                assert server.speed == 100
                assert server.machine.pads[-1] == (Pad.NONE, Pad.NONE)
        assert [call for call in server.calls if call[0] == 123] == [(123, 0), (123, 100)], "once, and no more"


def test_a_speed_that_its_user_chose_is_left_alone(attachments: Path) -> None:
    with FakeNintaco() as server:
        server.speed = 50
        with connect(port=server.port, route="frame") as opened:
            opened.advance()
        assert server.speed == 50


def test_what_a_killed_one_left_is_remembered_until_a_game_runs(attachments: Path) -> None:
    with FakeNintaco() as server:
        with playing(server, attachments.parent) as program:
            program.kill()
        port = server.port
    with pytest.raises(EmulatorNotFound):
        connect(port=port)
    assert [file.name for file in attachments.glob("*.changed")] == [f"nintaco-127.0.0.1-{port}.changed"]


@pytest.mark.slow
@pytest.mark.parametrize("way", ["access", "frame"])
def test_fifty_real_interrupts_and_as_many_second_ones_leave_nothing_behind(way: str, attachments: Path) -> None:
    rng = random.Random(1)
    for attempt in range(50):
        with FakeNintaco() as server:
            with playing(server, attachments.parent, way) as program:
                time.sleep(rng.random() / 20)
                program.send_signal(signal.SIGINT)
                if attempt % 2:
                    time.sleep(rng.choice([0, 0.001, 0.01]))
                    program.send_signal(signal.SIGINT)
                program.communicate(timeout=60)
            assert given_back(server), f"attempt {attempt}"
