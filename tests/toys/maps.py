"""Writes each toy's address map, as a person would after reading engine/ram.inc; knows no encoder."""

from __future__ import annotations

from collections.abc import Iterator

from tests.toys import addresses as ram
from tests.toys.toy import CLEARING, LOCKED, OVER, PICK, PLAYING, READY, SECOND, TITLE, Toy

_MENU_STATES = {TITLE: "title", PICK: "pick", SECOND: "second", READY: "ready"}
_PLAY_STATES = {PLAYING: "playing", LOCKED: "locked", CLEARING: "clearing", OVER: "over"}


def map_text(toy: Toy) -> str:
    """Returns the YAML of a toy's map."""
    sections = (_head, _values, _place, _grid, _pieces, _kicks, _phases, _buttons, _menu)
    return "\n".join(line for section in sections for line in section(toy)) + "\n"


def _head(toy: Toy) -> Iterator[str]:
    yield f"title: A toy of falling blocks, {toy.name}"
    yield "family: tetris"
    yield "profile: plain"
    yield "game_counter: frames"
    if not toy.states_clock:
        return
    yield "timing:"
    if toy.velocity:
        source = "value: speed" if toy.shows_speed else f"table: [{_listed(toy.velocity)}]"
        yield f"  velocity: {{ {source}, unit: 256, soft_drop: {toy.soft_drop} }}"
    else:
        yield "  gravity_value: speed" if toy.shows_speed else f"  gravity: [{_listed(toy.gravity)}]"
        yield f"  soft_drop: {toy.soft_drop}"
    if toy.lock_delay:
        yield f"  lock_delay: {toy.lock_delay}"
        yield f"  lock_restore: {'moves' if toy.moves_restore else 'fall'}"


def _values(toy: Toy) -> Iterator[str]:
    yield "values:"
    yield f"  frames: {{ at: {_hex(ram.FRAMES)}, bytes: 2 }}"
    yield f"  state: {_hex(ram.STATE)}"
    if toy.sprites:
        for cell in range(ram.MOST_CELLS):
            sprite = ram.SPRITES.start + 4 * cell
            yield f"  x_{cell}: {{ at: {_hex(sprite + 3)}, offset: -{ram.LEFT_EDGE}, divide: 8 }}"
            yield f"  y_{cell}: {{ at: {_hex(sprite)}, offset: -{ram.TOP_EDGE - 1}, divide: 8 }}"
    else:
        yield f"  piece: {_hex(ram.PIECE)}"
        yield f"  x: {{ at: {_hex(ram.X)}, format: signed, offset: {-toy.x_offset} }}"
        upwards = f"offset: {1 - toy.rows}, scale: -1" if toy.upward else "format: signed"
        yield f"  y: {{ at: {_hex(ram.Y)}, {upwards} }}"
    yield f"  next_piece: {_hex(ram.NEXT)}"
    if toy.velocity:
        yield f"  fall_fraction: {_hex(ram.FRACTION)}"
    else:
        yield f"  drop_timer: {_hex(ram.TIMER)}"
    if toy.shows_speed:
        yield f"  speed: {{ at: {_hex(ram.SPEED)}, bytes: 2 }}"
    if toy.lock_delay:
        yield f"  lock_timer: {_hex(ram.REST)}"
    yield f"  level: {_hex(ram.LEVEL)}"
    yield f"  lines: {{ at: {_hex(ram.LINES)}, bytes: 2 }}"
    yield f"  held_buttons: {_hex(ram.HELD)}"
    if PICK in toy.screens:
        yield f"  start_level: {_hex(ram.START_LEVEL)}"


def _place(toy: Toy) -> Iterator[str]:
    if toy.sprites:
        points = ", ".join(f"{{ x: x_{cell}, y: y_{cell} }}" for cell in range(ram.MOST_CELLS))
        yield f"place: {{ cells: [{points}] }}"


def _grid(toy: Toy) -> Iterator[str]:
    bottom_first = toy.row_stride < 0
    hidden = ", ".join(_hex(toy.address(-row, 0), 4) for row in range(1, toy.hidden + 1))
    yield "grid:"
    yield f"  at: {_hex(toy.address(toy.rows - 1 if bottom_first else 0, 0), 4)}"
    yield f"  rows: {toy.rows}"
    yield f"  columns: {toy.columns}"
    yield f"  row_stride: {abs(toy.row_stride)}"
    yield f"  column_stride: {toy.column_stride}"
    if bottom_first:
        yield "  first_row: bottom"
    if hidden:
        yield f"  hidden: [{hidden}]"
    low, high = toy.first_code, toy.first_code + len(toy.pieces) - 1
    yield f"  cell: {{ empty: {_hex(toy.empty)}, kinds: {{ block: {{ from: {_hex(low)}, to: {_hex(high)} }} }} }}"


def _pieces(toy: Toy) -> Iterator[str]:
    yield "pieces:"
    for number, shape in enumerate(toy.shapes):
        name = toy.pieces[shape.piece].name
        cells = ", ".join(f"[{x}, {y}]" for x, y in shape.cells)
        enters = name in toy.spawns and number in toy.first_shapes
        spawn = f", spawn: [{_listed(toy.entry_of(number))}]" if enters else ""
        yield (
            f"  - {{ id: {toy.first_id + number}, piece: {name}, cells: [{cells}], "
            f"clockwise: {toy.first_id + shape.clockwise}, "
            f"counterclockwise: {toy.first_id + shape.counterclockwise}{spawn} }}"
        )


def _kicks(toy: Toy) -> Iterator[str]:
    if toy.kicks:
        yield "kicks:"
    for tries in dict.fromkeys(toy.kicks.values()):
        turns = [turn for turn, tried in toy.kicks.items() if tried == tries]
        listed = ", ".join(f"[{toy.first_id + before}, {toy.first_id + after}]" for before, after in turns)
        yield f"  - {{ turns: [{listed}], tries: [{', '.join(f'[{x}, {y}]' for x, y in tries)}] }}"


def _phases(toy: Toy) -> Iterator[str]:
    yield "phases:"
    for number, name in _MENU_STATES.items():
        if number == TITLE or number in toy.screens:
            yield f"  - {{ state: {name}, phase: menu, when: {{ state: {number} }} }}"
    for number, name in _PLAY_STATES.items():
        yield f"  - {{ state: {name}, phase: {name}, when: {{ state: {number} }} }}"


def _buttons(toy: Toy) -> Iterator[str]:
    yield "buttons:"
    for move, button in (("left", "LEFT"), ("right", "RIGHT"), ("soft_drop", "DOWN"), ("start", "START")):
        yield f"  {move}: {button}"
    yield "  rotate_clockwise: A"
    yield "  rotate_counterclockwise: B"


def _menu(toy: Toy) -> Iterator[str]:
    yield "menu:"
    yield "  pace: 4"
    if PICK in toy.screens:
        yield f"  asked: {{ level: {{ from: 0, to: {toy.pick_levels - 1}, default: 0 }} }}"
    yield "  steps:"
    yield "    - { state: [title, over], tap: START }"
    if PICK in toy.screens:
        yield "    - { state: pick, tap: RIGHT, until: { start_level: { from: { asked: level } } } }"
        yield "    - { state: pick, tap: LEFT, until: { start_level: { to: { asked: level } } } }"
        yield "    - { state: pick, tap: START }"
    if SECOND in toy.screens:
        yield "    - { state: second, tap: A, port: 2 }"
    if READY in toy.screens:
        yield "    - { state: ready, tap: none }"


def _hex(number: int, digits: int = 2) -> str:
    return f"0x{number:0{max(digits, 4 if number > 0xFF else 2)}X}"


def _listed(numbers: tuple[int, ...]) -> str:
    return ", ".join(map(str, numbers))
