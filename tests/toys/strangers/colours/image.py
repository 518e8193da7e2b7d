"""Makes the image of a stranger of colours: writes the engine's options as an include file, and assembles both."""

from __future__ import annotations

from collections.abc import Iterable
from pathlib import Path
from typing import Final

from tests.toys.strangers.cartridge import assemble
from tests.toys.strangers.colours.memory import LIST_SIZE
from tests.toys.strangers.colours.stranger import (
    ABOVE,
    DIAGONALS,
    GROUPS,
    KINDS,
    PARKED,
    STATE,
    Stranger,
)

ENGINE = Path(__file__).with_name("engine")
_BATTERY_FLAG, _BATTERY = 6, 0x02  # byte and bit of the header: the cartridge has memory of its own
_BUTTONS: Final = {
    "": 0,
    "A": 0x80,
    "B": 0x40,
    "SELECT": 0x20,
    "START": 0x10,
    "UP": 0x08,
    "DOWN": 0x04,
    "LEFT": 0x02,
    "RIGHT": 0x01,
    "A+B": 0xC0,
}
_LEFT, _LEFT_2, _TOP = 3, 18, 6  # tiles: where the fields are on the screen
_SPARE_SCREENS: Final = 8


def build(stranger: Stranger, folder: Path) -> Path:
    """Returns the path of the image in `folder`; skips or fails as `require_cc65` does."""
    image = assemble(stranger.name, options_text(stranger), "colours.s", folder, ENGINE)
    if stranger.field.in_wram:
        data = bytearray(image.read_bytes())
        data[_BATTERY_FLAG] |= _BATTERY
        image.write_bytes(data)
    return image


def options_text(stranger: Stranger) -> str:
    """Returns the include file: constants, then tables."""
    constants = {**_play(stranger), **_pads(stranger), **_menus(stranger), **_memory(stranger)}
    lines = ["; Written by tests/toys/strangers/colours.", *(f"{name} = {value}" for name, value in constants.items())]
    lines += ['.segment "RODATA"', *_field_tables(stranger), *_piece_tables(stranger), *_menu_tables(stranger)]
    return "\n".join([*lines, '.segment "CODE"']) + "\n"


def _play(stranger: Stranger) -> dict[str, int]:
    play, waits = stranger.play, stranger.waits
    orientation, column, row = play.spawn
    return {
        "COLUMNS": play.columns,
        "STORED": play.stored,
        "HIDDEN": play.hidden,
        "CELLS": play.columns * play.stored,
        "COLORS": play.colors,
        "PLAYERS": play.players,
        "PIECE": play.parts,
        "ORIENTATIONS": play.orientations,
        "SWAPS": int(play.swaps),
        "SPAWN_LO": orientation,
        "SPAWN_X": column,
        "SPAWN_Y": row + play.hidden,
        "JOINED": int(play.joined),
        "MATCH_GROUPS": int(play.match == GROUPS),
        "DIRECTIONS": 4 if play.match == DIAGONALS else 2,
        "SIZE": play.size,
        "SCAN_FIRST": play.columns * play.hidden if play.match == GROUPS else 0,
        "SCAN_CELLS": {GROUPS: 10, DIAGONALS: 6}.get(play.match, 8) // play.players,
        "FALL_CELLS": 90 // play.players,
        "FALL_COLUMNS": 2 // play.players,
        "STAGED": int(bool(play.targets)),
        "STAGES": len(play.targets),
        "TARGET_CELLS": play.target_rows * play.columns,
        "NUISANCE": int(play.has_nuisance),
        "NUISANCE_EVERY": play.nuisance_every,
        "NUISANCE_MANY": play.nuisance_many,
        "QUICK_TURN": int(play.quick_turn),
        "FALLS_AT_ONCE": int(play.falls_at_once),
        "QUICK": int(play.quick),
        "CLEARS_CHAIN": int(play.clears_chain),
        "SETTLE": waits.settle,
        "FALL_WAIT": waits.fall,
        "POP": waits.pop,
        "SPAWN_DELAY": waits.spawn,
        "WON_WAIT": waits.won,
        "SPEED_FIRST": stranger.pads.speed[0],
        "SPEED_LAST": stranger.pads.speed[1],
        "SPEED_EVERY": stranger.pads.speed[2],
        "HAS_STATE": int(stranger.between == STATE),
        "PARKS": int(stranger.between == PARKED),
        "PARKED": stranger.piece.parked,
        "HIDES_KINDS": int(stranger.between == KINDS),
        **{f"S_{name}": n for n, name in enumerate(("PLAY", "SETTLE", "POP", "NUISANCE", "SPAWN", "PLANT"))},
    }


def _pads(stranger: Stranger) -> dict[str, int]:
    pads = stranger.pads
    return {
        "POLL": pads.poll,
        "TURN_CW": _BUTTONS[pads.clockwise],
        "TURN_CCW": _BUTTONS[pads.counterclockwise],
        "SOFT_DROP": pads.soft_drop,
        "DOWN_STEPS": int(pads.down == "press"),
        "DOWN_DROPS": int(pads.down == "drop"),
        "HARD_DROP": _BUTTONS[pads.hard_drop],
        "REPEAT_FIRST": pads.repeat_first,
        "REPEAT_NEXT": pads.repeat_next,
        "LOCK_DELAY": pads.lock_delay,
    }


def _menus(stranger: Stranger) -> dict[str, int]:
    menus = stranger.menus
    return {
        "SCREENS": len(menus.screens),
        "CURSOR_DOWN": _BUTTONS[menus.cursor_down],
        "CURSOR_UP": _BUTTONS[menus.cursor_up],
        "OVER_BUTTON": _BUTTONS[menus.over_button],
        "OVER_WAIT": menus.over_wait,
        "OVER_RESTARTS": int(menus.over_to < 0),
        "OVER_TO": max(menus.over_to, 0),
        "PAUSE": _BUTTONS[menus.pause],
        "PAUSED_CODE": menus.pause_flag,
        "DEMO_AFTER": menus.demo_after,
        "DEMO_LASTS": menus.demo_lasts,
        "VERSUS_KEY": _BUTTONS[menus.versus_key],
    }


def _memory(stranger: Stranger) -> dict[str, int]:
    field, piece = stranger.field, stranger.piece
    unused = {} if stranger.menus.demo_after else {"DEMO": 0}
    return {
        **stranger.addresses,
        **unused,
        "SHIFT": stranger.shift,
        "LIST_SIZE": LIST_SIZE,
        "WHERE_OAM": stranger.oam,
        "STOMP": int(stranger.stomps),
        "WRAM": int(field.in_wram),
        "HALF_BYTES": int(bool(field.half_bytes)),
        "SECOND_BYTE": int(field.second_byte),
        "CELL_NOISE": field.noise,
        "AROUND": field.around,
        "FIELD_BYTES": field.byte_count,
        "SHOWS_POPS": int(field.popping is not None),
        "PLACE_CELLS": int(piece.by_cells),
        "HALF_ROWS": piece.half_rows,
        "ABOVE": ABOVE,
        "Y_CODES": len(piece.y_codes),
        "NIBBLES": int(piece.nibbles),
        "DRAWN": {"": 0, "as locked": 0xFF, "moving": 15}[field.drawn],
        "SCORE_BYTES": int(piece.score != "none"),
        "SCORE_BCD": int(piece.score == "bcd"),
        "SCORE_DIGITS": int(piece.score == "digits"),
        "KEEPS_NEXT": int(piece.keeps_next),
        "FIELD_LEFT": _LEFT,
        "FIELD_LEFT_2": _LEFT_2,
        "FIELD_TOP": _TOP,
        "TOP_AT": 0x2000 + 32 * _TOP,
        "FLOOR_AT": 0x2000 + 32 * (_TOP + stranger.play.rows),
    }


def _field_tables(stranger: Stranger) -> Iterable[str]:
    play, field = stranger.play, stranger.field
    for player, suffix in enumerate(("", "_2")[: play.players]):
        places = [field.place(row, column, player)[0] for row, column in stranger.cells]
        yield _bytes(f"at_low{suffix}", places)
        yield _bytes(f"at_high{suffix}", (place >> 8 for place in places))
    starts = [field.first_byte + player * field.byte_count for player in (0, 1)]
    yield _bytes("field_low", starts)
    yield _bytes("field_high", (start >> 8 for start in starts))
    yield _bytes("in_high", (field.place(row, column)[1] for row, column in stranger.cells))
    yield _bytes("row_first", (row * play.columns for row in range(play.stored)))
    yield _bytes("row_of", (row for row, _ in stranger.cells))
    yield _bytes("column_of", (column for _, column in stranger.cells))
    values = [kind | link << 4 for link in range(5 if play.joined else 1) for kind in range(16)]
    meanings = {field.code(value & 15, value >> 4): value for value in reversed(values) if _is_used(stranger, value)}
    yield _bytes("value_of", (meanings.get(raw & ~field.noise, 0) for raw in range(16 if field.half_bytes else 256)))
    yield _bytes("code_of", (field.code(value & 15, value >> 4) for value in range(0x50 if play.joined else 16)))
    screen = [0x2000 + 32 * (_TOP + row - play.hidden) + _LEFT for row in range(play.stored)]
    yield _bytes("row_low", screen)
    yield _bytes("row_high", (at >> 8 for at in screen))
    yield _bytes("field_left", (0, _LEFT_2 - _LEFT))
    yield _bytes("left_pixels", (8 * _LEFT, 8 * _LEFT_2))
    yield _bytes("next_left", (8 * (_LEFT + play.columns + 2), 8 * (_LEFT_2 + play.columns + 1)))
    yield "tile_of:\n    .byte TILE_EMPTY" + "".join(f", TILE_COLOR + {n}" for n in range(6))
    yield "    .byte TILE_NUISANCE, TILE_POPPING" + "".join(f", TILE_TARGET + {n}" for n in range(6)) + ", TILE_WALL"
    yield _bytes("stage_targets", play.targets or (0,))


def _is_used(stranger: Stranger, value: int) -> bool:
    kind, play, field = value & 15, stranger.play, stranger.field
    if 0 < kind <= 6:
        return kind <= play.colors
    if kind == 8:
        return field.popping is not None and value < 16
    if kind == 15:
        return field.drawn == "moving" and value < 16
    if kind > 8:
        return kind - 8 <= len(field.targets) and value < 16
    return value < 16 and (kind == 0 or play.has_nuisance)


def _piece_tables(stranger: Stranger) -> Iterable[str]:
    play, piece = stranger.play, stranger.piece
    yield _bytes("x_code", piece.x_codes)
    yield _bytes("y_code", piece.y_codes)
    yield _bytes("turn_code", piece.turn_codes)
    yield _bytes("part_code", piece.part_codes)
    yield _bytes("anchor_x", (x for x, _ in piece.anchor))
    yield _bytes("anchor_y", (y for _, y in piece.anchor))
    yield _bytes("apart_x", (cells[1][0] - cells[0][0] for cells in play.shapes))
    yield _bytes("apart_y", (cells[1][1] - cells[0][1] for cells in play.shapes))
    yield _bytes("shape_first", (play.parts * turn for turn in range(len(play.shapes))))
    yield _bytes("cell_x", (x for cells in play.shapes for x, _ in cells))
    yield _bytes("cell_y", (y for cells in play.shapes for _, y in cells))
    if play.joined:
        yield _bytes("shape_link", (link for cells in play.shapes for link in _links(cells)))
    turns = [(turn, play.turned(turn, way)) for way in (True, False) for turn in _four(len(play.shapes))]
    kicks = [play.kick(before, after) for before, after in turns]
    yield _bytes("turn_to", (after for _, after in turns))
    yield _bytes("kick_x", (x for x, _ in kicks))
    yield _bytes("kick_y", (y for _, y in kicks))
    yield _bytes("upside_kick_y", (_upside(stranger, turn) for turn in range(len(play.shapes))))
    yield _bytes("state_code", stranger.states or (0,))


def _links(cells: tuple[tuple[int, int], ...]) -> tuple[int, ...]:
    """Returns the links of both halves, as they stand in a value."""
    (x, y), (other_x, other_y) = cells
    sides = {(-1, 0): 1, (1, 0): 2, (0, -1): 3, (0, 1): 4}
    there = (other_x - x, other_y - y)
    return sides[there] << 4, sides[-there[0], -there[1]] << 4


def _four(count: int) -> tuple[int, ...]:
    return tuple(turn % count for turn in range(4))


def _upside(stranger: Stranger, turn: int) -> int:
    """Returns the kick of a quick turn that ends in this orientation: away from the other half."""
    other = stranger.play.shapes[turn]
    down = max(y for _, y in other) > 0
    return -1 if down and stranger.play.floor_kick else 1 if not down and stranger.play.wall_kick else 0


def _menu_tables(stranger: Stranger) -> Iterable[str]:
    menus = stranger.menus
    screens = [*menus.screens, *[menus.screens[0]] * (_SPARE_SCREENS - len(menus.screens))]
    yield _bytes("mode_code", menus.modes)
    yield _bytes("screen_button", (_BUTTONS[screen.button] for screen in screens))
    yield _bytes("screen_delay", (screen.delay for screen in screens))
    yield _bytes("screen_items", (screen.items if at < len(menus.screens) else 0 for at, screen in enumerate(screens)))
    yield _bytes("screen_start", (screen.start for screen in screens))
    yield _bytes("screen_target", (screen.target for screen in screens))
    labels = [f"word_{number}" for number in range(len(menus.screens))]
    yield f"word_low:\n    .byte {', '.join(f'<{label}' for label in labels)}"
    yield f"word_high:\n    .byte {', '.join(f'>{label}' for label in labels)}"
    for label, screen in zip(labels, menus.screens, strict=True):
        yield f'{label}:\n    .byte "{"CHOOSE" if screen.items else "PUSH"} {screen.button}", $FF'
    yield 'line_play:\n    .byte "PLAY", $FF'
    yield 'line_other:\n    .byte "SOUND", $FF'


def _bytes(label: str, numbers: Iterable[int]) -> str:
    listed = [int(number) & 0xFF for number in numbers]
    lines = [", ".join(map(str, listed[at : at + 20])) for at in range(0, len(listed), 20)]
    return f"{label}:\n" + "\n".join(f"    .byte {line}" for line in lines)
