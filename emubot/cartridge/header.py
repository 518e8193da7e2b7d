"""The 16 bytes before a cartridge's contents: iNES and NES 2.0 into numbers, and mended ones.

Source: the pages "INES" and "NES 2.0" of nesdev.org/wiki.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Final

MAGIC: Final = b"NES\x1a"
SIZE: Final = 16  # bytes
PRG_UNIT: Final = 16 * 1024
CHR_UNIT: Final = 8 * 1024
TRAINER: Final = 512  # bytes
REGIONS: Final = ("ntsc", "pal", "multi", "dendy")

_FORMAT: Final = 0x0C  # bits of byte 7: 0 iNES, 8 NES 2.0, all else is the text of an old tool
_NES2: Final = 0x08
_EXPONENT: Final = 0x0F  # in the high bits of a size: the low ones are an exponent and a multiplier
_VERTICAL: Final = 0x01
_BATTERY: Final = 0x02
_HAS_TRAINER: Final = 0x04
_FOUR_SCREEN: Final = 0x08


@dataclass(frozen=True, slots=True)
class Header:
    """What a header says. `prg` and `chr` are sizes in bytes.

    `dirty` is true if an old tool left text from byte 7 on: none of those bytes counts then. `raw` is as in the file.
    """

    raw: bytes
    nes2: bool
    dirty: bool
    mapper: int
    prg: int
    chr: int
    trainer: bool
    battery: bool
    mirroring: str
    region: str

    @property
    def start(self) -> int:
        """The number of bytes before PRG in the file."""
        return SIZE + TRAINER * self.trainer

    @property
    def clean(self) -> bytes:
        """The header for an emulator: without text of old tools, and sizes that are whole banks as plain counts."""
        if self.dirty:
            return self.raw[:7] + bytes(SIZE - 7)
        return self.with_sizes() if self.nes2 else self.raw

    def with_sizes(self, prg: int | None = None) -> bytes:
        """Returns the clean header, with `prg` bytes of PRG and the rest as CHR if `prg` is given.

        Both sizes stay as they are if one of them is no whole number of banks, or more than a count can say.
        """
        header = bytearray(self.raw if not self.dirty else self.clean)
        first = self.prg if prg is None else prg
        sizes = ((4, first, PRG_UNIT, 0), (5, self.prg + self.chr - first, CHR_UNIT, 4))
        if any(
            size % unit or not 0 <= size // unit >> 8 < (_EXPONENT if self.nes2 else 1) for _, size, unit, _ in sizes
        ):
            return bytes(header)
        for low, size, unit, shift in sizes:
            banks = size // unit
            header[low] = banks & 0xFF
            if self.nes2:
                header[9] = header[9] & ~(0x0F << shift) | banks >> 8 << shift
        return bytes(header)

    def mended(self, mapper: int | None, prg: int | None, mirroring: str | None, region: str | None) -> bytes:
        """Returns the clean header with these values; None, and a value that it cannot say, keep what it says.

        `region` is `ntsc` or `pal`.
        """
        header = bytearray(self.with_sizes(prg))
        if mapper is not None and mapper != self.mapper and mapper <= (0xFFF if self.nes2 else 0xFF):
            header[6] = header[6] & 0x0F | mapper << 4 & 0xF0
            header[7] = header[7] & 0x0F | mapper & 0xF0
            if self.nes2:
                header[8] = mapper >> 8  # the other bits are the variant of the wrong mapper
        if mirroring is not None:
            header[6] &= ~(_VERTICAL | _FOUR_SCREEN)
            header[6] |= {"vertical": _VERTICAL, "four-screen": _FOUR_SCREEN}.get(mirroring, 0)
        if region is not None:
            place = 12 if self.nes2 else 9
            header[place] = header[place] & ~0x03 | REGIONS.index(region)
        return bytes(header)


def read_header(raw: bytes) -> Header:
    """Returns what the first 16 bytes of a file say; the caller has checked that they begin with MAGIC."""
    raw = raw[:SIZE]
    nes2 = raw[7] & _FORMAT == _NES2
    dirty = not nes2 and (bool(raw[7] & _FORMAT) or any(raw[12:]))
    four, vertical = raw[6] & _FOUR_SCREEN, raw[6] & _VERTICAL
    return Header(
        raw=raw,
        nes2=nes2,
        dirty=dirty,
        mapper=raw[6] >> 4 | (0 if dirty else raw[7] & 0xF0) | ((raw[8] & 0x0F) << 8 if nes2 else 0),
        prg=_size(raw[4], raw[9] & 0x0F if nes2 else 0, PRG_UNIT),
        chr=_size(raw[5], raw[9] >> 4 if nes2 else 0, CHR_UNIT),
        trainer=bool(raw[6] & _HAS_TRAINER),
        battery=bool(raw[6] & _BATTERY),
        mirroring="four-screen" if four else "vertical" if vertical else "horizontal",
        region="ntsc" if dirty else REGIONS[raw[12] & 0x03 if nes2 else raw[9] & 0x01],
    )


def _size(low: int, high: int, unit: int) -> int:
    """Returns bytes from the header's count; NES 2.0 has four more bits, and an exponent form if they are all set."""
    if high == _EXPONENT:
        return int((1 << (low >> 2)) * ((low & 0x03) * 2 + 1))
    return (high << 8 | low) * unit
