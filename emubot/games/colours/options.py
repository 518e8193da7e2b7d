"""The options of pairs and of matching games: the rules by which they are measured, and those of play.

Imports no kernels, so that help costs nothing.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import TYPE_CHECKING, Final

from emubot.games.colours import matching_rules
from emubot.games.colours.bounds import (
    AIMS,
    CHAIN,
    MATCHING_NODES,
    MOST_MATCHING_NODES,
    MOST_NODES,
    MOST_WIDTH,
    NODES,
    SCORE,
    SURVIVE,
)
from emubot.games.colours.rules import COLORS, FAMICOM_1991, MOST_PREVIEWS, TSU
from emubot.games.counts import Published
from emubot.games.kinds import Choice, Milliseconds, Text, Whole
from emubot.games.options import Bench, GameOptions, Option, RuleSet, Values, option
from emubot.tempo import MAX_REACTION, USUAL_TAPS

if TYPE_CHECKING:
    from emubot.games.recipes import Recipe

PAIRS: Final = 1_000  # of a game at most
CHAIN_PAIRS: Final = 50  # of a game for one chain: the others' benchmarks (facts: Famicom Puyo 8)
STOP_POINTS: Final = 80_000  # a chain with which such a game ends
BATTLE_PAIRS: Final = 500  # of a battle at most: if no player has lost by then, it is a draw
SLOWEST: Final = 255  # frames per row
KNOWN, UNKNOWN = "known", "unknown"
_MOST_PAIRS: Final = 10_000_000
_MOST_POINTS: Final = 10_000_000
_MOST_PRICE: Final = 1_000_000
_PLIES: Final = 2  # the only depth that can be asked for: the same as --nodes 0
STAGE: Final = 20
PIECES: Final = 2_000  # of a matching game at most
STAGE_PIECES: Final = 600  # of a stage at most
_MOST_PIECES: Final = 1_000_000
_MOST_STAGE: Final = 99
_GRAVITY: Final = "frames per row of a pair's fall, 2 at the highest level; 0: no time limit"
_PIECE_GRAVITY: Final = "frames per row; 0: the fastest pace, which quickens"
_TAPS: Final = "with --gravity: the tap rate, 10hz to 30hz, das, or a pattern such as ..X...."
_PIECE_TAPS: Final = "the tap rate: 10hz to 30hz, das, or a pattern such as ..X...."


@dataclass(frozen=True, kw_only=True)
class BattleValues(Values):
    """Battles of two; what all games of pairs read."""

    colors: int | None = option(Whole(low=1, high=COLORS), None, "colours in play", "the rules' own", often=True)
    pairs: int | None = option(Whole(low=1, high=_MOST_PAIRS), None, "end a game after N pairs", f"{BATTLE_PAIRS}")
    gravity: int = option(Whole("FRAMES", high=SLOWEST), 0, _GRAVITY)
    taps: str = option(Text("RATE", USUAL_TAPS), "30hz", _TAPS, often=True)
    reaction: int | None = option(
        Whole("FRAMES", high=MAX_REACTION),
        None,
        "with --gravity: frames before the first input of a pair",
        "that of the taps",
    )
    nodes: int = option(
        Whole(high=MOST_NODES), NODES, "fields of a decision, by default below 16 ms; 0: two pairs by features"
    )
    budget_ms: float | None = option(
        Milliseconds(), None, "milliseconds of a decision instead of --nodes; results do not repeat"
    )
    plies: int | None = option(Whole(low=_PLIES, high=_PLIES), None, "2: search no deeper than the next pair")
    previews: int | None = option(
        Whole(high=MOST_PREVIEWS), None, "how many next pairs the player sees", "the rules' own"
    )


@dataclass(frozen=True, kw_only=True)
class AloneValues(BattleValues):
    """Games of pairs of one player."""

    pairs: int | None = option(
        Whole(low=1, high=_MOST_PAIRS), None, "end a game after N pairs", f"{PAIRS}, for one chain {CHAIN_PAIRS}"
    )
    aim: str | None = option(
        Choice((SCORE, CHAIN, SURVIVE)),
        None,
        "what is played for; chain: one large chain",
        f"{SCORE}, by the rules {TSU.name} {CHAIN}",
    )
    horizon: str = option(
        Choice((KNOWN, UNKNOWN)), KNOWN, "whether the search knows after how many pairs the game ends"
    )
    stop_points: int | None = option(
        Whole(high=_MOST_POINTS),
        None,
        "a chain of N points or more ends the game; 0: none",
        f"0, for one chain {STOP_POINTS}",
    )
    sequences: str = option(
        Text("FILE"), "", "the games of a file: a line of letters RGBYPO each, two a pair, the pivot first"
    )
    foreseen: int = option(
        Whole("WIDTH", high=MOST_WIDTH),
        0,
        "for training: no game, but one search of this width that sees all its pairs; 0: games",
    )
    pair_price: int = option(Whole(high=_MOST_PRICE), 0, "with --foreseen: points that each pair before a chain costs")


@dataclass(frozen=True, kw_only=True)
class SelfPlayValues(Values):
    """Self-play of pairs."""

    colors: int | None = option(Whole(low=1, high=COLORS), None, "colours in play", "the rules' own", often=True)
    gravity: int = option(Whole("FRAMES", high=SLOWEST), 0, _GRAVITY)
    taps: str = option(Text("RATE", USUAL_TAPS), "30hz", _TAPS, often=True)
    aim: str | None = option(Choice(AIMS), None, "play by the weights' set for an aim, such as survive")


@dataclass(frozen=True, kw_only=True)
class MatchingSelfPlayValues(Values):
    """Self-play; what all matching games read."""

    colors: int | None = option(
        Whole(low=2, high=matching_rules.COLORS), None, "colours in play", "the rules' own", often=True
    )
    gravity: int = option(Whole("FRAMES", high=SLOWEST), 0, _PIECE_GRAVITY)
    taps: str = option(Text("RATE", USUAL_TAPS), "12hz", _PIECE_TAPS)


@dataclass(frozen=True, kw_only=True)
class MatchingValues(MatchingSelfPlayValues):
    """Matching games of one player."""

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
    nodes: int = option(Whole(high=MOST_MATCHING_NODES), MATCHING_NODES, "fields of a decision; 0: two pieces")
    budget_ms: float | None = option(
        Milliseconds(), None, "milliseconds of a decision instead of --nodes; results do not repeat"
    )
    plies: int | None = option(Whole(low=1, high=2), None, "search so many pieces deep instead of --nodes")
    previews: int | None = option(Whole(high=1), None, "how many next pieces the player sees", "the rules' own")


# Six colours are assumed.
_ARTICLE: Final = Published(
    weights_sha256="95ab7fed984fb40e991f802fa488f1c223f16d844dcbea89f26398c1af5ca8f2",  # of weights/reference.json
    rules=FAMICOM_1991.name,
    options={"colors": 6},
    source="meatfighter.com, article on the Puyo Puyo AI plug-in (2017); no items, number of colours not reported",
    pieces=50_000_000,
    deaths=0,
    all_clears=3_326,
    mean=10.0,
    highest=37,
    odds=((42, -17.0), (84, -89.0)),
)
_PROFILES: Final = (FAMICOM_1991.name, TSU.name)


def _pair_recipes() -> Mapping[str, Recipe]:
    from emubot.games.colours.recipes import PAIRS

    return PAIRS


def _matching_recipes() -> Mapping[str, Recipe]:
    from emubot.games.colours.recipes import MATCHING

    return MATCHING


_COLORS: Final = Option("colors", Whole(low=1), None, "colours in play, if the menus offer a choice", label="Colours")
_BUDGET_MS: Final = Option(
    "budget_ms",
    Milliseconds(),
    None,
    "time of a decision instead of --nodes: as much as this machine can do in it, so results do not repeat",
    label="Milliseconds a decision",
)


def _pace(what: str) -> Option:
    help_text = f"how fast {what} fall, if the menus offer a choice"
    return Option("pace", Choice(("slow", "medium", "fast")), None, help_text)


def _nodes(instead: str, default: int) -> Option:
    help_text = f"fields that a decision may value; 0: {instead}"
    return Option("nodes", Whole(), None, help_text, str(default), label="Boards a decision")


PUYO_OPTIONS: Final = GameOptions(
    menus=(
        Option("level", Whole(), None, "the start level", "0; the map defines the levels", often=True),
        _COLORS,
        _pace("pairs"),
        Option("items", Choice(("off", "on")), None, "whether items come, if the menus offer a choice"),
    ),
    strength=(
        _nodes("two pairs by features", NODES),
        _BUDGET_MS,
        Option(
            "aim",
            Choice(AIMS),
            None,
            "what to play for; chain: one large chain",
            "score; battle where two meet",
            label="Plays for",
        ),
    ),
    rule_sets=(
        RuleSet(_PROFILES, "games of one player", AloneValues),
        RuleSet(_PROFILES, "battles of two players (--battle)", BattleValues, sides=2),
    ),
    self_play=(RuleSet(_PROFILES, "two pairs deep", SelfPlayValues),),
    recipes=_pair_recipes,
    bench=Bench(50_000, {"level": 9}, 20_000),
    marks=(42, 84),  # half of the playfield, and all of it
    published=(_ARTICLE,),
)

MATCHING_OPTIONS: Final = GameOptions(
    menus=(
        Option("level", Whole(), None, "the stage", "0; the map defines the stages", often=True),
        _COLORS,
        _pace("pieces"),
    ),
    strength=(
        _nodes("two pieces", MATCHING_NODES),
        _BUDGET_MS,
    ),
    rule_sets=(RuleSet(tuple(matching_rules.PROFILES), "games of one player", MatchingValues),),
    self_play=(RuleSet(tuple(matching_rules.PROFILES), "two pieces deep", MatchingSelfPlayValues),),
    recipes=_matching_recipes,
    bench=Bench(50_000, {"level": 9}),
    marks=(10, 20),
)
