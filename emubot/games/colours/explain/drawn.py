"""A position from a field that a person drew in text (notation.py); knows no search and no memory."""

from __future__ import annotations

from dataclasses import replace
from typing import Final

import numpy as np

from emubot.errors import UsageError
from emubot.explanation import DrawnPosition
from emubot.games.colours.explain.notation import cells_of_lines, pair_name, pairs_of
from emubot.games.colours.explain.pair_board import PairBoard
from emubot.games.colours.map_rules import rules_of_map
from emubot.games.colours.rules import (
    COLORS,
    FAMICOM_1991,
    MOST_PREVIEWS,
    NUISANCE,
    RIGHT,
    SATELLITE,
    UP,
    Rules,
    rules_of,
)
from emubot.games.colours.search.two_plies import Pair
from emubot.games.colours.timing import PAIRS, timing_of
from emubot.rammap import RamMap, load_map
from emubot.snapshot import Phase, Piece, Snapshot

HIGHEST_LEVEL: Final = 255  # the level is a byte
_MAP: Final = "demo_pairs"
_DRAWN: Final = "drawn"


def position(drawn: DrawnPosition, given: RamMap | None = None) -> tuple[RamMap, Snapshot]:
    """Returns the position and the map of its rules; see `Explainable.position`.

    Unless a map is given, that of the 1991 rules has the demo cartridge's timing, and that of other rules has none.
    """
    ram_map, rules = _map_of(drawn, given)
    if drawn.lines is not None:
        raise UsageError("Pairs have no --lines: leave it out.")
    if drawn.pace is not None:
        raise UsageError("Pairs have no --pace: leave it out, and give --level.")
    level = drawn.level or 0
    if not 0 <= level <= HIGHEST_LEVEL:
        raise UsageError(f"A game has level from 0 to {HIGHEST_LEVEL}, not {level}.")
    cells, in_air = cells_of_lines(drawn.board, rules)
    board = PairBoard(rules)
    if not np.array_equal(board.settled(cells), cells):
        raise UsageError("A puyo of the field has an empty cell below it: a field that waits for a pair has none.")
    if board.steps(cells).any():
        raise UsageError(f"The field has a group of {rules.group_size} or more: it pops before the next pair comes.")
    named = None if drawn.piece is None else pairs_of(drawn.piece)
    if named is not None and len(named) > 1:
        raise UsageError("Name one pair with --piece; the pairs after it are --next.")
    piece, pair = _pair_in_air(in_air, named[0] if named else None, rules)
    if any(cells[row + rules.hidden_rows, column] for column, row in rules.death_cells):
        raise UsageError("The cell where the pair appears is filled: the game has ended.")
    following = () if drawn.next_piece is None else pairs_of(drawn.next_piece)
    if len(following) > MOST_PREVIEWS:
        raise UsageError(f"At most {MOST_PREVIEWS} next pairs are known, not {len(following)}.")
    kinds = {*pair, *(kind for one in following for kind in one), *cells[cells < NUISANCE].tolist()}
    if max(kinds) > rules.colors:
        raise UsageError(f"The position has colour {max(kinds)} of {COLORS}: give --colors {max(kinds)} or more.")
    counters = {"pivot": pair[0], "satellite": pair[1], "level": level, "pending": 0}
    if "gravity" in ram_map.timing:
        counters["drop_timer"] = timing_of(ram_map, PAIRS).frames_per_row(level)
    hidden, playfield = cells[: rules.hidden_rows][::-1], cells[rules.hidden_rows :]
    shown = tuple(kind for one in following for kind in one)
    return ram_map, Snapshot(Phase.PLAYING, _DRAWN, playfield, hidden, piece, shown, counters)


def _map_of(drawn: DrawnPosition, given: RamMap | None) -> tuple[RamMap, Rules]:
    if drawn.colors is not None and not 1 <= drawn.colors <= COLORS:
        raise UsageError(f"--colors is 1 to {COLORS}, not {drawn.colors}.")
    ram_map = _map_by(drawn.rules or FAMICOM_1991.name) if given is None else given
    if drawn.colors is not None:
        changed = {**ram_map.document.rules, "colors": drawn.colors}
        ram_map = replace(ram_map, document=ram_map.document.model_copy(update={"rules": changed}))
    return ram_map, rules_of_map(ram_map)


def _map_by(profile: str) -> RamMap:
    """Returns the map of a profile."""
    rules, ram_map = rules_of(profile), load_map(_MAP)
    if profile == ram_map.profile:
        return ram_map
    document = ram_map.document
    grid = document.grid.model_copy(update={"rows": rules.visible_rows})
    document = document.model_copy(update={"profile": profile, "grid": grid, "timing": type(document.timing)()})
    return replace(ram_map, name=_DRAWN, document=document)


def _pair_in_air(in_air: list[tuple[int, int, int]], named: Pair | None, rules: Rules) -> tuple[Piece, Pair]:
    """Returns the pair where it is drawn, or without cells the named one at its spawn.

    Of a drawn pair of two colours without a name the lower or left half is the pivot.
    """
    if not in_air:
        if named is None:
            raise UsageError("Which pair is in the air? Name it with --piece, or draw it in small letters.")
        return rules.spawn, named
    for orientation in (UP, RIGHT, *(other for other in range(len(SATELLITE)) if other not in (UP, RIGHT))):
        for pivot in in_air:
            dx, dy = SATELLITE[orientation]
            satellite = next((one for one in in_air if one[:2] == (pivot[0] + dx, pivot[1] + dy)), None)
            if len(in_air) == len(SATELLITE[0]) and satellite is not None:
                pair = (pivot[2], satellite[2])
                if named in (None, pair):
                    return Piece(orientation, pivot[0], pivot[1]), pair
    drawn = ", ".join(pair_name((kind, kind))[0] for _, _, kind in in_air)
    raise UsageError(
        f"The cells {drawn} drawn in the air are no pair, or not that of --piece: draw its two halves side by side or "
        "one on the other, or leave them out."
    )
