"""Self-play against a slow twin: the search's own ranking, the simulator's page, one piece after the other."""

from __future__ import annotations

from collections import Counter

import numpy as np
import pytest

from emubot.errors import UsageError, WeightsError
from emubot.games.counts import Counts
from emubot.games.tetris.decode import addresses as reg
from emubot.games.tetris.evaluation.names import FEATURE_NAMES, FEATURE_VERSION
from emubot.games.tetris.family import GAME
from emubot.games.tetris.generator import deal
from emubot.games.tetris.reach import Start
from emubot.games.tetris.rules import DX, DY, LINE_POINTS, NES_NTSC, PIECE_NAMES, SPAWN_ORIENTATION
from emubot.games.tetris.search.expectimax import first_best
from emubot.games.tetris.search.search import Position
from emubot.games.tetris.simulator import play_states
from emubot.games.tetris.trials import selfplay
from emubot.games.tetris.trials.selfplay import self_play, stack_height
from emubot.tempo import parse_taps
from emubot.weight_parts import FeatureSet
from emubot.weights import Weights, load_weights
from tests.games.tetris.reach_twin import rows_of
from tests.games.tetris.searching import search_by

# Facts: NES Tetris 5.2, the pieces T J Z O S L I after each piece and as a game's first, in 64ths.
MARKOV = {
    "T": (2, 10, 12, 10, 10, 10, 10),
    "J": (12, 2, 10, 10, 10, 10, 10),
    "Z": (10, 12, 2, 10, 10, 10, 10),
    "O": (10, 10, 10, 4, 10, 10, 10),
    "S": (10, 10, 10, 10, 4, 10, 10),
    "L": (12, 10, 10, 10, 10, 2, 10),
    "I": (10, 10, 10, 10, 12, 10, 2),
    "": (10, 9, 9, 9, 9, 9, 9),
}


def by_height(weight: float) -> Weights:
    """Weights of one feature: positive stacks as high as it can, negative plays on for a while."""
    return Weights(
        game="tetris", features=FeatureSet(version=FEATURE_VERSION, names=("landing_height",)), values=(weight,)
    )


def twin(seed: int, pieces: int, weights: Weights, first_level: int = 18) -> Counts:
    draws = iter(np.random.default_rng(seed).integers(8, size=(3 * pieces, 2), dtype=np.uint8))
    vector = weights.vector("tetris", FEATURE_NAMES, FEATURE_VERSION)
    heights: Counter[int] = Counter()
    chains: Counter[int] = Counter()
    deaths = score = 0
    while heights.total() < pieces:
        page = np.full(256, reg.EMPTY, dtype=np.uint8)
        piece = deal(-1, *map(int, next(draws)))
        following = deal(piece, *map(int, next(draws)))
        wait, level, lines = 256 - NES_NTSC.start_wait, first_level, 0
        while heights.total() < pieces:
            start = Start(int(SPAWN_ORIENTATION[piece]), autorepeat_y=wait)
            then = int(SPAWN_ORIENTATION[following])
            ranked, _ = search_by(vector, parse_taps("30hz"), NES_NTSC).rank(
                Position(rows_of(page), start, then, level, lines)
            )
            if not ranked:
                deaths += 1
                break
            best, wait = ranked[0], 0
            for dx, dy in zip(DX[best.orientation], DY[best.orientation], strict=True):
                page[(10 * (best.row + int(dy)) + best.column + int(dx)) & 0xFF] = 0x7B
            first = max(best.row - 2, 0)
            cleared = 0
            for row in range(first, min(first + 4, 20)):
                if (page[10 * row : 10 * row + 10] != reg.EMPTY).all():
                    play_states.remove_row(page, row)
                    cleared += 1
            lines += cleared
            # Facts: NES Tetris 4: from 18 the level rises at 130 lines, from 0 at 10, and then at every tenth.
            level = first_level + max(0, (lines - {18: 130, 0: 10}[first_level]) // 10 + 1)
            score += LINE_POINTS[cleared] * (level + 1)
            filled = np.flatnonzero(rows_of(page))
            heights[22 - int(filled[0]) if len(filled) else 0] += 1
            chains[cleared] += 1
            piece, following = following, deal(following, *map(int, next(draws)))
    total = sum(lines * count for lines, count in chains.items())
    return Counts(pieces, deaths, heights[0], score, total, as_histogram(heights), as_histogram(chains))


def as_histogram(counter: Counter[int]) -> np.ndarray[tuple[int], np.dtype[np.int64]]:
    return np.array([counter[index] for index in range(max(counter) + 1)], dtype=np.int64)


@pytest.mark.jit
@pytest.mark.parametrize("seed", [0, 2**64 - 1])
def test_good_games_are_those_of_the_twin(seed: int) -> None:
    weights = load_weights("nes_tetris")
    counts = self_play(seed, 450, weights)
    assert counts == twin(seed, 450, weights)
    assert counts.deaths == 0
    assert counts.lines > 140  # the level rose


def test_a_watch_changes_nothing_and_can_end_it(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(selfplay, "_WATCHED", 7)
    heard: list[int] = []

    def watch(placed: int) -> bool:
        heard.append(placed)
        return True

    assert self_play(3, 60, by_height(1), watch=watch) == twin(3, 60, by_height(1))
    assert heard == list(range(0, 60, 7))
    ended = self_play(3, 60, by_height(1), watch=lambda placed: placed < 20)
    assert ended.pieces == 21
    assert ended == twin(3, 21, by_height(1))


def test_games_that_end_are_those_of_the_twin() -> None:
    counts = self_play(3, 60, by_height(1))
    assert counts == twin(3, 60, by_height(1))
    assert counts.deaths > 2
    assert counts.highest > 18


@pytest.mark.jit
def test_each_game_begins_at_the_first_level(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(selfplay, "START_LEVEL", 0)
    counts = self_play(3, 300, by_height(-1))
    assert counts == twin(3, 300, by_height(-1), first_level=0)
    assert counts.deaths >= 1
    assert counts.lines >= 20


@pytest.mark.jit
def test_a_seed_is_a_game() -> None:
    weights = load_weights("nes_tetris")
    assert self_play(1, 300, weights) == self_play(1, 300, weights)
    assert self_play(1, 300, weights) != self_play(2, 300, weights)


@pytest.mark.parametrize(("before", "expected"), MARKOV.items())
def test_pieces_come_as_often_as_on_the_cartridge(before: str, expected: tuple[int, ...]) -> None:
    last = PIECE_NAMES.index(before) if before else -1
    draws = [np.array([one, other], dtype=np.uint8) for one in range(8) for other in range(8)]
    dealt = Counter(int(deal(last, *map(int, draw))) for draw in draws)
    assert tuple(dealt[piece] for piece in range(7)) == expected


def test_ties_go_to_the_lower_lock_then_orientation_then_column() -> None:
    found = np.array([[0, 3, 5], [1, 2, 6], [0, 4, 6], [0, 3, 6], [0, 0, 7]], dtype=np.int64)
    values = np.array([1.0, 1.0, 1.0, 1.0, 0.5])
    assert first_best(found, values, 5) == 3
    values[1] = 1.5
    assert first_best(found, values, 5) == 1


def test_the_height_counts_hidden_rows() -> None:
    rows = np.zeros(22, dtype=np.uint16)
    assert stack_height(rows) == 0
    rows[21] = 1
    assert stack_height(rows) == 1
    rows[0] = 512
    assert stack_height(rows) == 22


def test_what_tetris_does_not_have_is_refused() -> None:
    weights = load_weights("nes_tetris")
    with pytest.raises(UsageError, match="no rules 'tsu'; known: nes-ntsc"):
        GAME.self_play(0, 1, weights, "tsu", {})
    with pytest.raises(UsageError, match="There is no --colors for self-play of Tetris"):
        GAME.self_play(0, 1, weights, None, {"colors": 4})
    assert GAME.self_play_settings(None, {}) == ("nes-ntsc", {})
    other = Weights(game="puyo", features=FeatureSet(version=1, names=("links",)), values=(1.0,))
    with pytest.raises(WeightsError, match="for puyo, not for tetris"):
        self_play(0, 1, other)
