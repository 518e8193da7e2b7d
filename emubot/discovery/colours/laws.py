"""Infers what vanishes in a colour game: of all rules that its family knows, those that foretell every move."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import product
from typing import Final

import numpy as np

from emubot.discovery.colours.codes import Codes, is_fresh
from emubot.discovery.colours.findings import ColourField
from emubot.discovery.colours.moves import Board, Move, are_inside
from emubot.games.colours import matching_rules, rules
from emubot.games.colours.board import anyboard_field
from emubot.games.colours.board.anyboard_bounds import bounds_of, scratch_of
from emubot.games.colours.board.groups import marks_for
from emubot.games.colours.board.matching_cells import checked_field, resolve

PUYO, MATCHING = "puyo", "matching"
LINES, DIAGONALS, GROUPS = matching_rules.MATCHES

_SIZES: Final = range(3, 8)
_HIDDEN: Final = range(4)  # rows at the top whose cells may link with nothing
_MOST_CODES: Final = 64  # ways in which targets may have colours
_LEGIBLE: Final = 0.9  # of the moves that must be foretold by a rule
_PAIR: Final = 2


@dataclass(frozen=True, slots=True)
class Law:
    """What vanishes: `size` cells of one colour, in `match`. `hidden` are the rows at the top that take no part.

    `targets` are (code, colour); `nuisance` and `walls` are codes.
    """

    family: str
    match: str
    size: int
    joined: bool
    hidden: int
    targets: tuple[tuple[int, int], ...] = ()
    nuisance: tuple[int, ...] = ()


@dataclass(frozen=True, slots=True)
class Judged:
    """The laws that foretell all moves which any law foretells, and in how many moves something vanished."""

    laws: tuple[Law, ...]
    moves: int
    clearings: int
    illegible: int


def laws_of(field: ColourField, parts: int, codes: Codes, games: Sequence[Sequence[Move]]) -> Judged:
    """Returns the laws that hold. `parts` are the cells of a piece. There are none where too few moves are foretold."""
    moves = [move for game in games for move in game if not is_fresh(move, codes.targets)]
    foretold: dict[Law, list[bool]] = {}
    for law in _all_laws(field, parts, codes):
        foretold[law] = [_foretells(law, field, move) for move in moves]
    if not moves or not foretold:
        return Judged((), len(moves), 0, 0)
    table = np.array([*foretold.values()], np.bool_)
    legible: list[bool] = np.asarray(table.any(0)).tolist()
    right: list[bool] = np.asarray(table[:, legible].all(1)).tolist()
    enough = sum(legible) >= _LEGIBLE * len(moves)
    clearings = sum(_clears(move) for move, seen in zip(moves, legible, strict=True) if seen)
    laws = tuple(law for law, holds in zip(foretold, right, strict=True) if holds and enough)
    return Judged(laws, len(moves), clearings, len(moves) - sum(legible))


def _all_laws(field: ColourField, parts: int, codes: Codes) -> Iterator[Law]:
    joined = field.links is not None
    colors = [sorted(found) for found in codes.targets.values()]
    ways = [way for way in product(*colors) if len({*way}) == len(way)][:_MOST_CODES]
    for way in ways:
        targets = tuple(zip(codes.targets, way, strict=True))
        pairs = parts == _PAIR and not joined and not targets
        for size in _SIZES:
            if pairs:
                yield from (Law(PUYO, GROUPS, size, False, hidden, (), codes.nuisance) for hidden in _hidden(field))
            for match in matching_rules.MATCHES if _is_matching(field) else ():
                if match != GROUPS or not pairs:
                    yield Law(MATCHING, match, size, joined, 0, targets, codes.nuisance)


def _is_matching(field: ColourField) -> bool:
    """Returns whether the family of matching colours plays fields of this size."""
    return field.rows <= matching_rules.MOST_ROWS and field.columns <= matching_rules.MOST_COLUMNS


def _hidden(field: ColourField) -> list[int]:
    """Returns how many rows may be hidden on a field that the family of pairs plays."""
    (least, most), (narrow, wide) = rules.OTHER_LIMITS["visible_rows"], rules.OTHER_LIMITS["columns"]
    heights = range(least, most + 1) if narrow <= field.columns <= wide else ()
    return [hidden for hidden in _HIDDEN if field.rows - hidden in heights]


def _clears(move: Move) -> bool:
    assert move.after is not None, "a move that ends a game tells nothing"
    return bool(move.after.filled.sum() < move.before.filled.sum() + sum(row >= 0 for row, _, _ in move.cells))


def _foretells(law: Law, field: ColourField, move: Move) -> bool:
    """Returns whether the field after a move is what the law makes of it, but for nuisance that fell on it."""
    assert move.after is not None, "a move that ends a game tells nothing"
    if not are_inside(move.before.filled, move.cells):
        return False
    expected, links = after(law, field, move)
    kinds = kinds_by(law, move.after)
    new = kinds != expected
    if law.nuisance and new.any():
        new &= ~((expected == 0) & np.isin(move.after.codes, law.nuisance))
    return not new.any() and (not law.joined or bool((links == checked_field(kinds, move.after.sides)[1]).all()))


def kinds_by(law: Law, board: Board) -> np.ndarray:
    """Returns the kinds of a field as the law's family counts them, uint8 (rows, columns)."""
    nuisance, obstacle = (
        (rules.NUISANCE, rules.OBSTACLE) if law.family == PUYO else (matching_rules.OBSTACLE, matching_rules.OBSTACLE)
    )
    kinds = np.where(board.kinds < 0, obstacle, board.kinds).astype(np.uint8)
    for code, color in law.targets:
        kinds[board.codes == code] = matching_rules.TARGET + color
    kinds[np.isin(board.codes, law.nuisance) & (board.kinds < 0)] = nuisance
    return kinds


def after(law: Law, field: ColourField, move: Move) -> tuple[np.ndarray, np.ndarray]:
    """Returns the kinds and links of the field that a law makes of a move."""
    kinds, links = kinds_by(law, move.before), move.before.sides.astype(np.uint8)
    cells = [cell for cell in move.cells if cell[0] >= 0]
    for row, column, kind in cells:
        kinds[row, column], links[row, column] = kind, matching_rules.NO_LINK
    if law.joined and len(cells) == _PAIR:
        (row, column, _), (other_row, other_column, _) = cells
        step = (other_column - column, other_row - row)
        links[row, column] = matching_rules.LINK_STEP.index(step)
        links[other_row, other_column] = matching_rules.OPPOSITE[links[row, column]]
    if law.family == PUYO:
        return _popped(law, kinds), links
    kinds, links = checked_field(kinds, links)  # what lies in a field that was read a row too low is linked to nothing
    resolve(kinds, links, matching_rules.MATCHES.index(law.match), law.size, marks_for(*kinds.shape))
    return kinds, links


def _popped(law: Law, kinds: np.ndarray) -> np.ndarray:
    rows, columns = kinds.shape
    size = rules.Size(columns, rows - law.hidden, law.hidden)
    own = rules.rules_of(rules.FAMICOM_1991.name, {"group_size": law.size, **size._asdict()}, size)
    board, heights = anyboard_field.field_of(kinds, own)
    anyboard_field.resolve(board, heights, bounds_of(own), scratch_of(own))
    return board[::-1]
