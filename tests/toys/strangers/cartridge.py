"""Makes the image of a stranger: writes the engine's options as an include file, and assembles both."""

from __future__ import annotations

import subprocess
from collections.abc import Iterable
from pathlib import Path
from tempfile import TemporaryDirectory

from emubot.pad import Pad
from tests.programs import require_cc65
from tests.toys.cartridge import SHARED
from tests.toys.strangers.memory import SCRATCH, STRIPS, addresses, board_of, pages_between, repeated
from tests.toys.strangers.states import states_of
from tests.toys.strangers.switches import KINDS, MOST_CELLS, RECORDS, START_LEVELS, Stranger

ENGINE = Path(__file__).with_name("engine")
CURSOR_MOST = 1
SCRIPT = (Pad.LEFT, Pad.A, Pad.RIGHT, Pad.RIGHT, Pad.DOWN, Pad.B, Pad.LEFT, Pad.LEFT, Pad.LEFT, Pad.UP)
SCRIPT_SIZE, SCRIPT_PACE = 32, 12
_FORMATS = {"none": 0, "binary": 1, "bcd": 2, "digits": 3}
_SCREENS = {"none": 0, "button": 1, "cursor": 2, "level": 3}
_NAMED = {"byte": 1, "dense": 1, "two": 2, "pointer": 3, "cells": 4}
_POINTERS = {"none": 0, "interleaved": 1, "split": 2, "numbers": 3}
_Y_KINDS = {"cells": 0, "pixels": 1, "halves": 2, "up": 3}
_TEXTS = ("PLAY", "TITLE", "LEGAL", "SCREEN_1", "SCREEN_2", "OPTIONS", "OVER", "DEMO")


def build(stranger: Stranger, folder: Path) -> Path:
    """Returns the path of the image in `folder`; skips or fails as `require_cc65` does."""
    return assemble(stranger.name, options_text(stranger), "stranger.s", folder)


def assemble(name: str, options: str, source: str, folder: Path, engine: Path = ENGINE) -> Path:
    """Returns the path of NAME.nes in `folder`, made of a source of the folder `engine` and its options."""
    require_cc65()
    image = folder.resolve() / f"{name}.nes"
    with TemporaryDirectory() as place:
        work = Path(place)
        unlinked = work / "one.o"
        (work / "options.inc").write_text(options, encoding="ascii")
        subprocess.run(["ca65", "-I", work, "-I", SHARED, source, "-o", unlinked], cwd=engine, check=True)
        subprocess.run(["ld65", "-C", ENGINE / "stranger.cfg", "-o", image, unlinked], cwd=engine, check=True)
    return image


def pad_byte(stranger: Stranger, pad: Pad) -> int:
    """Returns the buttons as the stranger keeps them."""
    value = int(pad)
    return value if stranger.a_first else int(f"{value:08b}"[::-1], 2)


def options_text(stranger: Stranger) -> str:
    """Returns the include file: constants and places, then words and tables."""
    constants = {**_board(stranger), **_piece(stranger), **_play(stranger), **_menus(stranger), **_noise(stranger)}
    places = {name: at for name, at in addresses(stranger).items() if name != "board"}
    lines = ["; Written by tests/toys/strangers/cartridge.py."]
    lines += [f"{name} = {value}" for name, value in {**constants, **places}.items()]
    lines += [_words(stranger), '.segment "RODATA"', *_tables(stranger)]
    return "\n".join(lines) + "\n"


def _board(s: Stranger) -> dict[str, int]:
    board = board_of(s, addresses(s)["board"])
    return {
        "HEADER_6": 2 if s.wram else 0,
        "WRAM": int(s.wram),
        "COLUMNS": s.columns,
        "ROWS": s.rows,
        "HIDDEN": s.hidden,
        "STORED": s.stored,
        "PACKED": int(s.cells != "byte"),
        "EMPTY": repeated(s, s.empty),
        "FIRST_CODE": repeated(s, s.first_code),
        "COLOURS": int(s.code_each),
        "DRAWN": int(s.drawn != 0),
        "OTHER_CODE": repeated(s, s.drawn) if s.drawn > 0 else 0,
        "FLOOR": int(s.walls != 0),
        "FLOOR_AT": board.row_starts[-1],
        "ROW_BYTES": len(board.row_bytes),
        "NO_POINTERS": 0,
        "NUMBERS": _POINTERS["numbers"],
        "POINTERS": _POINTERS[s.pointers],
        "NO_ROW": 0xFF,
        "BOARD_COLUMN": 8,
        "BOARD_ROW": 3,
        "STRIPS": STRIPS,
        "FLIPPED": int("upward" in s.beyond),
        "TWICE": pages_between(s),
        "SCROLLS": int("scrolls" in s.beyond),
    }


def _piece(s: Stranger) -> dict[str, int]:
    y_kind = _Y_KINDS[s.y_kind]
    unit = {"pixels": 8, "halves": 2}.get(s.y_kind, 1)
    return {
        "BY_BYTE": 1,
        "BY_TWO": 2,
        "BY_POINTER": 3,
        "NAMED": _NAMED[s.named],
        "COORDS": int(s.named == "cells"),
        "SIZE": len(s.shapes[0].cells),
        "MOST_CELLS": MOST_CELLS,
        "ID_FIRST": s.first_id,
        "TURN_FIRST": s.first_turn,
        "BIAS": min(12, 28 - s.stored),  # columns and rows that a pivot in pixels or half rows may be outside
        "X_PIXELS": int(s.x_pixels),
        "X_OFFSET": s.x_offset,
        "Y_KIND": y_kind,
        **{f"Y_{kind.upper()}": number for kind, number in _Y_KINDS.items()},
        "Y_OFFSET": s.y_offset + s.stored - 1 if s.y_kind == "up" else s.y_offset - unit * s.hidden,
        "PARKS": int(s.parks != 0),
        "PARK_Y": s.parks,
        "PARKS_X": int(s.parks_x),
        "CHOOSES_EARLY": int(s.chooses_early),
        "NEXT": int(s.keeps_next),
        "TYPES": len(s.pieces),
    }


def _play(s: Stranger) -> dict[str, int]:
    states = states_of(s)
    return {
        "NOT_KEPT": 0,
        "BINARY": 1,
        "BCD": 2,
        "DIGITS": 3,
        "LEVELS": len(s.gravity),
        "LEVEL_LINES": s.level_lines,
        "LEVEL_FORMAT": _FORMATS[s.level_format],
        "LEVEL_SIZE": 2 if s.level_format == "digits" else 1,
        "LEVEL_FIRST": s.level_first,
        "LINES_FORMAT": _FORMATS[s.lines_format],
        "LINES_SIZE": s.lines_size,
        "LINES_LITTLE": int(s.lines_little),
        "SCORE_FORMAT": _FORMATS[s.score_format],
        "SCORE_SIZE": s.score_size,
        "SCORE_LITTLE": int(s.score_little),
        "SOFT_POINTS": int(s.soft_points),
        "SOFT_DROP": s.soft_drop if s.down == "hold" else 0,
        "DOWN_STEPS": int(s.down == "press"),
        "TIMER_UP": int(s.timer_up),
        "POLL": s.poll,
        "REPEAT_FIRST": s.repeat_first,
        "REPEAT_NEXT": s.repeat_next,
        "A_FIRST": int(s.a_first),
        "BTN_CLOCKWISE": pad_byte(s, s.clockwise),
        "BTN_COUNTERCLOCKWISE": pad_byte(s, s.counterclockwise),
        "BTN_FALL": pad_byte(s, s.fall),
        "BTN_DROP": pad_byte(s, s.fall if s.down == "drop" else Pad.UP if s.up_drops else Pad.NONE),
        **{f"BTN_{pad.name}": pad_byte(s, pad) for pad in Pad if pad},
        "LOCK_WAIT": s.lock_wait,
        "CLEAR_WAIT": s.clear_wait,
        "BLANKS": int(s.blanks),
        "PAUSES": int(s.pauses),
        "PAUSED": 1,
        **{f"STATE_{name.upper()}": value for name, value in states.items()},
    }


def _menus(s: Stranger) -> dict[str, int]:
    kinds = [*s.screens, "none", "none"][:2]
    more, less = s.cursor_buttons
    return {
        "NO_SCREEN": 0,
        "SCREEN_BUTTON": 1,
        "SCREEN_CURSOR": 2,
        "SCREEN_LEVEL": 3,
        **{f"SCREEN_{number}_KIND": _SCREENS[kind] for number, kind in enumerate(kinds, start=1)},
        **{f"SCREEN_{number}_BUTTONS": pad_byte(s, pad) for number, pad in enumerate(s.screen_buttons, start=1)},
        "OPTIONS_BUTTONS": pad_byte(s, s.options_button),
        "BTN_MORE": pad_byte(s, more),
        "BTN_LESS": pad_byte(s, less),
        "MOST_START_LEVEL": START_LEVELS,
        "CURSOR_MOST": CURSOR_MOST,
        "TITLE_BUTTONS": pad_byte(s, s.title),
        "LEGAL_WAIT": s.legal,
        "LEGAL_REST": 100,
        "DEMO_WAIT": s.demo,
        "SCRIPT_SIZE": SCRIPT_SIZE,
        "SCRIPT_PACE": SCRIPT_PACE,
        "OVER_WAIT": s.over_wait,
        "OVER_BUTTONS": pad_byte(s, s.over_buttons),
        "OVER_RESTARTS": int(s.over == "again"),
        **{f"TEXT_{name}": number for number, name in enumerate(_TEXTS)},
    }


def _noise(s: Stranger) -> dict[str, int | str]:
    return {
        **{kind.upper().replace(" ", "_"): number for number, kind in enumerate(KINDS)},
        "KIND": KINDS.index(s.kind),
        "IN_CELLS": int(s.kind in ("cursor", "painting", "walking", "nowhere")),
        "DRIFTS": int(s.drifts),
        "SPEED": s.speed,
        "RNG_LOW": s.seed * 7 + 0x35 & 0xFF,
        "RNG_HIGH": 0xA1,
        "RNG_TITLE": int(not s.stirs),
        "STIRS": int(s.stirs),
        "IN_NMI": int(s.in_nmi),
        "SPRITES": int(s.sprites),
        "WIPES": int(s.wipes),
        "SCRATCH_SIZE": sum(SCRATCH.values()),
        "LATE": int(s.late),
        "DIRT": int(s.dirt),
        "PAD_COPIES": int(s.pad_copies),
        "COUNTS_FRAMES": int(s.counts_frames),
        "SHOWS_NUMBER": int(bool({"cursor", "level"} & {*s.screens}) or len(s.gravity) > 1),
        "SHOWN_NUMBER": "cursor" if "cursor" in s.screens else "start_level" if "level" in s.screens else "level",
    }


def _words(s: Stranger) -> str:
    def press(buttons: Pad) -> str:
        return "PRESS " + "+".join(str(button.name) for button in reversed(Pad) if button and button in buttons)

    words = [
        "PLAY",
        press(s.title),
        "PLEASE WAIT",
        press(s.screen_buttons[0]),
        press(s.screen_buttons[1]),
        "OPTIONS " + str(s.options_button.name),
        "OVER",
        "DEMO",
    ]
    lines = [f'    .byte "{word[:16]:16}"' for word in words]
    return "\n".join([".macro WORDS", *lines, ".endmacro"])


def _tables(s: Stranger) -> Iterable[str]:
    board, shapes = board_of(s, addresses(s)["board"]), s.shapes
    entries = [s.entry_of(number) for number in range(len(shapes))]
    order = [s.stored - 1 - row if s.upside_down else row for row in range(s.stored)]
    by_id = {(s.id_of(number) - s.first_id) & 0xFF: number for number in range(len(shapes))}
    firsts = [sum(len(shape.cells) for shape in shapes[:number]) for number in range(len(shapes))]
    backwards = [shape.cells[::-1] for shape in shapes]  # the engine reads the last cell first
    yield _bytes("row_low", (start & 0xFF for start in board.row_starts[: s.stored]))
    yield _bytes("row_high", (start >> 8 for start in board.row_starts[: s.stored]))
    yield _bytes("row_entry", ((2 if s.pointers == "interleaved" else 1) * place for place in order))
    yield _bytes("lane_byte", board.lane_bytes)
    yield _bytes("lane_mask", board.lane_masks)
    yield _bytes("byte_at", board.row_bytes)
    yield _bytes("empty_byte", board.empty_bytes)
    yield _bytes("floor_byte", (repeated(s, s.walls) for _ in board.row_bytes))
    yield _bytes("type_first", s.first_shapes)
    yield _bytes("shape_type", (shape.piece for shape in shapes))
    yield _bytes("shape_id", (s.id_of(number) for number in range(len(shapes))))
    yield _bytes("shape_of_id", (by_id.get(number, 0) for number in range(max(by_id) + 1)))
    yield _bytes("shape_code", (repeated(s, s.code_of(shape.piece)) for shape in shapes))
    yield _bytes("shape_last", (len(shape.cells) - 1 for shape in shapes))
    yield _bytes("shape_first", firsts)
    yield _bytes("cell_x", (x for cells in backwards for x, _ in cells))
    yield _bytes("cell_y", (y for cells in backwards for _, y in cells))
    yield _bytes("turn_clockwise", (shape.clockwise for shape in shapes))
    yield _bytes("turn_counterclockwise", (shape.counterclockwise for shape in shapes))
    yield _bytes("spawn_x", (x for x, _ in entries))
    yield _bytes("spawn_y", (y + s.hidden for _, y in entries))
    steps = 2 if s.y_kind == "halves" else 1
    yield _bytes("frames_per_row", (frames // steps for frames in s.gravity))
    yield _bytes("line_points", s.line_points)
    yield _bytes("script", (pad_byte(s, SCRIPT[number % len(SCRIPT)]) for number in range(SCRIPT_SIZE)))
    records = [(number, *(part for cell in cells for part in cell)) for number, cells in enumerate(backwards)]
    yield _bytes("record_low", (s.record_of(number) & 0xFF for number in range(len(shapes))))
    yield _bytes("record_high", (s.record_of(number) >> 8 for number in range(len(shapes))))
    yield '.segment "RECORDS"'
    yield f"    .res {s.record_of(0) - RECORDS}"
    yield _bytes("records", (part for record in records for part in record))


def _bytes(label: str, numbers: Iterable[int]) -> str:
    listed = [number & 0xFF for number in numbers]
    lines = [", ".join(map(str, listed[at : at + 20])) for at in range(0, len(listed), 20)]
    return f"{label}:\n" + "\n".join(f"    .byte {line}" for line in lines)
