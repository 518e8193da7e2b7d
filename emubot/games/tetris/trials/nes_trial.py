"""Untimed games of NES Tetris to be measured: its reach, gravity, dealing and points; knows no frames and no file.

A search of two plies chooses the place of each piece among those that the tempo can reach in time. A piece that can
lock nowhere ends the game. Pieces come by the cartridge's rule (facts: NES Tetris 5.2), but from independent random
numbers, because its generator counts frames. Soft drop gives no points.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any, ClassVar, Final

import numpy as np
from numpy.typing import NDArray

from emubot.errors import UsageError
from emubot.games.options import Options
from emubot.games.tetris.board.board import BOARD_ROWS, Words
from emubot.games.tetris.evaluation.evaluation import Player, player_of
from emubot.games.tetris.evaluation.features import FEATURE_NAMES, FEATURE_VERSION, FEATURES
from emubot.games.tetris.generator import DRAWS, deal
from emubot.games.tetris.reach.start import input_rules_of
from emubot.games.tetris.reach.state import InputRules
from emubot.games.tetris.rules import COLUMNS, NES_NTSC, PROFILES, ROWS, Profile
from emubot.games.tetris.trials.untimed import Scratch, place, scratch_for
from emubot.games.trial import Settings
from emubot.jit import Scalar, kernel
from emubot.tempo import MAX_REACTION, Tempo, parse_taps
from emubot.weights import Weights

_KILL_SCREEN: Final = 29
_FIGURES: Final = ("score", "lines", "pieces", "tetrises", "level", "reached_29", "nodes")
_SCORE, _LINES, _PIECES, _TETRISES, _LEVEL, _REACHED, _NODES = range(len(_FIGURES))


@dataclass(frozen=True, slots=True)
class NesTrial:
    """A-type games from `start_level`. A game ends by a top-out, or after `stop_lines` lines if that is not 0."""

    profile: Profile
    tempo: Tempo
    start_level: int
    stop_lines: int

    figures: ClassVar[tuple[str, ...]] = _FIGURES
    sides: ClassVar[int] = 1

    @property
    def settings(self) -> Settings:
        """The rules and every option."""
        return {
            "rules": self.profile.name,
            "start_level": self.start_level,
            "taps": self.tempo.name,
            "reaction": self.tempo.reaction,
            "stop_lines": self.stop_lines,
        }

    def play(self, players: Sequence[Weights], seeds: Sequence[int]) -> NDArray[np.int64]:
        """Play one game for each seed; see Trial."""
        (weights,) = players
        vector = weights.vector("tetris", FEATURE_NAMES, FEATURE_VERSION, (COLUMNS, ROWS))
        player = player_of(vector)
        results = np.zeros((len(seeds), len(_FIGURES)), dtype=np.int64)
        input_rules, gravity = input_rules_of(self.tempo, self.profile), np.array(self.profile.gravity, dtype=np.int64)
        scratch = scratch_for(input_rules)
        for seed, result in zip(seeds, results, strict=True):
            rng = np.random.default_rng(seed)
            play_game(rng, self.start_level, self.stop_lines, gravity, input_rules, player, scratch, result)
        return results

    def warm_up(self) -> None:
        """Compile or load the kernels."""
        compile_once()


def nes_trial(options: Mapping[str, Any], rules: str = NES_NTSC.name) -> NesTrial:
    """Returns the trial with these options. Raises UsageError if there are no such rules, options or values."""
    chosen = Options(options, f"the rules {rules}", ("start_level", "taps", "reaction", "stop_lines"))
    tempo = parse_taps(chosen.text("taps", "12hz"))
    reaction = chosen.whole("reaction", tempo.reaction, 0, MAX_REACTION)
    if rules not in PROFILES:
        raise UsageError(f"NES Tetris has no rules {rules!r}; known: {', '.join(PROFILES)}.")
    return NesTrial(
        PROFILES[rules],
        replace(tempo, reaction=reaction),
        chosen.whole("start_level", 18, 0, 255),
        chosen.whole("stop_lines", 0, 0, 1_000_000),
    )


def compile_once() -> None:
    """Compile (or load) the kernels, each for its only signature."""
    input_rules, result = input_rules_of(parse_taps("30hz"), NES_NTSC), np.zeros(len(_FIGURES), dtype=np.int64)
    gravity, rng = np.array(NES_NTSC.gravity, dtype=np.int64), np.random.default_rng(0)
    play_game(rng, 0, 1, gravity, input_rules, player_of(np.zeros(FEATURES)), scratch_for(input_rules), result)


@kernel
def play_game(
    rng: np.random.Generator,
    start_level: Scalar,
    stop_lines: Scalar,
    gravity: Words,
    input_rules: InputRules,
    player: Player,
    scratch: Scratch,
    result: Words,
) -> None:
    """Play one game to its end and write its figures into result (7,); `gravity` to `scratch` as in untimed.place."""
    rows = np.zeros(BOARD_ROWS, dtype=np.uint16)
    result[:] = 0
    level, lines = start_level, 0
    piece = deal(-1, rng.integers(0, DRAWS), rng.integers(0, DRAWS))
    following = deal(piece, rng.integers(0, DRAWS), rng.integers(0, DRAWS))
    while stop_lines == 0 or lines < stop_lines:
        cleared, level, points, nodes = place(
            rows, piece, following, level, lines, gravity, input_rules, player, scratch
        )
        result[_NODES] += nodes
        if cleared < 0:
            break
        lines += cleared
        result[_SCORE] += points
        result[_PIECES] += 1
        result[_TETRISES] += cleared == 4
        if level >= _KILL_SCREEN:
            result[_REACHED] = 1
        piece = following
        following = deal(piece, rng.integers(0, DRAWS), rng.integers(0, DRAWS))
    result[_LINES], result[_LEVEL] = lines, level
