"""Thinking ahead, whatever is searched: what is waited for, what ends, and where failures go."""

from __future__ import annotations

import subprocess
import sys
import threading

import pytest

from emubot.games.ahead import Ahead
from tests.games.watched import at_once


class Held:
    """A search that waits until it may go on, and finds ten times its task."""

    def __init__(self) -> None:
        self.begun, self.go = threading.Semaphore(0), threading.Semaphore(0)
        self.searched: list[int] = []

    def search(self, task: int) -> int:
        self.begun.release()
        self.go.acquire()
        self.searched.append(task)
        return 10 * task


def test_what_is_in_work_is_waited_for_and_the_rest_ends() -> None:
    held = Held()
    ahead = Ahead(held.search, str)
    ahead.prepare(range(7))
    held.begun.acquire()
    held.go.release(7)
    assert ahead.take(0) == 0
    ahead.prepare([5])  # comes after all that was begun before
    ahead.take(5)
    assert held.searched[0] == 0
    assert len(held.searched) < 7


def test_what_was_not_begun_is_not_waited_for() -> None:
    held = Held()
    ahead = Ahead(held.search, str)
    ahead.prepare(range(7))
    held.begun.acquire()
    assert ahead.take(6) is None
    assert ahead.take(6) is None, "the same question has the same answer"
    held.go.release(7)


def test_tasks_of_one_key_have_one_answer_and_a_new_set_replaces_the_old_one() -> None:
    ahead = Ahead[int, int](lambda task: 10 * task, lambda task: task % 4, at_once)
    ahead.prepare([1, 2])
    assert (ahead.take(5), ahead.take(6), ahead.take(3)) == (10, 20, None)
    ahead.prepare([3])
    assert (ahead.take(1), ahead.take(7)) == (None, 30)


def test_a_search_that_fails_fails_where_its_result_is_due() -> None:
    ahead = Ahead[int, int](lambda task: 1 // task, str, at_once)
    ahead.prepare([0, 1])
    assert ahead.take(1) == 1
    with pytest.raises(ZeroDivisionError):
        ahead.take(0)


SLOW = """
import time
from emubot.games.ahead import Ahead

def slow(task):
    print("searching", flush=True)
    time.sleep(0.5)

Ahead(slow, str).prepare(range(7))
time.sleep(0.2)
"""


def test_the_end_of_the_program_waits_for_one_search_at_most() -> None:
    done = subprocess.run([sys.executable, "-c", SLOW], capture_output=True, text=True, check=True, timeout=60)
    assert done.stdout.count("searching") <= 2
    assert done.stderr == ""
