"""The properties of a stranger of colours by short names, for a table by property."""

from __future__ import annotations

from tests.toys.strangers.colours.stranger import GROUPS, Stranger


def properties(stranger: Stranger) -> list[str]:
    """Returns one name for each thing that is so, the plain ones too."""
    play, field, piece, pads, menus = stranger.play, stranger.field, stranger.piece, stranger.pads, stranger.menus
    found = [
        f"kind: {play.kind}",
        f"match: {play.match}",
        f"match: {play.size} cells",
        f"board: {play.columns} columns",
        f"board: {play.rows} rows",
        f"board: {play.hidden} hidden rows",
        f"board: {play.colors} colours",
        f"board: {'WRAM' if field.in_wram else 'RAM'}",
        f"cells: {_cells(stranger)}",
        f"cells: {_order(stranger)}",
        f"codes: empty is {'0' if field.empty == 0 else 'not 0'}",
        f"place: {'cells' if piece.by_cells else 'pivot'}",
        f"x: {'cells' if piece.x_unit == 1 else 'pixels'}",
        f"y: {'half rows' if piece.half_rows else {1: 'cells', -1: 'upwards'}.get(piece.y_unit, 'pixels')}",
        f"between: {stranger.between}",
        f"next: {'kept' if piece.keeps_next else 'not kept'}",
        f"score: {piece.score}",
        f"drawn: {field.drawn or 'no'}",
        f"falls: {'at once' if play.falls_at_once else 'a row at a time'}",
        f"pad: every {pads.poll} frames" if pads.poll > 1 else "pad: every frame",
        f"pad: DOWN {pads.down}",
        f"pad: turns by {' and '.join(name for name in (pads.clockwise, pads.counterclockwise) if name)}",
        f"pad: {'repeats' if pads.repeat_first else 'once a press'}",
        f"menu: {len(menus.screens)} screens",
        f"players: {play.players}",
    ]
    found += [f"menu: {screen.button}" for screen in dict.fromkeys(menus.screens)]
    extras = {
        "halves: joined": play.joined,
        "halves: two orientations": play.swaps,
        "halves: in one byte": piece.nibbles,
        "turns: in a box": play.match == GROUPS and len({*play.shapes[0], *play.shapes[1]}) == 3,
        "turns: quick": play.quick_turn,
        "turns: kicks": play.wall_kick or play.floor_kick,
        "rules: targets": bool(play.targets),
        "rules: nuisance": play.has_nuisance,
        "chain: cleared": play.clears_chain,
        "between: nothing after a lock": play.quick,
        "cells: gaps": abs(field.row_stride) > play.columns * abs(field.column_stride) and not field.half_bytes,
        "cells: column stride 2": abs(field.column_stride) == 2,
        "cells: right to left": field.column_stride < 0,
        "cells: walls": field.margin,
        "cells: noise": field.noise > 0,
        "cells: pops are shown": field.popping is not None,
        "pad: UP drops": bool(pads.hard_drop),
        "pad: rests on the ground": pads.lock_delay > 0,
        "gravity: quickens": pads.speed[2] > 0,
        "menu: cursor": any(screen.items for screen in menus.screens),
        "menu: a timer": any(screen.delay for screen in menus.screens),
        "menu: demo": menus.demo_after > 0,
        "menu: pause": bool(menus.pause),
        "menu: for one or two": bool(menus.versus_key),
        "bytes: scratch stays": not stranger.stomps,
        "bytes: late copies": stranger.addresses["LATE"] > 0,
        "bytes: pad copies": stranger.addresses["PAD_COPY"] > 0,
        "bytes: a column without walls": stranger.addresses["CURSOR"] > 0,
    }
    return list(dict.fromkeys(found + [name for name, holds in extras.items() if holds]))


def _cells(stranger: Stranger) -> str:
    if stranger.field.half_bytes:
        return f"half bytes, {stranger.field.half_bytes} first"
    return "bytes with links" if stranger.play.joined else "bytes"


def _order(stranger: Stranger) -> str:
    by_columns = abs(stranger.field.row_stride) < abs(stranger.field.column_stride)
    order = "column by column" if by_columns else "row by row"
    return f"{order}, upside down" if stranger.field.row_stride < 0 else order
