"""Cartridge files: iNES and NES 2.0 bytes to a header and an identity; knows no game, executes and writes nothing."""

from __future__ import annotations

import hashlib
import io
import struct
import zipfile
import zlib
from dataclasses import dataclass
from itertools import product
from pathlib import Path
from typing import Final

from emubot.errors import RomError
from emubot.files import UnsuitableFile, read_regular
from emubot.text import printable

SIZE_LIMIT: Final = 4 * 1024 * 1024  # bytes; the largest licensed cartridge has 1 MiB

OF_A_FILE: Final = "file:"  # prefix of a CRC32 of header, PRG and CHR together

_HEADER = 16
_SAMPLE = 64  # bytes that show whether a file is text
_TEXT = frozenset(b"\t\n\r") | frozenset(range(0x20, 0x7F))
_TRAINER = 512
_PRG_UNIT = 16 * 1024
_CHR_UNIT = 8 * 1024
_REMEDY = "give it a cartridge image in the iNES or NES 2.0 format"
_USUAL_PRG = (1, 2, 4, 8, 16, 32)  # units
_USUAL_CHR = (0, 1, 2, 4, 8, 16, 32)
_FLAGS = [1 << bit for bit in (0, 1, 3, 4, 5, 6, 7, 12, 13, 14, 15)]  # of bytes 6 and 7: all but trainer and format
_ENCRYPTED = 0x01  # bit of a member's flags
_COMPRESSIONS = (zipfile.ZIP_STORED, zipfile.ZIP_DEFLATED)  # others may need gigabytes of memory to unpack
# A damaged archive raises any of these, depending on its member and the version of Python.
_DAMAGE = (
    *(zipfile.BadZipFile, zlib.error, struct.error),
    *(EOFError, OSError, RuntimeError, ValueError, OverflowError, NotImplementedError),
)
_REGIONS = ("ntsc", "pal", "multi", "dendy")


@dataclass(frozen=True, slots=True)
class Cartridge:
    """One cartridge image and what identifies it.

    `sha1`, `crc32` and `md5` are upper-case hex over PRG+CHR alone: headers differ between dumps of the same game.
    `prg` and `chr` are sizes in bytes (`chr` 0 = the board has character RAM). `trailing` counts the bytes after the
    image, which are ignored. `region` is what the header says; headers are often wrong about it.
    `image` is what an emulator loads: header, trainer, PRG and CHR, without trailing bytes.
    """

    name: str
    image: bytes
    nes2: bool
    mapper: int
    prg: int
    chr: int
    trainer: bool
    battery: bool
    region: str
    trailing: int
    sha1: str
    crc32: str
    md5: str

    @property
    def size(self) -> int:
        """Bytes of PRG and CHR together."""
        return self.prg + self.chr

    @property
    def digests(self) -> frozenset[str]:
        """SHA-1, CRC32, MD5, and `file:` with the CRC32 of the whole file: a lookup may know only one of them."""
        whole = f"{OF_A_FILE}{zlib.crc32(self.image):08X}"
        return frozenset((self.sha1, self.crc32, self.md5, whole))

    @property
    def body(self) -> bytes:
        """PRG and CHR, without header or trainer; the hashes are of these bytes."""
        return self.image[_HEADER + _TRAINER * self.trainer :]


def load_cartridge(path: str | Path) -> Cartridge:
    """Read a `.nes` file, or a `.zip` with exactly one. Raises RomError, which says in one sentence what is wrong."""
    file = Path(path)
    data, name = _read(file), printable(file.name)
    if data.startswith(b"PK"):
        data = _unzip(data, name)
    return parse_cartridge(data, name)


def parse_cartridge(data: bytes, name: str) -> Cartridge:
    """Parse a cartridge image in memory; `name` appears in error messages. Raises RomError."""
    _check_magic(data, name)
    header = data[:_HEADER]
    nes2 = header[7] & 0x0C == 0x08
    prg = _rom_size(header[4], header[9] & 0x0F if nes2 else 0, _PRG_UNIT)
    character = _rom_size(header[5], header[9] >> 4 if nes2 else 0, _CHR_UNIT)
    if prg == 0:
        raise RomError(f"{name} says it has no program (PRG count 0), so it is no playable cartridge; {_REMEDY}.")
    trainer = bool(header[6] & 0x04)
    start = _HEADER + _TRAINER * trainer
    end = start + prg + character
    if end > SIZE_LIMIT:
        raise RomError(f"{name} claims {end:,} bytes, more than any cartridge ({SIZE_LIMIT:,}); {_REMEDY}.")
    if len(data) < end:
        raise RomError(
            f"{name} is truncated: its header promises {end:,} bytes and the file has {len(data):,}; "
            "read the cartridge again or restore the file."
        )
    body = data[start:end]
    return Cartridge(
        name=name,
        image=data[:end],
        nes2=nes2,
        mapper=_mapper(header, nes2),
        prg=prg,
        chr=character,
        trainer=trainer,
        battery=bool(header[6] & 0x02),
        region=_REGIONS[header[12] & 0x03] if nes2 else _REGIONS[header[9] & 0x01],
        trailing=len(data) - end,
        sha1=hashlib.sha1(body, usedforsecurity=False).hexdigest().upper(),
        crc32=f"{zlib.crc32(body):08X}",
        md5=hashlib.md5(body, usedforsecurity=False).hexdigest().upper(),
    )


def crc32s_of_body(of_file: str) -> frozenset[str]:
    """Returns the possible CRC32s of PRG+CHR, upper case, for a CRC32 of the whole file: one for each plain header.

    CRC32 is linear: what a header adds to it depends only on the header and the length. The usual sizes are tried with
    every mapper up to 255, both mirrorings, battery and four screens; no trainer, no NES 2.0. These are some 86,000 of
    four thousand million values: a chance match with a cartridge that a map lists is next to impossible.
    """
    found = set()
    for prg, character in product(_USUAL_PRG, _USUAL_CHR):
        silence = bytes(prg * _PRG_UNIT + character * _CHR_UNIT)

        def whole(flags: int, prg: int = prg, character: int = character, silence: bytes = silence) -> int:
            header = b"NES\x1a" + bytes([prg, character, flags & 0xFF, flags >> 8]) + bytes(8)
            return zlib.crc32(silence, zlib.crc32(header))

        none = whole(0)
        sums = [int(of_file, 16) ^ none ^ zlib.crc32(silence)]
        for flag in _FLAGS:
            more = whole(flag) ^ none
            sums += [value ^ more for value in sums]
        found.update(sums)
    return frozenset(f"{value:08X}" for value in found)


def _read(file: Path) -> bytes:
    if file.is_dir():
        raise RomError(f"{file} is a folder; name the cartridge file inside it.")
    try:
        return read_regular(file, SIZE_LIMIT)
    except UnsuitableFile as error:
        raise RomError(f"{file} is no cartridge image: {error.strerror}; {_REMEDY}.") from None
    except FileNotFoundError:
        raise RomError(f"There is no file {file}; check the path of the cartridge image.") from None
    except OSError as error:
        raise RomError(f"{file} cannot be read ({error.strerror}); check its name and permissions.") from None


def _unzip(data: bytes, name: str) -> bytes:
    """Returns the only `.nes` member of a zip archive; never unpacks more than the size limit, whatever it claims."""
    remedy = "unpack it by hand and name the .nes file"
    try:
        with zipfile.ZipFile(io.BytesIO(data)) as archive:
            members = [info for info in archive.infolist() if info.filename.lower().endswith(".nes")]
            if len(members) != 1:
                raise RomError(
                    f"{name} holds {len(members)} .nes files, and just one is expected; unpack it and name one."
                )
            if members[0].flag_bits & _ENCRYPTED:
                raise RomError(f"{name} cannot be unpacked (it is encrypted); {remedy}.")
            if members[0].compress_type not in _COMPRESSIONS:
                raise RomError(f"{name} cannot be unpacked (it is compressed in an unusual way); {remedy}.")
            with archive.open(members[0]) as stream:
                unpacked = stream.read(SIZE_LIMIT + 1)
    except _DAMAGE as error:
        raise RomError(f"{name} cannot be unpacked ({printable(error)}); {remedy}.") from None
    if len(unpacked) > SIZE_LIMIT:
        raise RomError(f"{name} unpacks to more than {SIZE_LIMIT:,} bytes, which no cartridge has; {_REMEDY}.")
    return unpacked


def _check_magic(data: bytes, name: str) -> None:
    if not data:
        raise RomError(f"{name} is empty; {_REMEDY}.")
    if data.startswith((b"FDS\x1a", b"\x01*NINTENDO-HVC*")):
        raise RomError(f"{name} is a disk image, and only cartridges are played; {_REMEDY}.")
    if not data.startswith(b"NES\x1a"):
        text = all(byte in _TEXT for byte in data[:_SAMPLE])
        looks = "a text file" if text else "something else"
        raise RomError(f"{name} is no cartridge image but {looks} (it does not begin with NES and 0x1A); {_REMEDY}.")
    if len(data) < _HEADER:
        raise RomError(f"{name} is truncated inside its header ({len(data)} of {_HEADER} bytes); {_REMEDY}.")


def _rom_size(low: int, high: int, unit: int) -> int:
    """Returns bytes from the header's count; NES 2.0 has four more bits, and an exponent form if they are all set."""
    if high == 0x0F:
        return int((1 << (low >> 2)) * ((low & 0x03) * 2 + 1))
    return (high << 8 | low) * unit


def _mapper(header: bytes, nes2: bool) -> int:
    low, high = header[6] >> 4, header[7] & 0xF0
    if nes2:
        return low | high | (header[8] & 0x0F) << 8
    # Old dumping tools left their name in bytes 7-15; then only the low half is the mapper (read in public sources).
    return low if any(header[12:16]) else low | high
