"""What a chain is worth in a battle, by the room that both players have left; knows no beam, no RAM and no bridge."""

from __future__ import annotations

from typing import Final

from emubot.games.colours.rules import COLUMNS, Rules
from emubot.games.colours.search.beam import Aim

MOST_ROOM: Final = 5  # rows: one attack of 30 nuisance puyos, the most that falls at once
# Above so many puyos in the spawn column each one makes waiting dearer by this share (docs/measurements/puyo.md).
_CALM: Final = 6
_ALARM: Final = 0.25


def battle_aim(aim: Aim, rules: Rules, own_height: int, opponent_room: int | None) -> Aim:
    """Returns the aim of a battle: no more than what fills the opponent's spawn column, and the sooner the less room.

    `own_height` is the number of puyos in the player's own spawn column; `opponent_room` the free rows above the
    opponent's, None if it is not known.
    """
    enough = aim.most
    if opponent_room is not None and opponent_room < MOST_ROOM:
        enough = min(enough, float(rules.nuisance_points * COLUMNS * max(opponent_room, 1)))
    return aim._replace(most=enough, price=aim.price * (1 + _ALARM * max(own_height - _CALM, 0)))


def room_of(height: int, rules: Rules) -> int:
    """Returns the visible rows that are free above so many puyos in the spawn column, at most MOST_ROOM."""
    return max(min(rules.visible_rows - rules.spawn.row - height, MOST_ROOM), 0)
