"""The options of matching games: the rules by which they are measured, with what each reads, and those of play.

Imports no kernels, so that help costs nothing.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import TYPE_CHECKING, Final

from emubot.games.colours.matching_bounds import MOST_NODES, NODES
from emubot.games.colours.matching_rules import COLORS, PROFILES
from emubot.games.kinds import Choice, Milliseconds, Text, Whole
from emubot.games.options import Bench, GameOptions, Option, RuleSet, Values, option
from emubot.tempo import MAX_REACTION, USUAL_TAPS

if TYPE_CHECKING:
    from emubot.games.recipes import Recipe

STAGE: Final = 20
PIECES: Final = 2_000  # of a game at most
STAGE_PIECES: Final = 600  # of a stage at most
SLOWEST: Final = 255  # frames per row
_MOST_PIECES: Final = 1_000_000
_MOST_STAGE: Final = 99
_GRAVITY: Final = "frames per row; 0: the fastest pace, which quickens"
_TAPS: Final = "the tap rate: 10hz to 30hz, das, or a pattern such as ..X...."


@dataclass(frozen=True, kw_only=True)
class SelfPlayValues(Values):
    """Self-play; what all games read."""

    colors: int | None = option(Whole(low=2, high=COLORS), None, "colours in play", "the rules' own")
    gravity: int = option(Whole("FRAMES", high=SLOWEST), 0, _GRAVITY)
    taps: str = option(Text("RATE", USUAL_TAPS), "12hz", _TAPS)


@dataclass(frozen=True, kw_only=True)
class MatchingValues(SelfPlayValues):
    """Games of one player."""

    start_level: int | None = option(Whole(high=_MOST_STAGE), None, "the stage, where the rules have any", f"{STAGE}")
    cap_pieces: int | None = option(
        Whole(low=1, high=_MOST_PIECES),
        None,
        "end a game after N pieces",
        f"{PIECES}, of a stage {STAGE_PIECES}",
    )
    reaction: int | None = option(
        Whole("FRAMES", high=MAX_REACTION), None, "frames before the first input of a piece", "that of the taps"
    )
    nodes: int = option(Whole(high=MOST_NODES), NODES, "fields of a decision; 0: two pieces")
    budget_ms: float | None = option(
        Milliseconds(), None, "milliseconds of a decision instead of --nodes; results do not repeat"
    )
    plies: int | None = option(Whole(low=1, high=2), None, "search so many pieces deep instead of --nodes")
    previews: int | None = option(Whole(high=1), None, "how many next pieces the player sees", "the rules' own")


def _recipes() -> Mapping[str, Recipe]:
    from emubot.games.colours.matching_recipes import RECIPES

    return RECIPES


OPTIONS: Final = GameOptions(
    menus=(
        Option("level", Whole(), None, "the stage", "0; the map defines the stages"),
        Option("colors", Whole(low=1), None, "colours in play, if the menus offer a choice", label="Colours"),
        Option("pace", Choice(("slow", "medium", "fast")), None, "how fast pieces fall, if the menus offer a choice"),
    ),
    strength=(
        Option(
            "nodes",
            Whole(),
            None,
            "fields that a decision may value; 0: two pieces",
            str(NODES),
            label="Boards a decision",
        ),
        Option(
            "budget_ms",
            Milliseconds(),
            None,
            "time of a decision instead of --nodes: as much as this machine can do in it, so results do not repeat",
            label="Milliseconds a decision",
        ),
    ),
    rule_sets=(RuleSet(tuple(PROFILES), "games of one player", MatchingValues),),
    self_play=(RuleSet(tuple(PROFILES), "two pieces deep", SelfPlayValues),),
    recipes=_recipes,
    bench=Bench(50_000, {"level": 9}),
    marks=(10, 20),
)
