"""Cells keep the piece that they came from, through line clears and garbage; others look as on the console."""

from __future__ import annotations

import numpy as np
import pytest

from emubot import games
from emubot.arena.origins import Origins
from emubot.arena.player import ReplayPlayer
from emubot.arena.side import Side
from emubot.judging.moves import MoveFinder
from emubot.looks import OWN
from emubot.snapshot import Phase
from tests.arena.playing import begin, match_of, play, side

pytestmark = [pytest.mark.jit, pytest.mark.xdist_group("arena-match")]
LOOKS = games.game("tetris").looks


def cells_of(one: Side) -> np.ndarray:
    board = one.board
    return np.frombuffer(board.cells, np.uint8).reshape(board.rows, board.columns)


@pytest.mark.slow
def test_cells_keep_their_piece_through_line_clears() -> None:
    """Beside a slow twin, which puts each locked piece down and takes full rows out."""
    match = begin(match_of(side("blocks", "full", level=9)))
    one, finder = match.sides[0], MoveFinder()
    look = one.console.edition.depiction
    assert look is not None
    twin = np.zeros((20, 10), np.uint8)
    cleared = compared = 0
    for tick in range(6000):
        play(match, 1)
        snapshot = one.snapshot()
        move = finder.see(tick, snapshot)
        if move is not None:
            for cell in look.cells(move.snapshot, move.locked):
                if cell.row >= 0:
                    twin[cell.row, cell.column] = OWN + look.piece_number(move.snapshot, move.locked.orientation)  # type: ignore[operator]
            full = (twin > 0).all(axis=1)
            cleared += int(full.sum())
            twin = np.vstack((np.zeros((full.sum(), 10), np.uint8), twin[~full]))
        if snapshot.phase is Phase.PLAYING and finder.begun is not None and match.sides[0].pieces:
            np.testing.assert_array_equal(cells_of(one), twin)
            compared += 1
        if match.finished:
            break
    assert cleared > 10
    assert compared > 1000


@pytest.mark.slow
def test_garbage_has_no_piece_and_the_cells_above_it_keep_theirs() -> None:
    match = begin(match_of(side("blocks", "middle", level=5), side("blocks", "full", level=5)))
    seen = 0
    for _ in range(4000):
        play(match, 1)
        for one in match.sides:
            field, cells = one.snapshot().playfield, cells_of(one)
            assert [LOOKS.plain(int(kind)) for kind in cells.flat] == field.flatten().tolist()
            if (field == 5).any() and one.in_control:
                seen += 1
                assert (cells[(field > 0) & (field < 4)] >= OWN).all()
        if match.finished:
            break
    assert seen > 100


def test_a_replay_that_jumps_shows_the_same() -> None:
    match = begin(match_of(side("blocks", "full", level=9)))
    play(match, 1500)
    player = ReplayPlayer(match.replay())
    player.go_to(player.ticks)
    last = cells_of(player.sides[0]).copy()
    assert (last >= OWN).any()
    player.go_to(300)
    player.go_to(player.ticks)
    np.testing.assert_array_equal(cells_of(player.sides[0]), last)
    np.testing.assert_array_equal(cells_of(match.sides[0]), last)


def test_what_nobody_saw_looks_as_on_the_console() -> None:
    match = begin(match_of(side("blocks", "full", level=9)))
    play(match, 1500)
    snapshot = match.sides[0].snapshot()
    depiction = match.sides[0].console.edition.depiction
    assert depiction is not None
    late = Origins(depiction)
    late.see(snapshot)
    assert late.cells() == snapshot.playfield.tobytes()
