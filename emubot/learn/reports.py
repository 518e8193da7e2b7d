"""What a family's learner offers to whoever writes the finished map; knows no family."""

from __future__ import annotations

from collections.abc import Generator, Mapping
from dataclasses import dataclass, field
from typing import Any, Protocol, runtime_checkable

from emubot.pad import Pad
from emubot.rammap import RamMap


@runtime_checkable
class MapLearner(Protocol):
    """A learner that can say what it found and how."""

    @property
    def open(self) -> tuple[str, ...]:
        """What is in use and not known yet, in the map's words."""

    def observe(self, ram: bytes, pad: Pad | None = None) -> RamMap | None:
        """One frame of the map's memory space and the pad the game used in it; a better map if more is known."""

    def finished(self) -> RamMap:
        """The map to be written: what is known for good, not what holds for the moment."""

    def evidence(self) -> Mapping[str, str]:
        """A remark for each learnt value, by its dotted key in the map."""

    def prober(self) -> Prober | None:
        """What measures rules and clock beside it, None where the family has no experiments."""


@dataclass(slots=True)
class ProbeReport:
    """What was measured: parts of a map, remarks by dotted key, and in words what is no part of a map."""

    rules: dict[str, Any] = field(default_factory=dict)
    timing: dict[str, Any] = field(default_factory=dict)
    evidence: dict[str, str] = field(default_factory=dict)
    notes: list[str] = field(default_factory=list)
    unseen: list[str] = field(default_factory=list)

    def add(self, group: str, name: str, value: Any, remark: str) -> None:
        """A value of the map's `rules` or `timing`."""
        getattr(self, group)[name] = value
        self.evidence[f"{group}.{name}"] = remark

    def joined(self, other: ProbeReport) -> ProbeReport:
        """Both reports; where both have a value the other one's stands."""
        return ProbeReport(
            {**self.rules, **other.rules},
            {**self.timing, **other.timing},
            {**self.evidence, **other.evidence},
            [*self.notes, *other.notes],
            [*self.unseen, *other.unseen],
        )


class Prober(Protocol):
    """Measures rules and clock of a running game."""

    def frame(self, ram: bytes) -> None:
        """A frame that somebody else plays; the learner saw it before."""

    def script(self, ram_map: RamMap) -> Generator[Pad, bytes, None]:
        """Experiments with this map: yields the pad for the next frame, is sent that frame's memory."""

    def report(self) -> ProbeReport:
        """What was measured by now."""
