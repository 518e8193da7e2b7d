"""The player who won a game for two, by a map's values `winner` or `loser`; knows no family and no rules."""

from __future__ import annotations

from collections.abc import Callable
from typing import Final

from emubot.rammap import Reader

WON: Final = "won"  # the counter of a snapshot, 0 or 1
WINNER: Final = "winner"  # 0: nobody yet, otherwise the player from 1
LOSER: Final = "loser"  # the same for the player who lost
VALUES: Final = (WINNER, LOSER)


def outcome_of(reader: Reader, player: int) -> Callable[[bytes], int] | None:
    """Returns the reader of WON for a player (from 0); None if the map has neither `winner` nor `loser`."""
    if WINNER in reader.names:
        return lambda ram: int(reader.value(ram, WINNER) == player + 1)
    if LOSER in reader.names:
        return lambda ram: int(reader.value(ram, LOSER) not in (0, player + 1))
    return None
