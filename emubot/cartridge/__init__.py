"""Cartridge files: iNES and NES 2.0 bytes to a header and an identity; executes and writes nothing."""

from emubot.cartridge.checksums import OF_A_FILE, crc32s_of_body
from emubot.cartridge.image import SIZE_LIMIT, Cartridge, parse_cartridge
from emubot.cartridge.opening import load_cartridge

__all__ = [
    "OF_A_FILE",
    "SIZE_LIMIT",
    "Cartridge",
    "crc32s_of_body",
    "load_cartridge",
    "parse_cartridge",
]
