"""Goes through the experiments with an unknown colour game, and returns what is known of its field and piece."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Final

import numpy as np
from numpy.typing import NDArray

from emubot.discovery import pads
from emubot.discovery.axes import Axis
from emubot.discovery.colours import kinds as kindly
from emubot.discovery.colours import spans as recording
from emubot.discovery.colours import turning
from emubot.discovery.colours.areas import Area, Cell, area
from emubot.discovery.colours.fields import field
from emubot.discovery.colours.findings import ColourFindings, ColourPiece, Orientation, Ruler, Turned, Part
from emubot.discovery.colours.following import followed, sprites
from emubot.discovery.colours.kinds import Kinds
from emubot.discovery.colours.landings import Landing, landings
from emubot.discovery.colours.lattices import Lattice, lattice
from emubot.discovery.colours.spans import Span
from emubot.discovery.colours.turning import Turns
from emubot.discovery.drops import Dropper, GoneAstray
from emubot.discovery.lab import Lab
from emubot.discovery.survey import Play
from emubot.discovery.ways import Station
from emubot.errors import NotDiscovered
from emubot.pad import Pad
from emubot.rammap.spaces import address_of
from emubot.text import counted

_SPANS: Final = 40
_LIFT: Final = 2  # rows by which a turn may lift a piece


def colour_findings(
    lab: Lab, play: Play, stations: tuple[Station, ...], tell: Callable[[str], None]
) -> ColourFindings:
    """Returns what experiments found from a moment of play; `tell` gets a line for each of them.

    Raises NotDiscovered for what must be found.
    """
    tell("dropping pieces of colours in every column ...")
    dropper, fallen, found = _field(lab, play)
    shown = sprites(play.columns, play.rows)
    ground = area(found, fallen, (dropper.column.index, dropper.column.step), dropper.row.index)
    dropper = replace(dropper, row=replace(dropper.row, step=found.row_step), lift=_LIFT).slow
    size = f"{counted(len(ground.units), 'row')} and {counted(ground.units.shape[1], 'column')}"
    tell(f"{_hex(dropper.column.index)} and {_hex(dropper.row.index)} follow the piece; the field: about {size}.")
    tell(f"turning {_SPANS} pieces ...")
    own = recording.of_landings(fallen, ground)
    moments = [turning.pressed(dropper, state) for state in (play.state, own[0].state)]
    candidates = turning.numbers(moments, turning.steady(own))
    buttons = [button for button in turning.TURNING if any(button in one for one in candidates.values())]
    games = recording.games(dropper, play.state, ground, buttons, _SPANS)
    spans = [*own, *(span for game in games for span in game)]
    turns = turning.turns(candidates, spans, ground, shown)
    if turns is None:
        raise NotDiscovered(f"A field of {size} fills with what falls, but no byte says how a piece is turned.")
    changes = np.sum([(one.drop.frames[1:] != one.drop.frames[:-1]).sum(0) for one in fallen], axis=0)
    first = turns.first
    unturned = [span for span in spans if int(span.last[turns.index]) == first and span.locked]
    parts = kindly.kinds(unturned, turns.cells[first], ground, changes, shown)
    if parts is None:
        raise NotDiscovered(f"A field of {size} fills with what falls, but no bytes say what the parts of a piece are.")
    cells, mask = _ordered(turns, parts, spans, ground)
    parts = replace(parts, mask=mask, codes={value: code & mask for value, code in parts.codes.items()})
    upcoming = kindly.upcoming([own[:0], *games], parts)
    after = _after(dropper, turns, parts, spans)
    colors = {value: color for color, value in enumerate(sorted(parts.codes), start=1)}
    ground_field, cut = field(dropper, play.state, ground, spans, parts, colors, cells, turns.index)
    piece = _piece(ground, spans, turns, parts, cells, after, upcoming, colors, cut)
    named = " and ".join(_hex(part.index) for part in piece.parts)
    tell(f"{_hex(turns.index)} says how a piece is turned, {named} what its parts are.")
    return ColourFindings(dropper.hand, ground_field, piece, play.state, stations, shown)


def _field(lab: Lab, play: Play) -> tuple[Dropper, list[Landing], Lattice]:
    """Returns what drops pieces, their landings and the lattice that explains these, by the first bytes that do."""
    failed = "no press of LEFT or RIGHT moves a piece by one column every time"
    for aside, down in followed(lab, play.state, play.columns, play.rows):
        measured = pads.measure(lab, play.state, aside[0], down[0])
        if measured is None:
            continue
        dropper = Dropper(lab, measured[1], down[0], measured[0])
        try:
            fallen = landings(dropper, play.state)
        except GoneAstray:
            failed = "a piece that fell did not come to rest, or none that obeys the pad came after it"
            continue
        found = lattice(fallen, 1 if down[0].step > 0 else -1)
        if found is not None:
            return dropper, fallen, found
        failed = "no bytes were filled where pieces came to rest, column after column"
    raise NotDiscovered(f"A piece follows the pad, but {failed}.")


def _ordered(
    turns: Turns, parts: Kinds, spans: Sequence[Span], ground: Area
) -> tuple[dict[int, tuple[Cell, ...]], int]:
    """Returns the cells of each orientation in the order of the parts, and the bits of a cell that say what it is."""
    cells, mask = {}, parts.mask
    for number in turns.asked:
        turned = [span for span in spans if int(span.last[turns.index]) == number]
        found = kindly.ordered(turned, parts, turns.cells[number], ground)
        if found is None:
            raise NotDiscovered("A piece of several colours falls, but its parts do not lie as its orientation says.")
        cells[number] = found[0]
        mask &= found[1]
    return cells, mask


def _after(dropper: Dropper, turns: Turns, parts: Kinds, spans: Sequence[Span]) -> dict[int, dict[Pad, Turned]]:
    """Returns what each button makes of each orientation, seen at a piece whose parts are not all the same."""
    def different(span: Span) -> int:
        return len({int(part.of(span.after[None])[0]) for part in parts.parts})

    moment = max(spans, key=different).state
    found: dict[int, dict[Pad, Turned]] = {number: {} for number in turns.asked}
    for one in turning.pressed(dropper, moment):
        sequence = turns.sequences.get(one.button)
        if sequence is None:
            continue
        kinds = np.stack([part.of(one.images) for part in parts.parts], 1)
        for times in range(len(one.images) - 1):
            before, to = sequence[times % len(sequence)], sequence[(times + 1) % len(sequence)]
            cycle = next(
                (by for by in range(kinds.shape[1]) if (np.roll(kinds[times], -by) == kinds[times + 1]).all()), 0
            )
            found[before].setdefault(one.button, Turned(to, cycle))
    return found


def _piece(
    ground: Area,
    spans: Sequence[Span],
    turns: Turns,
    parts: Kinds,
    cells: Mapping[int, tuple[Cell, ...]],
    after: Mapping[int, Mapping[Pad, Turned]],
    upcoming: tuple[Part, ...],
    colors: Mapping[int, int],
    cut: int,
) -> ColourPiece:
    """Returns the piece. `cut` are the rows of the area above the field. Cells count from the one that most turns keep."""
    often = Counter(cell for each in cells.values() for cell in each)
    x, y = max(often, key=lambda cell: (often[cell], cell[1], -abs(cell[0])))
    (column, column_step), (row, row_step) = ground.column, ground.row
    first = ground.origin[1] - (y - cut) * row_step
    lowest = first + (len(ground.units) - 1 - cut) * row_step
    orientations = tuple(
        Orientation(number, tuple((dx - x, dy - y) for dx, dy in cells[number]), after[number]) for number in sorted(cells)
    )
    rulers = (
        Ruler(column, ground.origin[0] - x * column_step, column_step, signed=False),
        Ruler(row, first, row_step, signed=row_step > 0 and lowest < 0x80),
    )
    entered = np.array([span.after for span in spans])
    numbers = Counter(int(image[turns.index]) for image in entered)
    columns = Counter(int(number) for number in rulers[0].of(entered))
    spawn = numbers.most_common(1)[0][0], columns.most_common(1)[0][0], int(rulers[1].of(entered).min())
    return ColourPiece(
        column=rulers[0],
        row=rulers[1],
        turn=Part(turns.index),
        orientations=orientations,
        turns=_clockwise_first(orientations, turns),
        parts=parts.parts,
        codes=dict(colors),
        next_parts=upcoming,
        spawn=spawn,
    )


def _clockwise_first(orientations: Sequence[Orientation], turns: Turns) -> tuple[Pad, ...]:
    """Returns the buttons that turn differently, the clockwise one first."""
    by_number = {one.number: one for one in orientations}
    ways: dict[int, Pad] = {}
    for button in turns.sequences:
        one = by_number[turns.first]
        made = one.after[button]
        other = by_number[made.to].cells
        then = tuple(other[(part - made.cycle) % len(other)] for part in range(len(other)))
        ways.setdefault(_way(one.cells, then), button)
    return tuple(ways[way] for way in sorted(ways, reverse=True))


def _way(cells: Sequence[Cell], then: Sequence[Cell]) -> int:
    """Returns 1 if parts turn clockwise, or move downwards in a column, otherwise -1."""
    (x, y), (later_x, later_y) = ((other[0] - one[0], other[1] - one[1]) for one, other in (cells[:2], then[:2]))
    if cross := x * later_y - y * later_x:
        return 1 if cross > 0 else -1
    return 1 if then[0][1] > cells[0][1] else -1


def _hex(index: int) -> str:
    return f"0x{address_of(index):02X}"
