"""Checks the codes of a map: masks and shifts leave bits, and each code belongs to one name."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from typing import Final

from emubot.rammap.grid import KINDS_LIMIT, code_mask
from emubot.rammap.grid_layout import CellCoding, CodeRange
from emubot.rammap.schema import Document
from emubot.rammap.strict_yaml import Hex, KeyPath

_MOST_CODE: Final = 0xFFFF

Problem = tuple[KeyPath, str]


def mask_problems(mask: int | None, shift: int, width: int, key: str = "bytes") -> Iterator[Problem]:
    """Check that a mask and a shift leave bits of a word of `width` bits; `key` is the key that states its length."""
    full = (1 << width) - 1
    length = width // 8 if key == "bytes" else width
    if mask is not None and mask > full:
        yield ("mask",), f"found {Hex(mask)!r}, allowed is at most {Hex(full)!r} where `{key}` is {length}"
    elif (full if mask is None else mask) >> shift == 0:
        yield ("shift",), f"found {shift}, which shifts every bit of the mask away"


def cells(document: Document) -> Iterator[Problem]:
    """Check that the cell's word, its masks and its codes fit together."""
    cell, here = document.grid.cell, ("grid", "cell")
    if cell.bits is not None and (cell.first or 0) % cell.bits:
        places = ", ".join(map(str, range(0, 8, cell.bits)))
        yield (*here, "first"), f"found {cell.first}, allowed are {places}: the lowest bits of the cells in a byte"
    if cell.mask == 0 and cell.shift:
        yield (*here, "shift"), f"found {cell.shift}, leave it out where the mask is still to be learnt"
    yield from (((*here, *path), text) for path, text in _masked(cell, cell.mask or None, cell.shift))
    if code_mask(cell) >> cell.shift > _MOST_CODE:
        yield (*here, "mask"), "this leaves more than 16 bits of code, choose a smaller mask or a larger shift"
        return
    if len(cell.kinds) > KINDS_LIMIT:
        yield (*here, "kinds"), f"found {len(cell.kinds)} kinds, allowed are {KINDS_LIMIT}"
    full = (1 << cell.width) - 1
    for name, mask in cell.flags.items():
        if mask > full:
            yield (*here, "flags", name), f"found {Hex(mask)!r}, allowed is at most {Hex(full)!r}"
    yield from (((*here, "link", *path), text) for path, text in _link(cell))
    tables: dict[KeyPath, tuple[CodeRange, ...]] = {("empty",): cell.empty}
    tables |= {("kinds", name): kind.codes for name, kind in cell.kinds.items()}
    yield from (((*here, *path), text) for path, text in code_table(code_mask(cell) >> cell.shift, tables))


def _masked(cell: CellCoding, mask: int | None, shift: int) -> Iterator[Problem]:
    return mask_problems(mask, shift, cell.width, "bits" if cell.bits else "bytes")


def _link(cell: CellCoding) -> Iterator[Problem]:
    link = cell.link
    if link is None:
        return
    problems = list(_masked(cell, link.mask, link.shift))
    if not problems and link.mask >> link.shift > _MOST_CODE:
        problems = [(("mask",), "this leaves more than 16 bits of code, choose a smaller mask or a larger shift")]
    yield from problems
    if problems:
        return
    sides = dict(zip(("none", "left", "right", "up", "down"), link.sides, strict=True))
    yield from (((side,), "found no code, links cannot be learnt") for side, codes in sides.items() if not codes)
    yield from code_table(link.mask >> link.shift, {(side,): codes for side, codes in sides.items()})


def pieces(document: Document) -> Iterator[Problem]:
    """Check that no two parts of a piece share a code."""
    tables: dict[KeyPath, tuple[CodeRange, ...]] = {
        ("piece_codes", name): codes for name, codes in (document.piece_codes or {}).items()
    }
    yield from code_table(_MOST_CODE, tables)


def code_table(largest: int, tables: Mapping[KeyPath, Iterable[CodeRange]]) -> Iterator[Problem]:
    """Check a table of codes: each code must be possible and belong to one name."""
    owner: dict[int, KeyPath] = {}
    for path, spans in tables.items():
        for span in spans:
            if not span.low <= span.high <= largest:
                yield path, f"found {_span(span)}, allowed are codes up to {Hex(largest)!r}, `from` not above `to`"
                return
            for code in range(span.low, span.high + 1):
                if code in owner:
                    yield path, f"code {Hex(code)!r} already belongs to {owner[code][-1]}"
                    return
                owner[code] = path


def _span(span: CodeRange) -> str:
    return repr(Hex(span.low)) if span.low == span.high else f"{Hex(span.low)!r} to {Hex(span.high)!r}"
