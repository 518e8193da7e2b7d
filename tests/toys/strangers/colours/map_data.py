"""The address map of a stranger of colours as plain data; writes no text."""

from __future__ import annotations

from typing import Any, Final

from tests.toys.strangers.colours.map_flow import buttons, menu, phases
from tests.toys.strangers.colours.stranger import (
    ABOVE,
    CAPSULES,
    PAIRS,
    SATELLITE,
    STATE,
    Cell,
    Stranger,
)

_SIDES: Final = ("none", "left", "right", "up", "down")


def map_of(stranger: Stranger) -> dict[str, Any]:
    """Returns a map of the stranger, with Python's numbers; `map_text` writes addresses and codes in hex."""
    play = stranger.play
    place = {"cells": [{"x": "x_1", "y": "y_1"}, {"x": "x_2", "y": "y_2"}]}
    return {
        "title": f"a stranger of colours, seed {stranger.seed}",
        "family": "puyo" if play.kind == PAIRS else "matching",
        "profile": {PAIRS: "famicom-1991", CAPSULES: "capsules"}.get(play.kind, "columns"),
        "players": play.players,
        **({"timing": {"press": stranger.pads.poll}} if stranger.pads.poll > 1 else {}),
        "rules": _rules(stranger),
        "values": _values(stranger),
        "grid": _grid(stranger),
        "pieces": _pieces(stranger),
        "piece_codes": {f"color_{color}": code for color, code in enumerate(stranger.piece.part_codes) if color},
        **({"place": place} if stranger.piece.by_cells else {}),
        "phases": phases(stranger),
        "buttons": buttons(stranger),
        "menu": menu(stranger),
    }


def _rules(stranger: Stranger) -> dict[str, Any]:
    play = stranger.play
    orientation, column, row = play.spawn
    if play.kind != PAIRS:
        targets = {"targets": list(play.targets), "target_rows": [play.target_rows] * bool(play.targets)}
        return {
            "columns": play.columns,
            "visible_rows": play.rows,
            "hidden_rows": play.hidden,
            "colors": play.colors,
            "joined": play.joined,
            "match": play.match,
            "match_size": play.size,
            "spawn": [orientation, column, row],
            "kick_left": play.wall_kick,
            **({"most_garbage": 0} if play.kind == CAPSULES else {}),
            **(targets if play.kind == CAPSULES else {}),
        }
    pivot, other = pivot_and_other(stranger, orientation)
    cells = play.shapes[orientation]
    seen = [(column + x, row + y) for x, y in cells if row + y >= 0]
    way = SATELLITE.index((cells[other][0] - cells[pivot][0], cells[other][1] - cells[pivot][1]))
    return {
        "columns": play.columns,
        "visible_rows": play.rows,
        "hidden_rows": play.hidden,
        "colors": play.colors,
        "group_size": play.size,
        "hidden_pops": False,
        "spawn": [way, column + cells[pivot][0], row + cells[pivot][1]],
        "death_cells": [part for cell in seen for part in cell],
        "wall_kick": play.wall_kick,
        "floor_kick": play.floor_kick,
        "quick_turn": play.quick_turn,
        "item_every": 0,
    }


def pivot_and_other(stranger: Stranger, orientation: int) -> tuple[int, int]:
    """Returns which part of a pair is the pivot of the family: the one that never moves, or the first."""
    stays = [part for part in (0, 1) if all(cells[part] == (0, 0) for cells in stranger.play.shapes)]
    return (1, 0) if stays == [1] else (0, 1)


def _values(stranger: Stranger) -> dict[str, Any]:
    play, piece, at = stranger.play, stranger.piece, stranger.addresses
    values: dict[str, Any] = {
        "screen": at["MODE"],
        "frames": {"at": at["FRAMES"], "bytes": 2},
        "wait": _of(stranger, "P_WAIT"),
        "chain": _of(stranger, "P_CHAIN"),
    }
    if piece.score != "none":
        values["score"] = {"parts": _score(stranger)}
    if stranger.between == STATE:
        values["state"] = _of(stranger, "P_STATE")
    if piece.by_cells:
        for number, suffix in ((1, ""), (2, "2")):
            values[f"x_{number}"] = _x(stranger, f"P_X{suffix}")
            values[f"y_{number}"] = _y(stranger, f"P_Y{suffix}")
    else:
        values |= {"x": _x(stranger, "P_X"), "y": _y(stranger, "P_Y"), "orientation": _of(stranger, "P_TURN")}
    names = {PAIRS: ("bottom", "top")}.get(play.kind, ("1", "2", "3")[: play.parts])
    for which, short in (("current", "NOW"), ("next", "NEXT")):
        for number, name in enumerate(names):
            values[f"{which}_{name}"] = _part(stranger, short, number)
    if play.kind == PAIRS:
        values["pending"] = _of(stranger, "P_PENDING")
    if play.targets:
        values |= {"targets": _of(stranger, "P_TARGETS"), "stage": at["STAGE"]}
    if stranger.menus.demo_after:
        values["demo"] = at["DEMO"]
    if stranger.menus.pause:
        values["paused"] = at["PAUSED"]
    if any(screen.items for screen in stranger.menus.screens):
        values["cursor"] = at["MENU_CURSOR"]
    if play.players > 1:
        values |= {"mode": {"at": at["VERSUS"], "scale": 2}, "loser": at["LOSER"]}
    return values


def _score(stranger: Stranger) -> list[dict[str, Any]]:
    """Returns the parts of the score, from the lowest."""
    form = {"format": "bcd"} if stranger.piece.score == "bcd" else {}
    times = {"bcd": (1, 100), "digits": (1, 10, 100, 1000)}.get(stranger.piece.score, (1, 256))
    names = ("P_SCORE", "P_SCORE_2", "P_SCORE_3", "P_SCORE_4")
    return [{"at": _of(stranger, name), **form, "times": one} for name, one in zip(names, times, strict=False)]


def _of(stranger: Stranger, name: str) -> Any:
    """Returns the address of a player's byte, or of both players'."""
    at = stranger.addresses[name]
    return at if stranger.play.players == 1 else [at, at + stranger.shift]


def _x(stranger: Stranger, name: str) -> Any:
    codes, unit = stranger.piece.x_codes, stranger.piece.x_unit
    return _scaled({"at": _of(stranger, name), "offset": -codes[0], "divide": unit})


def _y(stranger: Stranger, name: str) -> Any:
    piece = stranger.piece
    first = piece.y_codes[ABOVE + stranger.play.hidden]  # of the highest visible row
    if piece.y_unit < 0:
        return _scaled({"at": _of(stranger, name), "offset": -first, "scale": -1})
    some = min((code if code < 0x80 or unsigned(stranger) else code - 0x100) for code in piece.y_codes)
    signed = {"format": "signed"} if some < 0 else {}
    return _scaled({"at": _of(stranger, name), **signed, "offset": -first, "divide": abs(piece.y_unit)})


def unsigned(stranger: Stranger) -> bool:
    """Whether places are counted so far that a byte above 0x7F is no row above the field."""
    return stranger.piece.y_codes[-1] >= 0x80


def _scaled(value: dict[str, Any]) -> Any:
    plain = {name: part for name, part in value.items() if (name, part) not in (("offset", 0), ("divide", 1))}
    return plain["at"] if len(plain) == 1 else plain


def _part(stranger: Stranger, short: str, number: int) -> Any:
    if short == "NEXT" and not stranger.piece.keeps_next:
        return {"at": _of(stranger, "P_NEXT"), "mask": 1 << number, "offset": 0x100}  # no code: nothing is shown
    if stranger.piece.nibbles:
        return {"at": _of(stranger, f"P_{short}"), **({"mask": 0xF0, "shift": 4} if number == 0 else {"mask": 0x0F})}
    return _of(stranger, f"P_{short}" + ("", "_2", "_3")[number])


def _grid(stranger: Stranger) -> dict[str, Any]:
    play, field = stranger.play, stranger.field
    bottom = field.row_stride < 0
    first = play.stored - 1 if bottom else play.hidden
    players = range(play.players)

    def starts(row: int) -> Any:
        found = [field.place(row, 0, player)[0] for player in players]
        return found[0] if len(found) == 1 else found

    grid: dict[str, Any] = {
        "at": starts(first),
        "rows": play.rows,
        "columns": play.columns,
        "row_stride": abs(field.row_stride),
        "column_stride": field.column_stride,
        "cell": _cell(stranger),
    }
    if bottom:
        grid["first_row"] = "bottom"
    if field.drawn == "as locked":
        grid["shows_piece"] = True
    if play.hidden:
        grid["hidden"] = [starts(play.hidden - row) for row in range(1, play.hidden + 1)]
    return grid


def _cell(stranger: Stranger) -> dict[str, Any]:
    play, field = stranger.play, stranger.field
    mask = 0xFF & ~(field.noise | field.link_mask)
    kinds: dict[str, Any] = {f"color_{color}": field.colors[color - 1] for color in range(1, play.colors + 1)}
    if play.has_nuisance:
        kinds["nuisance"] = field.nuisance
    kinds |= {f"target_{color}": code for color, code in enumerate(field.targets, start=1)}
    if field.popping is not None:
        kinds["popping" if play.kind == PAIRS else "vanishing"] = field.popping
    cell: dict[str, Any] = {"empty": field.empty, "kinds": kinds}
    if field.drawn == "moving":
        kinds["moving"] = {"codes": field.moving, "solid": False}
    if field.half_bytes:
        cell |= {"bits": 4, "order": field.half_bytes}
        if field.lead:
            cell["first"] = 0 if field.half_bytes == "high" else 4
    elif mask != 0xFF:
        cell["mask"] = mask
    if play.joined:
        shift = (field.link_mask & -field.link_mask).bit_length() - 1
        sides = {name: link >> shift for name, link in zip(_SIDES, field.links, strict=True)}
        cell["link"] = {"mask": field.link_mask, "shift": shift, **sides}
    return cell


def _pieces(stranger: Stranger) -> list[dict[str, Any]]:
    play, piece = stranger.play, stranger.piece
    found = []
    for turn in range(play.orientations):
        x, y = piece.anchor[turn] if not piece.by_cells else (0, 0)
        cells: list[Cell] = [(dx - x, dy - y) for dx, dy in play.shapes[turn]]
        turns = {name: _turn(stranger, turn, way) for name, way in (("clockwise", True), ("counterclockwise", False))}
        codes = piece.turn_codes if not piece.by_cells else range(4)
        found.append({"id": codes[turn], "piece": "piece", "cells": [list(cell) for cell in cells], **turns})
    return found


def _turn(stranger: Stranger, turn: int, clockwise: bool) -> Any:
    play = stranger.play
    codes = stranger.piece.turn_codes if not stranger.piece.by_cells else range(4)
    to = play.turned(turn, clockwise)
    if play.swaps and to >= 2:
        return {"to": codes[to - 2], "cycle": 1}
    return codes[to]
