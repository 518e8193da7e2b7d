"""Writes what a survey found as the text of an address map, with the evidence beside each value; plays nothing."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import Final

from emubot.discovery.axes import Axis
from emubot.discovery.board import Place
from emubot.discovery.coordinates import Coordinates, Turned
from emubot.discovery.geometry import Geometry
from emubot.discovery.naming import Name
from emubot.discovery.outline import controls_of, hexed, names_of, phases_of, quoted
from emubot.discovery.shapes import Orientation
from emubot.discovery.survey import Survey
from emubot.discovery.tables import RowTable
from emubot.discovery.units import BYTES
from emubot.text import counted

_SMALL: Final = 2  # cells


def draft(survey: Survey, title: str, sha1: str) -> str:
    """Returns the YAML text of a map of the family tetris; what is not known yet is marked `learn`."""
    names = names_of(survey.phases)
    turns = dict(zip(("rotate_clockwise", "rotate_counterclockwise"), survey.turns, strict=False))
    parts = (
        _head(survey, title, sha1),
        _values(survey, names),
        _grid(survey),
        phases_of(survey.phases, names),
        controls_of(survey.hand, turns, survey.phases),
    )
    return "\n".join(line for part in parts for line in part) + "\n"


def _head(survey: Survey, title: str, sha1: str) -> Iterator[str]:
    pieces, frames = counted(survey.locks, "piece"), counted(survey.frames, "frame")
    yield f"# Drafted by emubot from {pieces} that locked, in {frames} of experiments."
    yield f"title: {quoted(title)}"
    yield "family: tetris"
    yield "profile: plain"
    yield "identities:"
    yield f'  - {{ title: {quoted(title)}, sha1: "{sha1}" }}'
    if survey.hand.press > 1:
        yield "timing:"
        yield f"  press: {survey.hand.press} # frames: shorter presses were not always seen"


def _values(survey: Survey, names: Mapping[int, str]) -> Iterator[str]:
    yield "values:"
    for index, name in names.items():
        yield f"  {name}: {hexed(index)}"
    yield from _piece(survey) if survey.coordinates is None else _places(survey.coordinates)


def _piece(survey: Survey) -> Iterator[str]:
    across, down = survey.pivot
    yield f"  x: {value_of(survey.column, across)} # LEFT and RIGHT move it"
    row = value_of(survey.row, down, survey.halfway)
    yield f"  y: {row} # it moves while the piece falls, and faster while DOWN is held"
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
        own = one.cells if isinstance(one, Turned) else _from_pivot(survey, one.cells)
        listed = ", ".join(f"[{column}, {row}]" for row, column in own)
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
        yield f"place: {{ cells: [{cells}]{', in_order: true' if places.in_order else ''} }}"


def _from_pivot(survey: Survey, cells: frozenset[Place]) -> list[Place]:
    """Returns cells as [row, column] from what the map says is x and y."""
    across, down = survey.pivot
    return sorted((row - down, column - across) for row, column in cells)


def _grid(survey: Survey) -> Iterator[str]:
    lattice, geometry = survey.geometry.lattice, survey.geometry
    packing = lattice.packing
    highest = geometry.rows - 1 if lattice.down < 0 else 0
    corner = int(lattice.cells(geometry.rows)[highest, 0])
    yield "grid: # from pieces dropped in every column"
    if geometry.table is None:
        yield f"  at: {hexed(packing.byte(corner), 4)}"
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
    """Yields the table of rows. What it lists above the board may become a row of it."""
    rows = geometry.row_bytes
    parts = [f"at: {hexed(table.at, 4)}"]
    if table.high is not None and table.stride == 1:
        parts.append(f"high: {hexed(table.high, 4)}")
    elif table.high is not None:
        parts.append("bytes: 2")
    parts += [f"times: {table.times}"] if table.times != 1 else []
    parts += [f"base: 0x{table.base:04X}"] if table.base else []
    parts.append(f"rows_in: {{ at: {hexed(rows[0], 4)}, bytes: {len(rows)} }}")
    yield f"  row_table: {{ {', '.join(parts)} }} # rows move by it where others vanish"


def value_of(axis: Axis, offset: int, lacks: int = 0) -> str:
    """Returns the value of a column or a row: `offset` is what it lacks, counted in its direction, `lacks` its byte."""
    parts, offset = [f"at: {hexed(axis.index)}"], offset * axis.step + lacks
    parts += [f"offset: {offset}"] if offset else []
    parts += ["scale: -1"] if axis.step < 0 else []
    parts += [f"divide: {abs(axis.step)}"] if abs(axis.step) > 1 else []
    parts += ["format: signed"] if axis.signed else []
    return "{ " + ", ".join(parts) + " }"


def _named(name: Name) -> str:
    if len(name.bytes) == 1:
        return hexed(name.bytes[0])
    parts = [
        f"{{ at: {hexed(index)}" + (f", times: {times}" if times > 1 else "") + " }"
        for index, times in zip(name.bytes, name.times, strict=True)
    ]
    return f"{{ parts: [{', '.join(parts)}] }}"
