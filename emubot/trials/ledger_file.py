"""A ledger's file: read with one sentence for any damage, written whole or not at all, held by one run at a time."""

from __future__ import annotations

import os
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Final

from filelock import FileLock, Timeout

from emubot.errors import StorageError, UsageError
from emubot.trials.ledger import Ledger

MAX_BYTES: Final = 1 << 24


def read_ledger(path: Path) -> Ledger:
    """The ledger in a file. Raises UsageError where it is missing or damaged, StorageError where it cannot be read."""
    try:
        with path.open("rb") as file:
            content = file.read(MAX_BYTES + 1)
    except FileNotFoundError:
        raise UsageError(f'There is no {path}; make one with "emubot selfplay GAME --pieces N --out {path}".') from None
    except OSError as failure:
        raise StorageError(f"{path} cannot be read: {failure.strerror}.") from failure
    try:
        if len(content) > MAX_BYTES:
            raise ValueError(f"larger than {MAX_BYTES} bytes")
        return Ledger.from_json(content.decode("utf-8"))
    except (ValueError, TypeError, KeyError, AttributeError) as damage:
        raise UsageError(
            f"{path} is damaged or no self-play file ({damage}): use a copy of it, or another file to begin anew."
        ) from damage


def write_ledger(ledger: Ledger, path: Path) -> None:
    """Replace the file by one that holds this ledger, or leave it as it was. Raises StorageError."""
    temporary = None
    try:
        handle, temporary = tempfile.mkstemp(dir=path.parent, prefix=f".{path.name}.")
        with os.fdopen(handle, "w", encoding="utf-8") as file:
            file.write(ledger.to_json())
            file.flush()
            os.fsync(file.fileno())
        Path(temporary).replace(path)
    except OSError as failure:
        if temporary is not None:
            Path(temporary).unlink(missing_ok=True)
        raise StorageError(f"{path} cannot be written: {failure.strerror}.") from failure


@contextmanager
def held(path: Path) -> Iterator[None]:
    """Keep the file to this run. Raises UsageError if another run has it."""
    lock = FileLock(path.with_name(f".{path.name}.lock"), blocking=False)
    try:
        lock.acquire()
    except Timeout:
        raise UsageError(f"{path} is in use by another run: wait for it, or name another file.") from None
    except OSError as failure:
        raise StorageError(f"{path} cannot be written: {failure.strerror}.") from failure
    try:
        yield
    finally:
        lock.release()
