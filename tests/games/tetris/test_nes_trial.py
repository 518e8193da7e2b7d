"""Games of NES Tetris flat out: the same seed the same game, ended as asked, and counted as the cartridge counts."""

from __future__ import annotations

from itertools import pairwise
from typing import Any

import numpy as np
import pytest

from emubot.errors import UsageError, WeightsError
from emubot.games.pace import Pace
from emubot.games.tetris.board.board import BOARD_ROWS, lock
from emubot.games.tetris.generator import deal
from emubot.games.tetris.reach import Start
from emubot.games.tetris.rules import LINE_POINTS, NES_NTSC, NES_PAL, PIECE_OF, SPAWN_ORIENTATION, Profile
from emubot.games.tetris.scoring import level_after
from emubot.games.tetris.search.engine import engine_for
from emubot.games.tetris.search.search import Position, Search
from emubot.games.tetris.trials import nes_trial as nes_trial_module
from emubot.games.tetris.trials.game_start import fill_garbage
from emubot.games.tetris.trials.nes_trial import nes_trial
from emubot.tempo import parse_taps
from emubot.weights import Weights, load_weights


def played(name: str, seed: int, rules: str = "nes-ntsc", **asked: Any) -> dict[str, int]:
    trial = nes_trial(asked, rules)
    return dict(zip(trial.figures, map(int, trial.play([load_weights(name)], [seed])[0]), strict=True))


def slowly(
    weights: Weights,
    seed: int,
    start_level: int,
    stop_lines: int,
    taps: str,
    profile: Profile = NES_NTSC,
    garbage: int | None = None,
    nodes: int = 0,
) -> dict[str, int]:
    """The same game by the functions that steer a cartridge, one decision after the other."""
    rng, rows, tempo = np.random.default_rng(seed), np.zeros(BOARD_ROWS, dtype=np.uint16), parse_taps(taps)
    if garbage is not None:
        fill_garbage(rng, garbage, rows)
    aim = "score" if garbage is None else "goal"
    search = Search(engine_for(weights, tempo, profile, nodes, stop_lines, aim), tempo, profile)

    def dealt(before: int) -> int:
        return int(deal(before, int(rng.integers(0, 8)), int(rng.integers(0, 8))))

    told = {"score": 0, "lines": 0, "pieces": 0, "tetrises": 0, "level": start_level, "reached_29": 0, "nodes": 0}
    piece = dealt(-1)
    following = dealt(piece)
    while told["lines"] < stop_lines:
        start = Start(int(SPAWN_ORIENTATION[piece]), limiter=tempo.reaction, turn_limiter=tempo.reaction)
        ahead = int(SPAWN_ORIENTATION[following])
        ranked, valued = search.rank(Position(rows, start, ahead, told["level"], told["lines"]))
        told["nodes"] += valued
        if not ranked:
            break
        best = ranked[0]
        assert PIECE_OF[best.orientation] == piece
        cleared = int(lock(rows, best.orientation, best.column, best.row))
        if garbage is None:
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
    asked: dict[str, Any] = {"start_level": 18, "stop_lines": 12, "taps": taps}
    assert nes_trial(asked).settings["reaction"] == reaction
    assert played("ga", 5, **asked) == slowly(load_weights("ga"), 5, 18, 12, taps)


@pytest.mark.jit
def test_a_game_may_begin_with_lines() -> None:
    """With 228 of them level 29 is two lines away from level 28, and four lines more are the last."""
    whole = played("nes_tetris", 5, start_level=28, start_lines=228, stop_lines=232, taps="30hz", nodes=1)
    assert (whole["level"], whole["reached_29"]) == (29, 1)
    assert 232 <= whole["lines"] < 236
    assert whole["score"] >= 4 * 40 * 29, "the lines before it brought nothing"
    assert whole["score"] <= 1200 * 30 * 2
    late = played("nes_tetris", 5, start_level=28, start_lines=228, stop_lines=232, taps="30hz", nodes=1, see_next=10)
    assert 232 <= late["lines"] < 236
    assert nes_trial({"start_lines": 228}).settings["start_lines"] == 228


@pytest.mark.parametrize(
    ("asked", "message"),
    [
        ({"start_lines": 230, "stop_lines": 230}, "begins with 230 lines is beyond --stop-lines 230"),
        ({"start_lines": 1, "type": "b"}, "leave out --start-lines"),
    ],
)
def test_lines_that_a_game_cannot_begin_with_are_refused(asked: dict[str, Any], message: str) -> None:
    with pytest.raises(UsageError, match=message):
        nes_trial(asked)


@pytest.mark.jit
def test_a_deeper_game_is_the_one_that_is_played_decision_by_decision() -> None:
    weights = load_weights("nes_tetris")
    fast = played("nes_tetris", 5, stop_lines=3, nodes=1500)
    assert fast == slowly(weights, 5, 18, 3, "12hz", nodes=1500)
    assert fast["nodes"] > 1500 * fast["pieces"], "a decision stops when it has spent its budget"


@pytest.mark.slow
@pytest.mark.jit
def test_a_game_by_the_clock_gives_each_decision_the_boards_of_its_time(monkeypatch: pytest.MonkeyPatch) -> None:
    """A pace of 1,500 boards is --nodes 1500, on the same pieces."""
    given: list[float] = []

    def of_boards(milliseconds: float, most: int) -> Pace:
        given.append(milliseconds)
        return Pace(milliseconds, most)

    monkeypatch.setattr(Pace, "boards", property(lambda _: 1500))
    monkeypatch.setattr(nes_trial_module, "Pace", of_boards)
    assert played("nes_tetris", 5, stop_lines=3, budget_ms=7) == played("nes_tetris", 5, stop_lines=3, nodes=1500)
    assert given == [7.0]
    settings = nes_trial({"budget_ms": 7}).settings
    assert settings["budget_ms"] == 7.0
    assert "nodes" not in settings


@pytest.mark.jit
@pytest.mark.parametrize("taps", ["12hz", "das"])
def test_a_pal_game_is_the_one_that_is_played_decision_by_decision(taps: str) -> None:
    fast = played("ga", 5, "nes-pal", start_level=18, stop_lines=8, taps=taps)
    assert fast == slowly(load_weights("ga"), 5, 18, 8, taps, NES_PAL)


@pytest.mark.jit
@pytest.mark.parametrize("nodes", [0, 1500])
def test_a_b_type_game_is_the_one_that_is_played_decision_by_decision(nodes: int) -> None:
    """At level 0, where an A-type game of 25 lines ends at level 2."""
    weights = load_weights("nes_tetris")
    fast = played("nes_tetris", 3, type="b", height=2, start_level=0, nodes=nodes)
    slow = slowly(weights, 3, 0, 25, "12hz", garbage=2, nodes=nodes)
    assert fast.pop("completed") == 1
    assert fast == slow | {"lines": 25}
    assert fast["level"] == 0
    assert played("nes_tetris", 3, start_level=0, stop_lines=25, nodes=0)["level"] == 2


@pytest.mark.jit
def test_b_type_is_not_completed_by_a_top_out() -> None:
    lost = played("random", 1, type="b", height=5, start_level=19)
    assert lost["lines"] < 25
    assert lost["completed"] == 0


@pytest.mark.parametrize(("height", "garbage"), [*enumerate((0, 3, 5, 8, 10, 12))])
def test_b_type_begins_with_garbage_of_the_chosen_height(height: int, garbage: int) -> None:
    boards = np.zeros((200, BOARD_ROWS), dtype=np.uint16)
    for seed, rows in enumerate(boards):
        fill_garbage(np.random.default_rng(seed), height, rows)
    assert boards.shape == (200, BOARD_ROWS)
    assert not boards[:, : BOARD_ROWS - garbage].any()
    assert (boards != 0x3FF).all(), "at least one cell of each row is empty"
    if garbage:
        assert not (boards[:, -garbage] & 1).any(), "and always the first cell of the first row"
        filled = np.bitwise_count(boards[:, BOARD_ROWS - garbage :]).mean()
        assert 4.3 < filled < 4.6, "half of the cells, less the empty one"


@pytest.mark.jit
@pytest.mark.parametrize("rules", ["nes-ntsc", "nes-pal"])
@pytest.mark.parametrize("level", [0, 19, 29])
def test_games_begin_at_any_level_of_either_release(rules: str, level: int) -> None:
    ended = played("nes_tetris", 1, rules, start_level=level, stop_lines=2, taps="30hz")
    assert ended["lines"] >= 2
    assert ended["level"] == level
    assert ended["reached_29"] == (level == 29)


@pytest.mark.jit
def test_a_game_ends_by_lines_or_by_a_top_out() -> None:
    stopped = played("nes_tetris", 1, stop_lines=40, nodes=1000)
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


@pytest.mark.jit
def test_with_another_aim_its_figure_comes_first() -> None:
    points, lines = played("ga", 5, stop_lines=12), played("ga", 5, stop_lines=12, aim="lines")
    assert next(iter(points)) == "score"
    assert next(iter(lines)) == "lines"
    assert points == lines, "weights without tables know no aim"


def test_what_cannot_be_asked_for() -> None:
    with pytest.raises(UsageError, match="There is no --cap-lines for the rules nes-ntsc: its options are --start"):
        nes_trial({"cap_lines": 5})
    with pytest.raises(UsageError, match="--start-level of the rules nes-ntsc is a whole number from 0 to 255"):
        nes_trial({"start_level": 256})
    with pytest.raises(UsageError, match="Taps cannot be 'often'"):
        nes_trial({"taps": "often"})
    with pytest.raises(UsageError, match="no rules 'nes-dendy'; known: nes-ntsc, nes-pal"):
        nes_trial({}, "nes-dendy")
    with pytest.raises(UsageError, match="--type of the rules nes-ntsc is a or b, not 'c'"):
        nes_trial({"type": "c"})
    with pytest.raises(UsageError, match="--type of the rules nes-ntsc is a or b, not 'ab'"):
        nes_trial({"type": "ab"})
    with pytest.raises(UsageError, match="--height of the rules nes-ntsc is a whole number from 0 to 5, not 6"):
        nes_trial({"type": "b", "height": 6})
    with pytest.raises(UsageError, match="--height is the height of the garbage in B-type: add --type b"):
        nes_trial({"height": 2})
    with pytest.raises(UsageError, match="A game of --type b ends after 25 lines: leave out --stop-lines"):
        nes_trial({"type": "b", "stop_lines": 10})
    with pytest.raises(UsageError, match="B-type is played for its goal: leave out --aim"):
        nes_trial({"type": "b", "aim": "score"})
    with pytest.raises(UsageError, match="A decision has one budget: give --nodes or --budget-ms, not both"):
        nes_trial({"nodes": 10, "budget_ms": 10})
    for wrong in (0, -1, "soon", True, float("nan"), float("inf")):
        with pytest.raises(UsageError, match="--budget-ms of the rules nes-ntsc is a number above 0, not "):
            nes_trial({"budget_ms": wrong})
    with pytest.raises(UsageError, match="--aim of the rules nes-ntsc is score or lines or survive, not 'fun'"):
        nes_trial({"aim": "fun"})
    with pytest.raises(WeightsError, match="for puyo, not for tetris"):
        nes_trial({"stop_lines": 1}).play([load_weights("reference")], [1])
