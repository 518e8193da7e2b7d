"""The checksums of cartridges whose file is not at hand: from that of a whole file to those of its contents."""

from __future__ import annotations

import zlib
from itertools import product
from typing import Final

from emubot.cartridge.header import CHR_UNIT, MAGIC, PRG_UNIT

OF_A_FILE: Final = "file:"  # prefix of a CRC32 of header, PRG and CHR together

_USUAL_PRG: Final = (1, 2, 4, 8, 16, 32)  # units
_USUAL_CHR: Final = (0, 1, 2, 4, 8, 16, 32)
_FLAGS: Final = [1 << bit for bit in (0, 1, 3, 4, 5, 6, 7, 12, 13, 14, 15)]  # bytes 6 and 7, no trainer, no format


def crc32s_of_body(of_file: str) -> frozenset[str]:
    """Returns the possible CRC32s of PRG+CHR, upper case, for a CRC32 of the whole file: one for each plain header.

    CRC32 is linear: what a header adds to it depends only on the header and the length. The usual sizes are tried with
    every mapper up to 255, both mirrorings, battery and four screens; no trainer, no NES 2.0. These are some 86,000 of
    four thousand million values: a chance match with a cartridge that a map lists is next to impossible.
    """
    found = set()
    for prg, character in product(_USUAL_PRG, _USUAL_CHR):
        silence = bytes(prg * PRG_UNIT + character * CHR_UNIT)

        def whole(flags: int, prg: int = prg, character: int = character, silence: bytes = silence) -> int:
            header = MAGIC + bytes([prg, character, flags & 0xFF, flags >> 8]) + bytes(8)
            return zlib.crc32(silence, zlib.crc32(header))

        none = whole(0)
        sums = [int(of_file, 16) ^ none ^ zlib.crc32(silence)]
        for flag in _FLAGS:
            more = whole(flag) ^ none
            sums += [value ^ more for value in sums]
        found.update(sums)
    return frozenset(f"{value:08X}" for value in found)
