"""The binary frame of NestrisChamps: a pure encoder and decoder of bit fields; knows no game, no file and no network.

Layout, from github.com/nestrischamps/nestrischamps (public/js/BinaryFrame.js), compared with a second public encoder,
github.com/Stabyourself/nestrischamps-emulator-connector (nestrischamps/util.lua): numbers of a fixed count of bits, one
after the other, the highest bit first, then 200 cells of two bits each, row by row from the top. A number of ones alone
means that the value is not known. Version 3 is written; 1 and 2, of older recordings, are read as well.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Final

PIECES: Final = "TJZOSLI"  # the piece of each number
CELLS: Final = 200
CLASSIC: Final = 1  # the type of a game whose pieces are counted
VERSION: Final = 3

_HEAD: Final = (("version", 3), ("type", 2), ("player", 3), ("game", 16), ("milliseconds", 28))
_DAS: Final = (("das", 5), ("following", 3), ("spawn_das", 5), ("current", 3))


def _layout(numbers: tuple[tuple[str, int], ...], counts: int, spare: int) -> tuple[tuple[str, int], ...]:
    return (*_HEAD, *numbers, *_DAS, *((piece, counts) for piece in PIECES), ("spare", spare))


# By version: the name and the bits of each number. In version 1 the spare bits are the frame's last byte.
_LAYOUTS: Final = {
    1: _layout((("score", 21), ("lines", 9), ("level", 6)), 8, 0),
    2: _layout((("lines", 12), ("level", 8), ("score", 24)), 9, 1),
    3: _layout((("lines", 12), ("level", 8), ("score", 24)), 10, 2),
}
SIZES: Final = {1: 71, 2: 72, 3: 73}  # bytes
_ALWAYS: Final = frozenset({*(name for name, _ in _HEAD), "spare"})  # these are never unknown
_BITS: Final = dict(_LAYOUTS[VERSION])
_SHIFTS: Final = (6, 4, 2, 0)  # of the four cells in a byte, from the left
_FOURS: Final = range(0, CELLS, len(_SHIFTS))


@dataclass(frozen=True, slots=True)
class Frame:
    """One frame of one player. None: not known; without lines, level and score no game is being played.

    `type` is 0 to 2 (CLASSIC: pieces are counted), `game` a number that each game changes, `milliseconds` the time
    since any start. `following` and `current` are indices in PIECES. `das` is the charge now, `spawn_das` the one with
    which the piece in the air came. `counts` (7) are the pieces so far, in the order of PIECES. `cells` (200) are 0 for
    empty and otherwise one of three colours (1 white; 2, 3 the level's), with those of the piece in the air.
    """

    game: int
    milliseconds: int
    cells: bytes
    lines: int | None = None
    level: int | None = None
    score: int | None = None
    following: int | None = None
    current: int | None = None
    das: int | None = None
    spawn_das: int | None = None
    counts: tuple[int | None, ...] = (None,) * len(PIECES)
    type: int = CLASSIC
    player: int = 0

    @property
    def is_played(self) -> bool:
        """Whether a game is being played; NestrisChamps asks the same of a frame."""
        return None not in (self.lines, self.level, self.score)


def most(name: str) -> int:
    """Returns the highest value that a number of the frame (a field of Frame, or a piece's letter) can have."""
    ones = (1 << _BITS[name]) - 1
    return ones if name in _ALWAYS else ones - 1


def encode(frame: Frame) -> bytes:
    """Returns the 73 bytes of a frame in version 3. Raises ValueError for a value that has no room."""
    values = {"version": VERSION, "spare": 0, **dict(zip(PIECES, frame.counts, strict=True))}
    packed = 0
    for name, bits in _LAYOUTS[VERSION]:
        value = values[name] if name in values else getattr(frame, name)
        if value is None and name not in _ALWAYS:
            value = (1 << bits) - 1
        elif value is None or not 0 <= value <= most(name):
            raise ValueError(f"{name} is 0 to {most(name)}, not {value}")
        packed = packed << bits | value
    cells = frame.cells
    if len(cells) != CELLS or max(cells) > 3:
        raise ValueError(f"a frame has {CELLS} cells of 0 to 3")
    fours = (cells[at] << 6 | cells[at + 1] << 4 | cells[at + 2] << 2 | cells[at + 3] for at in _FOURS)
    return packed.to_bytes(SIZES[VERSION] - len(_FOURS), "big") + bytes(fours)


def version_of(data: bytes) -> int:
    """Returns the version that the first byte of a frame names; only those of SIZES can be decoded."""
    return data[0] >> 5


def decode(data: bytes) -> Frame:
    """Returns the frame of these bytes, which say their version. Raises ValueError if they are no frame."""
    if not data or len(data) != SIZES.get(version_of(data)):
        raise ValueError("no frame of a known version has this size")
    layout = _LAYOUTS[version_of(data)]
    bits = sum(width for _, width in layout)
    left = bits
    packed = int.from_bytes(data[: bits // 8], "big")
    values: dict[str, int | None] = {}
    for name, width in layout:
        left -= width
        value = packed >> left & (1 << width) - 1
        values[name] = None if value == (1 << width) - 1 and name not in _ALWAYS else value
    counts = tuple(values.pop(piece) for piece in PIECES)
    del values["version"], values["spare"]
    cells = bytes(
        byte >> shift & 3 for byte in data[bits // 8 : bits // 8 + CELLS // len(_SHIFTS)] for shift in _SHIFTS
    )
    return Frame(cells=cells, counts=counts, **values)  # type: ignore[arg-type]  # what is always there is no None
