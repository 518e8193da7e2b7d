"""Remote RetroPad: one packet a frame, lost ones made up for, nothing sent to a port that is not ours."""

from __future__ import annotations

import struct
from collections.abc import Iterator

import pytest

from emubot.bridges.retroarch.pads import RemotePad
from emubot.pad import Pad
from tests.bridges.retroarch.fake import BUTTON, FakeRetroArch, neighbours

pytestmark = pytest.mark.xdist_group("ports")


class Listener:
    """What arrives at a pad port, frame by frame."""

    def __init__(self) -> None:
        (self._peer, self._other), self.port = neighbours()
        self.held = Pad.NONE

    def take(self) -> list[tuple[Pad, int]]:
        """The packets that wait: button and state."""
        found: list[tuple[Pad, int]] = []
        while True:
            try:
                packet = self._peer.recv(64)
            except BlockingIOError:
                return found
            assert len(packet) == 20
            user, device, index, button, state = struct.unpack("<iiiiH2x", packet)
            assert (user, device, index) == (0, 1, 0)
            found.append((BUTTON[button], state))
            self.held = self.held | BUTTON[button] if state else self.held & ~BUTTON[button]

    def close(self) -> None:
        self._peer.close()
        self._other.close()


@pytest.fixture
def listener() -> Iterator[Listener]:
    found = Listener()
    yield found
    found.close()


@pytest.fixture
def pad(listener: Listener) -> Iterator[RemotePad]:
    remote = RemotePad("127.0.0.1", listener.port, 0)
    yield remote
    remote.close()


def frame(pad: RemotePad, wanted: Pad | None = None) -> None:
    if wanted is not None:
        pad.hold(wanted)
    pad.flush()
    pad.next_frame()


def test_a_pad_that_nobody_presses_sends_nothing(pad: RemotePad, listener: Listener) -> None:
    for _ in range(10):
        frame(pad)
    pad.close()
    assert listener.take() == []


@pytest.mark.parametrize("button", [button for button in Pad if button])
def test_a_tap_is_two_packets(button: Pad, pad: RemotePad, listener: Listener) -> None:
    pad.hold(button)
    assert listener.take() == [(button, 1)], "at once"
    frame(pad)
    assert listener.take() == [], "one a frame"
    frame(pad, Pad.NONE)
    assert listener.take() == [(button, 0)]


def test_of_several_changes_one_is_sent_a_frame_and_releases_come_first(pad: RemotePad, listener: Listener) -> None:
    frame(pad, Pad.LEFT)
    frame(pad, Pad.RIGHT)
    assert listener.take() == [(Pad.LEFT, 1), (Pad.LEFT, 0)]
    frame(pad)
    assert listener.take() == [(Pad.RIGHT, 1)]
    held = set()
    for _ in range(3):
        frame(pad, Pad.A | Pad.B | Pad.DOWN)
        assert len(listener.take()) == 1
        held.add(listener.held)
    assert len(held) == 3
    assert listener.held in (Pad.A | Pad.B, Pad.A | Pad.DOWN, Pad.B | Pad.DOWN)
    frame(pad)
    listener.take()
    assert listener.held == Pad.A | Pad.B | Pad.DOWN


def test_a_lost_packet_is_made_up_for_within_eight_idle_frames(pad: RemotePad, listener: Listener) -> None:
    for wanted in (Pad.LEFT | Pad.A, Pad.A, Pad.NONE):
        for _ in range(3):
            frame(pad, wanted)
        listener.take()
        listener.held = Pad.UP | Pad.START  # whatever got lost
        for _ in range(8):
            frame(pad, wanted)
        assert len(listener.take()) == 8
        assert listener.held == wanted


def test_close_lets_go_of_all_that_may_be_held(pad: RemotePad, listener: Listener) -> None:
    for _ in range(4):
        frame(pad, Pad.LEFT | Pad.A | Pad.DOWN)
    pad.close()
    pad.close()
    listener.take()
    assert listener.held == Pad.NONE


def test_a_pad_that_is_let_go_falls_silent_until_it_is_pressed_again(pad: RemotePad, listener: Listener) -> None:
    for _ in range(2):
        frame(pad, Pad.LEFT | Pad.A)
    pad.let_go()
    for _ in range(10):
        frame(pad)
    assert len(listener.take()) == 4
    assert listener.held == Pad.NONE
    frame(pad, Pad.B)
    assert listener.take() == [(Pad.B, 1)]


def test_a_pad_that_was_never_pressed_is_let_go_without_a_word(pad: RemotePad, listener: Listener) -> None:
    pad.let_go()
    frame(pad)
    assert listener.take() == []


def test_forgotten_buttons_are_no_longer_wanted(pad: RemotePad, listener: Listener) -> None:
    frame(pad, Pad.LEFT)
    pad.forget()
    for _ in range(8):
        frame(pad)
    listener.take()
    assert listener.held == Pad.NONE


def test_a_port_on_which_nobody_listens_is_noticed() -> None:
    fake = FakeRetroArch(listens_for_pads=False)
    fake.close()
    pad = RemotePad("127.0.0.1", fake.pad_port, 0)
    for _ in range(3):
        frame(pad, Pad.A)
    assert pad.refused
    pad.close()
