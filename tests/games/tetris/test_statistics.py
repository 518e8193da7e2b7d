"""Tetris rate, drought and burn against their definitions, on recorded games of NES Tetris and on drawn ones."""

from __future__ import annotations

from itertools import takewhile
from pathlib import Path

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from emubot.games.tetris.rules import SPAWN_ORIENTATION
from emubot.games.tetris.statistics import TetrisStatistics
from emubot.snapshot import Phase, Piece, Snapshot
from tests.publish.games import RECORDED, played

PIECES = "TTTTJJJJZZOSSLLLLII"  # by orientation id of the cartridge
FIELDS = [np.full((20, 10), number, dtype=np.uint8) for number in (0, 1)]  # no two pieces in a row have the same


def shown(phase: Phase, field: int, lines: int | None, letter: str | None = None) -> Snapshot:
    piece = None if letter is None else Piece(int(SPAWN_ORIENTATION["TJZOSLI".index(letter)]), 5, 0)
    counters = {} if lines is None else {"lines": lines}
    board = FIELDS[field]
    return Snapshot(phase, "", board, board[:2], piece, (), counters)


def drought_of(letters: str) -> int:
    return len(letters) - 1 - letters.rfind("I")


def burn_of(gains: list[int]) -> int:
    return sum(takewhile(lambda gained: gained != 4, reversed(gains)))


@pytest.mark.few(4)
@pytest.mark.parametrize("path", RECORDED, ids=lambda path: path.stem)
def test_recorded_games_are_counted_frame_by_frame(path: Path) -> None:
    _, snapshots = played(path)
    statistics = TetrisStatistics()
    letters, gains = "", list[int]()
    before: Snapshot | None = None
    for snapshot in snapshots:
        statistics.see(snapshot)
        if before is not None and snapshot.counters["lines"] > before.counters["lines"]:
            gains.append(snapshot.counters["lines"] - before.counters["lines"])
        is_new = before is None or before.phase is not Phase.PLAYING
        if snapshot.phase is Phase.PLAYING and snapshot.current is not None and is_new:
            letters += PIECES[snapshot.current.orientation]
        before = snapshot
        assert (statistics.drought, statistics.burn) == (drought_of(letters), burn_of(gains))
        rate = 4 * gains.count(4) / sum(gains) if gains else None
        assert statistics.tetris_rate == rate
    assert letters


@given(
    st.lists(st.tuples(st.sampled_from("TJZOSLI"), st.sampled_from([0, 0, 0, 1, 2, 3, 4])), max_size=40), st.booleans()
)
def test_drawn_games_are_counted_with_a_state_between_pieces_and_without(
    pieces: list[tuple[str, int]], between: bool
) -> None:
    statistics, lines = TetrisStatistics(), 7
    statistics.see(shown(Phase.PLAYING, 0, lines))
    for number, (letter, gained) in enumerate(pieces):
        for _ in range(3):
            statistics.see(shown(Phase.PLAYING, number % 2, lines, letter))
        lines += gained
        if between:
            statistics.see(shown(Phase.CLEARING if gained else Phase.LOCKED, number % 2, lines))
    gains = [gained for _, gained in pieces[: len(pieces) if between else max(len(pieces) - 1, 0)] if gained]
    assert statistics.drought == drought_of("".join(letter for letter, _ in pieces))
    assert statistics.burn == burn_of(gains)
    assert statistics.tetris_rate == (4 * gains.count(4) / sum(gains) if gains else None)


def test_the_figures_are_shown_in_words_and_begin_anew_with_a_game() -> None:
    statistics = TetrisStatistics()
    assert statistics.figures == {"Tetris rate": "–", "drought": "0", "burn": "0"}
    for lines in (0, 4, 5):
        statistics.see(shown(Phase.PLAYING, lines % 2, lines, "T"))
    assert statistics.figures == {"Tetris rate": "80%", "drought": "2", "burn": "1"}
    statistics.see(shown(Phase.PAUSED, 0, 0))
    statistics.see(shown(Phase.OVER, 0, 5))
    assert statistics.figures["burn"] == "1", "what was reached stays until the next game"
    statistics.see(shown(Phase.PLAYING, 0, 0, "I"))
    assert statistics.figures == {"Tetris rate": "–", "drought": "0", "burn": "0"}


def test_lines_that_count_down_are_lines() -> None:
    statistics = TetrisStatistics()
    for lines in (25, 24, 20, 19):
        statistics.see(shown(Phase.PLAYING, lines % 2, lines, "T"))
    assert (statistics.tetris_rate, statistics.burn) == (4 / 6, 1)


def test_a_map_that_tells_no_lines_has_no_rate() -> None:
    statistics = TetrisStatistics()
    for number in range(4):
        statistics.see(shown(Phase.PLAYING, number % 2, None, "S"))
    assert (statistics.tetris_rate, statistics.drought, statistics.burn) == (None, 4, 0)
