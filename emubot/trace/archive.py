"""Reads a recorded game, finished or not, and writes one as a NumPy `.npz` without pickles.

Nothing in a file is trusted. Before any array is read, the types and shapes of all arrays are compared with each other
and with the sizes in the archive. So a file that is small on disk cannot become large in memory.
"""

from __future__ import annotations

import io
import json
import math
import re
import struct
import zipfile
import zlib
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any, BinaryIO, Final

import numpy as np
from numpy.typing import NDArray

from emubot.atomic import write_whole
from emubot.errors import TraceError
from emubot.files import UnsuitableFile, open_regular
from emubot.trace.game import LARGEST, ORDERS, Trace, about_of, check_inputs, check_order, no_game
from emubot.trace.part import read_part
from emubot.trace.segments import MAGIC

_BYTES, _TEXT = "|u1", "<U"
# The type and the number of dimensions of each array as emubot and NumPy write them.
_NEEDED: Final = {
    "fields": (_TEXT, 1),
    "address": ("<u2", 1),
    "initial": (_BYTES, 1),
    "initial_page": (_BYTES, 1),
    "pads": (_BYTES, 2),
    "state": (_BYTES, 2),
    "page": (_BYTES, 2),
}
_OPTIONAL: Final = {"order": (_TEXT, 0), "plans": ("<i4", 2), "inputs": (_BYTES, 2), "about": (_TEXT, 0)}
_DEFAULTS: Final = {"order": ORDERS[0], "about": "{}"}
_KNOWN: Final = {**_NEEDED, **_OPTIONAL}
_LONGEST_TEXT: Final = {"fields": 256, "order": 16, "about": 2**16}  # characters
_MOST_FIELDS: Final = 2**12
# What NumPy writes before an array: a dictionary as Python text. Only this form is valid here.
_HEADER: Final = re.compile(
    rb"\{'descr': '([<>|][biufcU]\d{1,7})', 'fortran_order': False, "
    rb"'shape': \(((?:\d{1,15}(?:, \d{1,15}){0,31},?)?)\), \} *\n"
)
_VERSION: Final = b"\x93NUMPY\x01\x00"
_METHODS: Final = (zipfile.ZIP_STORED, zipfile.ZIP_DEFLATED)
_ENCRYPTED: Final = 0x1
# The record that ends a zip archive (APPNOTE 4.3.16). Before it, the locator of an archive with more or larger members.
_END: Final = struct.Struct("<4s4H2LH")
_LOCATOR: Final = b"PK\x06\x07"
_LOCATOR_SIZE: Final = 20
_LARGEST_FILE: Final = 256 * 2**20
_LARGEST_LIST: Final = 2**14  # bytes of the archive's list of members
_DAMAGE: Final = (EOFError, ValueError, OverflowError, TypeError, zipfile.BadZipFile, zlib.error, NotImplementedError)


@dataclass(frozen=True, slots=True)
class _Array:
    """An array as its header describes it."""

    member: zipfile.ZipInfo
    kind: str
    shape: tuple[int, ...]

    @property
    def size(self) -> int:
        return math.prod(self.shape) * np.dtype(self.kind).itemsize


def read_archive(path: Path, file: BinaryIO) -> Trace:
    """Read one game; never runs anything in the file. Raises TraceError, which says what is wrong with the file."""
    try:
        _refuse_crowded(path, file)
        with zipfile.ZipFile(file) as archive:
            arrays = _described(path, archive)
            _check(path, arrays)
            read = {name: _read(archive, array) for name, array in arrays.items()}
        texts = {name: _texts(read.pop(name)) for name in _LONGEST_TEXT if name in read}
    except _DAMAGE as damage:
        raise no_game(path) from damage
    order, about = (texts[name][0] if name in texts else default for name, default in _DEFAULTS.items())
    check_order(path, order)
    return Trace(fields=texts["fields"], order=order, about=about_of(path, about), **read)


def write_trace(path: Path, trace: Trace) -> None:
    """Write one game whole or not at all. Raises StorageError, or UsageError if the path is not a regular file."""
    content = io.BytesIO()
    needed = [name for name in _NEEDED if name != "fields"]
    arrays: dict[str, Any] = {name: np.ascontiguousarray(getattr(trace, name)) for name in needed}
    np.savez_compressed(
        content,
        fields=np.array(trace.fields),
        order=np.array(trace.order),
        plans=trace.plans,
        inputs=trace.inputs,
        about=np.array(json.dumps(trace.about)),
        **arrays,
    )
    write_whole(path, content.getvalue())


def _refuse_crowded(path: Path, file: BinaryIO) -> None:
    """Refuse a list of members that is longer than ours: it is read whole before any member can be looked at."""
    size = file.seek(0, io.SEEK_END)
    if size < _END.size:
        raise no_game(path)
    file.seek(max(size - _END.size - _LOCATOR_SIZE, 0))
    tail = file.read()
    signature, *_, list_size, _, comment = _END.unpack(tail[-_END.size :])
    if signature != b"PK\x05\x06" or comment or list_size > _LARGEST_LIST or tail.startswith(_LOCATOR):
        raise no_game(path)


def _described(path: Path, archive: zipfile.ZipFile) -> dict[str, _Array]:
    """Returns a trace's arrays as their headers describe them; other members are ignored."""
    arrays = {}
    members = {member.filename.removesuffix(".npy"): member for member in archive.infolist()}
    for name, member in members.items():
        if name not in _KNOWN:
            continue
        if member.flag_bits & _ENCRYPTED or member.compress_type not in _METHODS:
            raise no_game(path, f"{name} is encrypted, or packed as emubot packs nothing")
        with archive.open(member) as content:
            start = content.read(len(_VERSION) + 2)
            length = int.from_bytes(start[-2:], "little")
            header = _HEADER.fullmatch(content.read(length))
            if not start.startswith(_VERSION) or header is None:
                raise no_game(path, f"{name} is not a plain array")
            shape = tuple(map(int, re.findall(rb"\d+", header[2])))
            arrays[name] = _Array(member, header[1].decode(), shape)
            if len(start) + length + arrays[name].size != member.file_size:
                raise no_game(path, f"{name} claims {shape} cells it has not")
    return arrays


def _check(path: Path, arrays: Mapping[str, _Array]) -> None:
    """Raise TraceError unless the arrays have the right types and sizes, each alone and compared with the others."""
    missing = sorted(set(_NEEDED) - set(arrays))
    if missing:
        raise no_game(path, f"it lacks {', '.join(missing)}")
    for name, array in arrays.items():
        kind, dimensions = _KNOWN[name]
        wanted, dtype = np.dtype(kind), np.dtype(array.kind)
        if not array.kind.startswith(kind) or len(array.shape) != dimensions:
            raise TraceError(
                f"{path}: {name} is {dtype} in {len(array.shape)} dimensions, not {wanted} in {dimensions}."
            )
        if kind == _TEXT and not 0 <= dtype.itemsize <= 4 * _LONGEST_TEXT[name]:
            raise no_game(path, f"a text in {name} is too long")
    frames, width, page = (arrays[name].shape[0] for name in ("pads", "fields", "initial_page"))
    if width > _MOST_FIELDS or any(math.prod(array.shape) > LARGEST for array in arrays.values()):
        raise no_game(path, "it claims more cells than any game has")
    shapes = {
        "address": (width,),
        "initial": (width,),
        "pads": (frames, 2),
        "state": (frames, width),
        "page": (frames, page),
        "plans": (arrays["plans"].shape[0], 4) if "plans" in arrays else (),
        "inputs": (arrays["inputs"].shape[0], 2) if "inputs" in arrays else (),
    }
    for name, shape in shapes.items():
        if name in arrays and arrays[name].shape != shape:
            raise TraceError(f"{path}: {name} has the shape {arrays[name].shape}, not {shape}; record it again.")
    if "inputs" in arrays:
        check_inputs(path, arrays["inputs"].shape[0], frames)
    if sum(array.size for array in arrays.values()) > LARGEST:
        raise TraceError(f"{path} is too large for a trace; record shorter games.")


def _read(archive: zipfile.ZipFile, array: _Array) -> NDArray[Any]:
    """Returns the array itself, writable."""
    with archive.open(array.member) as content:
        content.read(array.member.file_size - array.size)
        cells = bytearray(content.read(array.size))
    return np.frombuffer(cells, dtype=array.kind).reshape(array.shape)


def _texts(array: NDArray[Any]) -> tuple[str, ...]:
    """Returns each text. Raises ValueError for an invalid character, on which NumPy itself fails."""
    cells = np.atleast_1d(array)
    return tuple(
        cell.tobytes().decode("utf-32-le").rstrip("\0") for cell in cells.view(np.dtype((np.void, array.itemsize)))
    )


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
