"""What all bridges to running emulators say alike: lost, there again, standing still, going on."""

from __future__ import annotations

import logging
import threading
import time
from collections.abc import Callable, Iterator
from contextlib import AbstractContextManager, contextmanager

import pytest

from emubot.bridges import Bridge, fceux, nintaco, notices, retroarch
from emubot.bridges.nintaco.api import client
from emubot.bridges.notices import Standstill
from emubot.bridges.retroarch import link
from tests.bridges.fceux.peer import FakeScript, Peer, message, well_behaved
from tests.bridges.nintaco.fake_server import FakeNintaco
from tests.bridges.nintaco.fake_wire import Fault
from tests.bridges.retroarch.fake import CLOCK, FakeRetroArch

Said = Callable[[], list[str]]
Played = tuple[Bridge, Callable[[], None], Callable[[bool], None]]
SOON = 0.5  # seconds; no frame of a scripted peer takes as long


@pytest.fixture
def said(caplog: pytest.LogCaptureFixture) -> Said:
    caplog.set_level(logging.WARNING)
    return lambda: [record.getMessage() for record in caplog.records]


@contextmanager
def in_nintaco() -> Iterator[Played]:
    """A bridge, what makes its emulator vanish once, and what pauses it or lets it go on."""

    with FakeNintaco() as server, nintaco.connect(port=server.port, route="frame") as bridge:
        yield (
            bridge,
            lambda: setattr(server, "fault", Fault("cut", sent=server.sent)),
            lambda on: setattr(server, "paused", on),
        )


@contextmanager
def in_fceux() -> Iterator[Played]:
    gone, paused = threading.Event(), threading.Event()

    def once(peer: Peer) -> None:
        peer.hello()
        while not gone.is_set():
            peer.console.play(peer.until_pads())
            while paused.is_set():
                peer.send(message(b"W", 0))
                time.sleep(SOON / 10)
            peer.frame()

    with FakeScript(once, well_behaved) as script, fceux.connect(port=script.port) as bridge:
        yield bridge, gone.set, lambda on: paused.set() if on else paused.clear()
        gone.set()


@contextmanager
def in_retroarch() -> Iterator[Played]:
    fake = FakeRetroArch()
    try:
        with retroarch.connect(port=fake.port, pad_port=fake.pad_port) as bridge:
            bridge.follow("ram", [], CLOCK)
            yield (
                bridge,
                lambda: fake.mischief.append(lambda answers: []),
                lambda on: setattr(fake, "frames_a_poll", int(not on)),
            )
    finally:
        fake.close()


EVERY = pytest.mark.parametrize(
    ("name", "emulator"), [("Nintaco", in_nintaco), ("FCEUX", in_fceux), ("RetroArch", in_retroarch)]
)
Emulator = Callable[[], AbstractContextManager[Played]]


@EVERY
def test_a_lost_connection_and_the_one_made_anew_are_said(
    name: str, emulator: Emulator, said: Said, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(link, "_LOST", 0.0)
    with emulator() as (bridge, lose, _):
        bridge.advance()
        assert said() == []
        lose()
        for _ in range(3):
            bridge.advance()
        lost, back = said()
        assert name in lost
        assert lost.endswith("Connecting again.")
        assert back == f"{name} is there again: playing on."


@pytest.mark.parametrize(
    ("name", "emulator"),
    [pytest.param("Nintaco", in_nintaco, marks=pytest.mark.slow), ("FCEUX", in_fceux), ("RetroArch", in_retroarch)],
)
def test_a_pause_and_its_end_are_said(
    name: str, emulator: Emulator, said: Said, monkeypatch: pytest.MonkeyPatch
) -> None:
    def go_on() -> None:
        while not said():
            time.sleep(SOON / 10)
        pause(False)

    monkeypatch.setattr(notices, "_FIRST", (SOON, 60.0))
    monkeypatch.setattr(client, "_IDLE", SOON / 10)
    with emulator() as (bridge, _, pause):
        bridge.advance()
        pause(True)
        waiting = threading.Thread(target=go_on)
        waiting.start()
        for _ in range(3):
            bridge.advance()
        waiting.join()
        still, on = said()
        assert still.startswith(f"The game in {name} stands still: end its pause")
        assert on == f"The game in {name} goes on."


def test_a_long_standstill_is_said_ever_more_rarely_and_a_short_one_never(
    said: Said, monkeypatch: pytest.MonkeyPatch
) -> None:
    now = [0.0]
    monkeypatch.setattr(notices, "monotonic", lambda: now[0])
    standstill = Standstill("Nintaco", "end its pause")
    for _ in range(4):
        standstill.waits()
        now[0] += 1
    standstill.moves()
    assert said() == []
    begun = now[0]
    at: list[float] = []
    while now[0] < begun + 200:
        standstill.waits()
        if len(said()) > len(at):
            at.append(now[0] - begun)
        now[0] += 1
    assert at == [5, 15, 60, 120, 180]
    standstill.moves()
    standstill.moves()
    assert len(said()) == 6
