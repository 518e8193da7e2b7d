"""A run's plan, and that it counts the same whoever plays it and however often it is stopped."""

from __future__ import annotations

from concurrent.futures import ThreadPoolExecutor

import pytest

from emubot.errors import UsageError
from emubot.games.counts import Counts
from emubot.trials.selfplay.ledger import Ledger
from emubot.trials.selfplay.run import plan, play
from tests.trials.toy import WEIGHTS, ledger_of, same, settings, unit_of, work


def planned(
    ledger: Ledger, pieces: int | None, units: str | None = None, keep: bool = False
) -> tuple[list[tuple[int, int]], int]:
    units_left, done = plan(ledger, 5, WEIGHTS, pieces, units, keep)
    assert all(unit.seed == 5 and unit.work.game == "toy" for unit in units_left)
    return [(unit.first, unit.work.pieces) for unit in units_left], done


def test_a_run_is_whole_units_and_what_is_left() -> None:
    assert planned(Ledger(settings()), 250) == ([(0, 100), (1, 100), (2, 50)], 0)
    assert planned(Ledger(settings()), 200, keep=True) == ([(0, 100), (1, 100)], 0)


def test_finished_units_are_not_played_again() -> None:
    ledger = ledger_of(5, range(1, 3))
    assert planned(ledger, 450) == ([(0, 100), (3, 100), (4, 50)], 200)
    assert planned(ledger, 100) == ([(0, 100)], 0)
    assert planned(ledger, None, "2:4") == ([(3, 100)], 100)


def test_a_range_of_a_run() -> None:
    assert planned(Ledger(settings()), 250, "1:3") == ([(1, 100), (2, 50)], 0)
    assert planned(Ledger(settings()), None, "7:9", keep=True) == ([(7, 100), (8, 100)], 0)
    with pytest.raises(UsageError, match="250 pieces are units 0:3 of 100; 1:4 goes beyond them"):
        planned(Ledger(settings()), 250, "1:4")


def test_what_cannot_be_planned_is_one_sentence() -> None:
    with pytest.raises(UsageError, match="How long"):
        planned(Ledger(settings()), None)
    with pytest.raises(UsageError, match="with --out, --pieces is a multiple of 100"):
        planned(Ledger(settings()), 250, keep=True)
    with pytest.raises(UsageError, match="The file is of seed 6, not 5"):
        planned(ledger_of(6, range(1)), 300)


def run(ledger: Ledger, pieces: int, at_once: int = 2, stop_after: int = 1000) -> Counts:
    heard: list[int] = []
    units, _ = plan(ledger, 5, WEIGHTS, pieces, None, False)
    with ThreadPoolExecutor(at_once) as executor:
        return play(ledger, units, executor, at_once, heard.append, lambda: len(heard) >= stop_after, work)


@pytest.mark.parametrize("at_once", [1, 2, 5])
def test_the_number_of_workers_changes_nothing(at_once: int) -> None:
    ledger = Ledger(settings())
    rest = run(ledger, 1230, at_once)
    assert same(ledger, ledger_of(5, range(12)))
    assert rest == work(unit_of(5, 12, 30))


def test_stopping_and_going_on_changes_nothing() -> None:
    ledger = Ledger(settings())
    stops = 0
    while ledger.finished < 12:
        run(ledger, 1200, stop_after=1)
        stops += 1
    assert stops > 3
    assert same(ledger, ledger_of(5, range(12)))


def test_each_unit_is_heard_of_once_it_is_counted() -> None:
    ledger = Ledger(settings())
    units, _ = plan(ledger, 5, WEIGHTS, 330, None, False)
    heard: list[tuple[int, int]] = []
    with ThreadPoolExecutor(1) as executor:
        play(ledger, units, executor, 1, lambda pieces: heard.append((pieces, ledger.counts.pieces)), work=work)
    assert heard == [(100, 100), (100, 200), (100, 300), (30, 300)]
