"""Checks where the parts of a map lie: inside memory, each address for its player, only declared overlaps."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Final

from emubot.rammap.cells import all_rows, columns_of, entry_bytes, grid_bytes, of_player
from emubot.rammap.code_checks import Problem, mask_problems
from emubot.rammap.codec import byte_masks, full_mask
from emubot.rammap.fields import WORD_BYTES, PerPlayer, Places
from emubot.rammap.grid_layout import GridLayout, RowTable
from emubot.rammap.layout import Term
from emubot.rammap.schema import Document
from emubot.rammap.spaces import ALLOWED, SPACES
from emubot.rammap.strict_yaml import Hex, KeyPath

GRID: Final = "playfield"  # the grid's name in `overlaps`


def _ats(document: Document) -> Iterator[tuple[KeyPath, PerPlayer | Places]]:
    """Yields every stated address with its key path."""
    for name, value in document.values.items():
        if value.at is not None:
            yield ("values", name, "at"), value.at
        for number, part in enumerate(value.parts):
            yield ("values", name, "parts", number, "at"), part.at
    for name, region in document.regions.items():
        yield ("regions", name, "at"), region.at
    grid, table = document.grid, document.grid.row_table
    if grid.at is not None:
        yield ("grid", "at"), grid.at
    for number, at in enumerate(grid.hidden):
        yield ("grid", "hidden", number), at
    if table is not None:
        keys = {"at": table.at, "high": table.high, "base": table.base}
        yield from ((("grid", "row_table", key), at) for key, at in keys.items() if at is not None)
        yield ("grid", "row_table", "rows_in", "at"), table.rows_in.at


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


def rows(document: Document) -> Iterator[Problem]:
    """Check that no row begins before memory, and that a table of rows can lead to them."""
    grid = document.grid
    if grid.row_table is not None:
        yield from (
            (("grid", "row_table", *path), text)
            for player in range(document.players)
            for path, text in _row_table(grid, grid.row_table, player)
        )
    elif any(int(grid_bytes(grid, player).min()) < 0 for player in range(document.players)):
        yield ("grid", "column_stride"), f"found {grid.column_stride}, by which a cell is before the address 0x0000"


def _row_table(grid: GridLayout, table: RowTable, player: int) -> Iterator[Problem]:
    beside = columns_of(grid).bytes
    length, bytes_of_row = table.rows_in.bytes, int(beside.max() - beside.min()) + grid.cell.bytes
    if table.step < table.bytes:
        yield ("stride",), f"found {table.step}, but an entry has {table.bytes} bytes"
    if length < bytes_of_row:
        yield ("rows_in", "bytes"), f"found {length}, but a row has {bytes_of_row} bytes"
        return
    base, first = of_player(table.base or (0,), player), of_player(table.rows_in.at, player) - int(beside.min())
    last = first + length - bytes_of_row
    # The first entry that leads so far, or with negative times that leads no further.
    least = max(-((base - (first if table.times > 0 else last)) // table.times), 0)
    if least > table.most or not first <= base + least * table.times <= last:
        yield (), "no entry of the table leads into `rows_in`, check base and times"
    own = {*entry_bytes(table, all_rows(grid, player), player).ravel().tolist()}
    region = range(of_player(table.rows_in.at, player), of_player(table.rows_in.at, player) + length)
    if inside := own & {*region}:
        yield ("rows_in",), f"the byte 0x{min(inside):04X} belongs to the table itself"


def layouts(document: Document) -> Iterator[Problem]:
    """Check that the bytes, masks and shifts of values fit together."""
    for name, value in document.values.items():
        for number, part in enumerate(value.addends):
            path: KeyPath = ("values", name, "parts", number) if value.parts else ("values", name)
            yield from ((path + key, text) for key, text in _layout(part))


def _layout(part: Term) -> Iterator[Problem]:
    if part.format != "digits" and part.bytes > WORD_BYTES:
        yield ("bytes",), f"found {part.bytes}, allowed is 1 to {WORD_BYTES} for the format {part.format}"
    yield from mask_problems(part.mask, part.shift, 8 * part.bytes)
    field = (full_mask(part.bytes) if part.mask is None else part.mask) >> part.shift
    for code in part.table or ():
        if int(code, 16) & ~field:
            yield ("table", code), f"found {code}, which the bits {Hex(field)!r} after mask and shift cannot be"


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
    """Returns the bits that the cells, and a table of rows, occupy; and the bits that two cells share."""
    grid, full = document.grid, full_mask(document.grid.cell.bytes)
    bits = shared = 0
    if grid.row_table is not None:  # a row may be anywhere, and two of them may be one
        for address in grid_bytes(grid, player).tolist():
            bits |= _byte(address)
        return bits, 0
    beside, lowest = columns_of(grid)
    masks = [full] * grid.columns if lowest is None else [(1 << grid.cell.width) - 1 << bit for bit in lowest.tolist()]
    for row in all_rows(grid, player).tolist():
        for offset, mask in zip(beside.tolist(), masks, strict=True):
            cell = _byte(row + offset, mask)
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
