"""Names the format of a file that was given by mistake, by its first bytes and its name; reads no file."""

from __future__ import annotations

import io
import struct
import zipfile
from dataclasses import dataclass
from typing import Final

_ARCHIVE: Final = "unpack it and name the file inside"
_MOVIE: Final = "emubot reads movies of FCEUX (.fm2) and of BizHawk (.bk2) only"
_REVIEW: Final = 'take "emubot review" for it'
_STATE: Final = "name the cartridge, or the movie or recording of the whole game"

# Source: APPNOTE.TXT of the zip format: the record at an archive's end says how long its list of members is.
_END: Final = struct.Struct("<4s8xII H")  # signature, numbers of disks and members, list's size and place, comment
_SIGNATURE: Final = b"PK\x05\x06"
_LOCATOR: Final = (20, b"PK\x06\x07")  # size and signature of what names a second such record, of larger archives
_LARGEST_COMMENT: Final = (1 << 16) - 1
_LARGEST_LIST: Final = 1 << 20
_DAMAGE: Final = (zipfile.BadZipFile, ValueError, OSError, EOFError, NotImplementedError, struct.error, OverflowError)


@dataclass(frozen=True, slots=True)
class Format:
    """A known format: its name with an article, and what to do with such a file."""

    name: str
    remedy: str


BK2: Final = Format("a movie of BizHawk (.bk2)", _REVIEW)
_DISK: Final = Format("a disk image", "only cartridges are played")
_FCM: Final = Format("a movie of the old FCEU (.fcm)", "convert it to FM2 with FCEUX (Tools, Convert .fcm)")
FM2: Final = Format("a movie (FM2)", _REVIEW)
_LSMV: Final = Format("a movie of lsnes (.lsmv)", _MOVIE)
_MESEN: Final = Format("a movie of Mesen (.mmo)", _MOVIE)
_PATCH: Final = Format("a patch", "apply it to its cartridge first")
_SAVED: Final = Format("a save state", _STATE)

# Sources: the pages of each format on tasvideos.org and nesdev.org/wiki.
_BEGINNINGS: Final = (
    (b"\x1f\x8b", Format("a gzip archive", _ARCHIVE)),
    (b"7z\xbc\xaf\x27\x1c", Format("a 7z archive", _ARCHIVE)),
    (b"Rar!\x1a\x07", Format("a RAR archive", _ARCHIVE)),
    (b"BZh", Format("a bzip2 archive", _ARCHIVE)),
    (b"\xfd7zXZ\x00", Format("an xz archive", _ARCHIVE)),
    (b"UNIF", Format("a cartridge in the old format UNIF", "convert it to NES 2.0")),
    (b"NESM\x1a", Format("music (NSF)", "name the cartridge itself")),
    (b"NSFE", Format("music (NSFe)", "name the cartridge itself")),
    (b"FDS\x1a", _DISK),
    (b"\x01*NINTENDO-HVC*", _DISK),
    *((beginning, _PATCH) for beginning in (b"PATCH", b"BPS1", b"UPS1")),
    *((beginning, _SAVED) for beginning in (b"FCS", b"NST\x1a", b"MSS", b"RASTATE", b"#RZIPv", b"NSS\x1a")),
    *((beginning, FM2) for beginning in (b"version 3", b"\xef\xbb\xbfversion 3")),
    (b"FCM\x1a", _FCM),
    (b"FMV\x1a", Format("a movie of Famtasia (.fmv)", _MOVIE)),
    (b"VirtuaNES MV", Format("a movie of VirtuaNES (.vmv)", _MOVIE)),
)
_MEMBERS: Final = {
    "Input Log.txt": BK2,
    "BizState 1.0": _SAVED,
    "MovieInfo.txt": _MESEN,
    "GameSettings.txt": _MESEN,
    "gametype": _LSMV,
}
_ENDINGS: Final = {
    **dict.fromkeys((".bk2", ".tasproj"), BK2),
    ".bkm": Format("a movie of the old BizHawk (.bkm)", _MOVIE),
    ".fcm": _FCM,
    ".mmo": _MESEN,
    ".lsmv": _LSMV,
    **dict.fromkeys((".state", ".nst", ".mss", *(f".fc{slot}" for slot in range(10))), _SAVED),
}


def known_format(data: bytes, name: str) -> Format | None:
    """Returns the known format of a file, by its contents and otherwise by its name; None if it is in none of these.

    A plain zip archive and a cartridge in iNES or NES 2.0 are none of these.
    """
    for beginning, found in _BEGINNINGS:
        if data.startswith(beginning):
            return found
    if data.startswith(b"PK"):
        members = set(_names(data))
        return next((found for member, found in _MEMBERS.items() if member in members), None)
    return _ENDINGS.get(name[name.rfind(".") :].lower()) if "." in name else None


def short_archive(data: bytes) -> zipfile.ZipFile | None:
    """Returns the zip archive in these bytes; None if it is damaged, or if its list of members is longer than 1 MiB.

    That list is read whole before any member can be looked at, and takes ten times its size in memory.
    """
    end = data.rfind(_SIGNATURE, max(len(data) - _END.size - _LARGEST_COMMENT, 0))
    if end < 0 or len(data) - end < _END.size or data[max(end - _LOCATOR[0], 0) :].startswith(_LOCATOR[1]):
        return None
    if _END.unpack_from(data, end)[1] > _LARGEST_LIST:
        return None
    try:
        return zipfile.ZipFile(io.BytesIO(data))
    except _DAMAGE:
        return None


def _names(data: bytes) -> list[str]:
    """Returns the names in a zip archive, none if it is damaged."""
    archive = short_archive(data)
    return [] if archive is None else archive.namelist()
