"""What a frame shows of a game: the board with its piece, counted pieces, rows that vanish, no game in the menus."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest

from emubot import games
from emubot.games import open_edition
from emubot.publish.frame import encode
from emubot.rammap import load_map
from emubot.snapshot import Phase, Piece, Snapshot
from tests.publish.games import RECORDED, broadcast_of, filmed, played
from tests.publish.layout import read, rows

PIECES = "TTTTJJJJZZOSSLLLLII"  # by orientation id of the cartridge
CELLS = {"I": "111111", "T": "1", "O": "1", "J": "2", "S": "2", "Z": "3", "L": "3"}
KINDS = ".132"  # by kind of cell in the map: of T, O, I; of Z, L; of J, S


@pytest.mark.few(4)
@pytest.mark.parametrize("path", RECORDED, ids=lambda path: path.stem)
def test_each_frame_of_a_recorded_game_shows_its_state(path: Path) -> None:
    edition, snapshots = played(path)
    look = edition.depiction
    assert look is not None
    spawned: list[str] = []
    landings = 0
    for number, (snapshot, frame) in enumerate(zip(snapshots, filmed(path), strict=True)):
        found = read(encode(frame))
        assert found["ms"] == 17 * number
        assert (found["version"], found["type"], found["player"], found["game"]) == (3, 1, 0, 1)
        assert found["lines"] == snapshot.counters["lines"]
        assert found["level"] == snapshot.counters["level"]
        assert found["score"] == snapshot.counters["score"]
        assert found["instant_das"] == snapshot.counters["das"]
        assert found["preview"] == "TJZOSLI".index(PIECES[snapshot.next[0]])
        before = snapshots[max(number - 1, 0)]
        locks = before.phase is Phase.PLAYING and np.array_equal(before.playfield, snapshot.playfield)
        if snapshot.current is None or not (snapshot.phase is Phase.PLAYING or locks):
            continue  # memory has dropped or written the piece
        letter = PIECES[snapshot.current.orientation]
        if snapshot.phase is not Phase.PLAYING:
            landings += 1
        elif number == 0 or snapshots[number - 1].phase is not Phase.PLAYING:
            spawned.append(letter)
            assert found["piece_das"] == snapshot.counters["das"]
        assert found["piece"] == "TJZOSLI".index(letter)
        assert [found[name] for name in "TJZOSLI"] == [spawned.count(name) for name in "TJZOSLI"]
        board = [[KINDS[kind] if kind < 4 else "1" for kind in row] for row in snapshot.playfield.tolist()]
        for cell in look.cells(snapshot, snapshot.current):
            if cell.row >= 0:
                board[cell.row][cell.column] = CELLS[letter][0]
        assert rows(found) == ["".join(row) for row in board]
    assert landings > 3


@pytest.mark.slow
def test_full_rows_vanish_from_the_middle_to_the_sides_while_memory_has_dropped_them() -> None:
    clears: list[list[int]] = []  # for each clear the empty cells of a full row, frame by frame
    for path in RECORDED:
        _, snapshots = played(path)
        boards = [rows(read(encode(frame))) for frame in filmed(path)]
        full: list[int] = []
        for before, now, board, next_board in zip(snapshots, snapshots[1:], boards, boards[1:], strict=False):
            if now.phase is Phase.CLEARING and before.phase is not Phase.CLEARING:
                full = [number for number, row in enumerate(board) if "." not in row]
                assert full
                clears.append([])
            if now.phase is Phase.CLEARING:
                (empty,) = {tuple(at for at, cell in enumerate(next_board[row]) if cell == ".") for row in full}
                assert empty == tuple(range(5 - len(empty) // 2, 5 + len(empty) // 2))
                clears[-1].append(len(empty))
    assert len(clears) > 20
    for clear in clears:
        assert clear == [2 * (number // 4 + 1) for number in range(len(clear))]


def test_each_game_has_its_number_and_a_menu_has_no_game() -> None:
    edition, snapshots = played(RECORDED[0])
    camera = broadcast_of(edition).camera()
    begin = [snapshot for snapshot in snapshots if snapshot.phase is Phase.PLAYING][:2]
    menu, over = (replace(begin[0], phase=phase, current=None) for phase in (Phase.MENU, Phase.OVER))
    paused, unknown = (replace(begin[0], phase=phase, current=None) for phase in (Phase.PAUSED, Phase.UNKNOWN))
    frames = [
        camera(one, 5) for one in (over, menu, *begin, paused, unknown, begin[1], over, menu, *begin, over, *begin)
    ]
    found = [read(encode(frame)) for frame in frames]
    assert [one["game"] for one in found] == [0, 0, *[1] * 7, 2, 2, 2, 3, 3]
    in_game = [one["score"] is not None for one in found]
    assert in_game == [False, False, *[True] * 6, False, *[True] * 5]
    for one in (found[0], found[1], found[8]):
        assert (one["lines"], one["level"], one["preview"], set(one["field"])) == (None, None, None, {0})
    assert found[4]["field"] == found[3]["field"], "a pause hides nothing"
    assert sum(found[6][name] for name in "TJZOSLI") == 1
    assert sum(found[10][name] for name in "TJZOSLI") == 1


def test_what_has_no_room_in_a_frame_is_its_highest_value() -> None:
    edition, snapshots = played(RECORDED[0])
    first = next(snapshot for snapshot in snapshots if snapshot.phase is Phase.PLAYING)
    high = {"lines": 5000, "level": 255, "score": 99_999_999, "das": 255}
    found = read(encode(broadcast_of(edition).camera()(replace(first, counters=high), 2**28 + 3)))
    assert (found["lines"], found["level"], found["score"]) == (4094, 254, 16_777_214)
    assert (found["instant_das"], found["ms"]) == (30, 3)
    bare = read(encode(broadcast_of(edition).camera()(replace(first, counters={}, next=()), 0)))
    assert (bare["lines"], bare["level"], bare["score"], bare["instant_das"], bare["preview"]) == (0, 0, 0, None, None)


def test_pieces_are_counted_where_a_map_has_no_state_between_them() -> None:
    def shown(floor: int, orientation: int, row: int) -> Snapshot:
        field = np.zeros((20, 10), np.uint8)
        field[19, :floor] = 1
        return Snapshot(Phase.PLAYING, "", field, field[:2], Piece(orientation, 5, row), (), {})

    camera = broadcast_of(open_edition(load_map("tetris_gym"))).camera()
    frames = [camera(shown(*one), 0) for one in ((0, 10, 0), (0, 10, 5), (4, 10, 0), (4, 10, 1), (8, 17, 0))]
    assert [(frame.counts[3], frame.counts[6]) for frame in frames] == [(1, 0), (1, 0), (2, 0), (2, 0), (2, 1)]


def test_other_families_and_other_boards_are_not_shown() -> None:
    shown = {name: open_edition(load_map(games.game(name).facts.default_map)).broadcast for name in games.names()}
    assert [name for name, broadcast in shown.items() if broadcast is not None] == ["tetris"]
