"""What environments of pairs and of matching games can be told, as data; imports no kernels."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Final

from emubot.games.colours import matching_rules
from emubot.games.colours.rules import COLORS, FAMICOM_1991, TSU
from emubot.games.kinds import Choice, Text, Whole
from emubot.games.offers import ACTIONS, PLACEMENTS
from emubot.games.options import Values, option
from emubot.tempo import USUAL_TAPS

POINTS, CHAIN, WINS = "points", "chain", "wins"
TARGETS, CELLS = "targets", "cells"
_MOST_CAP: Final = 10_000_000
_SLOWEST: Final = 255  # frames per row
_MOST_STAGE: Final = 99
_MOST_LEVEL: Final = 15
_MOST_SKIP: Final = 60
_ACTIONS: Final = "a pad a frame, or where a {piece} locks"
_SKIP: Final = "with frames: the frames for which a pad is held"
_TAPS: Final = "with placements and gravity: the tap rate, das, or a pattern"
_CAP: Final = "cut a game off after N frames, or N {piece}s; 0: play to the end"
_GRAVITY: Final = "with placements: frames per row of a {piece}'s fall; 0: each column can be reached"


@dataclass(frozen=True, kw_only=True)
class PuyoWorld(Values):
    """Games of pairs: frame by frame, or without time but for what a tap rate cannot reach."""

    actions: str = option(Choice(ACTIONS), PLACEMENTS, _ACTIONS.format(piece="pair"))
    rules: str = option(Choice((FAMICOM_1991.name, TSU.name)), FAMICOM_1991.name, "the rules")
    colors: int | None = option(Whole(low=1, high=COLORS), None, "colours in play", "the rules' own")
    start_level: int = option(Whole(high=_MOST_LEVEL), 0, "with frames: the start level")
    frame_skip: int = option(Whole(low=1, high=_MOST_SKIP), 1, _SKIP)
    gravity: int = option(Whole(high=_SLOWEST), 0, _GRAVITY.format(piece="pair"))
    taps: str = option(Text("RATE", USUAL_TAPS), "30hz", _TAPS)
    reward: str = option(
        Choice((POINTS, CHAIN)), POINTS, "what is rewarded: the chain's points, or the number of its steps"
    )
    cap: int = option(Whole(high=_MOST_CAP), 0, _CAP.format(piece="pair"))


@dataclass(frozen=True, kw_only=True)
class PuyoMatchWorld(PuyoWorld):
    """Two players of pairs, whose chains send nuisance to each other."""

    reward: str = option(
        Choice((WINS, POINTS)), WINS, "what is rewarded: 1 for a win and -1 for a loss, or the chain's points"
    )


@dataclass(frozen=True, kw_only=True)
class MatchingWorld(Values):
    """Matching games: frame by frame, or without time but for what a tap rate cannot reach."""

    actions: str = option(Choice(ACTIONS), PLACEMENTS, _ACTIONS.format(piece="piece"))
    rules: str = option(Choice(tuple(matching_rules.PROFILES)), matching_rules.CAPSULES.name, "the rules")
    colors: int | None = option(Whole(low=2, high=matching_rules.COLORS), None, "colours in play", "the rules' own")
    stage: int = option(Whole(high=_MOST_STAGE), 0, "the stage, where the rules have any")
    pace: str = option(Choice(matching_rules.PACES), matching_rules.PACES[1], "with frames: how fast a stage begins")
    frame_skip: int = option(Whole(low=1, high=_MOST_SKIP), 1, _SKIP)
    gravity: int = option(Whole(high=_SLOWEST), 0, _GRAVITY.format(piece="piece"))
    taps: str = option(Text("RATE", USUAL_TAPS), "30hz", _TAPS)
    reward: str = option(Choice((TARGETS, CELLS)), TARGETS, "what is rewarded: targets that vanish, or all cells")
    cap: int = option(Whole(high=_MOST_CAP), 0, _CAP.format(piece="piece"))
