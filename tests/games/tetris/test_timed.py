"""A search by the clock: it holds its time at the speed that the machine has, by a clock of the test's own."""

from __future__ import annotations

from dataclasses import dataclass, field

import numpy as np
import pytest

from emubot.games.pace import Pace
from emubot.games.tetris.board.board import BOARD_ROWS
from emubot.games.tetris.bounds import MOST_NODES
from emubot.games.tetris.evaluation.features import FEATURES
from emubot.games.tetris.reach import Start
from emubot.games.tetris.rules import NES_NTSC
from emubot.games.tetris.search.engine import Engine, engine_for, features_engine, limited
from emubot.games.tetris.search.search import Position, Search
from emubot.games.tetris.search.timed import TimedSearch
from emubot.games.thinker import Ranking
from emubot.tempo import parse_taps
from emubot.weights import load_weights

TEMPO = parse_taps("12hz")
PAIRS = 700  # boards that any search values
BOARD = 3000  # boards of the last step of a search


@dataclass
class Machine:
    """A search and a clock: boards take `cost` milliseconds each, and a search ends with the step in work."""

    cost: float
    most: int = 10**9
    now: float = 0.0
    taken: list[float] = field(default_factory=list)  # milliseconds
    valued: list[int] = field(default_factory=list)
    rng: np.random.Generator = field(default_factory=lambda: np.random.default_rng(3))

    def clock(self) -> float:
        return self.now

    def search(self, boards: int) -> tuple[str, int]:
        nodes = min(max(PAIRS, boards + int(self.rng.integers(BOARD))), self.most)
        took = nodes * self.cost * self.rng.uniform(0.8, 1.0)
        self.now += took / 1000
        self.taken.append(took)
        self.valued.append(nodes)
        return "found", nodes

    def play(self, pace: Pace, decisions: int) -> None:
        for _ in range(decisions):
            assert pace.spend(self.search)[0] == "found"


@pytest.mark.parametrize("milliseconds", [4.0, 16.0, 100.0])
@pytest.mark.parametrize("cost", [0.0001, 0.00025, 0.001])
def test_decisions_take_the_time_and_not_more(milliseconds: float, cost: float) -> None:
    machine = Machine(cost)
    machine.play(Pace(milliseconds, MOST_NODES, machine.clock), 400)
    late = [took for took in machine.taken if took > milliseconds]
    assert len(late) <= 8, "two in a hundred, while steps and speed vary by chance"
    assert max(machine.taken) < 1.1 * milliseconds
    assert np.mean(machine.taken[20:]) > 0.7 * (milliseconds - BOARD * cost)


def test_more_time_is_more_boards() -> None:
    valued = []
    for milliseconds in (2.0, 4.0, 16.0, 60.0):
        machine = Machine(0.00025)
        machine.play(Pace(milliseconds, MOST_NODES, machine.clock), 40)
        valued.append(sum(machine.valued))
    assert valued == sorted(set(valued))


def test_the_first_decision_is_short_whatever_the_machine() -> None:
    machine = Machine(0.01)
    machine.play(Pace(1000.0, MOST_NODES, machine.clock), 1)
    assert machine.valued[0] < PAIRS + BOARD


def test_a_slower_machine_is_late_once_and_a_faster_one_is_used_again() -> None:
    machine = Machine(0.00025)
    pace = Pace(16.0, MOST_NODES, machine.clock)
    machine.play(pace, 40)
    machine.cost *= 4
    machine.play(pace, 40)
    assert sum(took > 16.0 for took in machine.taken[40:]) <= 3
    machine.cost /= 4
    machine.play(pace, 40)
    assert max(machine.taken[80:]) <= 16.0
    assert np.mean(machine.valued[100:]) > 0.9 * np.mean(machine.valued[20:40])


def test_a_search_that_has_seen_everything_ends_early() -> None:
    machine = Machine(0.0001, most=60_000)
    machine.play(Pace(1000.0, MOST_NODES, machine.clock), 30)
    assert machine.valued[1:] == [60_000] * 29


def test_a_time_too_short_for_the_known_pieces_values_them_all_the_same() -> None:
    machine = Machine(0.001)
    pace = Pace(0.1, MOST_NODES, machine.clock)
    machine.play(pace, 20)
    assert pace.boards == 1


def position() -> Position:
    return Position(np.zeros(BOARD_ROWS, dtype=np.uint16), Start(2), 7, 18, 0)


def test_a_timed_search_gives_each_decision_the_boards_of_its_pace(monkeypatch: pytest.MonkeyPatch) -> None:
    machine, budgets = Machine(0.00025), []

    def ranking(search: Search, position: Position) -> Ranking:
        budgets.append(search._engine.budget)
        return Ranking(np.zeros((0, 3)), np.zeros(0), machine.search(search._engine.budget)[1])

    monkeypatch.setattr(Search, "ranking", ranking)
    timed = TimedSearch(engine(), TEMPO, NES_NTSC, Pace(16.0, MOST_NODES, machine.clock))
    for _ in range(10):
        timed.rank(position())
    assert budgets[0] == 1
    assert 45_000 < budgets[-1] < 64_000
    assert max(machine.taken) < 16.0


@pytest.mark.jit
def test_what_a_timed_search_finds_is_that_of_its_boards() -> None:
    timed = TimedSearch(engine(), TEMPO, NES_NTSC, Pace(16.0, MOST_NODES, Machine(0.0).clock))
    plain = Search(limited(engine(), 1), TEMPO, NES_NTSC)
    assert timed.rank(position()) == plain.rank(position())


def engine() -> Engine:
    return engine_for(load_weights("nes_tetris"), TEMPO, NES_NTSC)


def test_features_have_no_budget_to_limit() -> None:
    plain = features_engine(np.zeros(FEATURES), TEMPO, NES_NTSC)
    assert (limited(plain, 500).budget, limited(plain, 500).late_budget) == (0, 0)
    assert (limited(engine(), 500).budget, limited(engine(), 500).late_budget) == (500, 500)
