"""What every family's gate to its kernels checks alike: the counters of a position; knows no field and no piece.

Kernels check no index, so a number that no game counts to must not reach them. Most bytes of a map cannot hold one;
those of an address map that somebody wrote may.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from typing import Final

from emubot.rammap.reader import Reader

_MOST: Final = 0xFFFF
_MOST_BYTE: Final = 0xFF
_BYTES: Final = frozenset({"held_buttons", "das", "autorepeat_y", "hold_down_points", "vram_row"})
Counters = Mapping[str, int]


def counters_fault(counters: Counters, names: Iterable[str]) -> str | None:
    """Returns which of these counters no game has, and why; None if all are possible or not there."""
    for name in names:
        number, most = counters.get(name, 0), _MOST_BYTE if name in _BYTES else _MOST
        if not 0 <= number <= most:
            return f"{name} is {number:,}, and not from 0 to {most:,}"
    return None


def counters_judge(reader: Reader, names: Iterable[str]) -> Callable[[Counters], str | None]:
    """Returns `counters_fault` for the frames of a map; nearly free, because most values can hold no other number."""
    known = [name for name in names if name in reader.scalars]
    open_names = [name for name in known if not _is_bounded(reader, name)]
    return (lambda counters: counters_fault(counters, open_names)) if open_names else (lambda counters: None)


def _is_bounded(reader: Reader, name: str) -> bool:
    low, high = reader.scalars[name].bounds
    return low >= 0 and high <= (_MOST_BYTE if name in _BYTES else _MOST)
