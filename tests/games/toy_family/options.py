"""What commands can be told about numbers: rules of its own with options of their own, and choices in its menu."""

from __future__ import annotations

from dataclasses import dataclass

from emubot.games.kinds import Choice, Whole
from emubot.games.options import Bench, GameOptions, Option, RuleSet, Values, option


@dataclass(frozen=True, kw_only=True)
class DealtValues(Values):
    digits: int = option(Whole(low=1, high=3), 3, "different numbers that come")


@dataclass(frozen=True, kw_only=True)
class NumbersValues(DealtValues):
    pieces: int = option(Whole(low=1, high=1000), 20, "end a game after N pieces")


@dataclass(frozen=True, kw_only=True)
class RaceValues(DealtValues):
    triples: int = option(Whole(low=1, high=50), 2, "end a game after N triples")


OPTIONS = GameOptions(
    menus=(
        Option("level", Whole(high=3), None, "how fast numbers fall", "0"),
        Option("tint", Choice(("plain", "bright")), None, "how numbers are drawn", "plain"),
    ),
    rule_sets=(
        RuleSet(("numbers",), "so many pieces", NumbersValues),
        RuleSet(("race",), "as few pieces as possible for some triples", RaceValues),
    ),
    self_play=(RuleSet(("numbers",), "piece after piece", DealtValues),),
    bench=Bench(2_000, {"level": 2, "tint": 1}, 50),
    marks=(20, 40),
)
