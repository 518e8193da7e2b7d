"""A decoder of NestrisChamps' binary frame of its own, written from the layout alone: it takes nothing from emubot."""

from __future__ import annotations

from typing import Any

HEAD = [("version", 3), ("type", 2), ("player", 3), ("game", 16), ("ms", 28)]
DAS = [("instant_das", 5), ("preview", 3), ("piece_das", 5), ("piece", 3)]
FIGURES: dict[int, list[tuple[str, int]]] = {
    1: [("score", 21), ("lines", 9), ("level", 6)],
    2: [("lines", 12), ("level", 8), ("score", 24)],
    3: [("lines", 12), ("level", 8), ("score", 24)],
}
COUNT_BITS = {1: 8, 2: 9, 3: 10}
SIZE = {1: 71, 2: 72, 3: 73}


def read(frame: bytes) -> dict[str, Any]:
    """The numbers of a frame by name, None for those that are not known, and `field`, 200 cells."""
    bits = "".join(f"{byte:08b}" for byte in frame)
    version = int(bits[:3], 2)
    assert len(frame) == SIZE[version]
    names = [*HEAD, *FIGURES[version], *DAS, *((letter, COUNT_BITS[version]) for letter in "TJZOSLI")]
    found: dict[str, Any] = {}
    for name, width in names:
        word, bits = bits[:width], bits[width:]
        found[name] = None if "0" not in word and (name, width) not in HEAD else int(word, 2)
    bits = bits[{1: 0, 2: 1, 3: 2}[version] :]
    found["field"] = [int(bits[2 * cell : 2 * cell + 2], 2) for cell in range(200)]
    return found


def rows(frame: dict[str, Any]) -> list[str]:
    """The field as 20 lines."""
    return ["".join(".123"[cell] for cell in frame["field"][start : start + 10]) for start in range(0, 200, 10)]
