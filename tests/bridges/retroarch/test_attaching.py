"""One emubot at a RetroArch at a time, and every button let go: at the end, interrupted or not, and after a kill."""

from __future__ import annotations

import gc
import os
import subprocess
import sys
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest

from emubot import interrupts
from emubot.bridges.retroarch import RetroArchBridge, bridge, connect, pads
from emubot.errors import EmulatorNotFound
from emubot.pad import Pad
from tests.bridges.interrupting import interrupted
from tests.bridges.retroarch.fake import CLOCK, PADS, FakeRetroArch

pytestmark = pytest.mark.xdist_group("ports")

PROGRAM = """
import sys
from emubot.bridges.retroarch import connect
from emubot.pad import Pad
bridge = connect(port=int(sys.argv[1]), pad_port=int(sys.argv[2]))
bridge.follow("ram", [(0x12, 2)], 0x10)
for _ in range(5):
    bridge.press(1, Pad.LEFT | Pad.A)
    bridge.advance()
print("plays", flush=True)
while True:
    bridge.advance()
"""


def attached(fake: FakeRetroArch, wait: float = 0.0) -> RetroArchBridge:
    opened = connect(port=fake.port, pad_port=fake.pad_port, wait=wait)
    opened.follow("ram", [(PADS[0], 2)], CLOCK)
    return opened


@contextmanager
def another(fake: FakeRetroArch, cache: Path) -> Iterator[subprocess.Popen[bytes]]:
    """Another emubot that plays port 1."""
    with subprocess.Popen(
        [sys.executable, "-c", PROGRAM, str(fake.port), str(fake.pad_port)],
        env={**os.environ, "EMUBOT_CACHE_DIR": str(cache)},
        stdout=subprocess.PIPE,
    ) as program:
        try:
            assert program.stdout is not None
            assert program.stdout.readline() == b"plays\n"
            yield program
        finally:
            program.kill()


def test_a_second_emubot_is_refused_and_the_first_plays_on(fake: FakeRetroArch, attachments: Path) -> None:
    with another(fake, attachments.parent) as first:
        with pytest.raises(EmulatorNotFound, match=rf"^Another emubot is attached to .*:{fake.port}: end it first\.$"):
            attached(fake)
        assert first.poll() is None
        assert fake.ram[PADS[1]] == Pad.LEFT | Pad.A
        assert fake.packets[0] == []


def test_a_second_emubot_that_waits_plays_when_the_first_has_ended(fake: FakeRetroArch) -> None:
    first = attached(fake)
    threading.Timer(0.2, first.close).start()
    with attached(fake, wait=20) as second:
        assert second.advance() == 1


def test_buttons_that_a_killed_emubot_held_are_released_at_the_next_attach(
    fake: FakeRetroArch, attachments: Path
) -> None:
    with another(fake, attachments.parent) as killed:
        killed.kill()
    assert fake.ram[PADS[1]] == Pad.LEFT | Pad.A
    with attached(fake) as after:
        for _ in range(12):
            after.advance()
        assert after.read("ram", PADS[0], 2) == bytes(2)
        assert fake.packets[0] == [], "a port that was not pressed is not written"
    fake.packets[1].clear()
    with attached(fake) as later:
        for _ in range(3):
            later.advance()
        assert fake.packets[1] == [], "once, and no more"


def closed(at: int, fake: FakeRetroArch) -> int:
    """Close a bridge that holds buttons, with Ctrl-C at that point; the points there are."""
    opened = attached(fake)
    while fake.ram[PADS[0]] != Pad.LEFT | Pad.A | Pad.DOWN:
        opened.press(0, Pad.LEFT | Pad.A | Pad.DOWN)
        opened.advance()
    with interrupted([bridge, pads, interrupts], at) as points:
        opened.close()
    del opened
    gc.collect(1)  # as at the end of the program
    with attached(fake) as after:
        for _ in range(4):
            after.advance()
        assert after.read("ram", PADS[0], 1) == b"\0", f"at point {at}"
    return points.passed


def test_an_interrupt_anywhere_in_the_end_leaves_no_button_held(fake: FakeRetroArch) -> None:
    points = closed(0, fake)
    assert points > 100
    for at in range(1, points + 1, 5):
        closed(at, fake)


def test_an_interrupt_anywhere_in_a_frame_leaves_no_button_held(fake: FakeRetroArch) -> None:
    def frame(at: int) -> int:
        opened = attached(fake)
        opened.press(0, Pad.NONE)
        opened.advance()
        with interrupted([pads], at) as points:
            for pad in (Pad.LEFT | Pad.A, Pad.A, Pad.A | Pad.RIGHT):
                opened.press(0, pad)
                opened.advance()
        opened.close()
        with attached(fake) as after:
            for _ in range(6):
                after.advance()
            assert after.read("ram", PADS[0], 1) == b"\0", f"at point {at}"
        return points.passed

    points = frame(0)
    assert points > 100
    for at in range(1, points + 1, 5):
        frame(at)
