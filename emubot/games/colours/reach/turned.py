"""The tables by which a pair moves whose turns a map lists; knows no field and no time."""

from __future__ import annotations

import numpy as np

from emubot.games.colours.decode.turns import Turns, is_floor_kick
from emubot.games.colours.rules import BIG, SATELLITE, Rules
from emubot.games.motion import Shapes

_MOST_ATTEMPTS = 2


class TurnedShapes:
    """The tables of motion for a map's own turns, for pairs of two kinds and of one kind."""

    def __init__(self, turns: Turns, alike: Turns, rules: Rules) -> None:
        self._tables = (_tables(turns, rules), _tables(alike, rules))

    def of(self, pair: tuple[int, int]) -> Shapes | None:
        """Returns the tables of a pair, given by its kinds; None for an item, which does not turn."""
        return None if pair[0] >= BIG else self._tables[pair[0] == pair[1]]


def _tables(turns: Turns, rules: Rules) -> Shapes:
    stances = turns.stances
    cells = np.array([((0, 0), SATELLITE[stance.orientation]) for stance in stances], dtype=np.int8)
    table = np.full((2, len(stances), _MOST_ATTEMPTS, 3), -1, dtype=np.int8)
    for direction, targets in enumerate(turns.targets):
        for number, turn in enumerate(targets):
            (dx, dy), (kick_x, kick_y) = turn.move, turn.kick
            table[direction, number, 0] = turn.stance, dx, dy
            kicks = rules.floor_kick if is_floor_kick(turn.kick) else rules.wall_kick
            if kicks and turn.kick != (0, 0):
                table[direction, number, 1] = turn.stance, dx + kick_x, dy + kick_y
    return Shapes(cells, table, np.array([stance.orientation for stance in stances], dtype=np.int64))
