"""How fast pairs fall and how fast buttons are pressed in games without frames: what can be reached in time."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import Final

from emubot.errors import UsageError
from emubot.games.colours.reach.entry import limits_of
from emubot.games.colours.rules import Rules
from emubot.games.options import Options
from emubot.games.trial import Settings
from emubot.tempo import MAX_REACTION, Tempo, parse_taps

SLOWEST: Final = 255  # frames per row
PACED: Final = ("gravity", "taps", "reaction")


@dataclass(frozen=True, slots=True)
class Pace:
    """Gravity in frames per row, and the tempo of the inputs. Games without a pace have no time limit."""

    gravity: int
    tempo: Tempo

    @property
    def settings(self) -> Settings:
        """The options that give this pace."""
        return {"gravity": self.gravity, "taps": self.tempo.name, "reaction": self.tempo.reaction}

    def limits(self, rules: Rules) -> int:
        """Returns the limits of the columns that can be reached, see entry.py."""
        return limits_of(rules, self.tempo, self.gravity)


def pace_of(chosen: Options, options: Settings) -> Pace | None:
    """Returns the pace that the options `gravity`, `taps` and `reaction` describe; None without gravity.

    Raises UsageError for an invalid value, or for the others without gravity.
    """
    gravity = chosen.whole("gravity", 0, 0, SLOWEST)
    if gravity:
        tempo = parse_taps(chosen.text("taps", "30hz"))
        return Pace(gravity, replace(tempo, reaction=chosen.whole("reaction", tempo.reaction, 0, MAX_REACTION)))
    idle = [name for name in ("taps", "reaction") if name in options]
    if idle:
        raise UsageError(
            f"--{idle[0]} counts only where pairs fall in time: add --gravity 1 to {SLOWEST}, or leave it out."
        )
    return None
