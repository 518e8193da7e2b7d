"""Writes what a survey found as the text of an address map, with the evidence beside each value; plays nothing."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import Final

from emubot.discovery.axes import Axis
from emubot.discovery.board import Place
from emubot.discovery.coordinates import Coordinates, Turned
from emubot.discovery.geometry import Geometry
from emubot.discovery.naming import Name
from emubot.discovery.pads import DropKind
from emubot.discovery.screens import Told
from emubot.discovery.shapes import Orientation
from emubot.discovery.survey import Survey
from emubot.discovery.tables import RowTable
from emubot.discovery.units import BYTES
from emubot.pad import describe
from emubot.rammap.spaces import address_of
from emubot.text import counted

_STATE: Final = "state"
_SMALL: Final = 2  # cells
_PACE: Final = 30  # frames from tap to tap


def draft(survey: Survey, title: str, sha1: str) -> str:
    """Returns the YAML text of a map of the family tetris; what is not known yet is marked `learn`."""
    names = _names(survey)
    parts = (_head(survey, title, sha1), _values(survey, names), _grid(survey), _phases(survey, names), _rest(survey))
    return "\n".join(line for part in parts for line in part) + "\n"


def _head(survey: Survey, title: str, sha1: str) -> Iterator[str]:
    pieces, frames = counted(survey.locks, "piece"), counted(survey.frames, "frame")
    yield f"# Drafted by emubot from {pieces} that locked, in {frames} of experiments."
    yield f"title: {_quoted(title)}"
    yield "family: tetris"
    yield "profile: plain"
    yield "identities:"
    yield f'  - {{ title: {_quoted(title)}, sha1: "{sha1}" }}'
    if survey.hand.press > 1:
        yield "timing:"
        yield f"  press: {survey.hand.press} # frames: shorter presses were not always seen"


def _values(survey: Survey, names: Mapping[int, str]) -> Iterator[str]:
    yield "values:"
    for index, name in names.items():
        yield f"  {name}: {_hex(index)}"
    yield from _piece(survey) if survey.coordinates is None else _places(survey.coordinates)


def _piece(survey: Survey) -> Iterator[str]:
    across, down = survey.pivot
    yield f"  x: {value_of(survey.column, across)} # LEFT and RIGHT move it"
    yield f"  y: {value_of(survey.row, down)} # it moves while the piece falls, and faster while DOWN is held"
    yield f"  piece: {_named(survey.name)} # each of its numbers locked the same cells every time"
    if survey.next_name is not None:
        yield f"  next_piece: {_named(survey.next_name)} # the number of `piece` when the next one entered, every time"


def _places(coordinates: Coordinates) -> Iterator[str]:
    for number, (column, row) in enumerate(coordinates.cells, start=1):
        yield f"  x{number}: {value_of(column.axis, column.offset)} # in every lock the column of a cell"
        yield f"  y{number}: {value_of(row.axis, row.offset)}"


def _pieces(survey: Survey) -> Iterator[str]:
    shapes, turns = survey.shapes.orientations, survey.turns
    places = survey.coordinates
    if places is None and not shapes:
        yield "pieces: learn"
        return
    yield "pieces: # seen in locks, with what turns made of them"
    orientations: Sequence[Orientation | Turned] = shapes if places is None else places.orientations
    for one in orientations:
        listed = ", ".join(f"[{column}, {row}]" for row, column in _from_pivot(survey, one.cells))
        way = one.after[turns[0]] if turns else one.number
        before = [other.number for other in orientations if turns and other.after[turns[0]] == one.number]
        back = before[0] if before else one.number
        other = one.after[turns[1]] if len(turns) > 1 else back
        yield (
            f"  - {{ id: {one.number}, piece: piece_{one.piece + 1}, cells: [{listed}], clockwise: {way}, "
            f"counterclockwise: {other} }}"
        )
    if places is not None:
        cells = ", ".join(f"{{ x: x{number}, y: y{number} }}" for number, _ in enumerate(places.cells, start=1))
        yield f"place: {{ cells: [{cells}] }}"


def _from_pivot(survey: Survey, cells: frozenset[Place]) -> list[Place]:
    """Returns cells as [row, column] from what the map says is x and y."""
    across, down = survey.pivot if survey.coordinates is None else (0, 0)
    return sorted((row - down, column - across) for row, column in cells)


def _grid(survey: Survey) -> Iterator[str]:
    lattice, geometry = survey.geometry.lattice, survey.geometry
    packing = lattice.packing
    highest = geometry.rows - 1 if lattice.down < 0 else 0
    corner = int(lattice.cells(geometry.rows)[highest, 0])
    yield "grid: # from pieces dropped in every column"
    if geometry.table is None:
        yield f"  at: {_hex(packing.byte(corner), 4)}"
    yield f"  rows: {geometry.rows} # from the floor to where pieces enter; rows above them are not known"
    yield f"  columns: {lattice.columns}"
    if geometry.table is None:
        yield f"  row_stride: {abs(lattice.down) // packing.each}"
    else:
        yield from _row_table(geometry, geometry.table)
    yield f"  column_stride: {lattice.right}"
    if (lattice.down < 0) if geometry.table is None else geometry.table.down < 0:
        yield "  first_row: bottom"
    shapes = survey.shapes
    if geometry.drawn and not shapes.moving:
        yield "  shows_piece: true # the piece in the air stands in the cells, too"
    bits = ""
    if packing != BYTES:
        order = "" if packing.high_first else " order: low,"
        bits = f" bits: {packing.bits}, first: {packing.low_bit(corner)},{order}"
    solid = f"[{', '.join(f'0x{code:02X}' for code in shapes.solid)}]" if shapes.solid else "learn"
    moving = f"[{', '.join(f'0x{code:02X}' for code in shapes.moving)}]"
    kinds = f"block: {solid}" + (f", moving: {{ codes: {moving}, solid: false }}" if shapes.moving else "")
    yield f"  cell: {{{bits} empty: 0x{geometry.empty:02X}, kinds: {{ {kinds} }} }}"
    yield from _pieces(survey)


def _row_table(geometry: Geometry, table: RowTable) -> Iterator[str]:
    """Yields the table of rows."""
    indices = geometry.lattice.bytes_of(geometry.rows)
    low, high = address_of(int(indices.min())), address_of(int(indices.max()))
    parts = [f"at: {_hex(table.at, 4)}"]
    if table.high is not None and table.stride == 1:
        parts.append(f"high: {_hex(table.high, 4)}")
    elif table.high is not None:
        parts.append("bytes: 2")
    parts += [f"times: {table.times}"] if table.times > 1 else []
    parts += [f"base: 0x{table.base:04X}"] if table.base else []
    parts.append(f"rows_in: {{ at: 0x{low:04X}, bytes: {high - low + 1} }}")
    yield f"  row_table: {{ {', '.join(parts)} }} # rows move by it where others vanish"


def _phases(survey: Survey, names: Mapping[int, str]) -> Iterator[str]:
    phases = survey.phases
    yield "phases: # the first one that holds"
    apart = (
        ""
        if phases.playing.whole
        else f" # it holds in {100 * (1 - phases.playing.apart):.1f} % of the other frames, too"
    )
    rules = [
        _rule("playing", "playing", phases.playing, names) + apart,
        *(_rule(state, state, told, names) for state, told in _between(survey).items() if told.numbers),
    ]
    rules += [
        _rule(state, "over" if screen.over else "menu", screen.told, names)
        for state, screen in zip(_states(survey), phases.screens, strict=True)
    ]
    if phases.together:
        rules.append(_rule("menus", "menu", phases.together[0], names))
    if not phases.playing.whole:  # what is told apart comes first
        rules = [*rules[1:], rules[0]]
    yield from rules
    yield "  # On all other screens nothing is pressed."


def _between(survey: Survey) -> Mapping[str, Told]:
    return {"locked": survey.phases.between, "paused": survey.phases.paused}


def _states(survey: Survey) -> list[str]:
    """Returns a name for each screen."""
    menus = 0
    names = []
    for screen in survey.phases.screens:
        menus += not screen.over
        names.append("over" if screen.over else f"menu_{menus}")
    return names


def _rule(state: str, phase: str, told: Told, names: Mapping[int, str]) -> str:
    return f"  - {{ state: {state}, phase: {phase}, when: {_when(told, names)} }}"


def _rest(survey: Survey) -> Iterator[str]:
    yield "buttons:"
    yield "  left: LEFT"
    yield "  right: RIGHT"
    for move, button in zip(("rotate_clockwise", "rotate_counterclockwise"), survey.turns, strict=False):
        yield f"  {move}: {describe(button)}"
    hand = survey.hand
    word = {DropKind.HELD: "soft_drop", DropKind.STEPS: "step_down", DropKind.AT_ONCE: "hard_drop"}.get(hand.kind)
    if word is not None:
        yield f"  {word}: {describe(hand.drop)}"
    if hand.at_once:
        yield f"  hard_drop: {describe(hand.at_once)}"
    yield "  start: START"
    steps = list(_steps(survey))
    if steps:
        yield "menu:"
        yield f"  pace: {_PACE}"
        yield "  steps:"
        yield from steps


def _steps(survey: Survey) -> Iterator[str]:
    for state, screen in zip(_states(survey), survey.phases.screens, strict=True):
        if screen.button:
            yield f"    - {{ state: {state}, tap: {describe(screen.button)} }}"
    if survey.phases.together:
        buttons = [describe(button) for button in survey.phases.together[1]]
        tap = buttons[0] if len(buttons) == 1 else f"[{', '.join(buttons)}]"
        yield f"    - {{ state: menus, tap: {tap} }}"


def _names(survey: Survey) -> dict[int, str]:
    """Returns a name for each byte of the conditions."""
    phases = survey.phases
    told = [phases.playing, phases.between, phases.paused, *(screen.told for screen in phases.screens)]
    told += [phases.together[0]] if phases.together else []
    indices = dict.fromkeys(index for each in told for index in each.numbers)
    return {index: _STATE if not number else f"{_STATE}_{number + 1}" for number, index in enumerate(indices)}


def value_of(axis: Axis, offset: int) -> str:
    """Returns the value of a column or a row: `offset` is what the byte, counted in its direction, lacks."""
    parts = [f"at: {_hex(axis.index)}"]
    parts += [f"offset: {offset * axis.step}"] if offset else []
    parts += ["scale: -1"] if axis.step < 0 else []
    parts += [f"divide: {abs(axis.step)}"] if abs(axis.step) > 1 else []
    parts += ["format: signed"] if axis.step == 1 else []
    return "{ " + ", ".join(parts) + " }"


def _named(name: Name) -> str:
    if len(name.bytes) == 1:
        return _hex(name.bytes[0])
    parts = [
        f"{{ at: {_hex(index)}" + (f", times: {times}" if times > 1 else "") + " }"
        for index, times in zip(name.bytes, name.times, strict=True)
    ]
    return f"{{ parts: [{', '.join(parts)}] }}"


def _when(told: Told, names: Mapping[int, str]) -> str:
    parts = [
        f"{names[index]}: {numbers[0] if len(numbers) == 1 else list(numbers)}"
        for index, numbers in told.numbers.items()
    ]
    return "{ " + ", ".join(parts) + " }"


def _hex(index: int, digits: int = 2) -> str:
    address = address_of(index)
    return f"0x{address:0{max(digits, 4 if address > 0xFF else 2)}X}"


def _quoted(text: str) -> str:
    """Returns a line of text as YAML."""
    return '"' + text.replace("\\", "\\\\").replace('"', '\\"') + '"'
