"""The movie format .bk2 of BizHawk: a zip archive of a head, settings and one line for each frame; runs no emulator.

Source of the format: BizHawk, `src/BizHawk.Client.Common/movie/` (bk2/Bk2Movie.IO.cs, bk2/Bk2LogEntryGenerator.cs,
bk2/Bk2MnemonicLookup.cs, HeaderKeys.cs, BasicMovieInfo.cs) and `src/BizHawk.Emulation.Cores/Consoles/Nintendo/NES/`
(NESControllers.cs, NES.Core.cs, NES.ISettable.cs).
"""

from __future__ import annotations

import io
import json
import zipfile
from collections.abc import Sequence
from typing import Any, Final

from numpy.typing import NDArray

from emubot.movies.pads import LATER_THAN_NESHAWK, check_lines, check_pads, preceded, without_first
from emubot.pad import Pad

HEAD: Final = "Header.txt"
LOG: Final = "Input Log.txt"
SETTINGS: Final = "SyncSettings.json"
PLATFORM: Final = "NES"
KEY: Final = "LogKey:"  # the line that says which control each column of the log is
CONSOLE: Final = ("Power", "Reset")
# In the order of NesHawk's columns: name, letter and bit. START is S and SELECT is s.
BUTTONS: Final = (
    *(("Up", "U", Pad.UP), ("Down", "D", Pad.DOWN), ("Left", "L", Pad.LEFT), ("Right", "R", Pad.RIGHT)),
    *(("Start", "S", Pad.START), ("Select", "s", Pad.SELECT), ("B", "B", Pad.B), ("A", "A", Pad.A)),
)

_FIELDS: Final = tuple("".join(letter if held & bit else "." for _, letter, bit in BUTTONS) for held in range(256))
_PORTS: Final = "".join(f"#{''.join(f'P{port} {name}|' for name, _, _ in BUTTONS)}" for port in (1, 2))
_NTSC: Final = 1  # of NESSyncSettings.Region
# What BizHawk plays a movie with: two pads on an NTSC console. It reads one line; `$type` is for versions before 2.11.
_SYNC: Final = {
    "o": {
        "$type": "BizHawk.Emulation.Cores.Nintendo.NES.NES+NESSyncSettings, BizHawk.Emulation.Cores",
        "BoardProperties": {},
        "RegionOverride": _NTSC,
        "Controls": {
            "Famicom": False,
            "NesLeftPort": "ControllerNES",
            "NesRightPort": "ControllerNES",
            "FamicomExpPort": "UnpluggedFam",
        },
    }
}
_AUTHOR: Final = "author "
_THEN: Final = (1980, 1, 1, 0, 0, 0)  # the date of every member: the earliest that a zip archive can hold


def bk2(
    pads: NDArray[Any], rom: str, md5: str, later: int = 0, comments: Sequence[str] = (), file_sha1: str = ""
) -> bytes:
    """Returns a movie of a game that begins with power-on, for the core NesHawk.

    `pads` (frames, 2) uint8 are the Pad bits of both ports in each frame; FCEUX is in the same place `later` frames
    later. `rom` is the name of the cartridge and `md5` the hash of its PRG and CHR in hex, as BizHawk writes it for
    movies of FCEUX. `file_sha1` is of its whole file, as BizHawk writes it for its own movies; "" if it is not known.
    A comment's first word is its subject; `author` goes into the head. The same arguments give the same bytes. Raises
    UsageError if `pads` has another shape, or has a button in a frame that NesHawk lacks, or a text has more than one
    line.
    """
    check_pads(pads)
    check_lines((rom, *comments))
    by = later - LATER_THAN_NESHAWK
    if by < 0:
        pads = without_first(pads, -by, "NesHawk, which starts earlier, has no such frame: record without it")
    authors = [comment.removeprefix(_AUTHOR) for comment in comments if comment.startswith(_AUTHOR)]
    head = {
        "MovieVersion": "BizHawk v2.0.0",
        "Author": ", ".join(authors),
        "Platform": PLATFORM,
        "GameName": rom,
        "Core": "NesHawk",
        "rerecordCount": "0",
        "MD5": md5.lower(),
        "SHA1": file_sha1.upper(),
    }
    rows = [f"|..|{_FIELDS[first]}|{_FIELDS[second]}|" for first, second in preceded(pads, max(by, 0)).tolist()]
    members = {
        HEAD: [f"{key} {value}" for key, value in head.items() if value],
        "Comments.txt": [comment for comment in comments if not comment.startswith(_AUTHOR)],
        "Subtitles.txt": [],
        SETTINGS: [json.dumps(_SYNC, separators=(",", ":"))],
        LOG: ["[Input]", f"{KEY}#{'|'.join(CONSOLE)}|{_PORTS}", *rows, "[/Input]"],
    }
    return _zipped({name: "\n".join([*lines, ""]) for name, lines in members.items()})


def _zipped(members: dict[str, str]) -> bytes:
    made = io.BytesIO()
    with zipfile.ZipFile(made, "w") as archive:
        for name, text in members.items():
            member = zipfile.ZipInfo(name, _THEN)
            member.create_system = 0  # otherwise the machine's own
            archive.writestr(member, text.encode(), zipfile.ZIP_DEFLATED, 9)
    return made.getvalue()
