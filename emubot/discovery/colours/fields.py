"""Makes the field of a colour game out of what pieces left in it: its rows, its codes, the links of joined halves."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import Final

import numpy as np

from emubot.discovery.colours.areas import Area, Cell
from emubot.discovery.colours.findings import ColourField, Links
from emubot.discovery.colours.kinds import Kinds
from emubot.discovery.colours.moves import Move
from emubot.discovery.colours.spans import Span

_HELD: Final = 0.95

_SIDES: Final = {(-1, 0): 1, (1, 0): 2, (0, -1): 3, (0, 1): 4}  # as `findings.SIDES` has them


def field(
    area: Area,
    top: int,
    spans: Sequence[Span],
    parts: Kinds,
    colors: Mapping[int, int],
    cells: Mapping[int, tuple[Cell, ...]],
    turn: int,
) -> ColourField:
    """Returns the field from the area's row `top` on. `colors` has the colour of each part's number."""
    links = _links(area, spans, parts, cells, turn)
    common = _common(parts)
    if links is None and (wide := _links(area, spans, _without(parts, common), cells, turn)):
        parts = _without(parts, common & (wide.codes[0] ^ wide.codes[1]))
        links = _links(area, spans, parts, cells, turn)
    codes = {parts.codes[value]: color for value, color in colors.items()}
    empty = area.empty & parts.mask
    moving = () if area.moving is None else (area.moving & parts.mask,)
    return ColourField(
        packing=area.packing,
        units=tuple(tuple(int(unit) for unit in row) for row in area.units[top:]),
        empty=empty,
        colors=codes,
        mask=parts.mask & ((1 << area.packing.bits) - 1),
        links=links,
        moving=moving,
        drawn=area.drawn and not moving,
    )


def deepened(field: ColourField, moves: Sequence[Move]) -> ColourField:
    """Returns the field with rows as low as pieces came to rest; as it is where none is lower, or memory has no room.

    What lies at the bottom from the beginning may have kept the first pieces from there. One move alone may be misread.
    """
    rests = [move.cells for move in moves if all(0 <= column < field.columns for _, column, _ in move.cells)]
    lowest = sorted(max((row for row, _, _ in cells), default=0) for cells in rests)[:-1]
    below = range(1, max(lowest, default=0) + 2 - field.rows)
    units = np.array(field.units)
    more = np.array([units[-1] + (units[1] - units[0]) * down for down in below])
    if not more.size or more.min() < 0 or field.packing.byte(int(more.max())) >= moves[0].frames.shape[1]:
        return field
    return replace(field, units=(*field.units, *(tuple(map(int, row)) for row in more)))


def _common(parts: Kinds) -> int:
    """Returns the bits that all colours have or lack: so may all sides of another half, and a half alone may not."""
    codes = np.array([*parts.codes.values()], np.int64)
    return parts.mask & int(np.bitwise_and.reduce(codes) | ~np.bitwise_or.reduce(codes))


def _without(parts: Kinds, bits: int) -> Kinds:
    """Returns kinds that these bits say nothing of."""
    return replace(parts, mask=parts.mask & ~bits, codes={value: code & ~bits for value, code in parts.codes.items()})


def _links(
    area: Area, spans: Sequence[Span], parts: Kinds, cells: Mapping[int, tuple[Cell, ...]], turn: int
) -> Links | None:
    """Returns the bits that say where a cell's other half is; None if none do."""
    free = ~parts.mask & ((1 << area.packing.bits) - 1)
    if area.empty & parts.mask in parts.codes.values():
        return None
    if not free or len(parts.parts) != len(_SIDES) // 2:
        return None
    seen: dict[int, Counter[int]] = {}
    for span in spans:
        x, y = area.place(span.last)
        ordered = cells.get(int(span.last[turn]), ())
        if not all((column + x, row + y) in span.locked for column, row in ordered):
            continue
        for (column, row), (other, below) in zip(ordered, reversed(ordered), strict=True):
            side = _SIDES.get((other - column, below - row))
            if side:
                seen.setdefault(side, Counter())[span.locked[column + x, row + y] & free] += 1
    if len(seen) < len(_SIDES):
        return None
    mask = free & _agreed(seen, free)
    sides = {side: each.most_common(1)[0][0] & mask for side, each in seen.items()}
    if len({*sides.values()}) < len(sides):
        return None
    raw = area.raw(np.array([span.after for span in spans]))
    alone = raw[np.isin(raw & parts.mask, list(parts.codes.values()))] & mask
    others = Counter(int(code) for code in alone if int(code) not in sides.values())
    free_codes = [code for code in range(mask + 1) if code & mask == code and code not in sides.values()]
    none = others.most_common(1)[0][0] if others else free_codes[0] if free_codes else None
    if none is None:  # a cell without another half could not be told from one with it
        return None
    return Links(mask, (none, *(sides[side] for side in sorted(sides))))


def _agreed(seen: Mapping[int, Counter[int]], free: int) -> int:
    """Returns the bits that are nearly always the same for each side."""
    agreed = free
    for each in seen.values():
        for bit in range(8):
            ones = sum(count for code, count in each.items() if code >> bit & 1)
            if min(ones, each.total() - ones) > (1 - _HELD) * each.total():
                agreed &= ~(1 << bit)
    return agreed
