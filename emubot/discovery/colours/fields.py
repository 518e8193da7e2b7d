"""Makes the field of a colour game out of what pieces left in it: its rows, its codes, the links of joined halves."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from typing import Final

import numpy as np

from emubot.discovery.colours.areas import Area, Cell
from emubot.discovery.colours.findings import ColourField, Links
from emubot.discovery.colours.kinds import Kinds
from emubot.discovery.colours.spans import Span
from emubot.discovery.drops import Dropper
from emubot.discovery.lab import History

_TOWER: Final = 1800  # frames in which pieces that are only dropped reach the highest row
_STAYS: Final = 6  # frames that a cell must stay filled
_HELD: Final = 0.95

_SIDES: Final = {(-1, 0): 1, (1, 0): 2, (0, -1): 3, (0, 1): 4}  # as `findings.SIDES` has them


def field(
    dropper: Dropper,
    state: bytes,
    area: Area,
    spans: Sequence[Span],
    parts: Kinds,
    colors: Mapping[int, int],
    cells: Mapping[int, tuple[Cell, ...]],
    turn: int,
) -> tuple[ColourField, int]:
    """Returns the field, and how many of the area's rows are above it. `colors` has the colour of each part's number."""
    codes = {parts.codes[value]: color for value, color in colors.items()}
    empty = area.empty & parts.mask
    tower = _tower(dropper, state)
    moving = _moving(area, spans, parts.mask, codes, cells, turn) if area.drawn else ()
    cut = _cut(area, tower, spans, parts.mask, {*codes, *moving})
    return (
        ColourField(
            packing=area.packing,
            units=tuple(tuple(int(unit) for unit in row) for row in area.units[cut:]),
            empty=empty,
            colors=codes,
            mask=parts.mask & ((1 << area.packing.bits) - 1),
            links=_links(area, spans, parts, cells, turn, tower),
            moving=moving,
            drawn=area.drawn and not moving,
        ),
        cut,
    )


def _tower(dropper: Dropper, state: bytes) -> History:
    """Returns memory while pieces are dropped where they enter, until the game is over."""
    dropping = dropper.hand.dropping()
    return dropper.lab.replay(state, [next(dropping) for _ in range(_TOWER)])


def _cut(area: Area, tower: History, spans: Sequence[Span], mask: int, codes: set[int]) -> int:
    """Returns how many rows are above the highest one in which something stayed."""
    known = np.isin(area.raw(tower) & mask, list(codes))
    stays = known.copy()
    for later in range(1, _STAYS):
        stays[:-later] &= known[later:]
    rows = {int(row) for row in np.flatnonzero(stays[: 1 - _STAYS].any((0, 2)))}
    return min(rows | {row for span in spans for _, row in span.locked})


def _moving(
    area: Area, spans: Sequence[Span], mask: int, codes: Mapping[int, int], cells: Mapping[int, tuple[Cell, ...]], turn: int
) -> tuple[int, ...]:
    """Returns the codes of a piece in the air, where they are not those of what locks."""
    seen: Counter[int] = Counter()
    for span in spans:
        x, y = area.place(span.last)
        raw = area.raw(span.last[None])[0] & mask
        for column, row in cells.get(int(span.last[turn]), ()):
            if 0 <= row + y < raw.shape[0] and 0 <= column + x < raw.shape[1]:
                seen[int(raw[row + y, column + x])] += 1
    most, count = seen.most_common(1)[0]
    return (most,) if count >= _HELD * seen.total() and most not in codes else ()


def _links(
    area: Area, spans: Sequence[Span], parts: Kinds, cells: Mapping[int, tuple[Cell, ...]], turn: int, tower: History
) -> Links | None:
    """Returns the bits that say where a cell's other half is; None if none do."""
    free = ~parts.mask & ((1 << area.packing.bits) - 1)
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
    raw = np.concatenate([area.raw(np.array([span.after for span in spans])), area.raw(tower)])
    alone = raw[np.isin(raw & parts.mask, list(parts.codes.values()))] & mask
    others = Counter(int(code) for code in alone if int(code) not in sides.values())
    none = others.most_common(1)[0][0] if others else next(code for code in range(mask + 1) if code & mask == code and code not in sides.values())
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
