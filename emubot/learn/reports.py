"""What a family's learner offers to whoever writes the finished map; knows no family."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Protocol, runtime_checkable

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
