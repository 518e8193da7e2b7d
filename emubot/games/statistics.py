"""What players count beside a game's own figures, as all families tell it; knows no family and no view."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Protocol

from emubot.snapshot import Snapshot


class Statistics(Protocol):
    """Figures of one player's game that the game itself does not show."""

    def see(self, snapshot: Snapshot) -> None:
        """Take the next frame."""

    @property
    def figures(self) -> Mapping[str, str]:
        """The figures by name, as they are shown."""
