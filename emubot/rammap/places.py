"""Checks where the parts of a map lie: inside memory, one kind per code, only declared overlaps."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from typing import Final

from emubot.rammap.codec import byte_masks, full_mask
from emubot.rammap.fields import WORD_BYTES, PerPlayer, Places
from emubot.rammap.grid import KINDS_LIMIT, code_mask, hidden_addresses, in_low_half, visible_addresses
from emubot.rammap.layout import CellCoding, CodeRange, Term
from emubot.rammap.schema import Document
from emubot.rammap.spaces import ALLOWED, SPACES
from emubot.rammap.strict_yaml import Hex, KeyPath

GRID: Final = "playfield"  # the grid's name in `overlaps`
_MOST_CODE: Final = 0xFFFF

Problem = tuple[KeyPath, str]


def _ats(document: Document) -> Iterator[tuple[KeyPath, PerPlayer | Places]]:
    """Yields every stated address with its key path."""
    for name, value in document.values.items():
        if value.at is not None:
            yield ("values", name, "at"), value.at
        for number, part in enumerate(value.parts):
            yield ("values", name, "parts", number, "at"), part.at
    for name, region in document.regions.items():
        yield ("regions", name, "at"), region.at
    yield ("grid", "at"), document.grid.at
    for number, at in enumerate(document.grid.hidden):
        yield ("grid", "hidden", number), at


def players(document: Document) -> Iterator[Problem]:
    """Check that each address is given once for all players, or once for each."""
    for path, at in _ats(document):
        if len(at) not in {1, document.players}:
            yield path, f"found {len(at)} addresses, allowed is one, or one for each of {document.players} players"
        elif len({place for place in at if place is not None}) != len(at) - at.count(None):
            yield path, "the same address stands for two players, write it once if they share it"


def screen(document: Document) -> Iterator[Problem]:
    """Check that the picture has a place for each player's playfield."""
    visible = document.grid.screen
    if visible is not None and len(visible.at) != document.players:
        yield (
            ("grid", "screen", "at"),
            f"found {len(visible.at)} places, allowed is one for each of {document.players} players",
        )


def layouts(document: Document) -> Iterator[Problem]:
    """Check that the bytes, masks and shifts of values fit together."""
    for name, value in document.values.items():
        for number, part in enumerate(value.addends):
            path: KeyPath = ("values", name, "parts", number) if value.parts else ("values", name)
            yield from ((path + key, text) for key, text in _layout(part))


def _layout(part: Term) -> Iterator[Problem]:
    if part.format != "digits" and part.bytes > WORD_BYTES:
        yield ("bytes",), f"found {part.bytes}, allowed is 1 to {WORD_BYTES} for the format {part.format}"
    yield from _mask(part.mask, part.shift, part.bytes)
    field = (full_mask(part.bytes) if part.mask is None else part.mask) >> part.shift
    for code in part.table or ():
        if int(code, 16) & ~field:
            yield ("table", code), f"found {code}, which the bits {Hex(field)!r} after mask and shift cannot be"


def _mask(mask: int | None, shift: int, length: int) -> Iterator[Problem]:
    full = full_mask(length)
    if mask is not None and mask > full:
        yield ("mask",), f"found {Hex(mask)!r}, allowed is at most {Hex(full)!r} where `bytes` is {length}"
    elif (full if mask is None else mask) >> shift == 0:
        yield ("shift",), f"found {shift}, which shifts every bit of the mask away"


def cells(document: Document) -> Iterator[Problem]:
    """Check that the cell's word, its masks and its codes fit together."""
    cell, here = document.grid.cell, ("grid", "cell")
    if cell.mask == 0 and cell.shift:
        yield (*here, "shift"), f"found {cell.shift}, leave it out where the mask is still to be learnt"
    yield from (((*here, *path), text) for path, text in _mask(cell.mask or None, cell.shift, cell.bytes))
    if code_mask(cell) >> cell.shift > _MOST_CODE:
        yield (*here, "mask"), "this leaves more than 16 bits of code, choose a smaller mask or a larger shift"
        return
    if len(cell.kinds) > KINDS_LIMIT:
        yield (*here, "kinds"), f"found {len(cell.kinds)} kinds, allowed are {KINDS_LIMIT}"
    for name, mask in cell.flags.items():
        if mask > full_mask(cell.bytes):
            yield (*here, "flags", name), f"found {Hex(mask)!r}, allowed is at most {Hex(full_mask(cell.bytes))!r}"
    yield from (((*here, "link", *path), text) for path, text in _link(cell))
    tables: dict[KeyPath, tuple[CodeRange, ...]] = {("empty",): cell.empty}
    tables |= {("kinds", name): kind.codes for name, kind in cell.kinds.items()}
    yield from (((*here, *path), text) for path, text in code_table(code_mask(cell) >> cell.shift, tables))


def _link(cell: CellCoding) -> Iterator[Problem]:
    link = cell.link
    if link is None:
        return
    problems = list(_mask(link.mask, link.shift, cell.bytes))
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


def _byte(address: int, mask: int = 0xFF) -> int:
    """Returns bits of one byte in a number that has eight bits for every address."""
    return mask << 8 * address


def _first_address(bits: int) -> int:
    return ((bits & -bits).bit_length() - 1) // 8


def _occupied(document: Document, player: int) -> Iterator[tuple[str, int]]:
    """Yields each named thing with the bits that it occupies, eight for every address."""
    for name, value in document.values.items():
        if not value.belongs_to(player):
            continue
        bits = 0
        for part in value.addends:
            for address, _, mask in byte_masks(part, player):
                bits |= _byte(address, mask)
        yield name, bits
    for name, region in document.regions.items():
        yield name, _byte(region.at[min(player, len(region.at) - 1)], full_mask(region.bytes))


def _grid_bits(document: Document, player: int) -> tuple[int, int]:
    """Returns the bits that the cells occupy, and the bits that two cells share."""
    grid = document.grid
    bits = shared = 0
    low = in_low_half(grid)
    whole = full_mask(grid.cell.bytes)
    masks = [whole] * grid.columns if low is None else [0x0F if odd else 0xF0 for odd in low]
    for row in (*visible_addresses(grid, player), *hidden_addresses(grid, player)):
        for address, mask in zip(row, masks, strict=True):
            cell = _byte(int(address), mask)
            shared |= bits & cell
            bits |= cell
    return bits, shared


def used(document: Document) -> tuple[tuple[int, int], ...]:
    """Returns every byte that the map describes, for any player, as runs (CPU address, length) in rising order."""
    addresses: set[int] = set()
    for player in range(document.players):
        bits = _grid_bits(document, player)[0]
        for _, more in _occupied(document, player):
            bits |= more
        held = bits.to_bytes((bits.bit_length() + 7) // 8, "little")
        addresses.update(address for address, byte in enumerate(held) if byte)
    runs: list[tuple[int, int]] = []
    for address in sorted(addresses):
        if runs and address == sum(runs[-1]):
            runs[-1] = (runs[-1][0], runs[-1][1] + 1)
        else:
            runs.append((address, 1))
    return tuple(runs)


def overlaps(document: Document) -> Iterator[Problem]:
    """Check that everything lies inside ram and wram, and that the declared overlaps are the real ones."""
    inside = sum(_byte(base, full_mask(length)) for base, length in SPACES.values())
    declared = _declared(document)
    overlapping: set[frozenset[str]] = set()
    owners: list[tuple[str, int]] = []
    for player in range(document.players):
        grid, doubled = _grid_bits(document, player)
        if doubled:
            address = _first_address(doubled)
            yield ("grid",), f"two cells share the byte 0x{address:04X}, check the strides and the hidden rows"
        for name, bits in [*_occupied(document, player), (GRID, grid)]:
            if bits & ~inside:
                yield _path(document, name), f"found a byte at 0x{_first_address(bits & ~inside):04X}, {ALLOWED}"
                return
            for other, other_bits in owners:
                pair = frozenset((name, other))
                shared_by_players = name == other and bits == other_bits
                if shared_by_players or not bits & other_bits or pair in overlapping:
                    continue
                overlapping.add(pair)
                if pair not in declared:
                    where = f"the byte 0x{_first_address(bits & other_bits):04X} belongs to {other} as well"
                    yield _path(document, name), f"{where}, write `overlaps: [{other}]` if that is meant"
            owners.append((name, bits))
    yield from _declared_in_vain(document, overlapping)
    yield from _leaks(document, overlapping)


def _declared(document: Document) -> set[frozenset[str]]:
    return {frozenset((name, other)) for _, name, others in _declarations(document) for other in others}


def _declarations(document: Document) -> Iterator[tuple[str, str, tuple[str, ...]]]:
    yield from (("values", name, value.overlaps) for name, value in document.values.items())
    yield from (("regions", name, region.overlaps) for name, region in document.regions.items())


def _declared_in_vain(document: Document, overlapping: set[frozenset[str]]) -> Iterator[Problem]:
    known = {GRID, *document.values, *document.regions}
    for group, name, others in _declarations(document):
        for other in others:
            if other not in known:
                yield (group, name, "overlaps"), f"found {other}, which is no value, region or {GRID}"
            elif frozenset((name, other)) not in overlapping:
                yield (group, name, "overlaps"), f"found {other}, which shares no byte with {name}"


def _leaks(document: Document, overlapping: set[frozenset[str]]) -> Iterator[Problem]:
    """Check that every value that shares bits with generator state is hidden from the search too."""
    hidden = [name for name, value in document.values.items() if value.hidden_from_search]
    for name, value in document.values.items():
        leaks = [other for other in hidden if frozenset((name, other)) in overlapping]
        if leaks and not value.hidden_from_search:
            yield ("values", name), f"shows {leaks[0]}, so it needs `hidden_from_search: true` as well"


def _path(document: Document, name: str) -> KeyPath:
    return ("values", name) if name in document.values else ("regions", name) if name in document.regions else ("grid",)
