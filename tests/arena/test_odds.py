"""The chance of winning: what it is made from, that both sides are treated alike, and what a field threatens with."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from hypothesis.extra.numpy import arrays

from emubot.arena.catalogue import offered
from emubot.arena.odds import FEATURES, OTHER, Odds, odds_of, standing, weights_of
from emubot.arena.request import MatchRequest
from emubot.arena.wire import Board
from emubot.games.colours.explain.built import points_ready
from emubot.games.colours.explain.pair_board import PairBoard
from emubot.games.colours.rules import rules_of
from emubot.games.tetris.explain.threat import lines_ready
from emubot.snapshot import Phase, Snapshot
from tests.arena.playing import begin, drop, match_of, play, side

FIELDS = arrays(np.uint8, (20, 10), elements=st.sampled_from([0, 1, 1, 1]))


def board_of(cells: Any, garbage: int = 0) -> Board:
    rows, columns = cells.shape
    return Board(rows=rows, columns=columns, cells=cells.astype(np.uint8).tobytes(), garbage=garbage)


def test_a_standing_is_made_from_the_board() -> None:
    cells = np.zeros((20, 10))
    cells[10:, :9] = 1
    cells[19, 4] = 0
    found = dict(zip(FEATURES, standing(board_of(cells, garbage=24), 0.5), strict=True))
    assert found == pytest.approx(
        {
            "game": 1,
            "filled": 89 / 200,
            "highest": 0.5,
            "centre": 0.5,
            "holes": 1 / 200,
            "garbage": 0.2,
            "strain": 0.45 + 0.2 - 0.6,
            "danger": 0.125,
            "threat": 0.5,
        }
    )


def test_each_game_has_learnt_weights_and_any_other_has_some() -> None:
    same_rate = {name for name, one in offered().items() if one.game.frame_rate > 55}
    for name in same_rate:
        assert (weights_of(name) != weights_of(OTHER)).any(), name
    assert (weights_of("nobody-knows-it") == weights_of(OTHER)).all()


@pytest.mark.few(1)
@pytest.mark.parametrize("games", [("blocks", "blocks"), ("pairs", "pairs"), ("blocks", "capsules")])
def test_the_chances_of_both_sides_add_up_to_one(games: tuple[str, str]) -> None:
    match = begin(match_of(*(side(game, "gentle") for game in games), seed=2))
    play(match, 900)
    chance = Odds(games, match.sides).chance()
    assert 0 < chance < 1
    assert Odds(games[::-1], match.sides[::-1]).chance() == pytest.approx(1 - chance)


def test_who_fills_the_field_falls_behind_and_the_end_is_certain() -> None:
    match = begin(match_of(side("blocks"), side("blocks"), seed=2))
    odds = match.odds
    assert odds is not None
    assert odds.chance() == pytest.approx(0.5), "both fields are empty"
    centre = FEATURES.index("centre")
    while odds.standings()[0][centre] < 0.7:
        drop(match, 0, 10)
    assert odds.chance() < 0.4
    drop(match, 0, 20_000)
    assert match.finished
    assert odds.chance() == 0.0


def test_nobody_is_ahead_alone_or_in_turn() -> None:
    alone = match_of(side("blocks"))
    assert alone.odds is None
    request = MatchRequest(sides=(side("blocks"), side("blocks", "easy")), challenge="free")
    assert odds_of(request, alone.sides * 2) is None


@given(FIELDS)
def test_the_lines_that_a_bar_completes(cells: Any) -> None:
    """The slow twin lets a bar fall upright into each column and counts full rows."""
    most = 0
    for column in range(10):
        after = cells.copy()
        ground = next((row for row in range(20) if after[row, column]), 20)
        after[max(0, ground - 4) : ground, column] = 1
        most = max(most, int(after.all(axis=1).sum()) - int(cells.all(axis=1).sum()))
    assert lines_ready(snapshot_of(cells)) == most


@pytest.mark.jit
@given(arrays(np.uint8, (12, 6), elements=st.sampled_from([0, 1, 2, 3])))
def test_the_points_that_two_puyos_set_off(cells: Any) -> None:
    """The slow twin lets one or two puyos of each colour fall into each column, and takes the best chain."""
    rules = rules_of("famicom-1991")
    board = PairBoard(rules)
    stored = np.zeros((rules.stored_rows, rules.columns), np.uint8)
    stored[-12:] = cells
    settled = board.settled(stored)
    if (board.steps(settled) > 0).any():
        return  # no field at rest
    most = 0
    for color in range(1, 6):
        for column in range(rules.columns):
            free = int((settled[:, column] == 0).sum()) - (0 if rules.hidden_pops else rules.hidden_rows)
            for puyos in (1, 2):
                if puyos > free:
                    continue
                after = settled.copy()
                top = int((settled[:, column] == 0).sum())
                after[top - puyos : top, column] = color
                field = after[::-1].copy()
                heights = (field != 0).sum(axis=0)
                chain, points = board.chain(field, heights)
                if chain:
                    most = max(most, points)
                    break
    assert points_ready(stored, board) == most


def snapshot_of(cells: Any) -> Snapshot:
    return Snapshot(Phase.PLAYING, "", cells, np.zeros((0, cells.shape[1]), np.uint8), None, (), {})
