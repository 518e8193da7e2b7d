"""Reads a recorded game from either kind of file; does not know what is inside them."""

from __future__ import annotations

from pathlib import Path
from typing import Final

from emubot.errors import TraceError
from emubot.files import UnsuitableFile, open_regular
from emubot.trace.archive import read_archive
from emubot.trace.game import Trace
from emubot.trace.part import read_part
from emubot.trace.segments import MAGIC

_LARGEST_FILE: Final = 256 * 2**20


def read_trace(path: Path) -> Trace:
    """Read one game, an unfinished one as far as it came; never runs or opens anything that the file names.

    Raises TraceError, which says what is wrong with the file.
    """
    try:
        with open_regular(path) as file:
            if file.read(len(MAGIC)) == MAGIC:
                return read_part(path, file)
            size = file.seek(0, 2)
            if size > _LARGEST_FILE:
                raise TraceError(f"{path} is too large for a trace ({size} bytes); record shorter games.")
            return read_archive(path, file)
    except FileNotFoundError:
        raise TraceError(f'There is no trace {path}; record one with "emubot trace record".') from None
    except UnsuitableFile as unsuitable:
        raise TraceError(f"{path} cannot be read as a trace: {unsuitable.strerror}.") from None
    except OSError as failure:
        raise TraceError(f"{path} cannot be read as a trace ({failure.strerror or failure}).") from None
