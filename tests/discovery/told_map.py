"""Writes the address map of a stranger from its truth, as a person would who has read its source."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any, Final

from emubot.rammap import RamMap, parse_map

Told = Mapping[str, Any]
_WRAPS: Final = 4  # rows or columns before the first one in which a pivot may be
_PHASES: Final = {"play": "playing", "lock": "locked", "clear": "clearing", "over": "over"}


def map_of(told: Told, counters: bool = True) -> RamMap:
    """Returns the map; with `counters` also lines, level, score and the next piece. Pieces need a name of their own."""
    return parse_map(map_text(told, counters), told["name"])


def map_text(told: Told, counters: bool = True) -> str:
    """Returns its YAML."""
    sections = [_head(told), _values(told)]
    sections += [_numbers(told), _next(told)] if counters else []
    sections += [_grid(told), _pieces(told), _phases(told), _buttons(told), _menu(told)]
    return "\n".join(line for section in sections for line in section) + "\n"


def _head(told: Told) -> Iterator[str]:
    yield f"title: {told['name']}"
    yield "family: tetris"
    yield "profile: plain"


def _values(told: Told) -> Iterator[str]:
    yield "values:"
    yield f"  state: {_hex(told['state']['at'])}"
    for key in ("demo", "pause"):
        if told[key] is not None:
            yield f"  {key}: {_hex(told[key]['at'])}"
    for screen in told["menus"]["screens"]:
        if "at" in screen:
            yield f"  chosen_{screen['kind']}: {_hex(screen['at'])}"
    named = told["piece"]["named"]
    if named == "two":
        parts = f"{{ at: {_hex(told['piece']['type'])}, times: 256 }}, {{ at: {_hex(told['piece']['turn'])} }}"
        yield f"  piece: {{ parts: [{parts}] }}"
    elif named == "pointer":
        high = f"{{ at: {_hex(told['piece']['high'])}, times: 256 }}"
        yield f"  piece: {{ parts: [{{ at: {_hex(told['piece']['low'])} }}, {high}] }}"
    else:
        yield f"  piece: {_hex(told['piece']['at'])}"
    for axis, cells in (("x", told["board"]["columns"]), ("y", told["board"]["rows"])):
        yield f"  {axis}: {_axis(told['place'][axis], cells)}"


def _axis(place: Told, cells: int) -> str:
    """A table, because a row or column before the first one may be a byte near 255."""
    up, unit, offset = place.get("up", False), place["unit"], place["offset"]
    entries: dict[int, int] = {}
    for number in range(-_WRAPS, cells + _WRAPS):
        for half in range(unit if unit == 2 else 1):
            byte = offset - number if up else offset + number * unit - half
            entries.setdefault(byte & 0xFF, number)
    listed = ", ".join(f"{_hex(code)}: {number}" for code, number in sorted(entries.items()))
    return f"{{ at: {_hex(place['at'])}, table: {{ {listed} }}, otherwise: 99 }}"


def _numbers(told: Told) -> Iterator[str]:
    for name in ("lines", "score", "level"):
        number = told["numbers"][name]
        if number is not None:
            layout = f"bytes: {number['bytes']}, format: {number['format']}, order: {number['order']}"
            yield f"  {name}: {{ at: {_hex(number['at'])}, {layout} }}"


def _next(told: Told) -> Iterator[str]:
    if told["next"] is not None:
        listed = ", ".join(f"{_hex(each['number'])}: {id_of(told, each['number'], 0)}" for each in told["pieces"])
        yield f"  next_piece: {{ at: {_hex(told['next']['at'])}, table: {{ {listed} }} }}"


def _grid(told: Told) -> Iterator[str]:
    board = told["board"]
    if board["table"] is not None or board["space"] == "wram" or (board["walls"] and board["cells"] != "byte"):
        raise ValueError("this board is not written yet")
    starts, first = board["row_starts"], board["hidden"]
    corner = starts[-1 if board["upside_down"] else first] + board["column_bytes"][0]
    yield "grid:"
    yield f"  at: {_hex(corner, 4)}"
    yield f"  rows: {board['rows']}"
    yield f"  columns: {board['columns']}"
    yield f"  row_stride: {abs(board['row_stride'])}"
    yield f"  column_stride: {board['column_stride']}"
    if board["upside_down"]:
        yield "  first_row: bottom"
    if board["hidden"]:
        hidden = [_hex(start + board["column_bytes"][0], 4) for start in reversed(starts[:first])]
        yield f"  hidden: [{', '.join(hidden)}]"
    if board["drawn"] == "as if locked":
        yield "  shows_piece: true"
    kinds = f"block: [{', '.join(map(_hex, board['solid']))}]"
    if isinstance(board["drawn"], int):
        kinds += f", moving: {{ codes: {_hex(board['drawn'])}, solid: false }}"
    yield f"  cell: {{ {_bits(board)}empty: {_hex(board['empty'])}, kinds: {{ {kinds} }} }}"


def _bits(board: Told) -> str:
    if board["cells"] == "byte":
        return ""
    mask = board["column_masks"][0]
    low = (mask & -mask).bit_length() - 1
    following = board["column_masks"][1] > mask if board["column_bytes"][1] == board["column_bytes"][0] else low != 0
    order = "low" if following else "high"
    return f"bits: {mask.bit_count()}, first: {low}, order: {order}, "


def _pieces(told: Told) -> Iterator[str]:
    yield "pieces:"
    turnable = {way for way in ("clockwise", "counterclockwise") if told["buttons"][way]}
    for piece in told["pieces"]:
        count = len(piece["turns"])
        for turn, one in enumerate(piece["turns"] if turnable else piece["turns"][:1]):
            cells = ", ".join(f"[{x}, {y}]" for x, y in one["cells"])
            after, before = (
                id_of(told, piece["number"], (turn + way) % count if turnable else turn) for way in (1, -1)
            )
            spawn = f", spawn: [{piece['entry'][0]}, {piece['entry'][1]}]" if turn == 0 else ""
            yield (
                f"  - {{ id: {id_of(told, piece['number'], turn)}, piece: piece_{piece['number']}, cells: [{cells}], "
                f"clockwise: {after}, counterclockwise: {before}{spawn} }}"
            )


def id_of(told: Told, number: int, turn: int) -> int:
    """Returns the map's id of a piece with a turn."""
    name = told["pieces"][number]["turns"][turn]["bytes"]
    if told["piece"]["named"] == "two":
        return int(256 * name[0] + name[1])
    return int(name[0] + 256 * name[1] if len(name) > 1 else name[0])


def _phases(told: Told) -> Iterator[str]:
    yield "phases:"
    values = told["state"]["values"]
    if told["pause"] is not None:
        yield f"  - {{ state: paused, phase: paused, when: {{ state: {values['play']}, pause: 1 }} }}"
    if told["demo"] is not None:
        yield "  - { state: demo, phase: menu, when: { demo: 1 } }"
    seen = set[int]()
    parked = told["place"]["parked"]
    if parked is not None and values["lock"] == values["play"]:
        yield f"  - {{ state: lock, phase: locked, when: {{ state: {values['play']}, y: 99 }} }}"
    for name, phase in _PHASES.items():
        if values[name] not in seen:
            yield f"  - {{ state: {name}, phase: {phase}, when: {{ state: {values[name]} }} }}"
        seen.add(values[name])
    for name in ("title", "screen_1", "screen_2", "options"):
        if values[name] not in seen:
            yield f"  - {{ state: {name}, phase: menu, when: {{ state: {values[name]} }} }}"


def _buttons(told: Told) -> Iterator[str]:
    yield "buttons:"
    names = {"clockwise": "rotate_clockwise", "counterclockwise": "rotate_counterclockwise"}
    for name, button in told["buttons"].items():
        if button and name not in ("soft_drop", "hard_drop"):
            yield f"  {names.get(name, name)}: {button}"
    drop = "hard_drop" if told["buttons"]["hard_drop"] == "DOWN" else "soft_drop"
    yield f"  {drop}: DOWN"
    yield "  start: START"


def _menu(told: Told) -> Iterator[str]:
    menus = told["menus"]
    yield "menu:"
    yield "  pace: 30"
    yield "  steps:"
    if told["demo"] is not None:
        yield "    - { state: demo, tap: SELECT }"
    yield f"    - {{ state: title, tap: {menus['title']} }}"
    for screen in menus["screens"]:
        if screen["kind"] == "cursor":
            until = f"{{ chosen_cursor: {screen['game']} }}"
            yield f"    - {{ state: {screen['screen']}, tap: {screen['more']}, until: {until} }}"
            yield f"    - {{ state: options, tap: {screen['back']} }}"
        yield f"    - {{ state: {screen['screen']}, tap: {screen['buttons']} }}"
    yield f"    - {{ state: over, tap: {menus['over']['buttons'] or 'none'} }}"


def _hex(number: int, digits: int = 2) -> str:
    return f"0x{number:0{max(digits, 4 if number > 0xFF else 2)}X}"
