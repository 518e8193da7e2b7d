"""`emubot play` at its end: what was played, as one JSON object or as lines for a person; plays nothing."""

from __future__ import annotations

import argparse
from dataclasses import asdict, dataclass
from typing import TYPE_CHECKING, Any

from emubot.cli import common
from emubot.cli.describe import describe_tally
from emubot.cli.result import emit_json, reach
from emubot.text import counted

if TYPE_CHECKING:
    from emubot.errors import EmubotError
    from emubot.pilot import Match
    from emubot.pilot.recording import Recording
    from emubot.session import Session


@dataclass(frozen=True, slots=True)
class Ending:
    """How a session ended: after how many seconds, and by which error if by one."""

    seconds: float
    failure: EmubotError | None


def report(
    opened: Session, match: Match, recorded: list[Recording], ending: Ending, options: argparse.Namespace
) -> None:
    """Print what was played; `main` prints the error that ended it, in the same JSON object."""
    files = [str(path) for recording in recorded for path in recording.paths]
    if options.json:
        tell = emit_json if ending.failure is None else reach
        tell(_as_json(opened, match, ending.seconds) | ({"recorded": files} if options.record else {}))
    elif not (options.quiet or options.feed):
        facts = opened.bridges[0].facts
        for number, pilot in enumerate(match.pilots, start=1):
            player = f"player {number}: " if len(match.pilots) > 1 else ""
            figures = describe_tally(opened.edition.game.looks, pilot.tally)
            common.say(f"{player}{match.result}: {figures}, {pilot.tally.misplaced:,} misplaced.")
        common.say(f"{counted(match.frames, 'frame')} on {facts.emulator}.")
        for name in files:
            common.say(f"recorded: {name}")


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
