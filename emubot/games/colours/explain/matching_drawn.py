"""A position of a matching game from a field that a person drew in text (matching_notation.py); knows no search."""

from __future__ import annotations

from dataclasses import replace
from typing import Final

import numpy as np

from emubot.errors import UsageError
from emubot.explanation import DrawnPosition
from emubot.games.colours.board.matching_cells import fall_a_row, resolve_field, targets_in
from emubot.games.colours.decode.frame import MatchingSnapshot
from emubot.games.colours.decode.map_checks import check_matching
from emubot.games.colours.decode.matching_decode import frames_per_row
from emubot.games.colours.explain.matching_notation import Air, Cells, field_of_lines, piece_name, piece_of
from emubot.games.colours.matching_rules import (
    CAPSULES,
    COLUMNS,
    LIMITS,
    PACES,
    Rules,
    color_of,
    entry_cells,
    rules_of,
)
from emubot.games.colours.timing import MATCHING, timing_of
from emubot.rammap import RamMap, load_map
from emubot.snapshot import Phase, Piece, Snapshot
from emubot.text import did_you_mean

HIGHEST_STAGE: Final = 255  # the stage is a byte
_MAPS: Final = {CAPSULES.name: "demo_capsules", COLUMNS.name: "simulated_columns"}
_DRAWN: Final = "drawn"
LEAST_COLORS: Final = LIMITS["colors"][0]


def position(drawn: DrawnPosition, given: RamMap | None = None) -> tuple[RamMap, Snapshot]:
    """Returns the position and the map of its rules; see `Explainable.position`.

    Unless a map is given, it has the demo cartridge's timing.
    """
    ram_map, rules = _map_of(drawn, given)
    if drawn.lines is not None:
        raise UsageError("Matching games have no --lines: leave it out.")
    pace = PACES[0] if drawn.pace is None else drawn.pace
    if pace not in PACES:
        raise UsageError(f"There is no pace {pace!r}{did_you_mean(pace, PACES)}: --pace is one of {', '.join(PACES)}.")
    stage = drawn.level or 0
    if not 0 <= stage <= HIGHEST_STAGE:
        raise UsageError(f"A game has stages from 0 to {HIGHEST_STAGE}, not {stage}.")
    cells, links, in_air = field_of_lines(drawn.board, rules)
    _check_rest(cells, links, rules)
    named = None if drawn.piece is None else piece_of(drawn.piece, rules)
    piece, kinds = _piece_in_air(in_air, named, rules)
    following = () if drawn.next_piece is None else piece_of(drawn.next_piece, rules)
    colors = {color_of(kind) for kind in (*kinds, *following, *cells.flat)}
    if max(colors) > rules.colors:
        known = piece_name(tuple(range(1, rules.colors + 1)))
        raise UsageError(
            f"The position has colour {piece_name((max(colors),))}, and the colours in play are {known}: draw these."
        )
    counters = {f"kind_{part}": kind for part, kind in enumerate(kinds, start=1)}
    counters |= {"pace": PACES.index(pace), "pieces": 1, "stage": stage, "pending": 0}
    counters["drop_timer"] = frames_per_row(counters, rules, timing_of(ram_map, MATCHING))
    hidden = rules.hidden_rows
    return ram_map, MatchingSnapshot(
        phase=Phase.PLAYING,
        state=_DRAWN,
        playfield=cells[hidden:],
        hidden=cells[:hidden][::-1],
        current=piece,
        next=following,
        counters=counters,
        links=links[hidden:],
        hidden_links=links[:hidden][::-1],
    )


def _map_of(drawn: DrawnPosition, given: RamMap | None) -> tuple[RamMap, Rules]:
    ram_map = load_map(_MAPS[rules_of(drawn.rules or CAPSULES.name).name]) if given is None else given
    rules = check_matching(ram_map)
    if drawn.colors is not None and not LEAST_COLORS <= drawn.colors <= rules.colors:
        raise UsageError(
            f"--colors is {LEAST_COLORS} to {rules.colors} under the rules {rules.name}, not {drawn.colors}."
        )
    if drawn.colors is not None:
        changed = {**ram_map.document.rules, "colors": drawn.colors}
        ram_map = replace(ram_map, document=ram_map.document.model_copy(update={"rules": changed}))
    return ram_map, check_matching(ram_map)


def _check_rest(cells: Cells, links: Cells, rules: Rules) -> None:
    """Raise UsageError if the field does not wait for a piece."""
    fallen = cells.copy()
    if fall_a_row(fallen, links.copy()):
        row, column = np.argwhere((cells[:-1] > 0) & (cells[1:] == 0) & (fallen[1:] > 0))[-1].tolist()
        raise UsageError(
            f"The cell in column {column + 1}, row {rules.stored_rows - row}, has nothing below it: a field that waits "
            "for a piece has none that fall."
        )
    if resolve_field(cells.copy(), links.copy(), rules).lines:
        raise UsageError(f"The field has a line of {rules.match_size} or more: it vanishes before the next piece.")
    if any(cells[row + rules.hidden_rows, column] for column, row in entry_cells(rules)):
        raise UsageError("A cell where the piece appears is filled: the game has ended.")
    if rules.targets and not targets_in(cells):
        raise UsageError("A stage without targets is won: draw at least one, as a capital letter.")
    if targets_in(cells) and not rules.targets:
        raise UsageError(f"The rules {rules.name} have no targets: draw small letters only.")


def _piece_in_air(in_air: Air, named: tuple[int, ...] | None, rules: Rules) -> tuple[Piece, tuple[int, ...]]:
    """Returns the piece where it is drawn, or without cells the named one at its spawn."""
    if not in_air:
        if named is None:
            raise UsageError("Which piece is in the air? Name it with --piece, or draw it with * after each cell.")
        return rules.spawn, named
    kind_at = {(column, row): kind for column, row, kind in in_air}
    for orientation in rules.orientations:
        shape = rules.shapes[orientation]
        for column, row in kind_at:
            kinds = tuple(kind_at.get((column + dx, row + dy), 0) for dx, dy in shape)
            if all(kinds) and len(in_air) == len(shape) and named in (None, kinds):
                return Piece(orientation, column, row), kinds
    drawn = ", ".join(piece_name((kind,)) for _, _, kind in in_air)
    beside = "side by side or one on the other" if rules.piece_cells == 2 else "one on the other"
    raise UsageError(
        f"The cells {drawn} with * are no piece, or not that of --piece: draw its {rules.piece_cells} cells {beside}, "
        "or leave them out."
    )
