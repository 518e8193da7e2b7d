"""The line between parent and child: requests and answers in turn, asleep or not, and nobody waits for the dead."""

from __future__ import annotations

import os
import socket
import threading
from collections.abc import Iterator

import pytest

from emubot.bridges.hosted.line import FAILED, FRAME, GOOD, SIZE, TALK, Channel, LineLost
from emubot.systems.disk import shared_memory

Ends = tuple[Channel, Channel]


@pytest.fixture(params=[True, False], ids=["spinning", "sleeping"])
def ends(request: pytest.FixtureRequest) -> Iterator[Ends]:
    memory = shared_memory(SIZE)
    bell, far_bell = socket.socketpair()
    parent, child = Channel(memory, bell, is_child=False), Channel(memory, far_bell, is_child=True)
    os.close(memory)
    parent.spin(request.param)
    yield parent, child
    parent.close()
    child.close()


def test_the_memory_has_no_name_and_its_full_size() -> None:
    memory = shared_memory(SIZE)
    assert os.fstat(memory).st_size == SIZE
    assert os.fstat(memory).st_nlink == 0
    os.close(memory)


def test_what_one_end_writes_the_other_reads(ends: Ends) -> None:
    parent, child = ends
    parent.pads = b"\x81\x10"
    parent.post(FRAME)
    assert parent.under_way
    assert child.wait_request(0)
    assert (child.operation, child.pads) == (FRAME, b"\x81\x10")
    child.frames += 1
    child.answer(FAILED)
    assert parent.wait_answer(0)
    assert (parent.under_way, parent.failed, parent.frames) == (False, True, 1)


def test_thousands_of_requests_are_answered_one_by_one(ends: Ends) -> None:
    """Counters are bytes and wrap; a wake-up that is lost would stop this for good."""
    parent, child = ends

    def serve() -> None:
        while child.wait_request(10) and child.operation == FRAME:
            child.frames += 1
            child.answer(GOOD)

    thread = threading.Thread(target=serve)
    thread.start()
    for number in range(600):
        parent.post(FRAME)
        assert parent.wait_answer(10)
        assert parent.frames == number + 1
    parent.post(TALK)
    thread.join(10)
    assert not thread.is_alive()


def test_nobody_waits_for_an_end_that_hears_no_ring(ends: Ends) -> None:
    """A bell that is full holds enough rings: one more is lost, and blocks nobody."""
    parent, _ = ends

    def ring() -> None:
        for _ in range(5_000):
            parent._ring()

    thread = threading.Thread(target=ring, daemon=True)
    thread.start()
    thread.join(10)
    assert not thread.is_alive()


def test_a_wait_ends_in_time(ends: Ends) -> None:
    parent, child = ends
    assert not child.wait_request(0.01)
    parent.post(FRAME)
    assert not parent.wait_answer(0.01)
    assert not parent.answered_soon()


def test_the_end_of_the_other_side_is_seen(ends: Ends) -> None:
    parent, child = ends
    child.close()
    parent.spin(False)
    with pytest.raises(LineLost):
        parent.post(FRAME)
    with pytest.raises(LineLost):
        parent.wait_answer(10)
