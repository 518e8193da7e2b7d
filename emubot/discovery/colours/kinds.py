"""Finds the bytes that say what the parts of a piece are, by the codes that they have in the field; knows no rules."""

from __future__ import annotations

from collections.abc import Mapping, Sequence, Set
from dataclasses import dataclass
from functools import partial
from itertools import pairwise, permutations, product
from typing import Final

import numpy as np
from numpy.typing import NDArray

from emubot.discovery.colours.areas import Area, Cell
from emubot.discovery.colours.findings import Part
from emubot.discovery.colours.spans import Span

_MASKS: Final = (0xFF, 0xF0, 0x0F)
_FEWEST: Final = 3  # colours
_MOST: Final = 8
_STRAYS: Final = 0.05  # of the pieces may be misread
_HELD: Final = 0.9  # of the pieces must have been previewed by what is the next one
_PAIRS: Final = 5  # of pieces that follow each other, to tell what previews
_TRIED: Final = 6  # bytes for each part, of which those are taken that agree with each other
_SEEN: Final = 2  # times that a number must have been seen

Numbers = NDArray[np.int64]


@dataclass(frozen=True, slots=True)
class Kinds:
    """The bytes of the parts, in the order of the cells of an unturned piece.

    `mask` are the bits of a cell that say what it is. `codes` has the masked code for each number of a part.
    """

    parts: tuple[Part, ...]
    mask: int
    codes: Mapping[int, int]


def kinds(
    unturned: Sequence[Span],
    cells: Sequence[Cell],
    area: Area,
    games: Sequence[Sequence[Span]],
    changes: NDArray[np.int64],
    sprites: Set[int],
) -> Kinds | None:
    """Returns the bytes of the parts, by pieces that were not turned and have these cells; None if there are none.

    Pieces of which a part has fallen further than the piece do not count for it.
    """
    find = partial(_kinds, unturned, cells, area, games, changes, sprites)
    first = find(without=())
    if first is None or _shared(first, unturned):
        return first
    # Each side has numbers of its own: these are what is put into the cells, the colour and the side in one.
    other = find(without=[part.index for part in first.parts])
    return other if other is not None and _shared(other, unturned) else first


def _shared(found: Kinds, unturned: Sequence[Span]) -> bool:
    """Returns whether the parts of a piece have numbers in common."""
    held = np.array([span.held[0] for span in unturned], np.uint8)
    numbers = [{*part.of(held).tolist()} for part in found.parts]
    return any(one & other for one, other in pairwise(numbers))


def _kinds(
    unturned: Sequence[Span],
    cells: Sequence[Cell],
    area: Area,
    games: Sequence[Sequence[Span]],
    changes: NDArray[np.int64],
    sprites: Set[int],
    without: Sequence[int],
) -> Kinds | None:
    """Returns what `kinds` does, of bytes that are not `without`."""
    held = np.array([span.held[0] for span in unturned], np.uint8)
    steady = np.array([(span.held == span.held[0]).all(0) for span in unturned]).mean(0) >= 1 - _STRAYS
    left = [np.array([_code(span, cell, area) for span in unturned]) for cell in cells]
    options = []
    for codes in left:
        tried = [
            (_rank(part, mask, part.of(held), _previewed(part, games), changes, sprites, area), part, mask)
            for part in _candidates(held, steady, area)
            if part.index not in without and (mask := _mask(part.of(held), codes)) is not None
        ]
        options.append(sorted(tried, key=lambda each: each[0], reverse=True)[:_TRIED])
    for chosen in sorted(product(*(range(len(option)) for option in options)), key=sum):
        parts = [option[place][1] for option, place in zip(options, chosen, strict=True)]
        masks = [option[place][2] for option, place in zip(options, chosen, strict=True)]
        if len({*parts}) == len(parts):
            values = np.concatenate([part.of(held) for part in parts])
            if (found := _agreeing(parts, values, np.concatenate(left), _all(masks))) is not None:
                return found
    return None


def _all(masks: Sequence[int]) -> int:
    """Returns the bits that all masks have."""
    return int(np.bitwise_and.reduce(np.array(masks, np.int64)))


def _agreeing(parts: Sequence[Part], values: Numbers, codes: Numbers, mask: int) -> Kinds | None:
    """Returns parts with the codes of each number, of the bits that are the same in all cells of that number."""
    known = codes >= 0
    usual = {int(value): _usual(codes[known & (values == value)]) for value in np.unique(values[known])}
    mask &= _same(values[known], codes[known], usual)
    table = {value: code & mask for value, code in usual.items()}
    return Kinds(tuple(parts), mask, table) if len({*table.values()}) == len(table) else None


def _same(values: Numbers, codes: Numbers, usual: Mapping[int, int]) -> int:
    """Returns the bits in which nearly all codes are what is usual for their number."""
    differs = codes ^ np.array([usual[int(value)] for value in values], np.int64)
    return sum(1 << bit for bit in range(8) if ((differs >> bit) & 1).mean() <= _STRAYS) if len(codes) else 0xFF


def _usual(codes: Numbers) -> int:
    """Returns the number of which each bit is as in most codes."""
    return sum(1 << bit for bit in range(8) if ((codes >> bit) & 1).mean() > 1 / 2)


def _code(span: Span, cell: Cell, area: Area) -> int:
    """Returns the number that the piece left in a cell; -1 if it is not there."""
    x, y = area.place(span.last)
    return span.locked.get((cell[0] + x, cell[1] + y), -1)


def _candidates(held: NDArray[np.uint8], steady: NDArray[np.bool_], area: Area) -> list[Part]:
    """Returns bytes and half bytes that have some numbers, and not too many."""
    found = []
    for mask in _MASKS:
        numbers = held & mask
        ordered = np.sort(numbers, axis=0)
        distinct = 1 + (ordered[1:] != ordered[:-1]).sum(0)
        found += [
            Part(int(index), mask) for index in np.flatnonzero(steady & (distinct >= _FEWEST) & (distinct <= _MOST))
        ]
    return [part for part in found if part.index not in (area.column[0], area.row[0])]


def _mask(values: Numbers, codes: Numbers) -> int | None:
    """Returns the bits of the codes by which each value has a code of its own; None if there are no such bits."""
    known = codes >= 0
    values, codes = values[known], codes[known]
    if not _FEWEST <= len(np.unique(values)) <= _MOST:
        return None
    agreed = _agreeing((), values, codes, 0xFF)
    return agreed.mask if agreed else None


def _rank(
    part: Part,
    mask: int,
    values: Numbers,
    previewed: bool,
    changes: NDArray[np.int64],
    sprites: Set[int],
    area: Area,
) -> tuple[int, int, bool, bool, bool, int, int]:
    """Returns how good a byte is: the more numbers and bits it explains, the better; whole bytes before halves."""
    return (
        mask.bit_count(),
        len(np.unique(values)),
        previewed,
        part.index not in sprites,
        part.mask == 0xFF,
        -int(changes[part.index]),
        -abs(part.index - area.column[0]),
    )


def ordered(
    turned: Sequence[Span], found: Kinds, cells: Sequence[Cell], area: Area
) -> tuple[tuple[Cell, ...], int] | None:
    """Returns the cells of an orientation in the order of the parts, and the bits of the codes that agree with it.

    None if no order agrees with what the pieces left there.
    """
    best: tuple[int, tuple[Cell, ...]] | None = None
    for order in permutations(cells):
        values = np.concatenate([part.of(np.array([span.held[-1] for span in turned])) for part in found.parts])
        codes = np.concatenate([[_code(span, cell, area) for span in turned] for cell in order])
        known = (codes >= 0) & np.isin(values, list(found.codes))
        mask = found.mask & _same(values[known], codes[known], found.codes)
        if len({code & mask for code in found.codes.values()}) == len(found.codes):
            best = max(best or (0, order), (mask, order), key=lambda each: each[0].bit_count())
    return (best[1], best[0]) if best else None


def widened(
    found: Kinds, mask: int, spans: Sequence[Span], cells: Mapping[int, Sequence[Cell]], turn: int, area: Area
) -> Kinds:
    """Returns the kinds with the bits of `mask` only, and with the codes of numbers that only turned pieces had."""
    seen: dict[int, list[int]] = {}
    for span in spans:
        for cell, part in zip(cells.get(int(span.last[turn]), ()), found.parts, strict=False):
            if (code := _code(span, cell, area)) >= 0:
                seen.setdefault(int(part.of(span.held[-1:])[0]), []).append(code)
    codes = {value: code & mask for value, code in found.codes.items()}
    for value, own in seen.items():
        code = _usual(np.array(own, np.int64)) & mask
        if value not in codes and code not in codes.values() and len(own) >= _SEEN:
            codes[value] = code
    return Kinds(found.parts, mask, codes)


def upcoming(games: Sequence[Sequence[Span]], found: Kinds) -> tuple[Part, ...]:
    """Returns the bytes that hold the next piece's parts while a piece is under control; none if there are none."""
    taken = {part.index for part in found.parts}
    result: list[Part] = []
    for part in found.parts:
        left = [one for one in _previews(part, games) if one.index not in taken and one not in result]
        if not left:
            return ()
        result.append(min(left, key=lambda one: (one.mask != part.mask, abs(one.index - part.index))))
    return tuple(result)


def _previewed(part: Part, games: Sequence[Sequence[Span]]) -> bool:
    return bool(_previews(part, games))


def _previews(part: Part, games: Sequence[Sequence[Span]]) -> list[Part]:
    """Returns the bytes, and half bytes, that have in nearly all pieces what the part is of the next one."""
    # A turn may exchange what the parts are.
    pairs = [each for game in games for each in pairwise(game)]
    unturned = [(one, other) for one, other in pairs if not other.times]
    pairs = unturned if len(unturned) >= _PAIRS else pairs
    if len(pairs) < _PAIRS:
        return []
    came = part.of(np.array([other.held[0] for _, other in pairs]))
    now, late = (np.array(images) for images in ([one.held[0] for one, _ in pairs], [one.last for one, _ in pairs]))
    found = []
    for mask in dict.fromkeys((part.mask, *_MASKS)):
        shift = Part(0, mask).shift
        both = ((now & mask) >> shift == came[:, None]) & ((late & mask) >> shift == came[:, None])
        found += [Part(int(index), mask) for index in np.flatnonzero(both.mean(0) >= _HELD)]
    return found
