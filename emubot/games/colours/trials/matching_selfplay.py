"""Plays game after game by the rules alone, without frames; knows no RAM, no bridge and no file.

After a game that is lost or a stage that is won the next piece starts another game. The search is two pieces deep.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import Any

import numpy as np

from emubot.games.colours.evaluation.matching_names import FEATURES
from emubot.games.colours.matching_rules import CAPSULES, rules_of
from emubot.games.colours.options import STAGE, MatchingSelfPlayValues
from emubot.games.colours.search.matching_search import Budget, Search, search_for
from emubot.games.colours.trials.matching_untimed import Game, MatchingCourse
from emubot.games.counts import Counts, Watch
from emubot.games.options import read
from emubot.games.trial import Settings
from emubot.tempo import parse_taps
from emubot.weights import Weights

_LONGEST = 24  # chains counted apart
_WATCHED = 20  # pieces between two calls of the watch: a fraction of a second
_GAMES_APART = 1 << 32  # between the seeds of the games of two stretches


@dataclass(frozen=True, slots=True)
class Stretch:
    """How a stretch of self-play is played."""

    course: MatchingCourse

    @property
    def settings(self) -> tuple[str, Settings]:
        """The profile, and its options."""
        course = self.course
        told: dict[str, Any] = {"colors": course.rules.colors, "taps": course.tempo.name}
        return course.rules.name, told | ({"gravity": course.gravity} if course.gravity else {})

    def play(self, seed: int, pieces: int, weights: Weights, watch: Watch | None = None) -> Counts:
        """Returns the counts of these pieces. Raises WeightsError for weights of another game."""
        return _play(self.course, search_for(weights, self.course.rules, Budget(0)), seed, pieces, watch)


def stretch_of(rules: str | None, options: Settings) -> Stretch:
    """Returns what the options of MatchingSelfPlayValues describe.

    Raises UsageError for unknown rules, options or values.
    """
    profile = rules_of(rules or CAPSULES.name)
    chosen = read(MatchingSelfPlayValues, options, f"self-play by the rules {profile.name}")
    profile = replace(profile, colors=chosen.colors or profile.colors)
    return Stretch(MatchingCourse(profile, parse_taps(chosen.taps), STAGE if profile.targets else 0, chosen.gravity))


def compile_once() -> None:
    """Compile or load the kernels."""
    course = MatchingCourse(replace(CAPSULES, targets=()), parse_taps("12hz"))
    _play(course, Search(course.rules, np.zeros(FEATURES), 0), 0, 1)


def _play(course: MatchingCourse, search: Search, seed: int, pieces: int, watch: Watch | None = None) -> Counts:
    heights = np.zeros(course.rules.stored_rows + 1, dtype=np.int64)
    chains = np.zeros(_LONGEST + 1, dtype=np.int64)
    deaths = cleared = lines = points = games = placed = 0
    game = Game(course, search, seed)
    while placed < pieces:
        if watch is not None and placed % _WATCHED == 0 and not watch(placed):
            break
        if game.lost or (game.targets and not game.targets_left):
            games += 1
            game = Game(course, search, seed + games * _GAMES_APART)
        done = game.play_piece()
        filled = np.flatnonzero(game.cells.any(axis=1))
        heights[course.rules.stored_rows - int(filled[0]) if len(filled) else 0] += 1
        chains[min(int(done.chain), _LONGEST)] += 1
        lines += int(done.lines)
        points += int(done.targets)
        cleared += int(not len(filled))
        deaths += int(game.lost)
        placed += 1
    return Counts(placed, deaths, cleared, points, lines, heights, chains)
