"""What the generator knows of a stranger, as plain data for comparing with what a tool found; assembles nothing."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from emubot.pad import Pad, describe
from tests.toys.strangers.memory import addresses, board_of, repeated
from tests.toys.strangers.properties import properties
from tests.toys.strangers.states import states_of
from tests.toys.strangers.switches import START_LEVELS, Stranger


def truth(stranger: Stranger) -> dict[str, Any]:
    """Returns the truth as JSON has it. Addresses are those of the CPU; rows count from the highest visible one."""
    at = addresses(stranger)
    return {
        "name": stranger.name,
        "seed": stranger.seed,
        "kind": stranger.kind,
        "board": _board(stranger, at),
        "piece": _piece(stranger, at),
        "place": _place(stranger, at),
        "pieces": _pieces(stranger),
        "state": {"at": at["state"], "values": dict(states_of(stranger)), **_waits(stranger)},
        "next": {"at": at["next"], "values": "number of the piece"} if stranger.keeps_next else None,
        "numbers": _numbers(stranger, at),
        "gravity": {
            "frames_per_row": list(stranger.gravity),
            "level_lines": stranger.level_lines if len(stranger.gravity) > 1 else None,
            "timer": {"at": at["timer"], "counts": "up" if stranger.timer_up else "down"},
            "rows": 0.5 if stranger.y_kind == "halves" else 1,  # a fall moves the piece by so many
        },
        "buttons": _buttons(stranger),
        "pads": _pads(stranger, at),
        "menus": _menus(stranger, at),
        "pause": {"button": "START", "at": at["paused"], "value": 1} if stranger.pauses else None,
        "demo": {"after": stranger.demo, "at": at["demo"], "value": 1} if stranger.demo else None,
        "noise": _noise(stranger, at),
        "properties": properties(stranger),
        "beyond": list(stranger.beyond),
    }


def _board(s: Stranger, at: Mapping[str, int]) -> dict[str, Any]:
    board = board_of(s, at["board"])
    tables = {"none": None, "interleaved": 2, "split": 1, "numbers": 1}
    table = None
    if s.pointers != "none":
        order = [s.stored - 1 - row if s.upside_down else row for row in range(s.stored)]
        table = {
            "kind": s.pointers,
            "at": at["row_table"],
            "high_at": None if s.pointers == "numbers" else at["row_table_high"],
            "entries": [(tables[s.pointers] or 1) * place for place in order],  # from `at`, by stored row from the top
        }
    return {
        "space": "wram" if s.wram else "ram",
        "at": board.row_starts[s.hidden] + board.lane_bytes[0],  # the highest visible row, column 0, at first
        "rows": s.rows,
        "columns": s.columns,
        "hidden": s.hidden,
        "cells": s.cells,
        "row_stride": board.row_stride,
        "column_stride": board.column_stride,
        "row_starts": list(board.row_starts[: s.stored]),  # by stored row from the top; a pointer holds one of these
        "column_bytes": list(board.lane_bytes),  # from the start of a row
        "column_masks": list(board.lane_masks),
        "upside_down": s.upside_down,
        "by_columns": s.by_columns,
        "table": table,
        "empty": s.empty,
        "solid": sorted({s.code_of(number) for number in range(len(s.pieces))}),
        "codes": "one for each piece" if s.code_each else "one",
        "walls": s.walls or None,
        "drawn": None if not s.drawn else "as if locked" if s.drawn < 0 else s.drawn,
        "empty_byte": repeated(s, s.empty),
        "side": at["side"] if "twice" in s.beyond else None,  # its value is added to the high byte of each row
        "scroll": at["scroll"] if "scrolls" in s.beyond else None,  # where in memory the highest stored row begins
    }


def _piece(s: Stranger, at: Mapping[str, int]) -> dict[str, Any]:
    if s.named == "two":
        return {"named": s.named, "type": at["piece"], "turn": at["piece_turn"]}
    if s.named == "pointer":
        return {"named": s.named, "low": at["piece"], "high": at["piece_high"]}
    if s.named == "cells":
        return {
            "named": s.named,
            "columns": at["cell_columns"],
            "rows": at["cell_rows"],
            "count": len(s.shapes[0].cells),
        }
    return {"named": s.named, "at": at["piece"]}


def _place(s: Stranger, at: Mapping[str, int]) -> dict[str, Any]:
    """column = (byte - offset) / unit, row = (byte - offset) / unit rounded up; upwards row = offset - byte."""
    x: dict[str, Any] = {"at": at["pos_x"], "unit": 8 if s.x_pixels else 1, "offset": s.x_offset}
    unit = {"pixels": 8, "halves": 2}.get(s.y_kind, 1)
    y: dict[str, Any] = {"at": at["pos_y"], "unit": unit, "offset": s.y_offset, "up": s.y_kind == "up"}
    if s.y_kind == "up":
        y["offset"] = s.y_offset + s.rows - 1
    if s.named == "cells":
        x["at"] = y["at"] = None
    parked = {"y": s.parks, "x": 0xFF if s.parks_x else None} if s.parks else None
    return {"x": x, "y": y, "parked": parked}


def _pieces(s: Stranger) -> list[dict[str, Any]]:
    """Each piece with its turns clockwise: the bytes that name them as `piece` lists them, cells from the pivot."""
    pieces = []
    for number, piece in enumerate(s.pieces):
        cells = [list(map(list, turn)) for turn in piece.shapes]
        if s.named == "cells":
            for _ in range(3 if s.turning != "nothing" else 0):
                cells.append([[-y, x] for x, y in cells[-1]])
        first = s.first_shapes[number]
        turns = [
            {"bytes": _name(s, first + turn) if s.named != "cells" else None, "cells": turned}
            for turn, turned in enumerate(cells)
        ]
        entry = s.entry_of(first)
        pieces.append({"number": number, "name": piece.name, "code": s.code_of(number), "entry": entry, "turns": turns})
    return pieces


def _name(s: Stranger, shape: int) -> list[int]:
    if s.named == "two":
        return [s.id_of(shape), s.first_turn + shape - s.first_shapes[s.shapes[shape].piece] & 0xFF]
    if s.named == "pointer":
        return [s.record_of(shape) & 0xFF, s.record_of(shape) >> 8]
    return [s.id_of(shape)]


def _waits(s: Stranger) -> dict[str, Any]:
    """What happens between a lock and the next piece."""
    return {"between": s.between, "lock_wait": s.lock_wait, "clear_wait": s.clear_wait, "rows_blank": s.blanks}


def _numbers(s: Stranger, at: Mapping[str, int]) -> dict[str, Any]:
    def number(name: str, kind: str, size: int, little: bool) -> dict[str, Any] | None:
        order = "little" if little else "big"
        return None if kind == "none" else {"at": at[name], "format": kind, "bytes": size, "order": order}

    level = number("level", s.level_format, 2 if s.level_format == "digits" else 1, little=False)
    return {
        "lines": number("lines", s.lines_format, s.lines_size, s.lines_little),
        "score": number("score", s.score_format, s.score_size, s.score_little),
        "level": level and {**level, "first": s.level_first},
        "line_points": list(s.line_points) if s.score_format != "none" else None,
        "soft_points": int(s.soft_points),
    }


def _buttons(s: Stranger) -> dict[str, Any]:
    return {
        "left": "LEFT",
        "right": "RIGHT",
        "clockwise": describe(s.clockwise) if s.clockwise else None,
        "counterclockwise": describe(s.counterclockwise) if s.counterclockwise else None,
        "soft_drop": describe(s.fall) if s.down != "drop" else None,
        "hard_drop": describe(s.fall) if s.down == "drop" else "UP" if s.up_drops else None,
    }


def _pads(s: Stranger, at: Mapping[str, int]) -> dict[str, Any]:
    return {
        "poll": s.poll,
        "repeat_first": s.repeat_first or None,
        "repeat_next": s.repeat_next or None,
        "down": s.down,
        "soft_drop": s.soft_drop if s.down == "hold" else None,
        "held": at["pad_held"],
        "new": at["pad_new"],
        "order": "A highest" if s.a_first else "A lowest",
    }


def _menus(s: Stranger, at: Mapping[str, int]) -> dict[str, Any]:
    more, less = s.cursor_buttons
    screens: list[dict[str, Any]] = [
        {"screen": f"screen_{number}", "kind": kind, "buttons": describe(s.screen_buttons[number - 1])}
        for number, kind in enumerate(s.screens, start=1)
    ]
    for screen in screens:
        if screen["kind"] == "cursor":
            screen |= {"at": at["cursor"], "game": 1, "options": 0, "back": describe(s.options_button)}
        if screen["kind"] == "level":
            screen |= {"at": at["start_level"], "most": START_LEVELS}
        if screen["kind"] != "button":
            screen |= {"more": describe(more), "less": describe(less)}
    over = None if s.over == "wait" else describe(s.over_buttons)
    return {
        "title": describe(s.title),
        "legal": {"frames": s.legal, "countdown": at["countdown"], "title_from": 100} if s.legal else None,
        "screens": screens,
        "over": {"leads": s.over, "buttons": over, "wait": s.over_wait or None},
    }


def _noise(s: Stranger, at: Mapping[str, int]) -> dict[str, Any]:
    pad_bytes = [at["pad_now"], at["pad_held"], at["pad_new"], at["pad_shift"]]
    return {
        "scratch": {"at": at["SCRATCH"], "wiped": s.wipes},
        "pads": [*pad_bytes, *([at["pad_copy"], at["pad_copy"] + 1] if s.pad_copies else [])],
        "sprites": 0x0200 if s.sprites else None,
        "stack": s.dirt,
        "late": [at["late_x"], at["late_y"]] if s.late else None,
        "frames": at["frames"] if s.counts_frames else None,
        "generator": {"at": at["rng"], "every_frame": s.stirs},
        "picture_rows": at["STRIP"],
    }


def buttons_of(word: str) -> Pad:
    """Returns the buttons that a word of the truth names."""
    found = Pad.NONE
    for name in word.split("+"):
        found |= Pad[name]
    return found
