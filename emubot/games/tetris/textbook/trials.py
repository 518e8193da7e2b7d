"""The textbook game as a trial: options in, a row of figures per game out; knows no executor and no file."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import ClassVar

import numpy as np
from numpy.typing import NDArray

from emubot.errors import UsageError
from emubot.games.options import options_of, read
from emubot.games.tetris.bounds import parse_board
from emubot.games.tetris.evaluation.evaluation import player_of
from emubot.games.tetris.evaluation.features import FEATURES
from emubot.games.tetris.evaluation.names import FEATURE_NAMES, FEATURE_VERSION
from emubot.games.tetris.evaluation.tuples import TUPLES_VERSION
from emubot.games.tetris.options import TEXTBOOK, TextbookValues
from emubot.games.tetris.textbook.explore import explored
from emubot.games.tetris.textbook.learning import fresh, learnt
from emubot.games.tetris.textbook.play import FIGURES, play
from emubot.games.tetris.textbook.rules import TextbookRules
from emubot.games.tetris.textbook.search import scratch_for
from emubot.games.trial import Settings
from emubot.weight_parts import FeatureSet, Tables
from emubot.weights import Weights


@dataclass(frozen=True, slots=True)
class TextbookTrial:
    """Games of one player; rules and top-out are those of TextbookRules."""

    rules: TextbookRules

    figures: ClassVar[tuple[str, ...]] = FIGURES
    sides: ClassVar[int] = 1

    @property
    def settings(self) -> Settings:
        """The rules and every option; `expect` only if it is used, so that runs from before it go on."""
        named = {one.name: getattr(self.rules, one.name) for one in options_of(TextbookValues)}
        if self.rules.expect == 0:
            del named["expect"]
        return {"rules": TEXTBOOK} | named

    def play(self, players: Sequence[Weights], seeds: Sequence[int]) -> NDArray[np.int64]:
        """Play one game for each seed; see Trial."""
        (weights,) = players
        player = player_of(self._vector(weights))
        rules = self.rules.cells()
        scratch = scratch_for(rules)
        games = [play(np.random.default_rng(seed), rules, player, scratch) for seed in seeds]
        return np.array(games, dtype=np.int64).reshape(len(seeds), len(FIGURES))

    def warm_up(self) -> None:
        """Compile or load the kernels."""
        compile_once()

    def explore(
        self, player: Weights, seeds: Sequence[int], epsilon: float, pieces: int
    ) -> tuple[NDArray[np.float64], NDArray[np.float64], NDArray[np.int64], NDArray[np.int64]]:
        """See training.dqn.Explorable; a lock clears lines."""
        inputs = [FEATURE_NAMES.index(name) for name in player.features.names]
        return explored(self.rules, self._vector(player), inputs, seeds, epsilon, pieces)

    def fresh_tables(self) -> NDArray[np.float64]:
        """Returns untrained value tables; see training.td.Tabular."""
        return fresh(self.rules)

    def learn_tables(
        self, known: NDArray[np.float64], seed: int, pieces: int, rate: float, gamma: float, line_reward: float
    ) -> tuple[NDArray[np.float64], NDArray[np.int64], float]:
        """Returns the tables after `pieces` pieces, the lines of each game, the mean size of the differences."""
        learned = learnt(self.rules, known, seed, pieces, rate, gamma, line_reward)
        return learned.known, learned.lines, learned.difference

    def weights_of_tables(self, values: NDArray[np.float64], line_reward: float) -> Weights:
        """Returns the weights that play by these values."""
        board = Tables(
            version=TUPLES_VERSION,
            columns=self.rules.columns,
            rows=self.rules.rows,
            entries=tuple(values.tolist()),
        )
        features = FeatureSet(version=FEATURE_VERSION, names=("rows_removed",))
        return Weights(game="tetris", features=features, values=(line_reward,), tables=board)

    def _vector(self, weights: Weights) -> NDArray[np.float64]:
        board = self.rules.columns, self.rules.rows
        return weights.vector("tetris", FEATURE_NAMES, FEATURE_VERSION, board)


def textbook_trial(options: Settings) -> TextbookTrial:
    """Returns the trial with these options. Raises UsageError, naming the option, if one is wrong."""
    chosen = read(TextbookValues, options, f"the rules {TEXTBOOK}")
    columns, rows = parse_board(chosen.board)
    plies = chosen.plies
    previews = chosen.previews or max(1, plies - 1)
    if plies > previews + 1:
        raise UsageError(f"--plies {plies} needs --previews {plies - 1}: only pieces that are shown can be searched.")
    return TextbookTrial(
        TextbookRules(
            columns=columns,
            rows=rows,
            generator=chosen.generator,
            plies=plies,
            hold=chosen.hold,
            previews=previews,
            expect=chosen.expect,
            cap_lines=chosen.cap_lines,
            cap_pieces=chosen.cap_pieces,
        )
    )


def compile_once() -> None:
    """Compile (or load) the kernels, each for its only signature."""
    rules = TextbookRules(plies=2, cap_pieces=1).cells()
    play(np.random.default_rng(0), rules, player_of(np.zeros(FEATURES)), scratch_for(rules))
