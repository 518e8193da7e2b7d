"""What a bot plays for, at what risk, and how late it sees the next piece; knows no search."""

from __future__ import annotations

from typing import NamedTuple


class Style(NamedTuple):
    """How to play. `aim` and `aggression` (0 to 1) are the game's own if they are None.

    The next piece counts as shown `see_next` frames after the current one came. Each piece sets out without it, and may
    change course then.
    """

    aim: str | None = None
    aggression: float | None = None
    see_next: int = 0
