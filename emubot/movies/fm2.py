"""The movie format FM2 of FCEUX: one line of text for each frame; runs no emulator.

Source of the format: `fm2.txt`, which comes with FCEUX 2.6.
"""

from __future__ import annotations

import base64
import codecs
import hashlib
import uuid
from collections.abc import Mapping, Sequence
from typing import Any, Final

import numpy as np
from numpy.typing import NDArray

from emubot.errors import TraceError
from emubot.movies.pads import Movie, check_lines, check_pads, preceded, refused, unreadable
from emubot.text import whole_number

_EMULATOR: Final = 20605  # the version of FCEUX with which these movies are tested: 2.6.5
_LETTERS: Final = "RLDUTSBA"  # from bit 0, RIGHT, to bit 7, A; T is START and S is SELECT
_FIELDS: Final = tuple(
    "".join(letter if held >> bit & 1 else "." for bit, letter in enumerate(_LETTERS)) for held in range(256)
)

_POWER_ON: Final = 0x03  # bits of a frame's command that change nothing in the first one: reset and power
_NO: Final = ("", "0")
# By key of the head: the values with which a movie can be replayed, and what any other one means.
_ALLOWED: Final = {
    "binary": (_NO, "is in the binary form of FM2"),
    "palFlag": (_NO, "was made on a PAL console"),
    "FDS": (_NO, "is of a disk game"),
    "NewPPU": (_NO, "was made with the new PPU of FCEUX, whose frames differ"),
    "RAMInitOption": (_NO, "was made with other contents of the RAM at power-on than FCEUX's own"),
    "saveram": (("",), "begins with the contents of a battery's memory"),
    "fourscore": (_NO, "has four pads"),
    "port0": (("", "0", "1"), "has something else than a pad in port 1"),
    "port1": (("", "0", "1"), "has something else than a pad in port 2"),
    "port2": (_NO, "has a device in the expansion port"),
}


def fm2(inputs: NDArray[Any], rom: str, md5: str, later: int = 0, comments: Sequence[str] = ()) -> str:
    """Returns a movie of a game that begins with power-on.

    `inputs` (frames, 2) uint8 are the Pad bits of both ports in each frame; the movie starts them `later` frames later.
    `rom` is the name of the cartridge and `md5` the hash of its PRG and CHR in hex. A comment's first word is its
    subject, by the format's convention. The same arguments give the same text. Raises UsageError if `inputs` has
    another shape, or a text has more than one line.
    """
    check_pads(inputs)
    check_lines((rom, *comments))
    checksum = base64.b64encode(bytes.fromhex(md5)).decode("ascii")
    named = hashlib.sha256(f"{md5.upper()} {rom}".encode() + inputs.tobytes()).digest()
    header = [
        "version 3",
        f"emuVersion {_EMULATOR}",
        "rerecordCount 0",
        "palFlag 0",
        f"romFilename {rom}",
        f"romChecksum base64:{checksum}",
        f"guid {str(uuid.UUID(bytes=named[:16])).upper()}",
        "fourscore 0",
        "microphone 0",
        "port0 1",
        "port1 1",
        "port2 0",
        "FDS 0",
        "NewPPU 0",
        *(f"comment {comment}" for comment in comments),
    ]
    pads = preceded(inputs, later)
    rows = [f"|0|{_FIELDS[first]}|{_FIELDS[second]}||" for first, second in pads.tolist()]
    return "\n".join([*header, *rows, ""])


def read_fm2(content: bytes) -> Movie:
    """Returns the pads of a movie's file in text form.

    Raises TraceError for a file that is none, and for a movie that two pads from power-on do not replay.
    """
    lines = _text(content).splitlines()
    head = dict(line.partition(" ")[::2] for line in lines if line and not line.startswith("|"))
    if head.get("version") != "3":
        raise TraceError("This is not a movie in the text form of FM2, version 3.")
    _check_head(head)
    rows = []
    for number, line in enumerate(line for line in lines if line.startswith("|")):
        fields = line.split("|")[1:]
        command = whole_number(fields[0])
        if len(fields) < 3 or command is None or any(len(field) not in (0, 8) for field in fields[1:3]):
            raise unreadable(number, line)
        if command & ~_POWER_ON or (command and number):
            raise TraceError(
                f"Frame {number} of the movie has the command {command} (reset, power, disk or coin), "
                "and only one that plays on from power-on can be reviewed."
            )
        rows.append([_held(field) for field in fields[1:3]])
    if not rows:
        raise TraceError("The movie has no frame.")
    return Movie(np.array(rows, dtype=np.uint8), _md5_of(head.get("romChecksum", "")))


def _text(content: bytes) -> str:
    if content.startswith((codecs.BOM_UTF16_LE, codecs.BOM_UTF16_BE)):
        raise TraceError("This movie is saved as UTF-16: save it as UTF-8, as FCEUX writes it.")
    return content.decode("utf-8-sig", "replace")


def _check_head(head: Mapping[str, str]) -> None:
    """Raise TraceError for what a core that plays two pads on an NTSC console from power-on would play otherwise."""
    if head.get("savestate"):
        raise TraceError("This movie begins with a save state of FCEUX, and only one from power-on can be reviewed.")
    for key, value in head.items():
        allowed, what = _ALLOWED.get(key, ((value,), ""))
        if value.strip() not in allowed:
            raise refused(what, f"{key} {value}")


def _held(field: str) -> int:
    return sum(1 << bit for bit, letter in enumerate(field) if letter not in ". ")


def _md5_of(checksum: str) -> str:
    """Returns the hash in hex; empty for one that is in another form."""
    try:
        return base64.b64decode(checksum.removeprefix("base64:"), validate=True).hex().upper()
    except ValueError:
        return ""
