"""Thinking ahead: the next decision is ready when its piece comes, and it is the one that would have been made."""

from __future__ import annotations

import subprocess
import sys
import threading
from collections.abc import Callable
from dataclasses import replace
from typing import Any

import numpy as np
import pytest

from emubot.bridges.simulated import SimulatedBridge
from emubot.games.tetris import thinker
from emubot.games.tetris.board.board import BOARD_ROWS
from emubot.games.tetris.reach import Start
from emubot.games.tetris.rules import SPAWN_ORIENTATION
from emubot.games.tetris.search.ahead import Ahead, Ranked
from emubot.games.tetris.search.search import Position, Search
from emubot.games.tetris.simulator.machine import TetrisMachine
from emubot.pad import Pad
from emubot.pilot import Goal, Pilot
from emubot.rammap import load_map
from emubot.tempo import parse_taps

MAP = load_map("nes_tetris_usa")


def at_once(work: Callable[[], None]) -> None:
    """Everything is ready before the next frame."""
    work()


def never(work: Callable[[], None]) -> None:
    """No thread ever begins."""


class Watched:
    """Prepares decisions in one of these ways, and notes which were ready."""

    def __init__(self, begin: Callable[[Callable[[], None]], None] | None) -> None:
        self.begin = begin
        self.ready: list[bool] = []

    def ahead(self, search: Search) -> Ahead:
        made = Ahead(search, self.begin)
        take = made.take

        def noted(position: Position) -> Ranked | None:
            found = take(position)
            self.ready.append(found is not None)
            return found

        made.take = noted  # type: ignore[method-assign]
        return made


def game(taps: str, level: int, ahead: bool) -> tuple[list[tuple[int, ...]], int]:
    """The placements of a whole game, and the boards valued."""
    machine = TetrisMachine(MAP, np.random.default_rng(5))
    machine.begin(level)
    pilot = Pilot(SimulatedBridge(machine), Goal(games=1), tempo=parse_taps(taps))
    pilot.limit(1)
    if ahead:
        pilot.think_ahead()
    found: list[tuple[int, ...]] = []
    pilot.on_plan.append(lambda p: found.append((p.orientation, p.column, p.row, len(p.timeline))))
    pilot.run()
    assert pilot.tally.games == 1
    return found, pilot.tally.nodes


@pytest.mark.jit
@pytest.mark.parametrize(("taps", "level"), [("10hz", 29), pytest.param("12hz", 18, marks=pytest.mark.slow)])
def test_a_whole_game_is_the_same_with_and_without(taps: str, level: int, monkeypatch: pytest.MonkeyPatch) -> None:
    """All seven pieces are prepared in time, or none is, or a thread prepares what it can."""
    alone = game(taps, level, ahead=False)
    assert len(alone[0]) > 20
    for begin, in_time in ((at_once, True), (never, False), (None, None)):
        watched = Watched(begin)
        monkeypatch.setattr(thinker, "Ahead", watched.ahead)
        assert game(taps, level, ahead=True) == alone
        if in_time is not None:
            assert watched.ready == [in_time] * len(watched.ready)
        assert len(watched.ready) >= len(alone[0]) - 1, "all decisions but the first"


def positions() -> list[Position]:
    rows = np.zeros(BOARD_ROWS, dtype=np.uint16)
    return [Position(rows, Start(2), int(shown), 18, 0) for shown in SPAWN_ORIENTATION]


class Held(Search):
    """A search that waits until it may go on."""

    def __init__(self) -> None:
        self._tempo = parse_taps("12hz")
        self.begun, self.go = threading.Semaphore(0), threading.Semaphore(0)
        self.searched: list[int | None] = []

    def rank(self, position: Position) -> tuple[list[Any], int]:
        self.begun.release()
        self.go.acquire()
        self.searched.append(position.next_piece)
        return [], 1


def test_what_is_in_work_is_waited_for_and_the_rest_ends() -> None:
    search, all_seven = Held(), positions()
    ahead = Ahead(search)
    ahead.prepare(all_seven)
    search.begun.acquire()
    search.go.release(7)
    assert ahead.take(all_seven[0]) == ([], 1)
    ahead.prepare(all_seven[5:6])  # comes after all that was begun before
    ahead.take(all_seven[5])
    assert search.searched[0] == all_seven[0].next_piece
    assert len(search.searched) < 7


@pytest.mark.parametrize(
    "change",
    [
        {"rows": np.eye(BOARD_ROWS, 1, dtype=np.uint16)[:, 0]},
        {"start": Start(7)},
        {"start": Start(2, row=1)},
        {"start": Start(2, limiter=1)},
        {"start": Start(2, fall_timer=1)},
        {"start": Start(2, das=5, held=Pad.LEFT)},
        {"next_piece": None},
        {"level": 19},
        {"lines": 1},
    ],
    ids=str,
)
def test_another_position_than_those_prepared_is_decided_anew(change: dict[str, Any]) -> None:
    """As after a piece that locked elsewhere than planned."""
    search = Held()
    search.go.release(7)
    ahead = Ahead(search, at_once)
    ahead.prepare(positions())
    assert ahead.take(replace(positions()[3], **change)) is None
    assert ahead.take(positions()[3]) == ([], 1)


def test_a_charge_without_a_direction_held_is_no_other_position() -> None:
    search = Held()
    search.go.release(7)
    ahead = Ahead(search, at_once)
    ahead.prepare(positions())
    assert ahead.take(replace(positions()[3], start=Start(2, das=5))) == ([], 1)


def test_a_search_that_fails_fails_where_its_result_is_due(monkeypatch: pytest.MonkeyPatch) -> None:
    search = Held()
    monkeypatch.setattr(search, "rank", lambda _: 1 // 0)
    ahead = Ahead(search, at_once)
    ahead.prepare(positions())
    with pytest.raises(ZeroDivisionError):
        ahead.take(positions()[0])


def test_what_was_not_begun_is_not_waited_for() -> None:
    search, all_seven = Held(), positions()
    ahead = Ahead(search)
    ahead.prepare(all_seven)
    search.begun.acquire()
    assert ahead.take(all_seven[6]) is None
    assert ahead.take(all_seven[6]) is None, "the same question has the same answer"
    search.go.release(7)


SLOW = """
import time
from emubot.games.tetris.search.ahead import Ahead
from emubot.games.tetris.search.search import Search
from tests.games.tetris.test_ahead import parse_taps, positions

class Slow(Search):
    def __init__(self):
        self._tempo = parse_taps("12hz")

    def rank(self, position):
        print("searching", flush=True)
        time.sleep(0.5)
        return [], 1

Ahead(Slow()).prepare(positions())
time.sleep(0.2)
"""


def test_the_end_of_the_program_waits_for_one_search_at_most() -> None:
    done = subprocess.run([sys.executable, "-c", SLOW], capture_output=True, text=True, check=True, timeout=60)
    assert done.stdout.count("searching") <= 2
    assert done.stderr == ""
