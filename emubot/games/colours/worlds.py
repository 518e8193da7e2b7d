"""What environments of pairs and of matching games can be told, as data; imports no kernels."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Final

from emubot.games.colours import matching_rules
from emubot.games.colours.rules import COLORS, FAMICOM_1991, TSU
from emubot.games.kinds import Choice, Text, Whole
from emubot.games.options import Values, option
from emubot.tempo import USUAL_TAPS

POINTS, CHAIN, WINS = "points", "chain", "wins"
TARGETS, CELLS = "targets", "cells"
_MOST_CAP: Final = 10_000_000
_SLOWEST: Final = 255  # frames per row
_MOST_STAGE: Final = 99
_CAP: Final = "cut a game off after N pairs; 0: play to the end"


@dataclass(frozen=True, kw_only=True)
class PuyoWorld(Values):
    """Games of pairs without time, but for what a tap rate cannot reach."""

    rules: str = option(Choice((FAMICOM_1991.name, TSU.name)), FAMICOM_1991.name, "the rules")
    colors: int | None = option(Whole(low=1, high=COLORS), None, "colours in play", "the rules' own")
    gravity: int = option(Whole(high=_SLOWEST), 0, "frames per row of a pair's fall; 0: each column can be reached")
    taps: str = option(Text("RATE", USUAL_TAPS), "30hz", "with gravity: the tap rate, das, or a pattern")
    reward: str = option(
        Choice((POINTS, CHAIN)), POINTS, "what is rewarded: the chain's points, or the number of its steps"
    )
    cap: int = option(Whole(high=_MOST_CAP), 0, _CAP)


@dataclass(frozen=True, kw_only=True)
class PuyoMatchWorld(PuyoWorld):
    """Two players of pairs, whose chains send nuisance to each other."""

    reward: str = option(
        Choice((WINS, POINTS)), WINS, "what is rewarded: 1 for a win and -1 for a loss, or the chain's points"
    )


@dataclass(frozen=True, kw_only=True)
class MatchingWorld(Values):
    """Matching games without time, but for what a tap rate cannot reach."""

    rules: str = option(Choice(tuple(matching_rules.PROFILES)), matching_rules.CAPSULES.name, "the rules")
    colors: int | None = option(Whole(low=2, high=matching_rules.COLORS), None, "colours in play", "the rules' own")
    stage: int = option(Whole(high=_MOST_STAGE), 0, "the stage, where the rules have any")
    gravity: int = option(Whole(high=_SLOWEST), 0, "frames per row of a piece's fall; 0: each column can be reached")
    taps: str = option(Text("RATE", USUAL_TAPS), "30hz", "with gravity: the tap rate, das, or a pattern")
    reward: str = option(Choice((TARGETS, CELLS)), TARGETS, "what is rewarded: targets that vanish, or all cells")
    cap: int = option(Whole(high=_MOST_CAP), 0, "cut a game off after N pieces; 0: play to the end")
