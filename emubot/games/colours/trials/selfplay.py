"""Plays pairs by the rules alone, without frames and items; knows no RAM, no bridge and no file.

Without gravity every placement that is not blocked counts as reachable. After a lost game the next pair starts on an
empty field. The search is two pairs deep, whatever else the weights have.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, Final, NamedTuple

import numpy as np
from numpy.typing import NDArray

from emubot.errors import UsageError
from emubot.games.bits import popcount
from emubot.games.colours.board.resolve import is_dead
from emubot.games.colours.board.words import Cells, board_of, fill_cells, filled
from emubot.games.colours.evaluation.evaluation import scales_of
from emubot.games.colours.evaluation.features import FEATURES
from emubot.games.colours.evaluation.puyo_names import FEATURE_NAMES, FEATURE_VERSION, GAME
from emubot.games.colours.options import SelfPlayValues
from emubot.games.colours.reach.entry import limits_of
from emubot.games.colours.rules import COLUMNS, FAMICOM_1991, Rules, rules_of
from emubot.games.colours.scoring import table_of
from emubot.games.colours.search.engine import builds, check_features, values_for
from emubot.games.colours.search.two_plies import Play
from emubot.games.colours.trials.pace import FallPace, pace_of
from emubot.games.colours.trials.untimed import Pairs, Tries, fresh_tries, take_turn
from emubot.games.counts import Counts, Watch
from emubot.games.options import read
from emubot.games.trial import Settings
from emubot.jit import kernel
from emubot.weights import Weights

BLOCK: Final = 8192  # pairs drawn at once; the pairs of a seed depend on it
_WATCHED: Final = 1024  # pairs between two calls of the watch: a fraction of a second
_LONGEST: Final = 24
_TOTALS: Final = 3
_DEATHS, _ALL_CLEARS, _SCORE = range(_TOTALS)


class Tallies(NamedTuple):
    """What is counted: puyos after each lock (cells + 1,), lengths of chains (25,), deaths, all-clears and score."""

    heights: NDArray[np.int64]
    chains: NDArray[np.int64]
    totals: NDArray[np.int64]


@dataclass(frozen=True, slots=True)
class Stretch:
    """How a stretch of self-play is played: by which rules, at which pace, and with the weights for which aim."""

    rules: Rules
    pace: FallPace | None = None
    aim: str = ""

    @property
    def settings(self) -> tuple[str, Settings]:
        """The profile, and its options: `colors`, with gravity also `gravity` and `taps`, and `aim` if there is one."""
        told: dict[str, Any] = {"colors": self.rules.colors}
        if self.pace is not None:
            told |= {"gravity": self.pace.gravity, "taps": self.pace.tempo.name}
        return self.rules.name, told | ({"aim": self.aim} if self.aim else {})

    def play(self, seed: int, pairs: int, weights: Weights, watch: Watch | None = None) -> Counts:
        """Returns the counts of these pairs. Raises UsageError for weights that do not play two pairs deep.

        Raises WeightsError for weights of another game.
        """
        check_features(weights)
        chosen = values_for(weights, self.rules, self.aim) if self.aim else weights
        if builds(chosen):
            what = f"for the aim {self.aim} " if self.aim else ""
            raise UsageError(
                f"Self-play is two pairs deep, and these weights {what}value chains that are built by a deeper search: "
                f"{'leave out --aim' if self.aim else 'choose other weights'}."
            )
        vector = chosen.vector(GAME, FEATURE_NAMES, FEATURE_VERSION)
        return play(seed, pairs, self.rules, vector, self.pace.limits(self.rules) if self.pace else None, watch)


def stretch_of(rules: str | None, options: Settings) -> Stretch:
    """Returns what the options of SelfPlayValues describe.

    Raises UsageError for unknown rules, options or values.
    """
    profile = rules_of(rules or FAMICOM_1991.name)
    chosen = read(SelfPlayValues, options, f"self-play by the rules {profile.name}")
    profile = rules_of(profile.name, {"colors": chosen.colors or profile.colors})
    return Stretch(profile, pace_of(chosen.gravity, chosen.taps, None, chosen.given), chosen.aim or "")


def play(
    seed: int,
    pairs: int,
    rules: Rules,
    weights: NDArray[np.float64],
    limits: int | None = None,
    watch: Watch | None = None,
) -> Counts:
    """Play this number of pairs with the next pair known, and return the counts; colours are uniform and independent.

    `weights` are as in evaluation.py, `limits` as in entry.py (None: no time limit). Counts of different seeds may be
    summed. `watch` does not change what is played.
    """
    rng = np.random.default_rng(seed)
    cells = np.zeros((rules.stored_rows, COLUMNS), dtype=np.uint8)
    tallies = Tallies(
        np.zeros(rules.stored_rows * COLUMNS + 1, dtype=np.int64),
        np.zeros(_LONGEST + 1, dtype=np.int64),
        np.zeros(_TOTALS, dtype=np.int64),
    )
    how = Play(limits_of(rules) if limits is None else limits, table_of(rules), scales_of(weights))
    tries = fresh_tries()
    waiting: Pairs = _draw(rng, rules.colors)
    played = 0
    while played < pairs:
        following: Pairs = _draw(rng, rules.colors)
        count = min(BLOCK, pairs - played)
        dealt = np.concatenate((waiting[:count], waiting[count : count + 1], following[:1]))[: count + 1]
        for first in range(0, count, _WATCHED):
            if watch is not None and not watch(played):
                pairs = played
                break
            part = dealt[first : min(first + _WATCHED, count) + 1]
            play_block(cells, part, how, tallies, tries)
            played += len(part) - 1
        waiting = following
    return Counts(
        pieces=played,
        deaths=int(tallies.totals[_DEATHS]),
        all_clears=int(tallies.totals[_ALL_CLEARS]),
        score=int(tallies.totals[_SCORE]),
        heights=tallies.heights,
        chains=tallies.chains,
    )


def compile_once() -> None:
    """Compile or load the kernels."""
    play(0, 1, FAMICOM_1991, np.zeros(FEATURES))


def _draw(rng: np.random.Generator, colors: int) -> Pairs:
    return rng.integers(1, colors + 1, size=(BLOCK, 2), dtype=np.uint8)


@kernel
def play_block(cells: Cells, pairs: Pairs, play: Play, tallies: Tallies, tries: Tries) -> None:
    """Play all pairs but the last, which is only seen; writes the last field to `cells` and adds to the tallies.

    The rest is as for `take_turn`.
    """
    board, pending = board_of(cells), np.int64(0)
    totals, chains = tallies.totals, tallies.chains
    for turn in range(len(pairs) - 1):
        board, chain, points, _ = take_turn(board, pairs, turn, pending, play, tries)
        left, right = filled(board)
        puyos = popcount(left) + popcount(right)
        tallies.heights[puyos] += 1
        chains[min(chain, len(chains) - 1)] += 1
        totals[_SCORE] += points
        if puyos == 0:
            totals[_ALL_CLEARS] += 1
        if is_dead(board, play.table):
            totals[_DEATHS] += 1
            board = (0, 0, 0, 0, 0, 0, 0, 0)
    fill_cells(board, cells)
