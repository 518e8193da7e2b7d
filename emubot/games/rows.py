"""The content of a recording's row, by a map: bytes of values and the page of the cells; knows no game."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Final

import numpy as np

from emubot.rammap import RamMap
from emubot.rammap.cells import grid_bytes
from emubot.rammap.spaces import address_of, index_of, indices_of
from emubot.trace import Recorder

PADS: Final = ("new_buttons", "held_buttons")  # the values of the pads that a game has used
SECOND: Final = "p2."  # prefix of the second player's fields


def fields_of(ram_map: RamMap, names: Sequence[str]) -> Iterator[tuple[str, int]]:
    """Yields (field, address) of each byte of these values, for each player that has them; each byte once.

    A field is the value's name, with `+1`, `+2` for its further bytes, and the prefix `p2.` for the second player.
    """
    seen: set[int] = set()
    for player in range(ram_map.players):
        for name in names:
            if name in ram_map.reader(player).names:
                for number, address in enumerate(ram_map.addresses(name, player)):
                    if address not in seen:
                        seen.add(address)
                        yield f"{SECOND if player else ''}{name}{f'+{number}' if number else ''}", address


def page_of(ram_map: RamMap) -> tuple[int, int]:
    """Returns (address, length) from the first byte of all playfields to the last, with any other bytes between.

    The length counts bytes of an image, where wram follows ram.
    """
    grid = ram_map.document.grid
    cells = indices_of(np.concatenate([grid_bytes(grid, player) for player in range(ram_map.players)]))
    low = int(cells.min())
    return address_of(low), int(cells.max()) + 1 - low


def plain_recorder(ram_map: RamMap, order: str) -> Recorder:
    """Returns a recorder of all that a map describes, for games that no simulator replays."""
    names = ram_map.reader().names
    fields, addresses = zip(*fields_of(ram_map, ram_map.value_names), strict=True)
    pads = (ram_map.addresses(PADS[0])[0], ram_map.addresses(PADS[1])[0]) if {*PADS} <= names else None
    return Recorder(fields, addresses, page_of(ram_map), pads, order, index_of)
