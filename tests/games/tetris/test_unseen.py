"""A next piece that is shown late: where the piece in the air is by then, and games whose pieces may change course."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import numpy as np
import pytest

from emubot.errors import UsageError
from emubot.games.tetris.board.board import BOARD_ROWS
from emubot.games.tetris.decode import addresses as reg
from emubot.games.tetris.reach import Route, Start, gravity_at, locks_of, reach, timeline, underway
from emubot.games.tetris.rules import NES_NTSC, SPAWN_ORIENTATION
from emubot.games.tetris.search.engine import engine_for
from emubot.games.tetris.search.search import Search
from emubot.games.tetris.simulator import simulator as sim
from emubot.games.tetris.timing import NTSC
from emubot.games.tetris.trials.nes_games import GameBounds
from emubot.games.tetris.trials.nes_trial import nes_trial
from emubot.games.tetris.trials.trials import trial
from emubot.games.tetris.trials.unseen import Progress, UnseenGame
from emubot.pad import Pad
from emubot.snapshot import Piece
from emubot.tempo import parse_taps
from emubot.weights import load_weights
from tests.games.tetris.reach_twin import page_of, random_rows, state_of
from tests.games.tetris.test_reach_timeline import check_tempo

pytestmark = pytest.mark.jit


@pytest.mark.parametrize("taps", ["12hz", "30hz", "das"])
def test_the_piece_is_where_the_simulator_has_it_and_goes_on_in_tempo(taps: str) -> None:
    rng, tempo = np.random.default_rng([3, *taps.encode()]), parse_taps(taps)
    checked = 0
    for level in (9, 18, 19, 29):
        rows, gravity = random_rows(rng), gravity_at(level, NES_NTSC)
        start = Start(int(SPAWN_ORIENTATION[rng.integers(7)]), limiter=int(rng.integers(0, 4)))
        for orientation, column, row in locks_of(reach(rows, start, gravity, tempo, NES_NTSC), start.piece)[::3]:
            target = Piece(orientation, column, row)
            whole = timeline(rows, start, target, gravity, tempo, NES_NTSC, soft_drop=False).placement
            frames = int(rng.integers(0, len(whole.timeline)))
            later = underway(rows, start, whole.timeline[:frames], gravity, tempo, NES_NTSC)
            state, page, held = state_of(start, level), page_of(rows), Pad.NONE
            for step in whole.timeline[:frames]:
                sim.game_part(state, page, int(step.pad & ~held), int(step.pad), NTSC)
                held = step.pad
            assert (later.orientation, later.column, later.row) == (state[reg.PIECE], state[reg.X], state[reg.Y])
            assert (later.fall_timer, later.held) == (state[reg.FALL_TIMER], held)
            assert not tempo.das or later.das == state[reg.DAS]
            rest = timeline(rows, later, target, gravity, tempo, NES_NTSC, soft_drop=False).placement
            joined = replace(whole, timeline=whole.timeline[:frames] + rest.timeline)
            assert len(joined.timeline) == len(whole.timeline)
            check_tempo(start, tempo, Route(joined))
            checked += frames > 0
    assert checked > 10


def played(see_next: int, stop_lines: int, taps: str = "30hz", seed: int = 5, nodes: int = 1500) -> Progress:
    tempo = parse_taps(taps)
    engine = engine_for(load_weights("nes_tetris"), tempo, NES_NTSC, nodes, stop_lines)
    rows = np.zeros(BOARD_ROWS, dtype=np.uint16)
    game = UnseenGame(np.random.default_rng(seed), rows, Progress(18), Search(engine, tempo, NES_NTSC), tempo, NES_NTSC)
    return game.play(see_next, GameBounds(18, 0, stop_lines, 0, 1))


def by_trial(**options: Any) -> dict[str, int]:
    made = nes_trial({"taps": "30hz", "nodes": 1500, **options})
    return dict(zip(made.figures, map(int, made.play([load_weights("nes_tetris")], [5])[0]), strict=True))


@pytest.mark.parametrize("taps", ["30hz", "das"])
def test_a_next_piece_that_is_shown_at_once_changes_nothing(taps: str) -> None:
    slow = played(0, 8, taps)
    assert by_trial(see_next=0, stop_lines=8, taps=taps) == by_trial(stop_lines=8, taps=taps)
    figures = {name: getattr(slow, name) for name in ("score", "lines", "pieces", "tetrises", "level", "nodes")}
    assert by_trial(stop_lines=8, taps=taps) == {**figures, "reached_29": 0}
    assert slow.adjustments == 0


def test_a_piece_that_locks_before_is_placed_without_the_next_one() -> None:
    late = played(240, 4)
    assert late.adjustments == 0
    assert late.pieces != played(0, 4).pieces or late.nodes != played(0, 4).nodes


def test_the_course_changes_for_some_pieces_and_the_figure_counts_them() -> None:
    figures = by_trial(see_next=18, stop_lines=8)
    assert 0 < figures["adjustments"] < figures["pieces"]
    assert figures["adjustments"] == played(18, 8).adjustments
    assert figures["lines"] >= 8


def test_features_and_b_type_see_late_as_well() -> None:
    assert by_trial(see_next=18, stop_lines=4, nodes=0)["adjustments"] > 0
    made = nes_trial({"taps": "30hz", "type": "b", "start_level": 9, "see_next": 18})
    assert made.figures[-2:] == ("adjustments", "completed")
    assert made.settings["see_next"] == 18
    assert made.play([load_weights("nes_tetris")], [1]).shape == (1, 9)


def test_what_cannot_be_asked_for() -> None:
    with pytest.raises(UsageError, match="--see-next of the rules nes-ntsc is a whole number from 0 to 240, not 241"):
        nes_trial({"see_next": 241})
    with pytest.raises(UsageError, match="There is no --see-next for the rules nes-ntsc with --rng aware"):
        trial(1, "nes", {"rng": "aware", "see_next": 3})
    with pytest.raises(UsageError, match="leave out --see-next, --aggression and --aim survive"):
        nes_trial({"see_next": 3}).check_points()
