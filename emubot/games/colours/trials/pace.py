"""How fast pairs fall and how fast buttons are pressed in games without frames: what can be reached in time."""

from __future__ import annotations

from collections.abc import Collection
from dataclasses import dataclass, replace

from emubot.errors import UsageError
from emubot.games.colours.options import SLOWEST
from emubot.games.colours.reach.entry import limits_of
from emubot.games.colours.rules import Rules
from emubot.games.trial import Settings
from emubot.tempo import Tempo, parse_taps


@dataclass(frozen=True, slots=True)
class FallPace:
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


def pace_of(gravity: int, taps: str, reaction: int | None, given: Collection[str]) -> FallPace | None:
    """Returns the pace of these options; None without gravity. Raises UsageError if others are `given` without it."""
    if gravity:
        tempo = parse_taps(taps)
        return FallPace(gravity, tempo if reaction is None else replace(tempo, reaction=reaction))
    idle = [name for name in ("taps", "reaction") if name in given]
    if idle:
        raise UsageError(
            f"--{idle[0]} counts only where pairs fall in time: add --gravity 1 to {SLOWEST}, or leave it out."
        )
    return None
