"""Fields, pairs and placements as text; knows no search and no value.

A field is lines of letters, the floor last: R G B Y P O are colours, N is nuisance, # is a wall, . is empty. Small
letters are the pair in the air. A pair is two letters, the pivot first.
"""

from __future__ import annotations

from typing import Final

import numpy as np
from numpy.typing import NDArray

from emubot.errors import UsageError
from emubot.games.colours.explain.chosen import Place
from emubot.games.colours.reach.reach import result
from emubot.games.colours.rules import BIG, CARBUNCLE, COLORS, DOWN, LEFT, LETTERS, RIGHT, UP, Rules
from emubot.games.colours.search.two_plies import Pair
from emubot.text import printable

EMPTY_CELL: Final = "."
KINDS: Final = f"{EMPTY_CELL}{LETTERS}N#"  # by kind
_ITEM: Final = "@"
IN_AIR: Final = f"{EMPTY_CELL}{LETTERS.lower()}{_ITEM}"  # by kind; the last is for items
_ITEMS: Final = {BIG: "Big Puyo", CARBUNCLE: "carbuncle"}


def lines_of(cells: NDArray[np.uint8]) -> tuple[str, ...]:
    """Returns a field (rows, columns) as text."""
    return tuple("".join(KINDS[kind] for kind in row) for row in cells.tolist())


def pair_name(pair: Pair) -> str:
    """Returns a pair's letters, the pivot first, or the name of an item."""
    return _ITEMS.get(pair[0]) or "".join(LETTERS[kind - 1] for kind in pair)


def pairs_of(text: str) -> tuple[Pair, ...]:
    """Returns the pairs of a text such as "RGBB". Raises UsageError for other letters or an odd number of them."""
    kinds = [LETTERS.find(letter) + 1 for letter in text.upper()]
    if not kinds or len(kinds) % 2 or not all(kinds):
        raise UsageError(
            f"{printable(text, 40)!r} is no pair: name it by two of the letters {LETTERS}, the pivot first."
        )
    return tuple(zip(kinds[::2], kinds[1::2], strict=True))


def lock_row(cells: NDArray[np.uint8], pivot: int, orientation: int, column: int, rules: Rules) -> int:
    """Returns the pivot's row as a piece locks on a field, before its halves fall."""
    heights = np.count_nonzero(cells, axis=0)
    beside = column + {RIGHT: 1, LEFT: -1}.get(orientation, 0) if pivot < BIG else column + (pivot == BIG)
    level = int(max(heights[column], heights[beside])) + (orientation == DOWN and pivot < BIG)
    return rules.visible_rows - 1 - level


def placement_name(cells: NDArray[np.uint8], pair: Pair, place: Place, rules: Rules) -> str:
    """Returns a placement in words: columns count from the left, rows from the floor, both from 1."""
    orientation, column = place
    row = lock_row(cells, pair[0], orientation, column, rules)
    rested = result(cells, pair, orientation, column, row, rules)
    rows = sorted({rules.visible_rows - y for _, y, _ in rested})
    places = f"{numbered('column', sorted({x + 1 for x, _, _ in rested}))}, {numbered('row', rows)}"
    if pair[0] > COLORS:
        return f"{_ITEMS[pair[0]]}, {places}"
    pivot, satellite = (LETTERS[kind - 1] for kind in pair)
    if orientation in (UP, DOWN):
        upper, lower = (satellite, pivot) if orientation == UP else (pivot, satellite)
        return f"{upper} on {lower}, {places}"
    left, right = (pivot, satellite) if orientation == RIGHT else (satellite, pivot)
    return f"{left} {right}, {places}"


def numbered(what: str, numbers: list[int]) -> str:
    """Returns numbers in words; those that follow each other are a range."""
    if not numbers:
        return f"no {what}"
    if len(numbers) == 1:
        return f"{what} {numbers[0]}"
    joined = "-" if numbers[-1] - numbers[0] == len(numbers) - 1 else " and "
    return f"{what}s {numbers[0]}{joined}{numbers[-1]}"


def cells_of_lines(lines: tuple[str, ...], rules: Rules) -> tuple[NDArray[np.uint8], list[tuple[int, int, int]]]:
    """Returns the field (stored rows, columns) and the cells of the pair in the air, each (column, row, kind).

    Lines above the highest one that is drawn are empty. Raises UsageError for lines that are no such field.
    """
    if not 1 <= len(lines) <= rules.stored_rows:
        raise UsageError(
            f"A field of the rules {rules.name} has 1 to {rules.stored_rows} lines of {rules.columns} cells, not "
            f"{len(lines)}; the floor is the last."
        )
    cells = np.zeros((rules.stored_rows, rules.columns), dtype=np.uint8)
    in_air = []
    for number, line in enumerate(lines, start=1):
        if len(line) != rules.columns or set(line) - set(KINDS) - set(IN_AIR[1:-1]):
            raise UsageError(
                f"Line {number} of the field is {printable(line, 40)!r}: draw {rules.columns} cells, "
                f"{' '.join(LETTERS)} for "
                "colours, N for nuisance, # for a wall, . for empty, and small letters for the pair in the air."
            )
        row = rules.stored_rows - len(lines) + number - 1
        for column, letter in enumerate(line):
            if letter in IN_AIR[1:-1]:
                in_air.append((column, row - rules.hidden_rows, IN_AIR.index(letter)))
            else:
                cells[row, column] = KINDS.index(letter)
    return cells, in_air
