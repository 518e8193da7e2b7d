"""What was played, as one JSON object or in words for a person; plays nothing."""

from __future__ import annotations

import argparse
from collections.abc import Mapping, Sequence
from dataclasses import asdict, dataclass
from typing import TYPE_CHECKING, Any

from emubot.cli import common
from emubot.cli.result import emit_json, reach
from emubot.text import counted

if TYPE_CHECKING:
    from emubot.errors import EmubotError
    from emubot.looks import Looks
    from emubot.pilot import Match, Tally
    from emubot.pilot.recording import Recording
    from emubot.session import Session


@dataclass(frozen=True, slots=True)
class Ending:
    """How a session ended: after how many seconds, by which error if by one, and which pictures were drawn."""

    seconds: float
    failure: EmubotError | None
    drawn: Sequence[str] = ()


def report(
    opened: Session, match: Match, recorded: list[Recording], ending: Ending, options: argparse.Namespace
) -> None:
    """Print what was played; `main` prints the error that ended it, in the same JSON object."""
    files = [str(path) for recording in recorded for path in recording.paths]
    if options.json:
        tell = emit_json if ending.failure is None else reach
        more: dict[str, Any] = {"recorded": files} if options.record else {}
        if options.gif:
            more["drawn"] = [*ending.drawn]
        if options.discover:
            more["discovered"] = None if options.kept is None else str(options.kept)
        tell(_as_json(opened, match, ending.seconds) | more)
    elif not (options.quiet or options.feed):
        facts = opened.bridges[0].facts
        for number, pilot in enumerate(match.pilots, start=1):
            player = f"player {number}: " if len(match.pilots) > 1 else ""
            figures = describe_tally(opened.edition.game.looks, pilot.tally)
            common.say(f"{player}{match.result}: {figures}, {pilot.tally.misplaced:,} misplaced.")
        common.say(f"{counted(match.frames, 'frame')} on {facts.emulator}.")
        for name in files:
            common.say(f"recorded: {name}")
        for name in ending.drawn:
            common.say(f"drawn: {name}")


def _as_json(opened: Session, match: Match, seconds: float) -> dict[str, Any]:
    facts = opened.bridges[0].facts
    total, strength = match.total().as_dict(), opened.seats[0].skill.strength
    return {
        "game": opened.edition.game.name,
        "bridge": facts.name,
        "core": facts.emulator,
        "consoles": len(opened.bridges),
        "rng": opened.seats[0].rng,
        "frames": match.frames,
        "budget_ms": strength.milliseconds,
        "see_next": strength.see_next,
        "aim": strength.aim,
        "aggression": strength.aggression,
        **total,
        "nodes_per_decision": round(total["nodes"] / total["pieces"]) if total["pieces"] else 0,
        "fps": round(match.frames / seconds, 1) if seconds else 0.0,
        "result": match.result,
        "warnings": list(dict.fromkeys(said for pilot in match.pilots for said in pilot.doubts.said)),
        "players": [
            {**pilot.tally.as_dict(), "draw": None if seat.skill.variety is None else asdict(seat.skill.variety)}
            for pilot, seat in zip(match.pilots, opened.seats, strict=True)
        ],
    }


def describe_tally(looks: Looks, tally: Tally) -> str:
    """Returns a player's figures as a phrase: pieces, lines, score, level, games won and completed, as far as known."""
    called, word = tally.called or None, looks.piece
    return worded(
        counted(tally.pieces, word),
        None if tally.lines is None else counted(tally.lines, "line"),
        ("score {:,}", tally.score),
        ("level {}", tally.level),
        ("{:,} won", tally.wins or None),
        ("{:,} completed", tally.completed or None),
        counted(tally.pauses, "pause") if tally.pauses else None,
        None if called is None else f"{counted(called, word)} called",
        ("{:,} of them right", tally.called_right if called else None),
    )


def describe_game(looks: Looks, pieces: int, counters: Mapping[str, int]) -> str:
    """Returns the figures of a game under way as a phrase; `pieces` counts those of earlier games too."""
    figures = [(f"{name} {{:,}}", counters.get(name)) for name in looks.figures]
    return worded(counted(pieces, looks.piece), *figures)


def worded(*figures: tuple[str, int | None] | str | None, between: str = ", ") -> str:
    """Returns the figures joined; each is a text, or one with {} and its number. None and numbers None are left out."""
    texts: list[str] = []
    for figure in figures:
        if isinstance(figure, str):
            texts.append(figure)
        elif figure is not None and figure[1] is not None:
            texts.append(figure[0].format(figure[1]))
    return between.join(texts)
