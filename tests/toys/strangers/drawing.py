"""Draws a stranger from its seed: every switch for itself, and what cannot work together is drawn again by rule."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, TypeVar

import numpy as np

from emubot.pad import Pad
from tests.toys.strangers.memory import addresses, board_of
from tests.toys.strangers.switches import Stranger

T = TypeVar("T")
_DIRECTIONS = {Pad.UP: 1, Pad.DOWN: 1, Pad.LEFT: 1, Pad.RIGHT: 1}
MOST_BYTES = 0x100  # a column's place in its row is one byte in the engine


def stranger(seed: int) -> Stranger:
    """Returns the stranger of this seed."""
    draw = Draw(np.random.default_rng([seed, 0]))
    while True:
        drawn = Stranger(seed, **switches(draw))
        if problem(drawn) is None:
            return drawn


def problem(stranger: Stranger) -> str | None:
    """Returns why these switches cannot work together, or None."""
    s = stranger
    board = board_of(s, 0)
    lanes = max((*board.lane_bytes, *board.row_bytes))
    waits = s.lock_wait > 0
    shapes = {len(shape.cells) for shape in s.shapes}
    rules = {
        "cells of less than a byte have no column stride and stand row by row": s.cells != "byte"
        and (s.by_columns or s.column_stride > 1),
        "a bit has two codes": s.cells == "bit"
        and (s.empty == s.first_code or s.code_each or s.drawn > 0 or {s.empty, s.first_code} - {0, 1}),
        "pointers are to rows": s.by_columns and s.pointers != "none",
        "columns that follow each other have their own stride": s.by_columns and s.column_stride > 1,
        "a row takes at most 256 bytes of memory": lanes >= MOST_BYTES,
        "codes are different": not _codes_differ(s),
        "pieces named by their cells have the same number of them": s.named == "cells" and len(shapes) > 1,
        "their name cannot come early": s.named == "cells" and s.chooses_early,
        "half rows need a pivot": s.named == "cells" and s.y_kind == "halves",
        "a piece is parked only while the game waits": bool(s.parks or s.chooses_early) and not waits,
        "the column is parked with the row": s.parks_x and not s.parks,
        "half rows have no points": s.y_kind == "halves" and s.soft_points,
        "points need a score and soft drops": s.soft_points and (s.score_format == "none" or s.down == "drop"),
        "UP has one task": (s.up_drops and (s.turning == "UP" or s.down != "hold"))
        or ("upward" in s.beyond and s.turning == "UP"),
        "two boards, or one that scrolls, have no table of rows": s.pointers != "none"
        and bool({"twice", "scrolls"} & {*s.beyond}),
        "levels are chosen where there are some": "level" in s.screens and len(s.gravity) == 1,
        "a level has a format": (len(s.gravity) > 1) != (s.level_format != "none"),
        "memory has more pages than boards": len(s.beyond) > 0 and board.size > 0x200 and not s.wram,
        "a long piece in pixels needs room above": "six" in s.beyond and s.y_kind == "pixels" and s.stored > 22,
        "the hidden rows exist": s.enters_hidden and not s.hidden,
        "rows that clear can be blank": s.blanks and not s.clear_wait,
        "half rows take half the frames": s.y_kind == "halves" and any(frames % 2 for frames in s.gravity),
    }
    for rule, broken in rules.items():
        if broken:
            return rule
    try:
        addresses(s)
    except ValueError as error:
        return str(error)
    return None


def _codes_differ(s: Stranger) -> bool:
    most = {"byte": 0x100, "half": 0x10, "bit": 2}[s.cells]
    solid = [s.first_code + number for number in range(len(s.pieces) if s.code_each else 1)]
    if s.cells == "bit":
        return s.walls in (0, s.first_code)
    others = [s.empty, *([s.walls] if s.walls else []), *([s.drawn] if s.drawn > 0 else [])]
    return len({*solid, *others}) == len(solid) + len(others) and max(solid + others) < most


class Draw:
    """Draws values; a calm stranger has the first value of most choices."""

    def __init__(self, rng: np.random.Generator) -> None:
        self.rng = rng
        self.calm = False

    def pick(self, choices: Mapping[T, float]) -> T:
        """Returns one of the values, by weight; the first one is the plain one."""
        values = [*choices]
        if self.calm and self.rng.random() < 0.8:
            return values[0]
        weights = np.array([*choices.values()], dtype=float)
        return values[int(self.rng.choice(len(values), p=weights / weights.sum()))]

    def chance(self, probability: float) -> bool:
        """Returns whether something that is not plain is so."""
        return self.pick({False: 1 - probability, True: probability})

    def number(self, first: int, last: int) -> int:
        """Returns a whole number of these, the last one too."""
        return int(self.rng.integers(first, last + 1))


def switches(draw: Draw) -> dict[str, Any]:
    """Returns a value for each switch; what cannot work together is still among them."""
    draw.calm = False
    draw.calm = draw.chance(0.2)
    switches = {**_field(draw), **_between(draw), **_pads(draw)}
    switches |= _cells(draw, switches)
    switches |= _piece(draw, switches)
    switches |= _counters(draw, switches)
    switches |= _menus(draw, switches)
    return switches | _noise(draw)


def _field(d: Draw) -> dict[str, Any]:
    hidden = d.pick({0: 5, 1: 2, 2: 3})
    return {
        "columns": d.pick({10: 6, **dict.fromkeys((6, 7, 8, 9, 11, 12), 2)}),
        "rows": d.pick({20: 6, **dict.fromkeys((12, 13, 14, 15, 16, 17, 18, 19, 21, 22), 1)}),
        "hidden": hidden,
        "piece_set": d.pick({"seven": 5, "some": 2.5, "others": 2.5}),
        "orientations": d.pick({"different": 4, "four": 2, "two": 1.4, "one": 1.2, "mixed": 1.6}),
        "pivots": d.pick({"corner": 1, "random": 1}),
        "enters_hidden": bool(hidden) and d.chance(0.35),
        "entry_shift": d.pick({0: 7, -1: 1.5, 1: 1.5}),
    }


def _between(d: Draw) -> dict[str, Any]:
    between = d.pick({"lock": 3, "clear": 1.8, "both": 1.5, "nothing": 2, "silent": 1.7})
    waits = between in ("lock", "both", "silent")
    clears = between in ("clear", "both")
    parks = d.pick({0: 5, 0xFF: 2.5, 0xF0: 2.5}) if waits else 0
    return {
        "between": between,
        "lock_wait": d.number(4, 20) if waits else 0,
        "clear_wait": d.number(10, 30) if clears else 0,
        "blanks": clears and d.chance(0.5),
        "parks": parks,
        "parks_x": bool(parks) and d.chance(0.5),
    }


def _pads(d: Draw) -> dict[str, Any]:
    down = d.pick({"hold": 5, "press": 2, "drop": 3})
    turning = d.pick({"both": 3, "swapped": 1.5, "A": 2, "B": 1.4, "UP": 1.4, "nothing": 1.3})
    repeats = d.chance(0.5)
    return {
        "poll": d.pick({1: 4, 2: 2, 3: 2, 4: 2}),
        "a_first": d.pick({True: 7, False: 3}),
        "repeat_first": d.number(12, 20) if repeats else 0,
        "repeat_next": d.number(4, 8) if repeats else 0,
        "down": down,
        "up_drops": down == "hold" and turning != "UP" and d.chance(0.35),
        "turning": turning,
        "soft_drop": d.number(1, 4),
    }


def _cells(d: Draw, known: Mapping[str, Any]) -> dict[str, Any]:
    """How a cell is kept. What makes no sense for halves and bits is not drawn for them."""
    cells = d.pick({"byte": 5.6, "half": 2.1, "bit": 2.3})
    byte, columns = cells == "byte", known["columns"]
    by_columns = byte and d.chance(0.22)
    walled = d.chance(0.25)
    spare = {"byte": 0, "half": 1, "bit": (8 if columns + 2 * walled <= 8 else 16) - columns - walled}[cells]
    most = {"byte": 0xF0, "half": 0xF, "bit": 1}[cells]
    each = cells != "bit" and d.chance(0.45)
    drawn = d.pick({0: 6.5, -1: 1.5, 1: 2})
    taken = {d.pick({0: 6.5, d.number(1, most): 3.5}) if cells != "bit" else 0}
    empty = max(taken)
    count = 7 if each else 1
    first = 1
    while cells != "bit":
        first = d.pick({1: 4, d.number(1, most + 1 - count): 6})
        if empty not in range(first, first + count):
            break
        d.calm = False
    taken |= {*range(first, first + count)}
    others = d.rng.permutation([code for code in range(1, most + 1) if code not in taken])[:2].tolist() or [1, 1]
    return {
        "cells": cells,
        "low_first": not byte and d.chance(0.5),
        "by_columns": by_columns,
        "column_stride": 2 if byte and not by_columns and d.chance(0.4) else 1,
        "gap": d.pick({0: 5, d.number(1, 6): 5}),
        "upside_down": d.chance(0.2),
        "walls": others[0] if walled else 0,
        "lead": 0 if byte else d.number(int(walled), max(spare, int(walled))),
        "pointers": "none" if by_columns else d.pick({"none": 5.5, "interleaved": 1.5, "split": 1.5, "numbers": 1.5}),
        "wram": d.chance(0.15),
        "empty": empty,
        "first_code": first,
        "code_each": each,
        "drawn": (others[-1] if cells != "bit" else -1) if drawn == 1 else drawn,
    }


def _piece(d: Draw, known: Mapping[str, Any]) -> dict[str, Any]:
    same_size = known["piece_set"] != "others"
    named = d.pick({"byte": 2.8, "dense": 2, "two": 2, "pointer": 1.4, **({"cells": 2.2} if same_size else {})})
    x_pixels = d.chance(0.25)
    y_kind = d.pick({"cells": 5, "pixels": 1.8, "up": 1.7, **({"halves": 1.7} if named != "cells" else {})})
    offset = {"cells": (1, 10), "pixels": (16, 40), "up": (1, 5), "halves": (1, 10)}[y_kind]
    return {
        "named": named,
        "first_id": d.pick({0: 5, d.number(1, 200): 5}) if named in ("byte", "dense", "two") else 0,
        "first_turn": d.pick({0: 7, d.number(1, 40): 3}) if named == "two" else 0,
        "x_pixels": x_pixels,
        "x_offset": d.number(16, 96) if x_pixels else d.pick({0: 6, d.number(1, 10): 4}),
        "y_kind": y_kind,
        "y_offset": d.number(*offset) if y_kind == "pixels" else d.pick({0: 6, d.number(*offset): 4}),
        "chooses_early": known["lock_wait"] > 0 and named != "cells" and d.chance(0.4),
        "keeps_next": d.pick({True: 7, False: 3}),
    }


def _counters(d: Draw, known: Mapping[str, Any]) -> dict[str, Any]:
    levels = d.pick({1: 3.5, **dict.fromkeys(range(3, 9), 1)})
    steps = np.sort(d.rng.integers(10, 31, size=levels))[::-1].tolist() if levels > 1 else [d.number(14, 30)]
    even = known["y_kind"] == "halves"
    lines = d.pick({"binary": 3.5, "none": 2, "bcd": 2.5, "digits": 2})
    score = d.pick({"binary": 3, "none": 2.5, "bcd": 2.5, "digits": 2})
    sizes = {"none": (1, 1), "binary": (1, 2), "bcd": (1, 2), "digits": (2, 3)}
    score_sizes = {"none": (1, 1), "binary": (2, 2), "bcd": (2, 3), "digits": (4, 6)}
    soft = score != "none" and known["down"] != "drop" and not even
    return {
        "gravity": tuple(frames - frames % 2 if even else frames for frames in steps),
        "timer_up": d.chance(0.3),
        "level_lines": d.pick({10: 1, 5: 1}),
        "level_format": "none" if levels == 1 else d.pick({"binary": 4, "bcd": 3, "digits": 3}),
        "level_first": d.pick({0: 1, 1: 1}),
        "lines_format": lines,
        "lines_size": d.number(*sizes[lines]),
        "lines_little": d.chance(0.5),
        "score_format": score,
        "score_size": d.number(*score_sizes[score]),
        "score_little": d.chance(0.5),
        "line_points": tuple(np.sort(d.rng.integers(1, 61, size=6)).tolist()),
        "soft_points": soft and d.chance(0.5),
    }


def _menus(d: Draw, known: Mapping[str, Any]) -> dict[str, Any]:
    title = d.pick({Pad.START: 4, Pad.A: 1.2, Pad.B: 1.1, Pad.SELECT: 1.2, Pad.A | Pad.B: 1.4, Pad.NONE: 1.2})
    title = title or d.pick(_DIRECTIONS)
    kinds = {"button": 4, "cursor": 3, **({"level": 3} if len(known["gravity"]) > 1 else {})}
    screens: list[str] = []
    buttons: list[Pad] = []
    for _ in range(d.pick({0: 4.5, 1: 3.5, 2: 2})):
        kind = d.pick(kinds)
        if kind != "button" and kind in screens:
            kind = "button"
        screens.append(kind)
        chosen = {Pad.START: 5, Pad.A: 2, Pad.B: 1.5, Pad.SELECT: 1.5}
        buttons.append(d.pick(chosen if kind == "button" else {Pad.START: 6, Pad.A: 4}))
    over = d.pick({"title": 4.5, "again": 3, "wait": 2.5})
    return {
        "title": title,
        "legal": d.number(40, 150) if d.chance(0.25) else 0,
        "screens": tuple(screens),
        "screen_buttons": tuple([*buttons, Pad.START, Pad.START][:2]),
        "options_button": d.pick({Pad.B: 4, Pad.START: 4, Pad.SELECT: 2}),
        "demo": d.number(300, 900) if d.chance(0.25) else 0,
        "demo_as_play": d.chance(0.5),
        "pauses": d.chance(0.5),
        "over": over,
        "over_buttons": d.pick({Pad.START: 6, title: 4}),
        "over_wait": d.number(60, 240) if over == "wait" else 0,
    }


def _noise(d: Draw) -> dict[str, Any]:
    return {
        "in_nmi": d.chance(0.5),
        "variables": d.pick({"zero page": 5, "page": 2.5, "scattered": 2.5}),
        "sprites": d.chance(0.4),
        "wipes": d.pick({True: 5, False: 5}),
        "late": d.chance(0.25),
        "dirt": d.chance(0.25),
        "pad_copies": d.chance(0.25),
        "counts_frames": d.chance(0.4),
        "stirs": d.pick({True: 7, False: 3}),
    }
