"""The interfaces of a family's learner, for the code that writes the finished map."""

from __future__ import annotations

from collections.abc import Generator, Mapping
from dataclasses import dataclass, field
from typing import Any, Protocol, runtime_checkable

from emubot.pad import Pad
from emubot.rammap import RamMap


@runtime_checkable
class MapLearner(Protocol):
    """A learner that reports what it found and how."""

    @property
    def open(self) -> tuple[str, ...]:
        """What is in use and not known yet, in the map's words."""

    def observe(self, ram: bytes, pad: Pad | None = None) -> RamMap | None:
        """Take one frame of the map's memory space and the pad of that frame; return a better map if more is known."""

    def finished(self) -> RamMap:
        """Returns the map to write: what is known for good, not what holds for the moment."""

    def evidence(self) -> Mapping[str, str]:
        """Returns a remark for each learnt value, by its dotted key in the map."""

    def prober(self) -> Prober | None:
        """Returns what measures rules and timing as well, None if the family has no experiments."""


@dataclass(slots=True)
class ProbeReport:
    """What was measured: parts of a map, remarks by dotted key, notes that are no part of a map, what was not seen."""

    rules: dict[str, Any] = field(default_factory=dict)
    timing: dict[str, Any] = field(default_factory=dict)
    evidence: dict[str, str] = field(default_factory=dict)
    notes: list[str] = field(default_factory=list)
    unseen: dict[str, str] = field(default_factory=dict)

    def add(self, group: str, name: str, value: Any, remark: str) -> None:
        """Add a value of the map's `rules` or `timing`."""
        getattr(self, group)[name] = value
        self.evidence[f"{group}.{name}"] = remark

    def joined(self, other: ProbeReport) -> ProbeReport:
        """Returns both reports as one. Values of `other` win; what one of the two saw is not unseen."""
        evidence = {**self.evidence, **other.evidence}
        return ProbeReport(
            {**self.rules, **other.rules},
            {**self.timing, **other.timing},
            evidence,
            [*self.notes, *other.notes],
            {key: what for key, what in {**self.unseen, **other.unseen}.items() if key not in evidence},
        )


class Prober(Protocol):
    """Measures the rules and the timing of a running game."""

    def frame(self, ram: bytes) -> None:
        """Take a frame that someone else plays; the learner saw it before."""

    def script(self, ram_map: RamMap) -> Generator[Pad, bytes, None]:
        """Run experiments with this map: yields the pad for the next frame, and is sent that frame's memory."""

    def duel(self, ram_map: RamMap) -> Duel | None:
        """Returns what measures a game for two with this map, None if the map or the family has none."""

    def report(self) -> ProbeReport:
        """Returns what was measured so far."""


class Duel(Protocol):
    """Measures what two players do to each other, and learns what only games for two show."""

    def frame(self, ram: bytes) -> None:
        """Take a frame of a game for two."""

    def finished(self) -> RamMap:
        """Returns the map with what was learnt."""

    def evidence(self) -> Mapping[str, str]:
        """Returns a remark for each value that was learnt here, by its dotted key."""

    def report(self) -> ProbeReport:
        """Returns what was measured so far."""
