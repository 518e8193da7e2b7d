"""Recorded games, one row a frame: read, write, record; knows no game, no emulator and no simulator.

The file is a NumPy `.npz` without pickles; docs/traces.md describes it. `order` says what one row is: `game-nmi` (game
part, then the next vertical blank) or `nmi-game` (vertical blank, then game part: what a libretro core shows).
"""

from __future__ import annotations

import json
import math
import os
import zipfile
import zlib
from collections.abc import Sequence
from dataclasses import dataclass, field
from operator import itemgetter
from pathlib import Path
from typing import IO, Any, Final

import numpy as np
from numpy.typing import NDArray

from emubot.errors import StorageError, TraceError

ORDERS: Final = ("game-nmi", "nmi-game")
_LARGEST_FILE: Final = 256 * 2**20
_LARGEST_ARRAY: Final = 2**31
_ARRAYS: Final = {
    "address": (np.uint16, 1),
    "initial": (np.uint8, 1),
    "initial_page": (np.uint8, 1),
    "pads": (np.uint8, 2),
    "state": (np.uint8, 2),
    "page": (np.uint8, 2),
}


@dataclass(frozen=True, slots=True, eq=False)
class Trace:
    """One recorded game.

    `fields` names the n state bytes and `address` (n,) their CPU addresses; `initial` (n,) and `initial_page` (p,) are
    the state before the first row; `pads` (frames, 2) the newly pressed and the held buttons the game used; `state`
    (frames, n) and `page` (frames, p) the state after each row. `plans` (pieces, 4) int32 is what a bot had chosen on
    each piece's first controllable frame: row index, orientation, column, row of the lock. `inputs` (frames since
    power-on, 2) uint8 are the Pad bits of both ports, empty where the machine's start was not recorded. `about` says
    where the game was recorded.
    """

    fields: tuple[str, ...]
    address: NDArray[Any]
    initial: NDArray[Any]
    initial_page: NDArray[Any]
    pads: NDArray[Any]
    state: NDArray[Any]
    page: NDArray[Any]
    order: str = "game-nmi"
    plans: NDArray[Any] = field(default_factory=lambda: np.zeros((0, 4), dtype=np.int32))
    inputs: NDArray[Any] = field(default_factory=lambda: np.zeros((0, 2), dtype=np.uint8))
    about: dict[str, Any] = field(default_factory=dict)

    @property
    def frames(self) -> int:
        """How many rows were recorded."""
        return len(self.pads)

    def column(self, name: str) -> NDArray[Any]:
        """One field over all rows, (frames,) uint8. Raises TraceError where it was not recorded."""
        if name not in self.fields:
            raise TraceError(f"The trace has no field {name!r}; it has {', '.join(self.fields)}.")
        return np.asarray(self.state[:, self.fields.index(name)])


def read_trace(path: Path) -> Trace:
    """Read one game. Raises TraceError naming what is wrong with the file; never runs anything in it."""
    try:
        size = path.stat().st_size
        if size > _LARGEST_FILE:
            raise TraceError(f"{path} is too large for a trace ({size} bytes); record shorter games.")
        with path.open("rb") as file:
            _refuse_lying_headers(path, file)
            with np.load(file, allow_pickle=False) as data:
                arrays = {name: data[name] for name in data.files}
    except FileNotFoundError:
        raise TraceError(f'There is no trace {path}; record one with "emubot trace record".') from None
    except OSError as failure:
        raise TraceError(f"{path} cannot be read as a trace ({failure.strerror or failure}).") from None
    except (EOFError, ValueError, zipfile.BadZipFile, zlib.error, NotImplementedError) as damage:
        raise TraceError(f"{path} is not a recorded game: it is damaged or no .npz file; record it again.") from damage
    return _checked(path, arrays)


def _refuse_lying_headers(path: Path, file: IO[bytes]) -> None:
    """An array's header may claim any size and its reader would allocate it: compare with what the archive holds."""
    with zipfile.ZipFile(file) as archive:
        for member in archive.infolist():
            with archive.open(member) as content:
                version = np.lib.format.read_magic(content)
                if version != (1, 0):
                    raise TraceError(f"{path} is not a recorded game: {member.filename} is no plain array.")
                shape, _, kind = np.lib.format.read_array_header_1_0(content)
            if member.file_size > _LARGEST_ARRAY or math.prod(shape) * kind.itemsize > member.file_size:
                raise TraceError(f"{path} is not a recorded game: {member.filename} claims {shape} cells it has not.")
    file.seek(0)


def _checked(path: Path, arrays: dict[str, NDArray[Any]]) -> Trace:
    missing = sorted({"fields", *_ARRAYS} - set(arrays))
    if missing:
        raise TraceError(f"{path} is not a recorded game: it lacks {', '.join(missing)}.")
    for name, (kind, dimensions) in _ARRAYS.items():
        array = arrays[name]
        if array.dtype != kind or array.ndim != dimensions:
            raise TraceError(
                f"{path}: {name} is {array.dtype} in {array.ndim} dimensions, not {np.dtype(kind)} in {dimensions}."
            )
    fields = tuple(str(name) for name in arrays["fields"])
    frames, width, page = len(arrays["pads"]), len(fields), len(arrays["initial_page"])
    shapes = {
        "address": (width,),
        "initial": (width,),
        "pads": (frames, 2),
        "state": (frames, width),
        "page": (frames, page),
    }
    for name, shape in shapes.items():
        if arrays[name].shape != shape:
            raise TraceError(f"{path}: {name} has the shape {arrays[name].shape}, not {shape}; record it again.")
    order = str(arrays["order"]) if "order" in arrays else ORDERS[0]
    if order not in ORDERS:
        raise TraceError(f"{path}: its row order is {order!r}, not one of {', '.join(ORDERS)}.")
    plans = arrays.get("plans", np.zeros((0, 4), dtype=np.int32))
    if plans.ndim != 2 or plans.shape[1] != 4:
        raise TraceError(f"{path}: plans has the shape {plans.shape}, not (pieces, 4).")
    inputs = arrays.get("inputs", np.zeros((0, 2), dtype=np.uint8))
    if inputs.dtype != np.uint8 or inputs.ndim != 2 or inputs.shape[1] != 2 or 0 < len(inputs) < frames:
        raise TraceError(f"{path}: inputs is {inputs.dtype} {inputs.shape}, not uint8 (frames since power-on, 2).")
    try:
        about = json.loads(str(arrays["about"])) if "about" in arrays else {}
    except (json.JSONDecodeError, RecursionError):
        about = None
    if not isinstance(about, dict):
        raise TraceError(f"{path}: the note about its origin is no JSON object; record it again.")
    named = {name: np.ascontiguousarray(arrays[name]) for name in _ARRAYS}
    return Trace(fields=fields, order=order, plans=plans, inputs=inputs, about=about, **named)


def write_trace(path: Path, trace: Trace) -> None:
    """Write one game whole or not at all. Raises StorageError if the file cannot be written."""
    temporary = path.with_name(f".{path.name}.{os.getpid()}")
    try:
        with temporary.open("wb") as file:
            np.savez_compressed(
                file,
                fields=np.array(trace.fields),
                order=np.array(trace.order),
                plans=trace.plans,
                inputs=trace.inputs,
                about=np.array(json.dumps(trace.about)),
                **{name: getattr(trace, name) for name in _ARRAYS},
            )
        temporary.replace(path)
    except BaseException as failure:  # Ctrl-C too: half a file helps nobody
        temporary.unlink(missing_ok=True)
        if not isinstance(failure, OSError):
            raise
        raise StorageError(
            f"The trace {path} cannot be written ({failure.strerror}); choose another place."
        ) from failure


class Recorder:
    """Collects rows while a game runs: `add` from the first play frame on, `finish` for the Trace."""

    def __init__(
        self, fields: Sequence[str], addresses: Sequence[int], page: tuple[int, int], pads: tuple[int, int], order: str
    ) -> None:
        """`page` is (address, length) of the playfield page, `pads` the addresses of newly pressed and held buttons."""
        self.fields = tuple(fields)
        self.order = order
        self._addresses = np.array(addresses, dtype=np.uint16)
        self._pick = itemgetter(*addresses, *pads)
        self._page = slice(page[0], page[0] + page[1])
        self._rows: list[bytes] = []
        self._plans: list[tuple[int, int, int, int]] = []

    @property
    def running(self) -> bool:
        """Whether a game is being recorded."""
        return bool(self._rows)

    @property
    def rows(self) -> int:
        """Rows recorded so far: the index the next row will have."""
        return max(len(self._rows) - 1, 0)

    def add(self, ram: bytes) -> None:
        """One frame's 2,048 bytes; the first call of a game sets the initial state."""
        self._rows.append(bytes(self._pick(ram)) + ram[self._page])

    def plan(self, orientation: int, column: int, row: int) -> None:
        """What the bot chose for the piece whose first controllable frame is the next row."""
        self._plans.append((self.rows, orientation, column, row))

    def discard(self) -> None:
        """Forget the game that is being recorded."""
        self._rows, self._plans = [], []

    def finish(self, about: dict[str, Any]) -> Trace:
        """The recorded game; the recorder is empty and ready for another."""
        rows = np.frombuffer(b"".join(self._rows), dtype=np.uint8).reshape(len(self._rows), -1)
        width = len(self.fields)
        state, pads, page = rows[:, :width], rows[1:, width : width + 2], rows[:, width + 2 :]
        trace = Trace(
            fields=self.fields,
            address=self._addresses,
            initial=state[0].copy(),
            initial_page=page[0].copy(),
            pads=np.ascontiguousarray(pads),
            state=np.ascontiguousarray(state[1:]),
            page=np.ascontiguousarray(page[1:]),
            order=self.order,
            plans=np.array(self._plans, dtype=np.int32).reshape(-1, 4),
            about=about,
        )
        self.discard()
        return trace
