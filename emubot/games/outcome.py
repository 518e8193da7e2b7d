"""The player who won a game for two, by a map's values `winner` or `loser`; knows no family and no rules."""

from __future__ import annotations

from collections.abc import Callable
from typing import Final

from emubot.rammap import Reader

WON: Final = "won"  # the counter of a snapshot, 0 or 1
_WINNER, _LOSER = "winner", "loser"  # 0: nobody yet, otherwise the player from 1


def outcome_of(reader: Reader, player: int) -> Callable[[bytes], int] | None:
    """Returns the reader of WON for a player (from 0); None if the map has neither `winner` nor `loser`."""
    if _WINNER in reader.names:
        return lambda ram: int(reader.value(ram, _WINNER) == player + 1)
    if _LOSER in reader.names:
        return lambda ram: int(reader.value(ram, _LOSER) not in (0, player + 1))
    return None
