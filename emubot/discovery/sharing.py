"""Says which bytes of a map may mean something more, and declares the bytes that two of its values then share."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any

import numpy as np

from emubot.discovery.recording import Bits
from emubot.rammap import RamMap
from emubot.rammap.spaces import index_of

Values = Mapping[str, Any]  # as a map's `values` has them


def free_in(ram_map: RamMap, size: int) -> Bits:
    """Returns which of so many bytes the map does not use, or only to tell screens apart.

    Such a byte was found to differ from screen to screen, and that may be what it does beside its true meaning.
    """
    free = np.ones(size, np.bool_)
    for address, length in ram_map.used:
        free[index_of(address) : index_of(address) + length] = False
    for name in _conditional(ram_map):
        free[[index_of(address) for address in ram_map.addresses(name)]] = True
    for name in ram_map.value_names:
        if name not in _conditional(ram_map):
            free[[index_of(address) for address in ram_map.addresses(name)]] = False
    return free


def with_values(ram_map: RamMap, values: Values, timing: Values | None = None) -> RamMap:
    """Returns the map with these values and this timing; what shares a byte with another value says so."""
    places = {name: {*ram_map.addresses(name)} for name in ram_map.value_names if name not in values}
    added: dict[str, Any] = {}
    for name, value in values.items():
        own = set(_addresses(value))
        shared = sorted(other for other, addresses in places.items() if own & addresses)
        stated = value if isinstance(value, Mapping) else {"at": value}
        added[name] = {**stated, "overlaps": shared} if shared else value
        places[name] = own
    return ram_map.learnt(values=added, timing=timing)


def _conditional(ram_map: RamMap) -> frozenset[str]:
    """Returns the values that only conditions name: not the piece, and not what was found by its meaning."""
    document = ram_map.document
    placed = {name for point in (document.place.cells if document.place else ()) for name in (point.x, point.y)}
    named = {name for rule in document.phases for name in rule.when}
    return frozenset(named & {*ram_map.value_names} - placed - {"piece", "x", "y"})


def _addresses(value: Any) -> Iterator[int]:
    if not isinstance(value, Mapping):
        yield int(value)
        return
    for part in value.get("parts", (value,)):
        yield from range(int(part["at"]), int(part["at"]) + int(part.get("bytes", 1)))
