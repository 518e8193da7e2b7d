"""The player who won a game for two, by a map's values `winner` or `loser`; knows no family and no rules."""

from __future__ import annotations

from collections.abc import Callable
from typing import Final

from emubot.rammap import Reader

WON: Final = "won"  # the counter of a snapshot, 0 or 1
WINNER: Final = "winner"
LOSER: Final = "loser"
# The values with their meanings; the first that names a player is read.
MEANINGS: Final = {
    WINNER: "of a game for two: 0 nobody yet, otherwise the player from 1",
    LOSER: "the same for the player who lost; read as long as no `winner` is named",
}


def outcome_of(reader: Reader, player: int) -> Callable[[bytes], int] | None:
    """Returns the reader of WON for a player (from 0); None if the map has neither `winner` nor `loser`."""
    names = [name for name in MEANINGS if name in reader.names]

    def won(ram: bytes) -> int:
        for name in names:
            named = reader.value(ram, name)
            if named > 0:
                return int((named == player + 1) == (name == WINNER))
        return 0

    return won if names else None
