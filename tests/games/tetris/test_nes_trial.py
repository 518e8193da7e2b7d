"""Games of NES Tetris flat out: the same seed the same game, ended as asked, and counted as the cartridge counts."""

from __future__ import annotations

from itertools import pairwise
from typing import Any

import numpy as np
import pytest

from emubot.errors import UsageError, WeightsError
from emubot.games.tetris.board.board import BOARD_ROWS, lock
from emubot.games.tetris.evaluation.features import FEATURE_NAMES, FEATURE_VERSION
from emubot.games.tetris.generator import deal
from emubot.games.tetris.reach import Start
from emubot.games.tetris.rules import LINE_POINTS, NES_NTSC, PIECE_OF, SPAWN_ORIENTATION
from emubot.games.tetris.scoring import level_after
from emubot.games.tetris.search.search import Position, Search
from emubot.games.tetris.trials.nes_trial import nes_trial
from emubot.tempo import parse_taps
from emubot.weights import Weights, load_weights


def played(name: str, seed: int, **asked: Any) -> dict[str, int]:
    trial = nes_trial(asked)
    return dict(zip(trial.figures, map(int, trial.play([load_weights(name)], [seed])[0]), strict=True))


def slowly(weights: Weights, seed: int, start_level: int, stop_lines: int, taps: str) -> dict[str, int]:
    """The same game by the functions that steer a cartridge, one decision after the other."""
    rng, rows, tempo = np.random.default_rng(seed), np.zeros(BOARD_ROWS, dtype=np.uint16), parse_taps(taps)
    vector = weights.vector("tetris", FEATURE_NAMES, FEATURE_VERSION)

    def dealt(before: int) -> int:
        return int(deal(before, int(rng.integers(0, 8)), int(rng.integers(0, 8))))

    told = {"score": 0, "lines": 0, "pieces": 0, "tetrises": 0, "level": start_level, "reached_29": 0, "nodes": 0}
    piece = dealt(-1)
    following = dealt(piece)
    while told["lines"] < stop_lines:
        start = Start(int(SPAWN_ORIENTATION[piece]), limiter=tempo.reaction, turn_limiter=tempo.reaction)
        ahead = int(SPAWN_ORIENTATION[following])
        ranked, nodes = Search(vector, tempo, NES_NTSC).rank(Position(rows, start, ahead, told["level"], told["lines"]))
        told["nodes"] += nodes
        if not ranked:
            break
        best = ranked[0]
        assert PIECE_OF[best.orientation] == piece
        cleared = int(lock(rows, best.orientation, best.column, best.row))
        told["level"] = int(level_after(told["level"], told["lines"], cleared))
        told["lines"] += cleared
        told["pieces"] += 1
        told["tetrises"] += cleared == 4
        told["score"] += LINE_POINTS[cleared] * (told["level"] + 1)
        told["reached_29"] |= told["level"] >= 29
        piece, following = following, dealt(following)
    return told


@pytest.mark.jit
@pytest.mark.parametrize(("taps", "reaction"), [("12hz", 0), ("..X.....", 2), ("das", 0)])
def test_a_game_is_the_one_that_is_played_decision_by_decision(taps: str, reaction: int) -> None:
    asked = {"start_level": 18, "stop_lines": 12, "taps": taps}
    assert nes_trial(asked).settings["reaction"] == reaction
    assert played("ga", 5, **asked) == slowly(load_weights("ga"), 5, 18, 12, taps)


@pytest.mark.jit
def test_a_game_ends_by_lines_or_by_a_top_out() -> None:
    stopped = played("nes_tetris", 1, stop_lines=40)
    assert 40 <= stopped["lines"] <= 43
    assert stopped["level"] == 18
    lost = played("ga", 1, start_level=29, taps="10hz")
    assert 0 < lost["pieces"] < 200, "at a row each frame nothing that taps ten times a second lives long"
    assert lost["reached_29"] == 1


@pytest.mark.jit
def test_one_seed_one_game_whoever_else_plays() -> None:
    trial, weights = nes_trial({"stop_lines": 10}), load_weights("dt20")
    together = trial.play([weights], [1, 2, 3])
    assert together.tolist() == [trial.play([weights], [seed])[0].tolist() for seed in (1, 2, 3)]
    assert any((one != other).any() for one, other in pairwise(together))


def test_what_cannot_be_asked_for() -> None:
    with pytest.raises(UsageError, match="There is no --cap-lines for the rules nes-ntsc: its options are --start"):
        nes_trial({"cap_lines": 5})
    with pytest.raises(UsageError, match="--start-level of the rules nes-ntsc is a whole number from 0 to 255"):
        nes_trial({"start_level": 256})
    with pytest.raises(UsageError, match="Taps cannot be 'often'"):
        nes_trial({"taps": "often"})
    with pytest.raises(UsageError, match="no rules 'nes-pal'"):
        nes_trial({}, "nes-pal")
    with pytest.raises(WeightsError, match="for puyo, not for tetris"):
        nes_trial({"stop_lines": 1}).play([load_weights("reference")], [1])
