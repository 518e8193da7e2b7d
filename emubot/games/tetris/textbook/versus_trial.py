"""Games of two players as a trial: options in, a row of figures per game out; knows no executor and no file."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import ClassVar, Final

import numpy as np
from numpy.typing import NDArray

from emubot.games.options import read
from emubot.games.tetris.bounds import parse_board
from emubot.games.tetris.evaluation.evaluation import player_of
from emubot.games.tetris.evaluation.features import FEATURES
from emubot.games.tetris.evaluation.names import FEATURE_NAMES, FEATURE_VERSION
from emubot.games.tetris.options import VERSUS, VersusValues
from emubot.games.tetris.textbook.rules import TextbookRules
from emubot.games.tetris.textbook.search import scratch_for
from emubot.games.tetris.textbook.versus import FIGURES, Attacks, fight
from emubot.games.trial import Settings
from emubot.weights import Weights

_OF_RULES: Final = ("board", "generator", "plies")
_OF_ATTACKS: Final = ("solid_every", "combo", "t_spin")


@dataclass(frozen=True, slots=True)
class VersusTrial:
    """Games of two players by the rules of Attacks, on boards by TextbookRules; they end as in `fight`.

    In addition to the figures of `fight` there is `survived`, the fitness of block-battle: the number of turns, or the
    cap if the first player won, as if the game had gone on.
    """

    rules: TextbookRules
    attacks: Attacks

    figures: ClassVar[tuple[str, ...]] = (*FIGURES, "survived")
    sides: ClassVar[int] = 2

    @property
    def settings(self) -> Settings:
        """The rules and every option."""
        named = {name: getattr(self.rules, name) for name in _OF_RULES}
        named |= {name: getattr(self.attacks, name) for name in _OF_ATTACKS}
        return {"rules": VERSUS} | named | {"cap_pieces": self.rules.cap_pieces}

    def play(self, players: Sequence[Weights], seeds: Sequence[int]) -> NDArray[np.int64]:
        """Play one game for each seed; see Trial."""
        one, other = (player_of(player.vector("tetris", FEATURE_NAMES, FEATURE_VERSION)) for player in players)
        rules = self.rules.cells()
        scratches = scratch_for(rules), scratch_for(rules)
        attacks = (self.attacks.solid_every, self.attacks.combo, self.attacks.t_spin)
        games = [fight(np.random.default_rng(seed), rules, attacks, one, other, *scratches) for seed in seeds]
        told = np.array(games, dtype=np.int64).reshape(len(seeds), len(FIGURES))
        wins, pieces = (told[:, FIGURES.index(name)] for name in ("wins", "pieces"))
        return np.column_stack((told, np.where(wins == 1, self.rules.cap_pieces, pieces)))

    def warm_up(self) -> None:
        """Compile or load the kernels."""
        compile_once()


def versus_trial(options: Settings) -> VersusTrial:
    """Returns the trial with these options. Raises UsageError, naming the option, if one is wrong."""
    chosen = read(VersusValues, options, f"the rules {VERSUS}")
    columns, rows = parse_board(chosen.board)
    rules = TextbookRules(
        columns=columns,
        rows=rows,
        generator=chosen.generator,
        plies=chosen.plies,
        previews=max(1, chosen.plies - 1),
        cap_pieces=chosen.cap_pieces,
    )
    return VersusTrial(rules, Attacks(chosen.solid_every, chosen.combo, chosen.t_spin))


def compile_once() -> None:
    """Compile (or load) the kernels, each for its only signature."""
    rules, player = TextbookRules(cap_pieces=1).cells(), player_of(np.zeros(FEATURES))
    fight(np.random.default_rng(0), rules, (0, 0, 0), player, player, scratch_for(rules), scratch_for(rules))
