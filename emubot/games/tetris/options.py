"""The options of Tetris: the rules by which its games are measured, with what each reads, and those of play.

Imports no kernels, so that help costs nothing.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, Final

from emubot.errors import UsageError
from emubot.games.kinds import Choice, Flag, Milliseconds, Share, Text, Whole
from emubot.games.options import Bench, GameOptions, Option, RuleSet, Values, flag_of, option
from emubot.games.tetris.bounds import (
    AIMS,
    GENERATORS,
    MOST_BONUS,
    MOST_CAP,
    MOST_EXPECTED,
    MOST_NODES,
    MOST_PREVIEWS,
    MOST_THREADS,
    NEUTRAL,
    NODES,
    SCORE,
)
from emubot.games.tetris.rules import GARBAGE_ROWS, NES_NTSC, NES_PAL, TYPES
from emubot.tempo import MAX_REACTION, USUAL_TAPS

if TYPE_CHECKING:
    from emubot.games.recipes import Recipe

NES: Final = "nes"  # short for the release that is most played
TEXTBOOK: Final = "textbook"
VERSUS: Final = "versus"
BLIND, AWARE = "blind", "aware"
_HIGHEST_LEVEL: Final = 255
_HIGHEST_START: Final = 19  # of the cartridge's menus
_MOST_LINES: Final = 1_000_000
_PLIES: Final = 1 + MOST_PREVIEWS
_TAPS: Final = "the tap rate: 10hz to 30hz, das, or a pattern such as ..X...."
_BOARD: Final = "10x20"


@dataclass(frozen=True, kw_only=True)
class NesValues(Values):
    """Games of NES Tetris."""

    start_level: int = option(Whole(high=_HIGHEST_LEVEL), 18, "the start level", often=True)
    taps: str = option(Text("RATE", USUAL_TAPS), "12hz", _TAPS, often=True)
    reaction: int | None = option(
        Whole("FRAMES", high=MAX_REACTION), None, "frames before the first input of a piece", "that of the taps"
    )
    see_next: int = option(
        Whole("FRAMES", high=MAX_REACTION),
        0,
        "frames before the next piece is shown; hands move before, and may change course then",
    )
    start_lines: int = option(Whole(high=_MOST_LINES), 0, "the lines that a game has before its first piece")
    stop_lines: int = option(Whole(high=_MOST_LINES), 0, "end a game after N lines; 0: play to the top-out", often=True)
    double_killscreen: int = option(
        Whole("LEVEL", high=_HIGHEST_LEVEL),
        0,
        "a piece falls two rows a frame from this level on, as some modified cartridges have it; 0: never",
    )
    halt: int = option(Whole("LEVEL", high=_HIGHEST_LEVEL), 0, "end a game at this level; 0: do not")
    crashes: bool = option(
        Flag(), False, "from level 155 on a lock may crash the game, as on the original; --aim survive plays around it"
    )
    nodes: int = option(
        Whole(high=MOST_NODES), NODES, "boards of a decision, by default below 16 ms; 0: two pieces by features"
    )
    budget_ms: float | None = option(
        Milliseconds(), None, "milliseconds of a decision instead of --nodes; results do not repeat"
    )
    aim: str = option(Choice(AIMS), SCORE, "what is played for; survive: lines, and no risk for points")
    aggression: float = option(Share(), NEUTRAL, "how much risk of dying is taken for points, in A-type")
    type: str = option(Choice(TYPES), TYPES[0], "B-type begins with garbage and ends after 25 lines")
    height: int = option(Whole(high=len(GARBAGE_ROWS) - 1), 0, "with --type b: the height of the garbage")
    rng: str = option(
        Choice((BLIND, AWARE)), BLIND, "aware reads the generator and chooses the pieces, a class of its own"
    )


@dataclass(frozen=True, kw_only=True)
class AwareValues(Values):
    """Games of NES Tetris whose player reads the generator."""

    rng: str = option(Choice((BLIND, AWARE)), BLIND, "aware: the class of these games")
    start_level: int = option(Whole(high=_HIGHEST_START), 18, "the start level", often=True)
    taps: str = option(Text("RATE", USUAL_TAPS), "12hz", _TAPS, often=True)
    stop_lines: int = option(Whole(high=_MOST_LINES), 0, "end a game after N lines; 0: play to the top-out", often=True)
    nodes: int = option(Whole(low=1, high=MOST_NODES), NODES, "boards of a decision, about")


@dataclass(frozen=True, kw_only=True)
class TextbookValues(Values):
    """Games of one player on a board without time."""

    board: str = option(Text("CxR", ("10x20", "10x12", "10x10")), _BOARD, "columns and rows of the board", often=True)
    generator: str = option(Choice(GENERATORS), "uniform", "the random generator of pieces")
    plies: int = option(Whole(low=1, high=_PLIES), 1, "how many pieces deep the search looks", often=True)
    hold: bool = option(Flag(), False, "allow the player to hold one piece")
    previews: int | None = option(
        Whole(low=1, high=MOST_PREVIEWS), None, "how many next pieces the player sees", "as many as --plies needs"
    )
    expect: int = option(
        Whole("K", high=MOST_EXPECTED),
        0,
        "compare the K best drops by the mean over all pieces that may follow; 0: do not",
    )
    cap_lines: int = option(Whole(high=MOST_CAP), 0, "end a game after N lines; 0: play to the top-out", often=True)
    cap_pieces: int = option(Whole(high=MOST_CAP), 0, "end a game after N pieces; 0: play to the top-out")


@dataclass(frozen=True, kw_only=True)
class VersusValues(Values):
    """Games of two players on boards without time."""

    board: str = option(Text("CxR", ("10x20", "10x12", "10x10")), _BOARD, "columns and rows of the board", often=True)
    generator: str = option(Choice(GENERATORS), "bag", "the random generator of pieces")
    plies: int = option(Whole(low=1, high=_PLIES), 1, "how many pieces deep the search looks", often=True)
    solid_every: int = option(Whole(high=MOST_CAP), 0, "a solid row rises every N pieces; 0: none")
    combo: int = option(Whole("ROWS", high=MOST_BONUS), 0, "extra rows sent for line clears by successive pieces")
    t_spin: int = option(
        Whole("ROWS", high=MOST_BONUS), 0, "extra rows sent for line clears by a T with three filled corners"
    )
    cap_pieces: int = option(Whole(low=1, high=MOST_CAP), 1000, "end a game after N pieces")


def _check_play(given: Mapping[str, Any]) -> None:
    if "height" in given and given.get("type") != "b":
        raise UsageError("--height is the height of the garbage in B-type: add --type b, or leave it out.")
    pointless = [flag_of(name) for name in ("aim", "aggression") if name in given]
    if given.get("type") == "b" and pointless:
        raise UsageError(f"B-type is played for its goal: leave out {' and '.join(pointless)}.")


_RELEASES: Final = (NES, NES_NTSC.name, NES_PAL.name)


def _recipes() -> Mapping[str, Recipe]:
    from emubot.games.tetris.recipes import RECIPES

    return RECIPES


OPTIONS: Final = GameOptions(
    menus=(
        Option("level", Whole(), None, "the start level", "0; the map defines the levels", often=True),
        Option("type", Choice(TYPES), None, "a: play on; b: begin with garbage, the game's goal is 25 lines", "a"),
        Option("height", Whole(), None, "with --type b: the height of the garbage", "0", "Height of the garbage"),
    ),
    strength=(
        Option(
            "nodes",
            Whole(),
            None,
            "boards that a decision may value; 0: two pieces by features",
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
        Option(
            "aim",
            Choice(AIMS),
            None,
            "what to play for; survive: lines, no points at the risk of the game",
            SCORE,
            label="Plays for",
        ),
        Option(
            "aggression",
            Share(),
            None,
            "how much risk of dying is taken for points; 0: hardly any, 1: more than pays",
            str(NEUTRAL),
            label="Risk, 0 to 1",
        ),
        Option(
            "threads",
            Whole(low=1, high=MOST_THREADS),
            1,
            "threads that search a decision together; the same decisions, sooner, with --nodes above 50000",
            label="Threads of a decision",
        ),
        Option(
            "see_next",
            Whole("FRAMES", high=MAX_REACTION),
            0,
            "frames before the bot sees the next piece: each piece sets out without it, and may change course then",
            label="Sees the next piece after … frames",
        ),
        Option(
            "rng",
            Choice((BLIND, AWARE)),
            BLIND,
            "aware: read the random generator and choose pieces by each lock's frame and by pauses, a class of its own",
            label="Random generator",
        ),
    ),
    check=_check_play,
    rule_sets=(
        RuleSet(_RELEASES, "NES Tetris with its reach and gravity, without frames", NesValues),
        RuleSet(_RELEASES, "the simulated cartridge, frame by frame", AwareValues, note=f"with --rng {AWARE}"),
        RuleSet((TEXTBOOK,), "pieces drop straight down, anywhere, on a board of any size", TextbookValues),
        RuleSet((VERSUS,), "two players who send each other rows (--battle)", VersusValues, sides=2),
    ),
    self_play=(RuleSet((NES_NTSC.name, NES_PAL.name), "from level 18, two pieces deep, at 30 Hz"),),
    recipes=_recipes,
    bench=Bench(5_000_000, {"level": 18}, 20_000),
    marks=(10, 20),  # half of the playfield, and all of it
)
