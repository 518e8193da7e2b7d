"""A ledger's file: one sentence for any damage, written whole or not at all, used by one run at a time."""

from __future__ import annotations

from contextlib import AbstractContextManager
from pathlib import Path
from typing import Final

from emubot.atomic import locked, write_whole
from emubot.errors import StorageError, UsageError
from emubot.files import UnsuitableFile, read_regular
from emubot.trials.selfplay.ledger import Ledger

MAX_BYTES: Final = 1 << 24


def read_ledger(path: Path) -> Ledger:
    """Returns the ledger in a file. Raises UsageError if it is missing or damaged, StorageError if it is unreadable."""
    try:
        content = read_regular(path, MAX_BYTES)
    except FileNotFoundError:
        raise UsageError(f'There is no {path}; make one with "emubot selfplay GAME --pieces N --out {path}".') from None
    except UnsuitableFile as wrong:
        raise UsageError(f"{path} is no self-play file: {wrong.strerror}; use another file.") from None
    except OSError as failure:
        raise StorageError(f"{path} cannot be read: {failure.strerror}.") from failure
    try:
        return Ledger.from_json(content.decode("utf-8"))
    except (ValueError, TypeError, KeyError, AttributeError, OverflowError, RecursionError) as damage:
        raise UsageError(
            f"{path} is damaged or no self-play file ({damage}): use a copy of it, or another file to begin anew."
        ) from damage


def write_ledger(ledger: Ledger, path: Path) -> None:
    """Write this ledger to the file, or leave the file as it was. Raises StorageError."""
    write_whole(path, ledger.to_json().encode("utf-8"))


def held(path: Path) -> AbstractContextManager[None]:
    """Reserve the file for this run. Raises UsageError if another run has it."""
    return locked(path.with_name(f".{path.name}.lock"), path, "name another file")
