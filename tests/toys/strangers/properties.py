"""The properties of a stranger by short names, for a table by property."""

from __future__ import annotations

from emubot.pad import describe
from tests.toys.strangers.switches import Stranger

_EVERY = {1: "every frame", 2: "every 2nd frame", 3: "every 3rd frame", 4: "every 4th frame"}
_DOWN = {"hold": "DOWN held", "press": "DOWN once a press", "drop": "DOWN to the floor"}
_TURNING = {"both": "A and B", "swapped": "B and A", "nothing": "nothing"}


def properties(stranger: Stranger) -> list[str]:
    """Returns one name for each thing that is so, the plain ones too."""
    s = stranger
    order = "by columns" if s.by_columns else "upside down" if s.upside_down else "from the top"
    found = [
        f"board: {s.columns} columns",
        f"board: {s.rows} rows",
        f"board: {s.hidden} hidden rows",
        f"board: {'WRAM' if s.wram else 'RAM'}",
        f"cells: {s.cells}",
        f"cells: {order}",
        f"cells: table of rows, {s.pointers}" if s.pointers != "none" else "cells: no table of rows",
        f"codes: {'one for each piece' if s.code_each else 'one'}",
        f"codes: empty is {'0' if s.empty == 0 else 'not 0'}",
        f"drawn: {'no' if not s.drawn else 'as if locked' if s.drawn < 0 else 'another code'}",
        f"pieces: {s.piece_set}",
        f"pieces: orientations {s.orientations}",
        f"pieces: pivots {s.pivots}",
        f"entry: {'hidden rows' if s.enters_hidden else 'highest visible row'}",
        f"named by: {s.named}",
        f"x: {'pixels' if s.x_pixels else 'cells'}",
        f"y: {s.y_kind}",
        f"parked: {f'0x{s.parks:02X}' if s.parks else 'no'}",
        f"next: {'kept' if s.keeps_next else 'not kept'}",
        f"between: {s.between}",
        f"pad: {_EVERY[s.poll]}",
        f"pad: {'repeats' if s.repeat_first else 'once a press'}",
        f"pad: {_DOWN[s.down]}",
        f"turns: {_TURNING.get(s.turning, s.turning)}",
        f"gravity: {'by level' if len(s.gravity) > 1 else 'fixed'}",
        f"timer: {'up' if s.timer_up else 'down'}",
        f"lines: {s.lines_format}",
        f"score: {s.score_format}",
        f"level: {s.level_format}",
        f"menu: {'A+B' if describe(s.title) in ('A+B', 'B+A') else describe(s.title)}",
        f"menu: {len(s.screens)} more screens",
        f"over: {s.over}",
        f"logic: {'NMI' if s.in_nmi else 'main loop'}",
        f"variables: {s.variables}",
    ]
    found += [f"menu: {kind}" for kind in dict.fromkeys(s.screens)]
    found += [f"beyond: {name}" for name in s.beyond]
    extras = {
        f"no game: {s.kind}": s.kind != "falling blocks",
        "cells: gaps": s.gap > 0 and not s.by_columns,
        "cells: column stride 2": s.column_stride == 2,
        "cells: walls": s.walls != 0,
        "parked: column too": s.parks_x,
        "between: early name": s.chooses_early,
        "between: full rows blank": s.blanks,
        "pad: UP to the floor": s.up_drops,
        "score: soft drops": s.soft_points,
        "menu: a timer alone": s.legal > 0,
        "menu: demo": s.demo > 0,
        "menu: pause": s.pauses,
        "bytes: sprites": s.sprites,
        "bytes: scratch stays": not s.wipes,
        "bytes: late copies": s.late,
        "bytes: stack": s.dirt,
        "bytes: pad copies": s.pad_copies,
        "bytes: frame counter": s.counts_frames,
        "bytes: generator only for a new piece": not s.stirs,
    }
    return found + [name for name, holds in extras.items() if holds]
