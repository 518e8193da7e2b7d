"""The checksums of cartridges whose file is not at hand: from that of a whole file to those of its contents."""

from __future__ import annotations

import zlib
from itertools import product
from typing import Final

from emubot.cartridge.header import CHR_UNIT, MAGIC, PRG_UNIT, SIZE

OF_A_FILE: Final = "file:"  # prefix of a CRC32 of header, PRG and CHR together

_USUAL_PRG: Final = (1, 2, 4, 8, 16, 32)  # units
_USUAL_CHR: Final = (0, 1, 2, 4, 8, 16, 32)
_BYTE_6: Final = [1 << bit for bit in (0, 1, 3, 4, 5, 6, 7)]  # of flags: no trainer
_BYTE_7: Final = [1 << bit for bit in (12, 13, 14, 15)]  # no format
_DIRTY: Final = (b"DiskDude!", b"D")  # what old tools left from byte 7 on, most often


def crc32s_of_body(of_file: str) -> frozenset[str]:
    """Returns the possible CRC32s of PRG+CHR, upper case, for a CRC32 of the whole file: one for each usual header.

    CRC32 is linear: what a header adds to it depends only on the header and the length. The usual sizes are tried with
    every mapper up to 255, both mirrorings, battery and four screens, and with what old tools left in headers; no
    trainer, no NES 2.0. These are some 97,000 of four thousand million values: a chance match with a cartridge that a
    map lists is next to impossible.
    """
    checksums: set[int] = set()
    for prg, character in product(_USUAL_PRG, _USUAL_CHR):
        silence = bytes(prg * PRG_UNIT + character * CHR_UNIT)

        def whole(rest: bytes, prg: int = prg, character: int = character, silence: bytes = silence) -> int:
            header = (MAGIC + bytes([prg, character]) + rest).ljust(SIZE, b"\0")
            return zlib.crc32(silence, zlib.crc32(header))

        none = whole(b"")
        sixes, sevens = ([whole(flag.to_bytes(2, "little")) ^ none for flag in flags] for flags in (_BYTE_6, _BYTE_7))
        clean = int(of_file, 16) ^ none ^ zlib.crc32(silence)
        dirty = [clean ^ none ^ whole(b"\0" + text) for text in _DIRTY]
        checksums.update(_with(_with([clean], sixes), sevens), _with(dirty, sixes))
    return frozenset(f"{value:08X}" for value in checksums)


def _with(sums: list[int], flags: list[int]) -> list[int]:
    """Returns the sums with and without each of the flags, given by what they add."""
    for more in flags:
        sums = sums + [value ^ more for value in sums]
    return sums
