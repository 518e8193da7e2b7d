"""Sorts the codes of cells that are no piece's: targets, nuisance, walls, and what is only shown while cells vanish."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass

import numpy as np

from emubot.discovery.colours.findings import UNKNOWN, ColourField
from emubot.discovery.colours.moves import Board, Move


@dataclass(frozen=True, slots=True)
class Codes:
    """What the codes of cells mean that are not those of colours.

    `targets` has the colours that each target's code may be of. Where none of them ever went, they are `walls`.
    `nuisance` falls later than pieces and goes with what vanishes beside it. `vanishing` are codes that are only seen
    between two pieces.
    """

    targets: Mapping[int, frozenset[int]]
    nuisance: tuple[int, ...]
    walls: tuple[int, ...]
    vanishing: tuple[int, ...]

    @property
    def colors_known(self) -> bool:
        """Whether each target has one colour."""
        return all(len(colors) == 1 for colors in self.targets.values())


def sorted_codes(field: ColourField, games: Sequence[Sequence[Move]]) -> Codes:
    """Returns the meanings of all codes that were seen in these games."""
    moves = [move for game in games for move in game]
    first = {code for game in games if game for code in _unknown([game[0].before])}
    settled = _unknown(board for move in moves for board in (move.before, move.after) if board is not None)
    gone = Counter(code for move in moves if move.after is not None for code in _gone(move.before, move.after))
    targets = first if any(gone[code] for code in first) else set[int]()
    return Codes(
        targets=_colors_of_targets(sorted(targets), field, moves),
        nuisance=tuple(sorted(settled - first)),
        walls=tuple(sorted(first - targets)),
        vanishing=tuple(sorted(_between(field, moves) - settled)),
    )


def is_fresh(move: Move, targets: Iterable[int]) -> bool:
    """Returns whether another stage or game begins between a piece and the next one."""
    if move.after is None:
        return True
    aims = [*targets]
    were, are = np.isin(move.before.codes, aims), np.isin(move.after.codes, aims)
    return bool((are & ~were).any() or (were.any() and not are.any()))


def _unknown(boards: Iterable[Board]) -> set[int]:
    return {int(code) for board in boards for code in np.unique(board.codes[board.kinds == UNKNOWN])}


def _gone(before: Board, after: Board) -> Iterator[int]:
    for code in _unknown([before]):
        if (after.codes == code).sum() < (before.codes == code).sum():
            yield code


def _between(field: ColourField, moves: Sequence[Move]) -> set[int]:
    found: set[int] = set()
    known = {field.empty, *field.colors}
    for move in moves:
        if move.after is not None and len(move.between):
            found |= {int(code) for code in np.unique(field.codes(move.between)) if code not in known}
    return found


def _colors_of_targets(
    targets: Sequence[int], field: ColourField, moves: Sequence[Move]
) -> Mapping[int, frozenset[int]]:
    """Returns the colours that vanished whenever a target of each code did; no two codes have one colour."""
    colors = frozenset(field.colors.values())
    left = dict.fromkeys(targets, colors)
    for move in moves:
        if move.after is None or is_fresh(move, targets):
            continue
        placed = Counter(kind for row, _, kind in move.cells if row >= 0)
        vanished = frozenset(
            color
            for color in colors
            if (move.before.kinds == color).sum() + placed[color] > (move.after.kinds == color).sum()
        )
        for code in targets:
            if (move.after.codes == code).sum() < (move.before.codes == code).sum() and left[code] & vanished:
                left[code] &= vanished
    while known := {next(iter(found)) for found in left.values() if len(found) == 1}:
        more = {code: found if len(found) == 1 else found - known for code, found in left.items()}
        if more == left:
            break
        left = more
    return left
