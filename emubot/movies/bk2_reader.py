"""Reads movies of BizHawk (.bk2): the pads, or one sentence on what two pads from power-on do not replay."""

from __future__ import annotations

import io
import json
import re
import struct
import zipfile
import zlib
from collections.abc import Mapping, Sequence
from typing import Any, Final

import numpy as np
from numpy.typing import NDArray

from emubot.errors import TraceError
from emubot.formats import short_archive
from emubot.movies.bk2 import BUTTONS, CONSOLE, HEAD, KEY, LOG, PLATFORM, SETTINGS
from emubot.movies.pads import LATER_THAN_NESHAWK, Movie, refused, unreadable

_LARGEST: Final = 1 << 20  # bytes of the head, and of the settings
_LARGEST_LOG: Final = 64 << 20  # bytes: more than twelve hours
_ENCRYPTED: Final = 0x01  # bit of a member's flags
_COMPRESSIONS: Final = (zipfile.ZIP_STORED, zipfile.ZIP_DEFLATED)  # others may need gigabytes of memory to unpack
# A damaged archive raises any of these, depending on its member and the version of Python.
_DAMAGE: Final = (
    *(zipfile.BadZipFile, zlib.error, struct.error),
    *(EOFError, OSError, RuntimeError, ValueError, OverflowError, NotImplementedError),
)
_REMEDY: Final = "save it once more in BizHawk"

_NO: Final = ("", "0", "false")
_PAL: Final = "was made on a PAL console"
_OTHER_RAM: Final = "was made with other contents of the RAM at power-on than FCEUX's own"
_FIRST_PORT: Final = "has something else than a pad in port 1"
_SECOND_PORT: Final = "has something else than a pad in port 2"
_EXPANSION: Final = "has a device in the expansion port"
_MORE_PADS: Final = "has more than two pads"
# By key of the head: the values with which a movie can be replayed, and what any other one means.
_HEAD: Final = {
    "Platform": ((PLATFORM.lower(),), "is of another console than the NES"),
    "StartsFromSavestate": (_NO, "begins with a save state"),
    "StartsFromSaveRam": (_NO, "begins with the contents of a battery's memory"),
    "PAL": (_NO, _PAL),
}
# The same for settings of NesHawk and QuickNES, which leave out what they do not know.
_SETTINGS: Final[Mapping[str, tuple[Sequence[Any], str]]] = {
    "RegionOverride": ((0, 1, "Default", "NTSC"), _PAL),
    "InitialWRamStatePattern": ((None, [], ""), _OTHER_RAM),
    "LeftPortConnected": ((True,), _FIRST_PORT),
}
_CONTROLS: Final = {
    "NesLeftPort": (("ControllerNES",), _FIRST_PORT),
    "NesRightPort": (("ControllerNES", "UnpluggedNES"), _SECOND_PORT),
    "FamicomExpPort": (("UnpluggedFam",), _EXPANSION),
}
_FOUR_SCORE: Final = "FourScore"

_PADS: Final = {f"P{port} {name}": (port - 1, int(bit)) for port in (1, 2) for name, _, bit in BUTTONS}
# What a control that two pads lack means; the first that fits.
_OTHERS: Final = (
    (re.compile(r"P[3-9]|P\d\d"), _MORE_PADS),
    (re.compile("FDS"), "is of a disk game"),
    (re.compile("Insert Coin|Service Switch"), "is of an arcade machine"),
    (re.compile("Reset Cycle"), "may reset the console in the middle of a frame"),
    (re.compile("P1"), _FIRST_PORT),
    (re.compile("P2"), _SECOND_PORT),
    (re.compile(""), "has something else than two pads"),
)
_RELEASED: Final = ord(".")


def read_bk2(content: bytes) -> Movie:
    """Returns the pads of a movie's file.

    Raises TraceError for a file that is none, and for a movie that two pads from power-on do not replay.
    """
    archive = short_archive(content)
    if archive is None:
        raise TraceError(f"This is not a movie of BizHawk: it is damaged or no zip archive; {_REMEDY}.")
    with archive:
        head = _head(_member(archive, HEAD, _LARGEST).decode("utf-8-sig", "replace"))
        _check_settings(_member(archive, SETTINGS, _LARGEST) if SETTINGS in archive.namelist() else b"")
        pads = _pads(_member(archive, LOG, _LARGEST_LOG))
    hashes = {head.get("MD5", "").strip().upper(), head.get("SHA1", "").strip().upper()} - {""}
    # How QuickNES starts is not known; it is taken to start as NesHawk does.
    return Movie(pads, hashes=frozenset(hashes), later=LATER_THAN_NESHAWK)


def _member(archive: zipfile.ZipFile, name: str, most: int) -> bytes:
    """Returns the bytes of a member; never unpacks more than `most`, whatever the archive claims."""
    try:
        member = archive.getinfo(name)
        if member.flag_bits & _ENCRYPTED or member.compress_type not in _COMPRESSIONS:
            raise TraceError(f"{name} of the movie is encrypted, or packed as BizHawk packs nothing; {_REMEDY}.")
        with archive.open(member) as file:
            content = file.read(most + 1)
    except KeyError:
        raise TraceError(f"This is not a movie of BizHawk: it lacks {name}; {_REMEDY}.") from None
    except _DAMAGE:
        raise TraceError(f"{name} of the movie is damaged; {_REMEDY}.") from None
    if len(content) > most:
        raise TraceError(f"{name} of the movie unpacks to more than {most:,} bytes, and no movie is that long.")
    return content


def _head(text: str) -> Mapping[str, str]:
    """Returns the values by key. Raises TraceError for a movie of another kind, console, start or region."""
    head: dict[str, str] = {}
    for line in text.splitlines():
        key, _, value = line.partition(" ")
        head.setdefault(key, value)
    if not head.get("MovieVersion", "").startswith("BizHawk v2"):
        raise TraceError(f"This is not a movie of BizHawk 2: {HEAD} names no such version; {_REMEDY}.")
    _check({"Platform": "", **{key: value.strip().lower() for key, value in head.items()}}, _HEAD)
    return head


def _check(values: Mapping[str, Any], allowed: Mapping[str, tuple[Sequence[Any], str]]) -> None:
    """Raise TraceError for the first value that is there and that no replay allows."""
    for key, (replayed, what) in allowed.items():
        if key in values and values[key] not in replayed:
            value = values[key]
            raise refused(what, f"{key} {value if isinstance(value, (str, int)) else '...'}")


def _check_settings(content: bytes) -> None:
    try:
        settings = json.loads(content or b"{}")
    except (ValueError, RecursionError):
        raise TraceError(f"{SETTINGS} of the movie cannot be read; {_REMEDY}.") from None
    settings = _object(_object(settings).get("o"))
    _check(settings, _SETTINGS)
    controls = _object(settings.get("Controls"))
    for port in ("NesLeftPort", "NesRightPort"):
        if controls.get(port) == _FOUR_SCORE:
            raise refused(_MORE_PADS, f"{port} {_FOUR_SCORE}")
    _check(controls, _CONTROLS)


def _object(value: Any) -> dict[str, Any]:
    return value if isinstance(value, dict) else {}


def _pads(log: bytes) -> NDArray[Any]:
    """Returns the pads of all frames, (frames, 2) uint8. Equal lines are read once."""
    controls: Sequence[str] | None = None
    known: dict[bytes, bytes] = {}
    made = bytearray()
    for line in io.BytesIO(log.removeprefix(b"\xef\xbb\xbf")):
        if line.startswith(b"|"):
            pads = known.get(line)
            if pads is None:
                if controls is None:
                    raise TraceError(f"The log of the movie does not say what its columns are ({KEY}); {_REMEDY}.")
                pads = known[line] = _held(line, controls, len(made) // 2)
            made += pads
        elif line.startswith(KEY.encode()):
            controls = _controls(line.decode("utf-8", "replace").strip().removeprefix(KEY))
            known.clear()
    if not made:
        raise TraceError("The movie has no frame.")
    return np.frombuffer(bytes(made), dtype=np.uint8).reshape(-1, 2)


def _controls(key: str) -> Sequence[str]:
    """Returns the control of each column. Raises TraceError for one that two pads and a console's buttons lack."""
    names = [name for group in key.split("#") for name in group.split("|") if name]
    for name in names:
        if name not in _PADS and name not in CONSOLE:
            raise refused(next(what for pattern, what in _OTHERS if pattern.match(name)), name)
    if not any(name.startswith("P1 ") for name in names):
        raise refused(_FIRST_PORT, KEY)
    return names


def _held(line: bytes, controls: Sequence[str], number: int) -> bytes:
    """Returns the Pad bits of both ports in a frame; a column is pressed unless it is a full stop."""
    columns = line.strip().replace(b"|", b"")
    if len(columns) != len(controls):
        raise unreadable(number, line.decode("utf-8", "replace").strip())
    held = [0, 0]
    for name, sign in zip(controls, columns, strict=True):
        if sign == _RELEASED:
            continue
        if name in CONSOLE:
            raise TraceError(
                f"Frame {number} of the movie presses {name}, and only one that plays on from power-on can be reviewed."
            )
        port, bit = _PADS[name]
        held[port] |= bit
    return bytes(held)
