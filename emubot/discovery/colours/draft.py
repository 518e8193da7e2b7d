"""Writes what is known of a colour game as the text of an address map, with the evidence beside it; plays nothing."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import Final

import numpy as np

from emubot.discovery.colours.codes import is_fresh
from emubot.discovery.colours.entry import Entry, entry_of
from emubot.discovery.colours.findings import SIDES, Orientation, Part, Ruler
from emubot.discovery.colours.laws import PUYO
from emubot.discovery.colours.study import ColourStudy
from emubot.discovery.outline import controls_of, hexed, names_of, phases_of, quoted
from emubot.discovery.units import BYTES
from emubot.text import counted

_NO_CODE: Final = 0x100  # added to a byte: no piece has such a code
_BYTE: Final = 0xFF


def draft(study: ColourStudy, title: str, sha1: str) -> str:
    """Returns the YAML text of a map of the family puyo or matching. Raises NotDiscovered for what neither plays."""
    names = names_of(study.phases)
    entry = entry_of(study)
    parts = (
        _head(study, title, sha1),
        _rules(study, entry),
        _values(study, names),
        _grid(study),
        _pieces(study, entry),
        phases_of(study.phases, names),
        controls_of(study.findings.hand, entry.buttons, study.phases),
    )
    return "\n".join(line for part in parts for line in part) + "\n"


def _head(study: ColourStudy, title: str, sha1: str) -> Iterator[str]:
    pieces, frames = counted(len(study.moves), "piece"), counted(study.frames, "frame")
    yield f"# Drafted by emubot from {pieces} that locked, in {frames} of experiments."
    yield f"title: {quoted(title)}"
    yield f"family: {study.law.family}"
    yield f"profile: {_profile(study)}"
    yield "identities:"
    yield f'  - {{ title: {quoted(title)}, sha1: "{sha1}" }}'
    if study.findings.hand.press > 1:
        yield "timing:"
        yield f"  press: {study.findings.hand.press} # frames: shorter presses were not always seen"


def _profile(study: ColourStudy) -> str:
    if study.law.family == PUYO:
        return "famicom-1991"
    return "capsules" if len(study.findings.piece.parts) == 2 else "columns"


def _rules(study: ColourStudy, entry: Entry) -> Iterator[str]:
    field, law, kicks = study.findings.field, study.law, study.kicks
    yield f"rules: # they foretell {counted(study.judged.moves - study.judged.illegible, 'move')}"
    yield f"  columns: {field.columns}"
    yield f"  visible_rows: {field.rows - study.hidden}"
    yield f"  hidden_rows: {study.hidden}"
    yield f"  colors: {len({*field.colors.values()})}"
    cleared = counted(study.judged.clearings, "move")
    if law.family == PUYO:
        yield f"  group_size: {law.size} # cells vanished in {cleared}"
        yield "  hidden_pops: false"
        yield f"  spawn: {_listed(entry.spawn)}"
        yield f"  death_cells: {_listed([part for cell in entry.visible for part in cell])}"
        tried = {"wall_kick": kicks.wall, "floor_kick": kicks.floor, "quick_turn": kicks.quick}
        yield from (f"  {name}: {str(kick).lower()} # tried" for name, kick in tried.items() if kick is not None)
        yield f"  item_every: 0 # none came in {counted(len(study.moves), 'piece')}"
        return
    yield f"  joined: {str(law.joined).lower()}"
    yield f"  match: {law.match}"
    yield f"  match_size: {law.size} # cells vanished in {cleared}"
    yield f"  spawn: {_listed(entry.spawn)}"
    if kicks.left is not None:
        yield f"  kick_left: {str(kicks.left).lower()} # tried"
    if len(study.findings.piece.parts) == 2:
        yield "  most_garbage: 0 # none came"
        stages = stages_of(study)
        rows = [max(row for _, row in stages)] if stages else []
        yield f"  targets: {_listed([count for count, _ in stages])} # of the stages that were seen"
        yield f"  target_rows: {_listed(rows)}"


def stages_of(study: ColourStudy) -> list[tuple[int, int]]:
    """Returns for each stage that was seen with how many targets it began, and how many of the lowest rows had some.

    It ends before a stage of which two games differ.
    """
    targets = [code for code, _ in study.law.targets]
    counts: dict[int, set[int]] = {}
    rows: dict[int, int] = {}
    for game in study.games if targets else ():
        stage, begins = 0, True
        for move in game:
            aims = np.isin(move.before.codes, targets)
            if begins and aims.any():
                counts.setdefault(stage, set()).add(int(aims.sum()))
                rows[stage] = max(rows.get(stage, 0), len(aims) - int(aims.any(1).argmax()))
            begins = is_fresh(move, targets)
            stage += begins
    found: list[tuple[int, int]] = []
    while len(counts.get(len(found), ())) == 1:
        found.append((counts[len(found)].pop(), rows[len(found)]))
    return found


def _values(study: ColourStudy, names: Mapping[int, str]) -> Iterator[str]:
    piece, hidden = study.findings.piece, study.hidden
    yield "values:"
    own = _names_of_piece(study)
    for index, name in names.items():
        overlaps = f"{{ at: {hexed(index)}, overlaps: [{', '.join(own[index])}] }}" if index in own else hexed(index)
        yield f"  {name}: {overlaps}"
    for number, (column, row) in enumerate(piece.places, start=1):
        yield f"  x_{number}: {_ruled(column, 0)} # the column of a half, in every lock"
        yield f"  y_{number}: {_ruled(row, hidden)}"
    if piece.turn is not None:
        yield f"  x: {_ruled(piece.column, 0)} # LEFT and RIGHT move it"
        yield f"  y: {_ruled(piece.row, hidden)} # it moves while the piece falls"
        yield f"  orientation: {_part(piece.turn)} # it says where the cells are"
    parts = part_names(study)
    for name, part in zip(parts, piece.parts, strict=True):
        yield f"  current_{name}: {_part(part)} # the colour of what locked, every time"
    for name, part in zip(parts, piece.next_parts, strict=False):
        yield f"  next_{name}: {_part(part)} # that of the next piece, every time"
    if not piece.next_parts:
        for name, part in zip(parts, piece.parts, strict=True):
            inner = _part(part).strip("{ }") if _part(part).startswith("{") else f"at: {_part(part)}"
            yield f"  next_{name}: {{ {inner}, offset: {_NO_CODE}, overlaps: [current_{name}] }} # none is shown"


def _names_of_piece(study: ColourStudy) -> dict[int, list[str]]:
    """Returns what the map calls the bytes of the piece's row and parts."""
    piece, found = study.findings.piece, dict[int, list[str]]()
    rows = [row.index for _, row in piece.places]
    for index, name in [(row, f"y_{number}") for number, row in enumerate(rows, start=1)] or [(piece.row.index, "y")]:
        found.setdefault(index, []).append(name)
    for name, part in zip(part_names(study), piece.parts, strict=True):
        found.setdefault(part.index, []).append(f"current_{name}")
        if not piece.next_parts:
            found[part.index].append(f"next_{name}")
    return found


def part_names(study: ColourStudy) -> tuple[str, ...]:
    """Returns how the family names the parts of a piece."""
    return ("bottom", "top") if study.law.family == PUYO else ("1", "2", "3")[: len(study.findings.piece.parts)]


def _ruled(ruler: Ruler, hidden: int) -> str:
    """Returns the value of a column or a row; `hidden` rows are above row 0."""
    first = ruler.first + ruler.step * hidden
    parts = [f"at: {hexed(ruler.index)}"]
    parts += ["format: signed"] if ruler.signed else []
    parts += [f"offset: {-first}"] if first else []
    parts += ["scale: -1"] if ruler.step < 0 else []
    parts += [f"divide: {abs(ruler.step)}"] if abs(ruler.step) > 1 else []
    return hexed(ruler.index) if len(parts) == 1 else "{ " + ", ".join(parts) + " }"


def _part(part: Part) -> str:
    if part.mask == _BYTE:
        return hexed(part.index)
    shift = f", shift: {part.shift}" if part.shift else ""
    return f"{{ at: {hexed(part.index)}, mask: 0x{part.mask:02X}{shift} }}"


def _grid(study: ColourStudy) -> Iterator[str]:
    field, hidden = study.findings.field, study.hidden
    packing = field.packing
    down = (field.units[1][0] - field.units[0][0]) // packing.each
    corner = field.units[-1 if down < 0 else hidden][0]
    yield "grid: # where colours filled"
    yield f"  at: {hexed(packing.byte(corner), 4)}"
    yield f"  rows: {field.rows - hidden}"
    yield f"  columns: {field.columns}"
    yield f"  row_stride: {abs(down)}"
    yield f"  column_stride: {field.units[0][1] - field.units[0][0]}"
    if down < 0:
        yield "  first_row: bottom"
    if field.drawn:
        yield "  shows_piece: true # the piece in the air stands in the cells, too"
    if hidden:
        above = [hexed(packing.byte(field.units[row][0]), 4) for row in range(hidden - 1, -1, -1)]
        yield f"  hidden: [{', '.join(above)}]"
    parts = []
    if packing != BYTES:
        parts += [f"bits: {packing.bits}", f"first: {packing.low_bit(corner)}"]
        parts += [] if packing.high_first else ["order: low"]
    elif field.mask != _BYTE:
        parts.append(f"mask: 0x{field.mask:02X}")
    if field.links is not None:
        links, shift = field.links, (field.links.mask & -field.links.mask).bit_length() - 1
        sides = ", ".join(f"{side}: 0x{code >> shift:02X}" for side, code in zip(SIDES, links.codes, strict=True))
        parts.append(f"link: {{ mask: 0x{links.mask:02X}, shift: {shift}, {sides} }}")
    parts += [f"empty: 0x{field.empty:02X}", f"kinds: {{ {', '.join(_kinds(study))} }}"]
    yield f"  cell: {{ {', '.join(parts)} }}"


def _kinds(study: ColourStudy) -> Iterator[str]:
    field, law, codes = study.findings.field, study.law, study.codes
    for color in sorted({*field.colors.values()}):
        yield f"color_{color}: {_codes([code for code, other in field.colors.items() if other == color])}"
    for code, color in law.targets:
        yield f"target_{color}: {_codes([code])}"
    if codes.nuisance:
        yield f"{'nuisance' if law.family == PUYO else 'wall'}: {_codes(codes.nuisance)}"
    elif codes.walls:
        yield f"wall: {_codes(codes.walls)}"
    if codes.vanishing:
        yield f"{'popping' if law.family == PUYO else 'vanishing'}: {_codes(codes.vanishing)}"
    if field.moving:
        yield f"moving: {{ codes: {_codes(field.moving)}, solid: false }}"


def _pieces(study: ColourStudy, entry: Entry) -> Iterator[str]:
    piece = study.findings.piece
    word = "pair" if study.law.family == PUYO else "piece"
    yield "pieces: # seen in locks, with what turns made of them"
    for one in piece.orientations:
        cells = ", ".join(f"[{column}, {row}]" for column, row in one.cells)
        ways = ", ".join(f"{way}: {_turn(entry, one, way)}" for way in ("clockwise", "counterclockwise"))
        yield f"  - {{ id: {one.number}, piece: {word}, cells: [{cells}], {ways} }}"
    if piece.places:
        cells = ", ".join(f"{{ x: x_{number}, y: y_{number} }}" for number in range(1, len(piece.places) + 1))
        yield f"place: {{ cells: [{cells}] }}"
    codes = ", ".join(f"color_{color}: 0x{code:02X}" for code, color in piece.codes.items())
    yield f"piece_codes: {{ {codes} }}"


def _turn(entry: Entry, one: Orientation, way: str) -> str:
    turned = entry.turned[one.number, way]
    return str(turned.to) if not turned.cycle else f"{{ to: {turned.to}, cycle: {turned.cycle} }}"


def _codes(codes: Sequence[int]) -> str:
    listed = ", ".join(f"0x{code:02X}" for code in codes)
    return listed if len(codes) == 1 else f"[{listed}]"


def _listed(numbers: Sequence[int]) -> str:
    return f"[{', '.join(map(str, numbers))}]"
