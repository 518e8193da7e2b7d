"""The game frame by frame: waits, chains, spawns, attacks, levels, items, pause, end; invariants under random pads."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import replace

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from emubot.games.colours.board.control import Falling, fits
from emubot.games.colours.rules import BIG, CARBUNCLE, DOWN, FAMICOM_1991, NUISANCE, POPPING, TSU, UP
from emubot.games.colours.simulator.generator import Generator
from emubot.games.colours.simulator.simulator import Player, PlayState, Simulator
from emubot.games.colours.timing import PAIRS
from emubot.games.screens import GameState
from emubot.pad import Pad
from emubot.snapshot import Piece

NOTHING = (Pad.NONE, Pad.NONE)
FAST = replace(PAIRS, gravity=(2,))


def until(game: Simulator, done: Callable[[], bool], pads: Sequence[Pad] = NOTHING) -> int:
    """Frames until it holds."""
    for frame in range(5000):
        if done():
            return frame
        game.step(pads)
    raise AssertionError("never came")


def in_control(game: Simulator, number: int = 0) -> Callable[[], bool]:
    return lambda: game.players[number].play_state is PlayState.CONTROL


def started(players: int = 1, seed: int = 1, **settings_: object) -> Simulator:
    game = Simulator(FAMICOM_1991, FAST, players=players, seed=seed, **settings_)  # type: ignore[arg-type]
    until(game, in_control(game))
    return game


def about_to_lock(game: Simulator, number: int, orientation: int, column: int, pivot: int, satellite: int) -> Player:
    """The player's piece replaced by one that locks in the next frame, on the floor."""
    player = game.players[number]
    row = 11 if orientation == DOWN else 12
    player.piece = Falling((pivot, satellite), orientation, column, row, drop_timer=1)
    return player


def stack(player: Player, column: int, kinds: Sequence[int]) -> None:
    """Fill a column from the floor up."""
    player.cells[:, column] = 0
    for level, kind in enumerate(kinds):
        player.cells[-1 - level, column] = kind


def test_a_game_begins_with_an_empty_field_and_twelve_frames() -> None:
    game = Simulator(FAMICOM_1991, PAIRS, seed=5)
    player = game.players[0]
    assert not player.cells.any()
    assert (player.play_state, player.wait, player.pairs) == (PlayState.SPAWN_DELAY, 12, 0)
    first = player.next
    assert until(game, in_control(game)) == 12
    piece = player.piece
    assert piece.kinds == first
    assert (piece.orientation, piece.column, piece.row) == (UP, 2, 0)
    assert (piece.drop_timer, player.wait, player.pairs, player.spawned) == (30, 0, 1, True)
    game.step(NOTHING)
    assert (piece.drop_timer, player.spawned) == (29, False), "control begins in the frame after"


def test_a_seed_gives_the_same_game_to_both_players_and_others_give_others() -> None:
    def opening(seed: int, player: int = 0) -> list[tuple[int, ...]]:
        game = Simulator(FAMICOM_1991, FAST, players=2, seed=seed)
        seen: list[tuple[int, ...]] = []
        while game.state is GameState.PLAY and len(seen) < 6:
            if game.players[player].spawned:
                seen.append(game.players[player].next)
            game.step(NOTHING)
        return seen

    assert opening(3) == opening(3) == opening(3, player=1)
    assert len({tuple(opening(seed)) for seed in range(1, 30)}) > 25
    assert opening(0) == opening(1), "a generator of 0 would stand still"


def test_the_generator_is_the_cartridges_and_deals_evenly() -> None:
    """A 16-bit Galois register, taps 16, 14, 13 and 11, eight shifts a draw, too high ones anew."""
    generator, state = Generator(1), 1
    for limit in (8, 5, 3) * 50:
        drawn = generator.below(limit, 3)
        state = _shifted(state, 8)
        while state & 7 >= limit:
            state = _shifted(state, 8)
        assert (drawn, generator.state) == (state & 7, state)
    generator = Generator(77)
    colors = np.array([generator.below(5) for _ in range(20_000)])
    assert np.bincount(colors, minlength=5).min() > 3800
    pairs = np.bincount(colors[::2] * 5 + colors[1::2], minlength=25)
    assert pairs.min() > 300, "one draw says nothing about the next"


def _shifted(state: int, times: int) -> int:
    for _ in range(times):
        low = state & 1
        state >>= 1
        if low:
            state ^= 0xB400
    return state


def test_the_settle_wait_grows_with_the_fall() -> None:
    game = started()
    player = about_to_lock(game, 0, UP, 0, 1, 2)
    game.step(NOTHING)
    assert (player.play_state, player.wait) == (PlayState.SETTLE, 8)
    assert (player.piece.column, player.piece.row) == (0, 12), "the piece stays where it locked until the next"
    game = started()
    player = game.players[0]
    stack(player, 1, [4, 5, 6])
    player.piece = Falling((1, 2), 1, 1, 9, drop_timer=1)
    game.step(NOTHING)
    assert player.wait == 8 + 2 * 3


def test_a_lock_without_groups_leads_to_the_next_pair_in_twenty_frames() -> None:
    game = started()
    following = game.players[0].next
    player = about_to_lock(game, 0, UP, 0, 1, 2)
    game.step(NOTHING)
    assert until(game, in_control(game)) == 8 + 12
    assert player.piece.kinds == following


def test_a_group_is_seen_popping_for_twenty_frames_and_then_scores() -> None:
    game = started()
    player = game.players[0]
    stack(player, 0, [1, 1, 3])
    stack(player, 1, [1, 7])
    player.piece = Falling((1, 2), UP, 2, 12, drop_timer=1)
    game.step(NOTHING)
    assert until(game, lambda: player.play_state is PlayState.POP) == 8
    assert (player.wait, player.chain, player.pop_points, player.score) == (20, 1, 40, 0)
    assert (player.cells == POPPING).sum() == 5, "and the nuisance beside"
    assert until(game, lambda: player.play_state is PlayState.SETTLE) == 20
    assert (player.score, player.chain_points, player.pop_points, player.blocks) == (40, 40, 0, 5)
    assert player.wait == 8 + 2 * 2, "the 3 fell two rows"
    assert until(game, lambda: player.play_state is PlayState.SPAWN_DELAY) == 12
    assert (player.chain, player.chain_points, player.best_chain) == (0, 0, 1)


def test_a_chain_counts_its_steps() -> None:
    game = started()
    player = game.players[0]
    stack(player, 0, [2, 1, 1, 1, 2, 2])
    stack(player, 1, [3, 1])
    player.piece = Falling((2, 4), UP, 0, 6, drop_timer=1)
    game.step(NOTHING)
    until(game, lambda: player.play_state is PlayState.SPAWN_DELAY)
    assert player.best_chain == 2
    assert player.score == 40 + 40 * 8


def attack(points: int, pending: int = 0) -> tuple[Simulator, Player, Player]:
    """Player 1 ends a chain of so many points."""
    game = started(players=2)
    player, opponent = game.players
    player.play_state, player.wait, player.chain, player.chain_points = PlayState.SETTLE, 1, 1, points
    stack(player, 0, [1])
    opponent.pending = pending
    game.step(NOTHING)
    return game, player, opponent


@pytest.mark.parametrize(("points", "nuisance"), [(60, 0), (70, 1), (2090, 29), (2100, 30), (99_990, 30)])
def test_seventy_points_are_one_nuisance_and_thirty_the_most(points: int, nuisance: int) -> None:
    _, player, opponent = attack(points)
    assert opponent.pending == nuisance
    assert (player.chain, player.chain_points, player.play_state) == (0, 0, PlayState.SPAWN_DELAY)


def test_what_is_pending_beyond_thirty_is_lost() -> None:
    assert attack(1400, pending=25)[2].pending == 30


def test_nuisance_falls_when_its_player_has_no_groups_left_and_nothing_cancels_it() -> None:
    game, player, opponent = attack(700)
    player.pending = 3
    opponent.play_state, opponent.wait, opponent.chain, opponent.chain_points = PlayState.SETTLE, 1, 1, 140
    until(game, lambda: opponent.play_state is not PlayState.SETTLE)
    assert player.pending == 5, "the opponent's own chain is sent all the same"
    assert (opponent.play_state, opponent.wait, opponent.pending) == (PlayState.NUISANCE, 16, 0)
    assert (opponent.cells == NUISANCE).sum() == 10
    assert (opponent.cells[-1] == NUISANCE).all()
    assert until(game, lambda: opponent.play_state is PlayState.SPAWN_DELAY) == 16
    assert opponent.wait == 12


def test_alone_nobody_is_attacked() -> None:
    game = started()
    player = game.players[0]
    player.play_state, player.wait, player.chain, player.chain_points = PlayState.SETTLE, 1, 1, 2100
    game.step(NOTHING)
    assert [each.pending for each in game.players] == [0, 0]
    assert player.chain_points == 0


def test_an_all_clear_is_an_empty_field_after_a_chain() -> None:
    for chain, expected in ((0, 0), (2, 1)):
        game = started()
        player = game.players[0]
        player.play_state, player.wait, player.chain = PlayState.SETTLE, 1, chain
        game.step(NOTHING)
        assert player.all_clears == expected


def test_tsu_cancels_keeps_the_excess_and_pays_for_an_all_clear() -> None:
    game = Simulator(TSU, FAST, players=2)
    player, opponent = game.players
    player.pending = 10
    player.play_state, player.wait, player.chain, player.chain_points = PlayState.SETTLE, 1, 1, 7000
    game.step(NOTHING)
    assert (player.pending, opponent.pending) == (0, 90)
    assert player.bonus_points == 2100
    opponent.play_state, opponent.wait = PlayState.SETTLE, 1
    game.step(NOTHING)
    assert (opponent.cells == NUISANCE).sum() == 30
    assert opponent.pending == 60
    player.play_state, player.wait, player.chain, player.chain_points = PlayState.SETTLE, 1, 1, 70
    stack(player, 0, [1])
    game.step(NOTHING)
    assert opponent.pending == 60 + 31


def test_tsu_nuisance_gets_cheaper_after_the_margin() -> None:
    game = Simulator(TSU, FAST, players=2)
    prices = []
    for frames in (5759, 5760, 6719, 6720, 7680, 99_999):
        game.frames = frames
        prices.append(game._price())
    assert prices == [70, 52, 52, 26, 13, 1]


def test_the_level_rises_every_forty_pairs_alone_and_never_with_two() -> None:
    for players, levels in ((1, [3, 4, 15]), (2, [3, 3, 3])):
        game = started(players=players, start_level=3)
        player = game.players[0]
        seen = []
        for pairs in (38, 39, 900):
            player.pairs, player.play_state, player.wait = pairs, PlayState.SPAWN_DELAY, 1
            game.step(NOTHING)
            seen.append(player.level)
        assert seen == levels


def test_every_forty_eighth_pair_is_an_item_in_turn_and_shows_first_as_the_next() -> None:
    game = Simulator(FAMICOM_1991, FAST, seed=9)
    player = game.players[0]
    seen = {}
    for _ in range(145):
        player.cells[:] = 0
        player.play_state, player.wait = PlayState.SPAWN_DELAY, 1
        game.step(NOTHING)
        if player.piece.kinds[0] in (BIG, CARBUNCLE):
            seen[player.pairs] = player.piece.kinds
        assert (player.next[0] in (BIG, CARBUNCLE)) == ((player.pairs + 1) % 48 == 0)
    assert seen == {48: (BIG, BIG), 96: (CARBUNCLE, CARBUNCLE), 144: (BIG, BIG)}


def test_items_come_upright_whatever_the_pairs_do() -> None:
    game = Simulator(replace(FAMICOM_1991, spawn=Piece(DOWN, 2, 1)), FAST)
    player = game.players[0]
    for kinds, orientation in (((1, 2), DOWN), ((BIG, BIG), UP)):
        player.next, player.play_state, player.wait = kinds, PlayState.SPAWN_DELAY, 1
        game.step(NOTHING)
        assert (player.piece.orientation, player.piece.column, player.piece.row) == (orientation, 2, 1)


@pytest.mark.parametrize(("players", "items"), [(1, False), (2, True)])
def test_no_items_where_they_are_off_or_two_play(players: int, items: bool) -> None:
    game = Simulator(FAMICOM_1991, FAST, players=players, items=items)
    player = game.players[0]
    player.pairs, player.wait = 46, 1
    game.step(NOTHING)
    assert max(player.next) <= 6


def test_items_do_nothing_to_the_clock_but_settle() -> None:
    game = started()
    player = game.players[0]
    player.piece = Falling((BIG, BIG), UP, 0, 12, drop_timer=1)
    stack(player, 1, [7])
    game.step(NOTHING)
    assert (player.play_state, player.wait, player.score) == (PlayState.SETTLE, 8, 0)
    assert not player.cells.any()


def test_a_puyo_at_the_place_of_spawn_loses_for_both() -> None:
    game = started(players=2)
    loser = game.players[0]
    stack(loser, 2, [1, 2] * 6 + [3])
    loser.play_state, loser.wait = PlayState.SPAWN_DELAY, 1
    timer = game.players[1].piece.drop_timer
    game.step(NOTHING)
    assert (game.state, game.loser, loser.play_state, loser.wait) == (GameState.OVER, 0, PlayState.LOST, 1)
    for _ in range(10):
        game.step((Pad.START, Pad.A))
    assert game.players[1].piece.drop_timer == timer, "the other player's frame is not played either"


def test_the_hidden_row_and_other_columns_do_not_lose() -> None:
    game = started()
    player = game.players[0]
    for column in (0, 1, 3, 4, 5):
        stack(player, column, [1, 2] * 7)
    stack(player, 2, [3, 4] * 6)
    player.play_state, player.wait = PlayState.SPAWN_DELAY, 1
    game.step(NOTHING)
    assert game.state is GameState.PLAY


def test_start_pauses_and_a_paused_game_stands_still() -> None:
    game = started()
    piece = game.players[0].piece
    timer = piece.drop_timer
    game.step((Pad.START | Pad.A, Pad.NONE))
    assert (game.state, piece.drop_timer, piece.orientation) == (GameState.PAUSED, timer, UP)
    for _ in range(20):
        game.step((Pad.START, Pad.NONE))
    assert game.state is GameState.PAUSED, "held is not pressed"
    game.step(NOTHING)
    game.step((Pad.START, Pad.NONE))
    assert (game.state, piece.drop_timer) == (GameState.PLAY, timer)
    game.step(NOTHING)
    assert piece.drop_timer == timer - 1


def test_the_second_pad_pauses_only_where_it_plays() -> None:
    for players, state in ((1, GameState.PLAY), (2, GameState.PAUSED)):
        game = started(players=players)
        game.step((Pad.NONE, Pad.START))
        assert game.state is state


def test_points_stop_at_the_highest_score() -> None:
    game = started()
    player = game.players[0]
    player.score, player.pop_points = 99_999_900, 400
    player.play_state, player.wait = PlayState.POP, 1
    game.step(NOTHING)
    assert player.score == 99_999_990


PADS = [Pad.NONE, Pad.LEFT, Pad.RIGHT, Pad.A, Pad.B, Pad.DOWN, Pad.A | Pad.LEFT, Pad.B | Pad.RIGHT, Pad.DOWN | Pad.LEFT]


@given(seed=st.integers(0, 0xFFFF), players=st.integers(1, 2), colors=st.integers(2, 6), tsu=st.booleans())
@settings(max_examples=8, deadline=None)
def test_whatever_is_pressed_the_game_stays_whole(seed: int, players: int, colors: int, tsu: bool) -> None:
    """Puyos come from locks and nuisance only and go in pops, items and above the top only; nothing overlaps."""
    rules = TSU if tsu else replace(FAMICOM_1991, item_every=7)
    game = Simulator(rules, replace(PAIRS, gravity=(3,)), players=players, colors=colors, seed=seed)
    rng = np.random.default_rng(seed)
    for _ in range(1200):
        before = [(player.play_state, (player.cells != 0).sum(), player.score) for player in game.players]
        pads = [PADS[rng.integers(len(PADS))] for _ in range(2)]
        game.step(pads)
        if game.state is GameState.OVER:
            break
        for player, (state, puyos, score) in zip(game.players[:players], before, strict=False):
            _check(player, state, int(puyos), score, game)
    assert all(not player.cells.any() for player in game.players[players:])


def _check(player: Player, state: PlayState, puyos: int, score: int, game: Simulator) -> None:
    now = int((player.cells != 0).sum())
    filled = player.cells != 0
    assert (filled[1:] | ~filled[:-1]).all(), "nothing hangs in the air"
    assert set(np.unique(player.cells)) <= {0, *range(1, game.colors + 1), NUISANCE, POPPING}
    assert (player.wait == 0) == (player.play_state is PlayState.CONTROL)
    assert player.score >= score
    if player.play_state is not PlayState.POP:
        assert not (player.cells == POPPING).any()
    if state is player.play_state or player.play_state is PlayState.POP:
        assert now == puyos
    elif state is PlayState.CONTROL:
        assert player.piece.kinds[0] in (BIG, CARBUNCLE) or puyos <= now <= puyos + 2
    elif player.play_state is PlayState.NUISANCE:
        assert puyos <= now <= puyos + 30
    if player.play_state is PlayState.CONTROL and not (player.piece.kinds[0] == BIG and player.piece.row <= 0):
        piece = player.piece
        shape = game.turning(piece.kinds).cells[piece.orientation]
        assert fits(player.cells, game.rules.hidden_rows, shape, piece.column, piece.row)
