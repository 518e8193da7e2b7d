"""A network that learns beside tables: its games, choices and steps are those of a slow twin."""

from __future__ import annotations

import numpy as np
import pytest
from numpy.typing import NDArray

from emubot.games.tetris.board.board import BOARD_ROWS, Rows
from emubot.games.tetris.evaluation.network import BOUNDS, HIDDEN, NETWORK_ROWS, PARAMETERS, network_of, parameters_of
from emubot.games.tetris.evaluation.points_player import points_player
from emubot.games.tetris.generator import deal
from emubot.games.tetris.rules import NES_NTSC
from emubot.games.tetris.search.plies import lookahead_for
from emubot.games.tetris.trials.game_start import GameStart, fill_garbage
from emubot.games.tetris.trials.network_games import (
    FIRST_SQUARE,
    NetworkLearning,
    first_parameters,
    learn_network,
    new_boards,
)
from emubot.games.tetris.trials.td_games import STRETCHES, new_cleared
from tests.games.tetris.points_twin import TEMPO
from tests.games.tetris.test_network import twin_rows
from tests.games.tetris.test_td_games import BUDGET, Twin, tables

pytestmark = pytest.mark.jit
STOP, LEVEL, TRUST, STEP, USUAL = 6, 18, 0.6, 0.02, 20.0
FIRST = first_parameters(np.random.default_rng(1), USUAL)


class Player(Twin):
    """Plays by tables and network (points_twin.Steps.value)."""

    def of_tables(self, rows: Rows, lines: int, level: int) -> float:
        return sum(float(self.own.values[entry]) for entry in self.entries(rows, lines, level))


class NetworkTwin:
    """The network in plain numpy: what it adds, and one step of every weight."""

    def __init__(self) -> None:
        self.parts = np.split(FIRST.astype(np.float64), BOUNDS)
        self.squares = [np.full_like(part, FIRST_SQUARE) for part in self.parts]

    def sums(self, rows: list[int], lines: int) -> NDArray[np.float64]:
        weights, of_lines, biases, _ = self.parts
        found: NDArray[np.float64] = weights.reshape(NETWORK_ROWS, HIDDEN)[rows].sum(axis=0)
        return found + facts_of(lines) @ of_lines.reshape(-1, HIDDEN) + biases[:-1]

    def value(self, rows: list[int], lines: int) -> float:
        return float(np.maximum(self.sums(rows, lines), 0) @ self.parts[3] + self.parts[2][-1])

    def step(self, rows: list[int], lines: int, difference: float) -> None:
        sums, error = self.sums(rows, lines), np.clip(difference / USUAL, -3, 3)
        pulls = np.where(sums > 0, error * self.parts[3], 0.0)
        of_rows = np.zeros((NETWORK_ROWS, HIDDEN))
        of_rows[rows] = pulls
        of_lines = np.outer(facts_of(lines), pulls)
        gradients = [of_rows.ravel(), of_lines.ravel(), np.append(pulls, error), error * np.maximum(sums, 0)]
        for part, square, gradient in zip(self.parts, self.squares, gradients, strict=True):
            square[:] = square + gradient**2
            part[:] = part + STEP * gradient / np.sqrt(square)


def facts_of(lines: int) -> NDArray[np.float64]:
    return np.array([lines / 100, lines >= 130, min(max(STOP - lines, 0), 20) / 10, min(max(130 - lines, 0), 20) / 10])


@pytest.mark.few(1)
@pytest.mark.parametrize(("most", "lines_before"), [(5, 0), (100, 0), (100, 2)])
def test_games_and_steps_are_those_of_the_twin(most: int, lines_before: int) -> None:
    """Games of more boards than `most` are cut off, and begin anew."""
    pieces, seed = 60, 5
    own, other = (points_player(tables(STOP), TEMPO, NES_NTSC, "score", STOP, FIRST) for _ in range(2))
    squares = network_of(np.full(PARAMETERS, FIRST_SQUARE, dtype=np.float32))
    scores, lengths = np.zeros(pieces), np.zeros(pieces, dtype=np.int64)
    cleared = new_cleared()
    learning = NetworkLearning(GameStart(LEVEL, lines_before), cleared, BUDGET, TRUST, STEP, USUAL, squares)
    look = lookahead_for(own, TEMPO, NES_NTSC)
    games, size = learn_network(np.random.default_rng(seed), pieces, learning, look, new_boards(most), scores, lengths)

    rng, network, played, ended, sizes = np.random.default_rng(seed), NetworkTwin(), 0, [], []
    player, tetrises = Player(other), new_cleared()
    while played < pieces:
        rows, lines, level, brought = np.zeros(BOARD_ROWS, dtype=np.uint16), lines_before, LEVEL, 0.0
        seen: list[tuple[list[int], int, float, float, float]] = []
        fill_garbage(rng, 0, rows)
        piece = following = -1
        over = False
        while not over and played < pieces and len(seen) < most:
            piece = int(deal(following, int(rng.integers(0, 8)), int(rng.integers(0, 8))))
            following = int(deal(piece, int(rng.integers(0, 8)), int(rng.integers(0, 8))))
            board = (twin_rows(rows, lines, level), player.place(lines, level), player.of_tables(rows, lines, level))
            locks, hoped = player.pair(rows, piece, following, lines, level)
            gained, stretch = 0.0, sum(player.place(lines, level) >= first for first in STRETCHES) - 1
            for at in locks:
                before = lines
                rows, more, lines, level = player.after(rows, at, lines, level)
                gained += more
                tetrises[stretch] += lines - before, lines - before if lines - before == 4 else 0
            seen.append((*board, gained, hoped))
            brought, played, over = brought + gained, played + 2, not player.goes_on(locks, lines, level)
        if not over and played >= pieces:
            break
        if over:
            ended.append((brought - (own.stop_worth if player.over(lines, level) else 0.0), lines))
        due = [gained for *_, gained, _ in seen]
        due[-1] = due[-1] if over else seen[-1][4]
        for index in range(len(seen) - 2, -1, -1):
            due[index] = (1 - TRUST) * seen[index][4] + TRUST * (due[index] + due[index + 1])
        for index in rng.permutation(len(seen)):
            found, place, of_tables, _, _ = seen[index]
            difference = due[index] - of_tables - network.value(found, place)
            sizes.append(abs(difference))
            network.step(found, place, difference)
        moved = network_of(np.concatenate(network.parts).astype(np.float32))
        for part in ("rows", "lines", "biases", "out"):
            getattr(other.network, part)[...] = getattr(moved, part)
    assert cleared.tolist() == tetrises.tolist()
    assert games == len(ended)
    assert len(ended) > 1 or most == 5
    np.testing.assert_allclose(scores[:games], [score for score, _ in ended], atol=1e-9)
    assert lengths[:games].tolist() == [lines for _, lines in ended]
    np.testing.assert_allclose(parameters_of(own.network), np.concatenate(network.parts), rtol=0, atol=1e-4)
    np.testing.assert_allclose(parameters_of(squares), np.concatenate(network.squares), rtol=0, atol=1e-2)
    assert size == pytest.approx(np.mean(sizes), rel=1e-4)
    assert (parameters_of(own.network) != FIRST).any()


def test_first_parameters_say_little() -> None:
    network = network_of(FIRST)
    assert abs(network.rows).max() < 0.1
    assert 0.2 < abs(network.out).mean() < 0.8
    assert network.biases.tolist() == [pytest.approx(0.1)] * HIDDEN + [0.0]
