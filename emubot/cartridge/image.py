"""A cartridge image in memory: what its header says, what identifies it, and what an emulator is given of it."""

from __future__ import annotations

import hashlib
import zlib
from dataclasses import dataclass, replace
from typing import Final

from emubot.cartridge.checksums import OF_A_FILE
from emubot.cartridge.header import CHR_UNIT, MAGIC, PRG_UNIT, SIZE, Header, read_header
from emubot.errors import RomError
from emubot.formats import known_format

SIZE_LIMIT: Final = 4 * 1024 * 1024  # bytes; the largest licensed cartridge has 1 MiB
REMEDY: Final = "give it a cartridge image in the iNES or NES 2.0 format"

_SAMPLE: Final = 64  # bytes that show whether a file is text
_UNCHANGED: Final = "and the file stays as it is"
_TEXT: Final = frozenset(b"\t\n\r") | frozenset(range(0x20, 0x7F))


@dataclass(frozen=True, slots=True)
class Cartridge:
    """One cartridge image and what identifies it.

    `sha1`, `crc32` and `md5` are upper-case hex over PRG+CHR alone: headers differ between dumps of the same game.
    `prg` and `chr` are sizes in bytes (`chr` 0 = the board has character RAM). `trailing` counts the bytes after the
    image, which are ignored. `region` is what the header says: `ntsc`, `pal`, `dendy`, or `multi` for any of them.
    `image` is what an emulator loads: a clean header, trainer, PRG and CHR, without trailing bytes. `remark` is a
    sentence for a person if the header in `image` is not the file's, otherwise "".
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
    remark: str = ""

    @property
    def size(self) -> int:
        """Bytes of PRG and CHR together."""
        return self.prg + self.chr

    @property
    def digests(self) -> frozenset[str]:
        """SHA-1, CRC32, MD5, and `file:` with the CRC32 of the whole image: a lookup may know only one of them."""
        whole = f"{OF_A_FILE}{zlib.crc32(self.image):08X}"
        return frozenset((self.sha1, self.crc32, self.md5, whole))

    @property
    def hashes(self) -> frozenset[str]:
        """SHA-1 and MD5 of PRG+CHR and of the whole image, upper-case hex: other programs hash one or the other."""
        return frozenset((self.sha1, self.md5, _sha1(self.image), _md5(self.image)))

    @property
    def file_sha1(self) -> str:
        """SHA-1 of the whole file, upper-case hex; "" if `image` is not the file byte by byte."""
        return "" if self.remark or self.trailing else _sha1(self.image)

    @property
    def body(self) -> bytes:
        """PRG and CHR, without header or trainer; the hashes are of these bytes."""
        return self.image[read_header(self.image).start :]

    def mended(
        self,
        mapper: int | None = None,
        prg: int | None = None,
        mirroring: str | None = None,
        region: str | None = None,
    ) -> Cartridge:
        """Returns the cartridge with these facts in its header, for one that is known; None keeps what it says.

        It is the same object if the header says so already. `remark` tells what was wrong, and what the header cannot
        say; that iNES says nothing of a region is not wrong. Raises RomError if the cartridge cannot have this `prg`.
        """
        if prg is not None and (not 0 < prg <= self.size or prg % PRG_UNIT):
            raise RomError(
                f"{self.name} cannot have {prg:,} bytes of PRG, as its map says: it has {self.size:,} bytes of PRG and "
                f"CHR together, and PRG is whole banks of {PRG_UNIT:,}; correct `prg` in the map."
            )
        was = read_header(self.image)
        header = was.mended(mapper, prg, mirroring, region)
        now = read_header(header)
        wished = (("mapper ", mapper, now.mapper), ("PRG bytes ", prg, now.prg))
        unsaid = [(f"{word}{true}", f"{word}{kept}") for word, true, kept in wished if true not in (None, kept)]
        if header == self.image[:SIZE] and not unsaid:
            return self
        wrong = [
            (f"{word}{old}", f"{word}{new}")
            for word, old, new in (
                ("mapper ", was.mapper, now.mapper),
                ("PRG bytes ", was.prg, now.prg),
                ("mirroring ", was.mirroring, now.mirroring),
                ("region ", was.region if was.nes2 or was.region != "ntsc" else now.region, now.region),
            )
            if old != new
        ]
        remarks = []
        if wrong:
            said, true = (" and ".join(facts) for facts in zip(*wrong, strict=True))
            remarks += [
                f"{self.name}: its header says {said}, but this cartridge has {true}: it is played so, {_UNCHANGED}."
            ]
        if unsaid:
            true, kept = (" and ".join(facts) for facts in zip(*unsaid, strict=True))
            remarks += [
                f"{self.name}: this cartridge has {true}, which its header cannot say: it is played with {kept}."
            ]
        return replace(
            self,
            image=header + self.image[SIZE:],
            mapper=now.mapper,
            prg=now.prg,
            chr=now.chr,
            region=now.region,
            remark=" ".join(remarks) or self.remark,
        )


def parse_cartridge(data: bytes, name: str) -> Cartridge:
    """Parse a cartridge image in memory; `name` appears in error messages. Raises RomError."""
    _check_magic(data, name)
    header = read_header(data)
    if header.prg == 0:
        raise RomError(f"{name} says it has no program (PRG count 0), so it is not a playable cartridge; {REMEDY}.")
    start, end = header.start, header.start + header.prg + header.chr
    if end > SIZE_LIMIT:
        raise RomError(f"{name} claims {end:,} bytes, more than any cartridge ({SIZE_LIMIT:,}); {REMEDY}.")
    if len(data) < end:
        raise RomError(
            f"{name} is truncated: its header promises {end:,} bytes and the file has {len(data):,}; "
            "read the cartridge again or restore the file."
        )
    if header.prg % PRG_UNIT or header.chr % CHR_UNIT:
        raise RomError(
            f"{name} has {header.prg:,} bytes of PRG and {header.chr:,} of CHR, and emulator cores load whole banks of "
            f"{PRG_UNIT:,} and {CHR_UNIT:,} only; {REMEDY} with whole banks."
        )
    body = data[start:end]
    return Cartridge(
        name=name,
        image=header.clean + data[SIZE:end],
        nes2=header.nes2,
        mapper=header.mapper,
        prg=header.prg,
        chr=header.chr,
        trainer=header.trainer,
        battery=header.battery,
        region=header.region,
        trailing=len(data) - end,
        sha1=_sha1(body),
        crc32=f"{zlib.crc32(body):08X}",
        md5=_md5(body),
        remark=_remark(header, name),
    )


def _sha1(content: bytes) -> str:
    return hashlib.sha1(content, usedforsecurity=False).hexdigest().upper()


def _md5(content: bytes) -> str:
    return hashlib.md5(content, usedforsecurity=False).hexdigest().upper()


def _remark(header: Header, name: str) -> str:
    if not header.dirty:
        return ""
    return (
        f"{name}: an old tool left other bytes from byte 7 of its header on; "
        f"it is played with mapper {header.mapper}, {_UNCHANGED}."
    )


def _check_magic(data: bytes, name: str) -> None:
    if not data:
        raise RomError(f"{name} is empty; {REMEDY}.")
    if not data.startswith(MAGIC):
        known = known_format(data, name)
        if known is not None:
            raise RomError(f"{name} is not a cartridge image but {known.name}: {known.remedy}.")
        text = all(byte in _TEXT for byte in data[:_SAMPLE])
        looks = "a text file" if text else "something else"
        raise RomError(f"{name} is not a cartridge image but {looks} (it does not begin with NES and 0x1A); {REMEDY}.")
    if len(data) < SIZE:
        raise RomError(f"{name} is truncated inside its header ({len(data)} of {SIZE} bytes); {REMEDY}.")
