"""Placements with inputs that need no timing: single moves high above the stack, a straight fall; knows no clock."""

from __future__ import annotations

from collections import deque
from typing import Final

from emubot.games.motion.shapes import Grid, Keys, Places, Shapes, Spot, keys_of, places
from emubot.pad import Pad
from emubot.rammap.schema import Buttons
from emubot.snapshot import Piece, Placement, Step
from emubot.tempo import Tempo

SLACK: Final = 3  # rows
_READ_BACK: Final = 4  # frames from an input to the next, with its effect read back between them


def apart(tempo: Tempo, press: int) -> int:
    """Returns the frames from a single input, for which a button is held `press` frames, to the next one."""
    return max(tempo.period, _READ_BACK, 2 * press)


def straight(
    grid: Grid, shapes: Shapes, start: Piece, buttons: Buttons, slack: int = SLACK, pace: float = 0, wait: float = 0
) -> tuple[Placement, ...]:
    """Returns placements with the shortest `moves` to each, nearest first; a move is one input.

    The piece falls meanwhile, at an unknown speed. So a move counts only if it fits and has the same effect in every
    row from that of a piece that has not fallen to `slack` rows further down. With a `pace`, in rows an input, they are
    at least as many as it falls by that in its inputs so far and in a `wait` before, and one more if there is slack.
    After the last move the piece falls straight to its lock. A move's row is that of a piece that has not fallen. The
    fall without any move needs no slack. A start that does not fit has no placements.
    """
    room = places(grid, shapes, start.row)
    keys = keys_of(buttons)
    origin: Spot = (shapes.index(start.orientation), start.column, start.row)
    if not room.free(*origin):
        return ()
    ways: dict[tuple[int, int], tuple[Spot, tuple[Step, ...]]] = {origin[:2]: (origin, ())}
    queue = deque([origin])
    while queue:
        spot = queue.popleft()
        way = ways[spot[:2]][1]
        lower = max(slack, min(slack, 1) + int(wait + (len(way) + 1) * pace)) if pace else slack
        if not _free_below(room, spot, lower):
            continue
        for pad, reached in _moves(room, shapes, keys, spot, lower):
            if reached[:2] not in ways:
                step = Step(pad, int(shapes.shown[reached[0]]), reached[1], reached[2])
                ways[reached[:2]] = (reached, (*way, step))
                queue.append(reached)
    found: dict[Placement, None] = {}
    for (orientation, column, row), way in ways.values():
        landing = row
        while room.free(orientation, column, landing + 1):
            landing += 1
        found.setdefault(Placement(int(shapes.shown[orientation]), column, landing, moves=way))
    return tuple(found)


def _moves(room: Places, shapes: Shapes, keys: Keys, spot: Spot, slack: int) -> list[tuple[Pad, Spot]]:
    """Returns the single inputs that certainly work, and where each leads."""
    orientation, column, row = spot
    found = []
    for pad, shift in ((keys.left, -1), (keys.right, 1)):
        reached = (orientation, column + shift, row)
        if _free_below(room, reached, slack):
            found.append((pad, reached))
    for direction, pad in enumerate(keys.turns):
        results = set()
        for fallen in range(slack + 1):
            turned, x, y = room.turned(shapes, direction, (orientation, column, row + fallen))
            results.add((turned, x, y - fallen))
        if pad and len(results) == 1 and (reached := results.pop())[0] != orientation:
            found.append((pad, reached))
    return found


def _free_below(room: Places, spot: Spot, slack: int) -> bool:
    orientation, column, row = spot
    return all(room.free(orientation, column, row + fallen) for fallen in range(slack + 1))
