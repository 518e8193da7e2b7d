"""How a map's pairs turn, where that is not a satellite's turn about its pivot; knows no frame and no search.

A pair of two orientations that change its colours' places is one of four orientations too, seen from the half of the
lower kind: flat and upright, and both upside down. So the rest of the family knows four orientations only.
"""

from __future__ import annotations

from typing import Final, NamedTuple

from emubot.games.colours.rules import DOWN, ORIENTATIONS, SATELLITE
from emubot.rammap import RamMap
from emubot.rammap.layout import Orientation

_HALVES: Final = 2

Cell = tuple[int, int]


class Stance(NamedTuple):
    """One way in which a pair stands: the canonical orientation, and the pivot's place from the map's x and y.

    `number` is the map's id, and `pivot` says which of its two cells is the pivot.
    """

    number: int
    pivot: int
    orientation: int
    place: Cell


class TurnTo(NamedTuple):
    """What one turn makes of a stance: another one's index, how the pivot moves, and the direction of a kick.

    The kick leads away from the cell that is new, and is (0, 0) if not just one cell is.
    """

    stance: int
    move: Cell
    kick: Cell


class Turns(NamedTuple):
    """All stances of a pair, and what a clockwise and a counterclockwise turn make of each."""

    stances: tuple[Stance, ...]
    targets: tuple[tuple[TurnTo, ...], tuple[TurnTo, ...]]


def swaps(ram_map: RamMap) -> bool:
    """Returns whether a turn makes the halves of a pair change places."""
    return any(turn.cycle % _HALVES for entry in ram_map.pieces for turn in (entry.clockwise, entry.counterclockwise))


def direction_of(entry: Orientation, pivot: int) -> int | None:
    """Returns the canonical orientation if that cell is the pivot; None if the two cells are not neighbours."""
    (px, py), (sx, sy) = entry.cells[pivot], entry.cells[1 - pivot]
    return SATELLITE.index((sx - px, sy - py)) if (sx - px, sy - py) in SATELLITE else None


def turns_of(ram_map: RamMap, pivot: int, alike: bool = False) -> Turns | None:
    """Returns the turns of a map's pairs; None if a satellite turns about its pivot, as the rules have it.

    `pivot` is the cell that is the pivot where the halves keep their places. `alike` says that both halves have one
    kind, so that nobody can tell them apart. The map is one that the family can read.
    """
    if is_usual(ram_map, pivot):
        return None
    entries, swapped = ram_map.pieces, swaps(ram_map)
    pivots = (pivot,) if not swapped else (0,) if alike else (0, 1)
    stances = [_stance(entry, which) for entry in entries for which in pivots]
    index = {(stance.number, stance.pivot): place for place, stance in enumerate(stances)}
    cells = {entry.id: entry.cells for entry in entries}
    targets = []
    for clockwise in (True, False):
        found = []
        for stance in stances:
            entry = next(entry for entry in entries if entry.id == stance.number)
            turn = entry.clockwise if clockwise else entry.counterclockwise
            which = (stance.pivot + turn.cycle) % _HALVES if swapped and not alike else stance.pivot
            target = stances[index[turn.to, which]]
            move = (target.place[0] - stance.place[0], target.place[1] - stance.place[1])
            found.append(TurnTo(index[turn.to, which], move, _kick(cells[stance.number], cells[turn.to])))
        targets.append(tuple(found))
    return Turns(tuple(stances), (targets[0], targets[1]))


def _stance(entry: Orientation, pivot: int) -> Stance:
    orientation = direction_of(entry, pivot)
    assert orientation is not None, "check_pairs refuses such a pair"
    return Stance(entry.id, pivot, orientation, entry.cells[pivot])


def is_usual(ram_map: RamMap, pivot: int) -> bool:
    """Returns whether a satellite turns about its pivot, or the map leaves the orientations open."""
    entries = [entry for entry in ram_map.pieces if len(entry.cells) == _HALVES]
    seen = {entry.id: (direction_of(entry, pivot), entry.cells[pivot]) for entry in entries}
    buttons = ram_map.buttons
    for entry in entries:
        orientation, place = seen[entry.id]
        for button, turn, quarters in (
            (buttons.rotate_clockwise, entry.clockwise, 1),
            (buttons.rotate_counterclockwise, entry.counterclockwise, ORIENTATIONS - 1),
        ):
            if button is None:  # what is written of a turn that the game does not have says nothing
                continue
            expected = (None if orientation is None else (orientation + quarters) % ORIENTATIONS, place)
            if turn.cycle % _HALVES or seen.get(turn.to) != expected:
                return False
    return not entries or len(entries) == ORIENTATIONS


def _kick(before: tuple[Cell, ...], after: tuple[Cell, ...]) -> Cell:
    new, kept = set(after) - set(before), set(after) & set(before)
    if len(new) != 1 or len(kept) != 1:
        return 0, 0
    (x, y), (from_x, from_y) = new.pop(), kept.pop()
    return from_x - x, from_y - y


def is_floor_kick(kick: Cell) -> bool:
    """Returns whether a kick is one off the floor."""
    return kick == (0, -SATELLITE[DOWN][1])
