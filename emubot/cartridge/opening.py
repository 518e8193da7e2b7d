"""Opens cartridge files and zip archives with one cartridge in them; never unpacks more than a cartridge has."""

from __future__ import annotations

import io
import struct
import zipfile
import zlib
from pathlib import Path
from typing import Final

from emubot.cartridge.image import REMEDY, SIZE_LIMIT, Cartridge, parse_cartridge
from emubot.errors import RomError
from emubot.files import UnsuitableFile, read_regular
from emubot.formats import known_format
from emubot.text import printable

_ENCRYPTED: Final = 0x01  # bit of a member's flags
_COMPRESSIONS: Final = (zipfile.ZIP_STORED, zipfile.ZIP_DEFLATED)  # others may need gigabytes of memory to unpack
# A damaged archive raises any of these, depending on its member and the version of Python.
_DAMAGE: Final = (
    *(zipfile.BadZipFile, zlib.error, struct.error),
    *(EOFError, OSError, RuntimeError, ValueError, OverflowError, NotImplementedError),
)
_MAC: Final = "__MACOSX"  # the folder in which a Mac's archiver keeps what belongs to each file
_MOST_NAMED: Final = 5


def load_cartridge(path: str | Path) -> Cartridge:
    """Read a `.nes` file, or a `.zip` with exactly one. Raises RomError, which says in one sentence what is wrong."""
    file = Path(path)
    data, name = _read(file), printable(file.name)
    if data.startswith(b"PK"):
        data = _unzip(data, name)
    return parse_cartridge(data, name)


def _read(file: Path) -> bytes:
    if file.is_dir():
        raise RomError(f"{file} is a folder; name the cartridge file inside it.")
    try:
        return read_regular(file, SIZE_LIMIT)
    except UnsuitableFile as error:
        raise RomError(f"{file} is not a cartridge image: {error.strerror}; {REMEDY}.") from None
    except FileNotFoundError:
        raise RomError(f"There is no file {file}; check the path of the cartridge image.") from None
    except OSError as error:
        raise RomError(f"{file} cannot be read ({error.strerror}); check its name and permissions.") from None


def _unzip(data: bytes, name: str) -> bytes:
    """Returns the only `.nes` member of a zip archive; never unpacks more than the size limit, whatever it claims."""
    remedy = "unpack it by hand and name the .nes file"
    try:
        with zipfile.ZipFile(io.BytesIO(data)) as archive:
            members = [info for info in archive.infolist() if _is_cartridge(info.filename)]
            if len(members) != 1:
                raise _not_one([info.filename for info in members], data, name)
            if members[0].flag_bits & _ENCRYPTED:
                raise RomError(f"{name} cannot be unpacked (it is encrypted); {remedy}.")
            if members[0].compress_type not in _COMPRESSIONS:
                raise RomError(f"{name} cannot be unpacked (it is compressed in an unusual way); {remedy}.")
            with archive.open(members[0]) as stream:
                unpacked = stream.read(SIZE_LIMIT + 1)
    except _DAMAGE as error:
        raise RomError(f"{name} cannot be unpacked ({printable(error)}); {remedy}.") from None
    if len(unpacked) > SIZE_LIMIT:
        raise RomError(f"{name} unpacks to more than {SIZE_LIMIT:,} bytes, which no cartridge has; {REMEDY}.")
    return unpacked


def _is_cartridge(path: str) -> bool:
    """Returns whether a member's name is that of a cartridge, not of what a Mac keeps beside each file."""
    folders, _, file = path.replace("\\", "/").rpartition("/")
    return file.lower().endswith(".nes") and not file.startswith("._") and _MAC not in folders.split("/")


def _not_one(paths: list[str], data: bytes, name: str) -> RomError:
    if not paths and (known := known_format(data, name)) is not None:
        return RomError(f"{name} is not a cartridge image but {known.name}: {known.remedy}.")
    names = ", ".join(printable(path) for path in paths[:_MOST_NAMED])
    more = ", ..." if len(paths) > _MOST_NAMED else ""
    return RomError(
        f"{name} holds {len(paths)} .nes files{f' ({names}{more})' if paths else ''}, and just one is expected; "
        "unpack it and name one."
    )
