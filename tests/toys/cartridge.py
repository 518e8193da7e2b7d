"""Makes the image of a toy: writes the engine's options as an include file, and assembles both."""

from __future__ import annotations

import subprocess
from collections.abc import Iterable
from pathlib import Path

from emubot import demos
from tests.programs import require_cc65
from tests.toys.addresses import MOST_CELLS
from tests.toys.toy import PICK, READY, SECOND, TITLE, Toy

ENGINE = Path(__file__).with_name("engine")
SHARED = Path(demos.__file__).parent  # the parts that the demo cartridges share
_BATTERY_FLAG, _BATTERY = 6, 0x02  # byte and bit of the header: the cartridge has memory of its own


def build(toy: Toy, folder: Path) -> Path:
    """Returns the path of the image in `folder`; skips or fails as `require_cc65` does."""
    require_cc65()
    (folder / "options.inc").write_text(options_text(toy), encoding="ascii")
    image, unlinked = folder / f"{toy.name}.nes", folder / "toy.o"
    subprocess.run(["ca65", "-I", folder, "-I", SHARED, "toy.s", "-o", unlinked], cwd=ENGINE, check=True)
    subprocess.run(["ld65", "-C", SHARED / "blocks.cfg", "-o", image, unlinked], cwd=ENGINE, check=True)
    if toy.needs_wram:
        data = bytearray(image.read_bytes())
        data[_BATTERY_FLAG] |= _BATTERY
        image.write_bytes(data)
    return image


def options_text(toy: Toy) -> str:
    """Returns the include file: constants, then tables."""
    first, last, every = toy.speed_byte or (0, 0, 0)
    constants = {
        "COLUMNS": toy.columns,
        "ROWS": toy.rows,
        "HIDDEN": toy.hidden,
        "ROW_STRIDE": toy.row_stride,
        "COLUMN_STRIDE": toy.column_stride,
        "CODE_EMPTY": toy.empty,
        "ID_FIRST": toy.first_id,
        "STORES_PLACE": int(not toy.sprites),
        "X_OFFSET": toy.x_offset,
        "UPWARD": int(toy.upward),
        "PIECES": len(toy.pieces),
        "SHAPES": len(toy.shapes),
        "VELOCITY": int(bool(toy.velocity)),
        "SPEEDS": len(_speeds(toy)),
        "SPEED_FIRST": first,
        "SPEED_LAST": last,
        "SPEED_EVERY": every,
        "SOFT_DROP": toy.soft_drop,
        "LOCK_DELAY": toy.lock_delay,
        "MOVES_RESTORE": int(toy.moves_restore),
        "KICKS": _attempts(toy),
        "LEVEL_LINES": toy.level_lines,
        "ENTRY": toy.entry,
        "PICK_LEVELS": toy.pick_levels,
        "READY_WAIT": toy.ready_wait,
    }
    lines = ["; Written by tests/toys/cartridge.py.", *(f"{name} = {value}" for name, value in constants.items())]
    lines += ['.segment "RODATA"', *_tables(toy)]
    return "\n".join(lines) + "\n"


def _tables(toy: Toy) -> Iterable[str]:
    shapes = toy.shapes
    entries = [toy.entry_of(shape) for shape in range(len(shapes))]
    kicks = _kicks(toy)
    cells = [(*shape.cells, *[(0, 0)] * (MOST_CELLS - len(shape.cells))) for shape in shapes]
    yield _bytes("next_screen", (toy.next_screen(screen) for screen in (TITLE, PICK, SECOND, READY)))
    yield _bytes("piece_first", toy.first_shapes)
    yield _bytes("shape_size", (len(shape.cells) for shape in shapes))
    yield _bytes("shape_first", (MOST_CELLS * number for number in range(len(shapes))))
    yield _bytes("shape_code", (toy.first_code + shape.piece for shape in shapes))
    yield _bytes("cell_x", (x for places in cells for x, _ in places))
    yield _bytes("cell_y", (y for places in cells for _, y in places))
    yield _bytes("spawn_x", (x for x, _ in entries))
    yield _bytes("spawn_y", (y for _, y in entries))
    turns = [shape.clockwise for shape in shapes] + [shape.counterclockwise for shape in shapes]
    yield _bytes("turn_to", turns)
    sets = list(dict.fromkeys(kicks))
    yield _bytes("kick_first", (_attempts(toy) * sets.index(tries) for tries in kicks))
    yield _bytes("kick_x", (x for tries in sets for x, _ in tries))
    yield _bytes("kick_y", (y for tries in sets for _, y in tries))
    for part, shift in (("low", 0), ("high", 8)):
        yield _bytes(f"speed_{part}", (speed >> shift for speed in _speeds(toy)))
        rows = (toy.address(row, 0) >> shift for row in range(-toy.hidden, toy.rows))
        yield _bytes(f"row_{part}", rows)
        yield _bytes(f"column_{part}", (column * toy.column_stride >> shift for column in range(toy.columns)))


def _kicks(toy: Toy) -> list[tuple[tuple[int, int], ...]]:
    """Returns what each turn tries, clockwise turns first; all have the same length, the first try is in place."""
    turns = [(number, shape.clockwise) for number, shape in enumerate(toy.shapes)]
    turns += [(number, shape.counterclockwise) for number, shape in enumerate(toy.shapes)]
    tries = [((0, 0), *toy.kicks.get(turn, ())) for turn in turns]
    return [(*found, *[(0, 0)] * (_attempts(toy) - len(found))) for found in tries]


def _attempts(toy: Toy) -> int:
    return 1 + max(map(len, toy.kicks.values()), default=0)


def _speeds(toy: Toy) -> tuple[int, ...]:
    return toy.velocity or toy.gravity


def _bytes(label: str, numbers: Iterable[int]) -> str:
    listed = [number & 0xFF for number in numbers]
    lines = [", ".join(map(str, listed[at : at + 20])) for at in range(0, len(listed), 20)]
    return f"{label}:\n" + "\n".join(f"    .byte {line}" for line in lines)
