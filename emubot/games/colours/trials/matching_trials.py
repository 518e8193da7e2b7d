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
from emubot.games.colours.evaluation.names import FEATURES
from emubot.games.colours.matching_rules import CAPSULES, COLORS, rules_of
from emubot.games.colours.search.cells_engine import Budget, search_for
from emubot.games.colours.search.cells_search import MOST_NODES, NODES, Search
from emubot.games.colours.trials.matching_untimed import Course, Game
from emubot.games.options import Options
from emubot.games.trial import Settings, Trial
from emubot.tempo import MAX_REACTION, parse_taps
from emubot.weights import Weights

FIGURES: Final = ("score", "completed", "pieces", "targets", "lines", "best_chain", "max_filled", "died", "nodes")
STAGE: Final = 20
PIECES: Final = {True: 600, False: 2_000}  # of a game at most, by whether it has a stage
MOST_PIECES: Final = 1_000_000
TARGET_POINTS: Final = 10  # of the score of a stage
SLOWEST: Final = 255  # frames per row
_MOST_STAGE: Final = 99
_OPTIONS: Final = (
    "start_level",
    "cap_pieces",
    "colors",
    "gravity",
    "taps",
    "reaction",
    "plies",
    "nodes",
    "budget_ms",
    "previews",
)


def trial(sides: int, profile: str | None, options: Settings) -> Trial:
    """Returns the trial for games of one player under a profile of rules.

    The options are `start_level`, the stage, and `cap_pieces` of a game; `colors`; `gravity` in frames per row (0: the
    fastest pace, which quickens), `taps` and `reaction`; `nodes` (0: two pieces) or `budget_ms` or `plies` (1 or 2) of
    a decision, and `previews` (0 or 1). Raises UsageError for an invalid number of players, profile, option or value.
    """
    if sides != 1:
        raise UsageError(f"Matching games are measured for one player, not for {sides}.")
    rules = rules_of(profile or CAPSULES.name)
    chosen = Options(options, f"the rules {rules.name}", _OPTIONS)
    rules = replace(rules, colors=chosen.whole("colors", rules.colors, 2, COLORS))
    if "start_level" in options and not rules.targets:
        raise UsageError(f"The rules {rules.name} have no stages: leave out --start-level.")
    if sum(name in options for name in ("nodes", "budget_ms", "plies")) > 1:
        raise UsageError("Give one of --nodes, --budget-ms and --plies.")
    previews = chosen.whole("previews", min(rules.previews, 1), 0, 1)
    nodes = chosen.whole("nodes", NODES, 0, MOST_NODES)
    if "plies" in options:
        previews, nodes = min(previews, chosen.whole("plies", 2, 1, 2) - 1), 0
    tempo = parse_taps(chosen.text("taps", "12hz"))
    course = Course(
        rules,
        replace(tempo, reaction=chosen.whole("reaction", tempo.reaction, 0, MAX_REACTION)),
        chosen.whole("start_level", STAGE if rules.targets else 0, 0, _MOST_STAGE),
        chosen.whole("gravity", 0, 0, SLOWEST),
        previews,
    )
    pieces = chosen.whole("cap_pieces", PIECES[bool(rules.targets)], 1, MOST_PIECES)
    return MatchingTrial(course, pieces, Budget(nodes, chosen.positive("budget_ms")))


class MatchingTrial:
    """Games of one player.

    `score` of a stage is TARGET_POINTS for each target that is gone, and 1 for each piece that was not needed if all
    are; of other games the pieces. `completed` says that no target is left, or that all pieces were played.
    """

    sides = 1
    figures = FIGURES

    def __init__(self, course: Course, pieces: int, budget: Budget) -> None:
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
