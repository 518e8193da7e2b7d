"""Measured games: options in, a row of figures per game out; knows no executor.

Games of rules with targets are one stage each. Games of other rules end when they are lost, or after a number of
pieces.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from typing import Any, Final

import numpy as np
from numpy.typing import NDArray

from emubot.errors import UsageError
from emubot.games.colours.evaluation.matching_names import FEATURES
from emubot.games.colours.matching_rules import CAPSULES, rules_of
from emubot.games.colours.options import PIECES, STAGE, STAGE_PIECES, MatchingValues
from emubot.games.colours.search.matching_search import Budget, Search, search_for
from emubot.games.colours.trials.matching_untimed import Game, MatchingCourse
from emubot.games.options import read, refuse_several
from emubot.games.trial import Settings, Trial
from emubot.tempo import parse_taps
from emubot.weights import Weights

FIGURES: Final = ("score", "completed", "pieces", "targets", "lines", "best_chain", "max_filled", "died", "nodes")
TARGET_POINTS: Final = 10  # of the score of a stage


def trial(sides: int, profile: str | None, options: Settings) -> Trial:
    """Returns the trial for games of one player under a profile of rules, by the options of MatchingValues.

    Without gravity pieces fall at the fastest pace, which quickens. Raises UsageError for an invalid number of players,
    profile, option or value.
    """
    if sides != 1:
        raise UsageError(f"Matching games are measured for one player, not for {sides}.")
    rules = rules_of(profile or CAPSULES.name)
    chosen = read(MatchingValues, options, f"the rules {rules.name}")
    rules = replace(rules, colors=chosen.colors or rules.colors)
    if chosen.start_level is not None and not rules.targets:
        raise UsageError(f"The rules {rules.name} have no stages: leave out --start-level.")
    refuse_several(chosen, ("nodes", "budget_ms", "plies"))
    previews, nodes = min(rules.previews, 1) if chosen.previews is None else chosen.previews, chosen.nodes
    if chosen.plies is not None:
        previews, nodes = min(previews, chosen.plies - 1), 0
    tempo, stage = parse_taps(chosen.taps), STAGE if chosen.start_level is None else chosen.start_level
    course = MatchingCourse(
        rules,
        tempo if chosen.reaction is None else replace(tempo, reaction=chosen.reaction),
        stage if rules.targets else 0,
        chosen.gravity,
        previews,
    )
    pieces = chosen.cap_pieces or (STAGE_PIECES if rules.targets else PIECES)
    return MatchingTrial(course, pieces, Budget(nodes, chosen.budget_ms))


class MatchingTrial:
    """Games of one player.

    `score` of a stage is TARGET_POINTS for each target that is gone, and 1 for each piece that was not needed if all
    are; of other games the pieces. `completed` says that no target is left, or that all pieces were played.
    """

    sides = 1
    figures = FIGURES

    def __init__(self, course: MatchingCourse, pieces: int, budget: Budget) -> None:
        self._course, self._pieces, self._budget = course, pieces, budget

    @property
    def settings(self) -> Settings:
        """The profile, and all options of these games."""
        course, budget = self._course, self._budget
        told: dict[str, Any] = {"rules": course.rules.name}
        if course.rules.targets:
            told["start_level"] = course.stage
        told |= {"cap_pieces": self._pieces, "colors": course.rules.colors, "gravity": course.gravity}
        told |= {"taps": course.tempo.name, "reaction": course.tempo.reaction, "previews": course.previews}
        if budget.milliseconds is not None:
            return told | {"budget_ms": budget.milliseconds}
        return told | {"nodes": budget.nodes}

    def play(self, players: Sequence[Weights], seeds: Sequence[int]) -> NDArray[np.int64]:
        """Play one game for each seed; returns int64 (len(seeds), len(figures)).

        Raises UsageError for more than one player, WeightsError for weights of another game or other features.
        """
        if len(players) != self.sides:
            raise UsageError(f"This is played by one, not by {len(players)}: give one player's weights.")
        search = search_for(players[0], self._course.rules, self._budget)
        return np.array([self._play_one(search, seed) for seed in seeds], dtype=np.int64).reshape(-1, len(FIGURES))

    def warm_up(self) -> None:
        """Compile or load the kernels."""
        course = replace(self._course, stage=0)
        Game(course, Search(course.rules, np.zeros(FEATURES), self._budget.nodes), 0).play_piece()

    def _play_one(self, search: Search, seed: int) -> list[int]:
        game = Game(self._course, search, seed)
        found = dict.fromkeys(FIGURES, 0)
        while game.pieces < self._pieces and not found["completed"]:
            if game.lost:
                found["died"] = 1
                break
            done = game.play_piece()
            found["targets"] += int(done.targets)
            found["lines"] += int(done.lines)
            found["best_chain"] = max(found["best_chain"], int(done.chain))
            found["max_filled"] = max(found["max_filled"], int(np.count_nonzero(game.cells)))
            if game.targets:
                found["completed"] = int(found["targets"] == game.targets)
        if game.targets:
            found["score"] = TARGET_POINTS * found["targets"] + found["completed"] * (self._pieces - game.pieces)
        else:
            found["completed"], found["score"] = int(not found["died"]), game.pieces
        found["pieces"], found["nodes"] = game.pieces, game.nodes
        return [found[name] for name in FIGURES]
