"""How a piece turns: its cells in each state, and what a press of a turn tries; knows no field and no time.

A quick turn takes two presses: between walls on both sides the first one is blocked, and the second turns the pair
upside down. So a pair has two states for each orientation: the second is that after a blocked press, and a successful
turn leads back to the first.
"""

from __future__ import annotations

from collections.abc import Sequence
from functools import cache
from typing import Final, NamedTuple

from emubot.games.colours import matching_rules
from emubot.games.colours.rules import BIG, BIG_CELLS, CARBUNCLE, DOWN, ORIENTATIONS, SATELLITE, UP, Rules
from emubot.snapshot import Cell, Piece

Shape = tuple[tuple[int, int], ...]  # (dx, dy) of the cells from the pivot, dy downwards
Attempts = tuple[tuple[int, int, int], ...]  # (state, dcolumn, drow): the first one that fits is taken

CLOCKWISE, COUNTERCLOCKWISE = range(2)
_ITEMS: Final[dict[int, Shape]] = {BIG: BIG_CELLS, CARBUNCLE: ((0, 0),)}


class Turning(NamedTuple):
    """The cells and the attempts of a turn by state; `shown` is the orientation of each state.

    The states of all orientations come first, then once more those after a blocked turn.
    """

    cells: tuple[Shape, ...]
    turns: tuple[tuple[Attempts, ...], tuple[Attempts, ...]]  # clockwise, counterclockwise
    shown: tuple[int, ...]

    def state(self, orientation: int, primed: bool) -> int:
        """Returns the state of an orientation; `primed`: after a blocked turn."""
        return self.shown.index(orientation) + primed * len(set(self.shown))


def pair_turning(pivot: int, rules: Rules, quick: bool = True) -> Turning:
    """Returns how a piece with this kind of pivot turns; `quick`: quick turns count if the rules have them."""
    item = pivot if pivot in _ITEMS else 0
    return _pair_turning(item, rules.wall_kick, rules.floor_kick, quick and rules.quick_turn)


def pair_shape(pivot: int, orientation: int) -> Shape:
    """Returns the cells of a piece with this kind of pivot; an item has the same in every orientation."""
    return _ITEMS.get(pivot) or ((0, 0), SATELLITE[orientation])


def pair_cells(kinds: tuple[int, int], piece: Piece) -> list[Cell]:
    """Returns the cells of a pair or an item, given by its halves' kinds, at this place."""
    shape = pair_shape(kinds[0], max(piece.orientation, 0))
    filled = kinds if len(shape) == len(kinds) else (kinds[0],) * len(shape)
    return [Cell(piece.column + dx, piece.row + dy, kind) for (dx, dy), kind in zip(shape, filled, strict=True)]


def piece_cells(kinds: tuple[int, ...], piece: Piece) -> list[Cell]:
    """Returns the cells of a piece of a matching game, given by their kinds, at this place."""
    shapes = matching_rules.TURNED if len(kinds) == len(matching_rules.TURNED[0]) else matching_rules.CYCLED
    shape = shapes[piece.orientation % len(shapes)]
    return [Cell(piece.column + dx, piece.row + dy, kind) for (dx, dy), kind in zip(shape, kinds, strict=True)]


def piece_turning(rules: matching_rules.Rules, kinds: Sequence[int] = ()) -> Turning:
    """Returns how a piece of a matching game turns; where memory shows only colours, two halves of one kind are alike.

    A piece of two turns in its box; a blocked turn to flat tries one column to the left if the rules say so. The button
    of a piece of three cycles its order, which nothing blocks.
    """
    alike = rules.swaps and len({*kinds}) == 1
    shown = rules.orientations[:2] if alike else rules.orientations
    return _piece_turning(tuple(rules.shapes[turn] for turn in shown), shown, rules.kick_left)


@cache
def _pair_turning(item: int, wall_kick: bool, floor_kick: bool, quick: bool) -> Turning:
    if item:
        return Turning((_ITEMS[item],), (((),), ((),)), (UP,))
    states = range(2 * ORIENTATIONS if quick else ORIENTATIONS)
    shown = tuple(state % ORIENTATIONS for state in states)
    turns = []
    for quarters in (1, ORIENTATIONS - 1):
        found = []
        for state in states:
            orientation = shown[state]
            attempts = _pair_attempts((orientation + quarters) % ORIENTATIONS, wall_kick, floor_kick)
            if quick and orientation in (UP, DOWN):
                upside_down = _pair_attempts((orientation + 2) % ORIENTATIONS, wall_kick, floor_kick)
                attempts += upside_down if state >= ORIENTATIONS else ((orientation + ORIENTATIONS, 0, 0),)
            found.append(attempts)
        turns.append(tuple(found))
    return Turning(tuple(((0, 0), SATELLITE[turn]) for turn in shown), (turns[0], turns[1]), shown)


def _pair_attempts(target: int, wall_kick: bool, floor_kick: bool) -> Attempts:
    """Returns the attempts of a rotation: in place, then with a kick of the pivot, one cell away from the satellite."""
    dx, dy = SATELLITE[target]
    kicks = floor_kick if target == DOWN else wall_kick
    return ((target, 0, 0), *[(target, -dx, -dy)] * kicks)


@cache
def _piece_turning(shapes: tuple[Shape, ...], shown: tuple[int, ...], kick_left: bool) -> Turning:
    turns = []
    for step in (1, len(shapes) - 1):
        found: list[Attempts] = []
        for state in range(len(shapes)):
            target = (state + step) % len(shapes)
            is_flat = len({dy for _, dy in shapes[target]}) == 1
            found.append(((target, 0, 0), *[(target, -1, 0)] * (kick_left and is_flat)))
        turns.append(tuple(found))
    return Turning(shapes, (turns[0], turns[1]), shown)
