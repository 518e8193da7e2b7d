"""An agent that learns falling blocks by itself, with numpy alone: the value of the board after each drop.

    python docs/examples/learn_to_stack.py [--minutes 10] [--seed 1] [--plot learnt.png] [--out agent.npz]

It knows nothing of the game but what the environment shows. At first it drops each piece on empty boards, to see what
each action fills. Then it plays 128 games at once: it compares the boards that its actions would leave, takes the best
one by a small network, and moves the network's value of the board before towards the lines gained plus the value of the
new board (temporal differences on afterstates). Every half minute, and at the end, it plays games without learning.

docs/reference/environments.md has what it learnt, and how that compares. --plot needs matplotlib.
"""

from __future__ import annotations

import argparse
import time
from pathlib import Path

import gymnasium
import numpy as np

import emubot.gym  # noqa: F401 # which makes the environments known

NAME = "emubot/TextbookTetris-v0"
ROWS, COLUMNS, PIECES = 20, 10, 7
PIECE = 3  # of the counters: lines, score and pieces come before
GAMES, TEST_GAMES, MOST_PIECES = 128, 100, 5_000
DISCOUNT, RATE, HIDDEN = 0.98, 1e-3, 48


def seen_shapes(seed: int) -> tuple[np.ndarray, np.ndarray]:
    """Drop every piece on empty boards.

    Returns the four cells of each piece and action, (row above the floor, column), int64 (pieces, actions, 4, 2), and
    which actions a piece has, bool (pieces, actions).
    """
    games = gymnasium.make_vec(NAME, num_envs=4096)
    observed, info = games.reset(seed=seed)
    actions = games.single_action_space.n
    cells, has = np.zeros((PIECES, actions, 4, 2), dtype=np.int64), np.zeros((PIECES, actions), dtype=bool)
    rng = np.random.default_rng(seed)
    while True:
        pieces, masks = observed["counters"][:, PIECE].copy(), info["action_mask"].astype(bool)
        for piece in range(PIECES):
            has[piece] |= masks[pieces == piece].any(0)
        if (cells[has].any((1, 2))).all() and has.any(1).all():
            return cells, has
        taken = rng.integers(actions, size=len(pieces))
        observed, *_ = games.step(taken)
        for board, piece, action in zip(observed["board"], pieces, taken, strict=True):
            rows, columns = np.nonzero(board)
            if has[piece, action] and len(rows) == 4:
                cells[piece, action] = np.stack([ROWS - 1 - rows, columns], axis=1)
        observed, info = games.reset()


class Agent:
    """A network of one hidden layer that values boards, learnt with Adam."""

    def __init__(self, seed: int) -> None:
        self.cells, self.has = seen_shapes(seed)
        rng = np.random.default_rng(seed)
        inputs = 3 * COLUMNS - 1 + 3
        self.weights = [
            rng.normal(0, 1 / np.sqrt(inputs), (inputs, HIDDEN)),
            np.zeros(HIDDEN),
            rng.normal(0, 1 / np.sqrt(HIDDEN), HIDDEN),
            np.zeros(1),
        ]
        self.moments = [(np.zeros_like(each), np.zeros_like(each)) for each in self.weights]
        self.updates = 0

    def afterstates(self, boards: np.ndarray, pieces: np.ndarray) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
        """Returns what each action leaves, bool (games, actions, rows, columns), its lines, and whether the piece fits.

        The last two are (games, actions).
        """
        games, cells = len(boards), self.cells[pieces]  # (games, actions, 4, 2)
        filled = boards != 0
        heights = np.where(filled.any(1), ROWS - filled.argmax(1), 0)
        below = heights[np.arange(games)[:, None, None], cells[..., 1]]
        lowest = (below - cells[..., 0]).max(2)
        rows = ROWS - 1 - (lowest[..., None] + cells[..., 0])
        fits = (rows >= 0).all(2) & self.has[pieces]
        after = np.repeat(filled[:, None], cells.shape[1], axis=1)
        game, action = np.arange(games)[:, None, None], np.arange(cells.shape[1])[None, :, None]
        after[game, action, np.maximum(rows, 0), cells[..., 1]] = True
        full = after.all(3)
        cleared = full.sum(2)
        for one, other in np.argwhere(cleared):
            kept = after[one, other][~full[one, other]]
            after[one, other] = False
            after[one, other, ROWS - len(kept) :] = kept
        return after, cleared, fits

    @staticmethod
    def sight(boards: np.ndarray) -> np.ndarray:
        """Returns what the network sees of boards (n, rows, columns).

        Of each column its height, the step to the next one and its holes; of the whole board the highest column, all
        steps, and all holes.
        """
        heights = np.where(boards.any(1), ROWS - boards.argmax(1), 0)
        holes = heights - boards.sum(1)
        steps = np.abs(np.diff(heights, axis=1))
        whole = np.stack([heights.max(1) / ROWS, steps.sum(1) / 20, holes.sum(1) / 10], axis=1)
        return np.concatenate([heights / ROWS, np.minimum(steps, 4) / 4, holes / 4, whole], axis=1)

    def values(self, sights: np.ndarray) -> np.ndarray:
        """Returns the values of what was seen."""
        inner, inner_bias, outer, outer_bias = self.weights
        return np.maximum(sights @ inner + inner_bias, 0) @ outer + outer_bias

    def choose(self, boards: np.ndarray, pieces: np.ndarray) -> tuple[np.ndarray, np.ndarray, np.ndarray, np.ndarray]:
        """Returns the best action of each game, what the network sees of its board, its value and its lines."""
        after, cleared, fits = self.afterstates(boards, pieces)
        sights = self.sight(after.reshape(-1, ROWS, COLUMNS)).reshape(*fits.shape, -1)
        worth = np.full(fits.shape, -np.inf)
        worth[fits] = cleared[fits] + DISCOUNT * self.values(sights[fits])
        best = worth.argmax(1)
        games = np.arange(len(boards))
        lost = ~fits.any(1)
        value = np.where(lost, 0.0, worth[games, best])
        return best, sights[games, best], value, cleared[games, best]

    def learn(self, sights: np.ndarray, targets: np.ndarray) -> None:
        """Move the values of what was seen towards targets, by one step of Adam."""
        inner, inner_bias, outer, outer_bias = self.weights
        hidden = np.maximum(sights @ inner + inner_bias, 0)
        error = np.clip(hidden @ outer + outer_bias - targets, -5, 5) / len(targets)
        back = error[:, None] * outer * (hidden > 0)
        slopes = [sights.T @ back, back.sum(0), hidden.T @ error, error.sum(keepdims=True)]
        self.updates += 1
        scale = RATE * np.sqrt(1 - 0.999**self.updates) / (1 - 0.9**self.updates)
        for at, slope in enumerate(slopes):
            mean, square = self.moments[at]
            mean, square = 0.9 * mean + 0.1 * slope, 0.999 * square + 0.001 * slope**2
            self.moments[at] = mean, square
            self.weights[at] = self.weights[at] - scale * mean / (np.sqrt(square) + 1e-8)


def games_of(agent: Agent, seed: int, games: int) -> np.ndarray:
    """Returns the lines of games without learning, each of its own seed, of so many pieces at most."""
    env = gymnasium.make_vec(NAME, num_envs=games, cap=MOST_PIECES)
    observed, _ = env.reset(seed=seed)
    lines, going = np.zeros(games), np.ones(games, dtype=bool)
    while going.any():
        action, *_ = agent.choose(observed["board"], observed["counters"][:, PIECE])
        observed, _, ended, cut, _ = env.step(action)
        over = going & (ended | cut)
        lines[over] = observed["counters"][over, 0]
        going &= ~over
    return lines


def trained(minutes: float, seed: int) -> tuple[Agent, list[tuple[float, float]]]:
    """Returns an agent, and the mean lines of its tests by the minute."""
    agent = Agent(seed)
    env = gymnasium.make_vec(NAME, num_envs=GAMES)
    observed, _ = env.reset(seed=seed)
    began, tests, dropped = time.monotonic(), list[tuple[float, float]](), 0
    before, fresh = None, np.ones(GAMES, dtype=bool)  # what was seen after the last drop of each game
    while (gone := (time.monotonic() - began) / 60) < minutes:
        if gone >= len(tests) / 2:
            mean = float(games_of(agent, 10**6 + len(tests) * TEST_GAMES, 20).mean())
            tests.append((gone, mean))
            print(f"{gone:4.1f} minutes, {dropped:9,} pieces: {mean:7.1f} lines a game", flush=True)
        action, sights, value, _ = agent.choose(observed["board"], observed["counters"][:, PIECE])
        if before is not None and not fresh.all():
            agent.learn(before[~fresh], value[~fresh])
        observed, _, ended, _, _ = env.step(action)
        dropped += GAMES
        if ended.any():  # the board that was left is worth nothing; the next step begins anew
            agent.learn(sights[ended], np.zeros(int(ended.sum())))
        before, fresh = sights, ended | (observed["counters"][:, 2] == 0)
    return agent, tests


def main() -> None:
    """Train, test, and show how it went."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--minutes", type=float, default=10)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--plot", type=Path)
    parser.add_argument("--out", type=Path)
    options = parser.parse_args()
    agent, tests = trained(options.minutes, options.seed)
    lines = games_of(agent, 0, TEST_GAMES)
    error = lines.std(ddof=1) / np.sqrt(len(lines))
    print(f"{len(lines)} games of at most {MOST_PIECES:,} pieces: {lines.mean():.1f} lines, standard error {error:.1f}")
    if options.out:
        np.savez(options.out, *agent.weights)
    if options.plot:
        import matplotlib.pyplot as plt

        figure, axes = plt.subplots(figsize=(7, 4))
        axes.plot(*zip(*tests, strict=True), marker=".", label="20 games without learning")
        axes.axhline(18.4, color="grey", linestyle="--", label="lowest-holes-bumps-lines, 100 games")
        axes.set(xlabel="minutes", ylabel="mean lines a game", yscale="log", title="Learning to stack")
        axes.legend()
        figure.savefig(options.plot, dpi=120)


if __name__ == "__main__":
    main()
