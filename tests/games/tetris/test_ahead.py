"""Thinking ahead: the next decision is ready when its piece comes, and it is the one that would have been made."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import numpy as np
import pytest

from emubot.bridges.simulated import SimulatedBridge
from emubot.games import ahead as ahead_of_games
from emubot.games.ahead import Ahead
from emubot.games.strength import Strength
from emubot.games.tetris.board.board import BOARD_ROWS
from emubot.games.tetris.reach import Start
from emubot.games.tetris.rules import SPAWN_ORIENTATION
from emubot.games.tetris.search.search import Position, Ranked, Search
from emubot.games.tetris.simulator.machine import TetrisMachine
from emubot.pad import Pad
from emubot.pilot import Goal, Pilot, Skill
from emubot.rammap import load_map
from emubot.tempo import parse_taps
from tests.games.watched import Watched, at_once, never

MAP = load_map("nes_tetris_usa")


def game(taps: str, level: int, ahead: bool) -> tuple[list[tuple[int, ...]], int]:
    """The placements of a whole game, and the boards valued."""
    machine = TetrisMachine(MAP, np.random.default_rng(5))
    machine.begin(level)
    skill = Skill(tempo=parse_taps(taps), strength=Strength(1), ahead=ahead)
    pilot = Pilot(SimulatedBridge(machine), Goal(games=1), skill=skill)
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
        watched = Watched[Position, Ranked](begin)
        monkeypatch.setattr(ahead_of_games, "Ahead", watched.ahead)
        assert game(taps, level, ahead=True) == alone
        if in_time is not None:
            assert watched.ready == [in_time] * len(watched.ready)
        assert len(watched.ready) >= len(alone[0]) - 1, "all decisions but the first"


def positions() -> list[Position]:
    rows = np.zeros(BOARD_ROWS, dtype=np.uint16)
    return [Position(rows, Start(2), int(shown), 18, 0) for shown in SPAWN_ORIENTATION]


class Quick(Search):
    """A search that finds nothing."""

    def __init__(self) -> None:
        self._tempo = parse_taps("12hz")

    def rank(self, position: Position) -> Ranked:
        return [], 1


def prepared() -> Ahead[Position, Ranked]:
    search = Quick()
    ahead = Ahead(search.rank, search.key, at_once)
    ahead.prepare(positions())
    return ahead


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
    ahead = prepared()
    assert ahead.take(replace(positions()[3], **change)) is None
    assert ahead.take(positions()[3]) == ([], 1)


def test_a_charge_without_a_direction_held_is_no_other_position() -> None:
    ahead = prepared()
    assert ahead.take(replace(positions()[3], start=Start(2, das=5))) == ([], 1)
