"""Bytes into damaged bytes, by a seed: anything anywhere, and what only a reader of that form would stumble over."""

from __future__ import annotations

import hashlib
import io
import random
import struct
import zipfile
import zlib
from collections.abc import Callable, Mapping, Sequence
from functools import lru_cache
from typing import Any, Final

import numpy as np

from benchmarks.fuzz import trees
from emubot.trace.segments import MAGIC, segments

MOST_STEPS: Final = 6
_TREES: Final[Mapping[str, tuple[Callable[[bytes], Any], Callable[[Any], bytes]]]] = {
    "json": (trees.read_json, trees.write_json),
    "yaml": (trees.read_yaml, trees.write_json),
    "toml": (trees.read_toml, trees.write_toml),
}
_METHODS: Final = (zipfile.ZIP_STORED, zipfile.ZIP_DEFLATED, zipfile.ZIP_BZIP2, zipfile.ZIP_LZMA)
_LOCAL, _CENTRAL, _END = b"PK\x03\x04", b"PK\x01\x02", b"PK\x05\x06"
# Of a local header and of one in the directory: where flags, method, CRC, both sizes and the name's length stand.
_FIELDS: Final = ((6, 8, 2), (8, 10, 2), (14, 16, 4), (18, 20, 4), (22, 24, 4), (26, 28, 2))
_WHENCE: Final = 42  # where the directory says that a member begins
_DTYPES: Final = (
    "<u8", "|u1", "<i4", "<f8", "|b1", "<U0", "<U1", "<U100000000", "|S0", "|O", "<M8[s]", "|V0", "|V16", ">i2", "<c16",
)  # fmt: skip
_SHAPES: Final = (
    "()", "(0,)", "(1,)", "(1000000000000,)", "(0, 1000000000000)", "(-1,)", "(2, 2, 2)", "(4294967296, 4294967296)",
    "(1.5,)", "('a',)", "5", "(True,)", "(((((1,),),),),)", "(" + "1," * 60 + ")",
)  # fmt: skip
_INES: Final = (0x00, 0x01, 0x0F, 0x08, 0x0C, 0x7F, 0x80, 0xF0, 0xFF)


def mutate(content: bytes, form: str, rng: random.Random) -> bytes:
    """One step away from the file; of no form but bytes, or where it cannot be read any more, anything anywhere."""
    try:
        if form in _TREES and rng.random() < 0.7:
            _, write = _TREES[form]
            return write(trees.alter(trees.json_copy(_tree(content, form)), rng))
        if form in _STRUCTURED and rng.random() < 0.7:
            return _STRUCTURED[form](content, rng)
    except Exception:  # an earlier step may have left nothing that has a form, and its reader says so in its own way
        pass
    return _anything(content, rng)


@lru_cache(maxsize=64)
def _tree(content: bytes, form: str) -> Any:
    """Most steps begin from one of a few originals."""
    return _TREES[form][0](content)


def _anything(content: bytes, rng: random.Random) -> bytes:
    data, act = bytearray(content), rng.randrange(9)
    at, length = _block(data, rng)
    if act == 0 and data:
        for _ in range(rng.choice((1, 1, 2, 8, 40))):
            data[rng.randrange(len(data))] ^= 1 << rng.randrange(8)
    elif act == 1:
        data[at : at + length] = rng.randbytes(length)
    elif act == 2:
        del data[at:]
    elif act == 3:
        data[at:at] = rng.randbytes(rng.choice((1, 2, 16, 300)))
    elif act == 4:
        other, _ = _block(data, rng)
        data[other:other] = data[at : at + length]
    elif act == 5:
        del data[at : at + length]
    elif act == 6:
        data[at : at + length] = bytes([rng.choice((0x00, 0xFF, 0x20, 0x5B, 0x7B, 0x22))]) * length
    elif act == 7:
        data[at:at] = rng.choice((*trees.NUMBERS, *trees.WORDS)).encode("utf-8", "replace")
    elif rng.random() < 0.1:
        return rng.choice((b"", rng.randbytes(64), b"\n" * 1000, b"\xef\xbb\xbf", b"PK", b"NES\x1a", b"[" * 20000))
    return bytes(data)


def _block(data: bytes | bytearray, rng: random.Random) -> tuple[int, int]:
    at = rng.randint(0, len(data))
    return at, rng.randint(0, min(len(data) - at, rng.choice((4, 64, 4096))))


def _ines(content: bytes, rng: random.Random) -> bytes:
    """A byte of the header that says something else; the rest as it was, or less, or more."""
    data = bytearray(content)
    for _ in range(rng.choice((1, 1, 2, 4))):
        data[rng.randrange(16)] = rng.choice((*_INES, rng.randrange(256)))
    if rng.random() < 0.3:
        del data[rng.choice((15, 16, 17, 528, len(data) // 2, len(data) - 1)) :]
    return bytes(data)


def _zip(content: bytes, rng: random.Random, inner: Callable[[str], str] = lambda name: "ines") -> bytes:
    """Members renamed, doubled, dropped, damaged, packed otherwise; or headers that lie."""
    if rng.random() < 0.5:
        return _lying(content, rng)
    with zipfile.ZipFile(io.BytesIO(content)) as archive:
        members = [(info.filename, archive.read(info)) for info in archive.infolist()]
    act = rng.randrange(6)
    if members and act < 5:
        index = rng.randrange(len(members))
        name, data = members[index]
        if act == 0:
            members[index] = (rng.choice((name.upper(), f"a/{name}", f"../{name}", f"{name}.txt", "", "x" * 300)), data)
        elif act == 1:
            members.insert(index, (f"b{name}" if rng.random() < 0.5 else name, data))
        elif act == 2:
            del members[index]
        elif act == 3:
            members[index] = (name, mutate(data, inner(name), rng))
        else:
            members[index] = (name, bytes(rng.choice((0, 1, 5 << 20))))
    return zipped(members, rng.choice(_METHODS))


def zipped(members: Sequence[tuple[str, bytes]], method: int = zipfile.ZIP_DEFLATED) -> bytes:
    """An archive of these members, a name twice where it is given twice."""
    packed = io.BytesIO()
    with zipfile.ZipFile(packed, "w", method) as archive:
        for name, data in members:
            info = zipfile.ZipInfo(name.replace("\x00", "") or "x", (1980, 1, 1, 0, 0, 0))
            info.compress_type = method
            archive.filelist = [each for each in archive.filelist if each.filename != info.filename] + [
                each for each in archive.filelist if each.filename == info.filename
            ]
            archive.NameToInfo.pop(info.filename, None)  # a name may stand twice, without the library's warning
            archive.writestr(info, data)
    return packed.getvalue()


def _lying(content: bytes, rng: random.Random) -> bytes:
    """One field of a member's headers, in one or both of them."""
    data = bytearray(content)
    central = _positions(data, _CENTRAL)
    local = _positions(data, _LOCAL)
    if not central or not local:
        return _anything(content, rng)
    field = rng.randrange(len(_FIELDS) + 1)
    if field == len(_FIELDS):
        at, size = rng.choice(central) + _WHENCE, 4
        data[at : at + size] = _lie(data[at : at + size], rng)
        return bytes(data)
    in_local, in_central, size = _FIELDS[field]
    number = rng.randrange(min(len(local), len(central)))
    places = [(local[number] + in_local, rng.random() < 0.7), (central[number] + in_central, rng.random() < 0.9)]
    lie = None
    for at, is_changed in places:
        if is_changed and at + size <= len(data):
            lie = lie or _lie(data[at : at + size], rng)
            data[at : at + size] = lie
    return bytes(data)


def _positions(data: bytearray, mark: bytes) -> list[int]:
    found, at = [], data.find(mark)
    while at >= 0:
        found.append(at)
        at = data.find(mark, at + 1)
    return found


def _lie(field: bytes | bytearray, rng: random.Random) -> bytes:
    size = len(field)
    value = int.from_bytes(field, "little")
    lies = (0, 1, 8, 9, 12, 14, 93, 95, 99, value ^ 1, value + 1, value * 2, (1 << 8 * size) - 1, 1 << 8 * size - 1)
    return (rng.choice(lies) & (1 << 8 * size) - 1).to_bytes(size, "little")


def _npz(content: bytes, rng: random.Random) -> bytes:
    """Half of them stay whole files, with other numbers in one array."""
    if rng.random() < 0.5:
        return _zip(content, rng, lambda name: "npy")
    with zipfile.ZipFile(io.BytesIO(content)) as archive:
        members = [(info.filename, archive.read(info)) for info in archive.infolist()]
    index = rng.randrange(len(members))
    name, data = members[index]
    start = 10 + int.from_bytes(data[8:10], "little")
    members[index] = (name, data[:start] + _other_numbers(data[start:], rng))
    return zipped(members)


def _npy(content: bytes, rng: random.Random) -> bytes:
    """An array's header that claims another type or shape, its text broken, or its numbers others."""
    start = 10 + int.from_bytes(content[8:10], "little")
    header, cells = content[10:start].decode("latin-1"), content[start:]
    act = rng.randrange(6)
    if act == 0:
        header = _replaced(header, "'descr': ", f"{rng.choice(_DTYPES)!r}", ", 'fortran")
    elif act == 1:
        header = _replaced(header, "'shape': ", rng.choice(_SHAPES), ", }")
    elif act == 2:
        header = _anything(header.encode("latin-1"), rng).decode("latin-1")
    elif act == 3:
        kept = np.frombuffer(cells, dtype=np.uint8).copy()
        kept[rng.randint(0, len(kept)) :] = rng.randrange(256)
        cells = kept.tobytes()
    elif act == 4:
        cells = _anything(cells, rng)
    else:
        version = rng.choice(((1, 0), (2, 0), (3, 0), (9, 9)))
        length = len(header).to_bytes(2 if version == (1, 0) else 4, "little")
        return b"\x93NUMPY" + bytes(version) + length + header.encode("latin-1") + cells
    return content[:8] + min(len(header), 0xFFFF).to_bytes(2, "little") + header.encode("latin-1") + cells


def _other_numbers(cells: bytes, rng: random.Random) -> bytes:
    """Some bytes others, or a stretch of them all the same or moved from elsewhere; as many as before."""
    data = bytearray(cells)
    for _ in range(rng.choice((1, 2, 8, 40)) if data else 0):
        at, length = _block(data, rng)
        other = rng.randrange(len(data))
        act = rng.randrange(4)
        if act == 0:
            data[at : at + length] = bytes([rng.randrange(256)]) * length
        elif act == 1:
            data[at : at + length] = rng.randbytes(length)
        elif act == 2:
            moved = data[other : other + length]
            data[at : at + len(moved)] = moved if at + len(moved) <= len(data) else data[at:]
        else:
            data[other] = rng.choice((0, 1, 2, 3, 7, 8, 9, 0x7F, 0xEF, 0xFF, data[at - 1]))
    return bytes(data[: len(cells)])


def _replaced(header: str, before: str, by: str, after: str) -> str:
    first, _, rest = header.partition(before)
    return f"{first}{before}{by}{after}{rest.partition(after)[2]}"


def _part(content: bytes, rng: random.Random) -> bytes:
    """Whole segments that were changed, doubled, dropped or moved, each with the right checksum."""
    parts = list(segments(io.BytesIO(content[len(MAGIC) :])))
    index, act = rng.randrange(len(parts)), rng.randrange(5)
    if act == 0:
        parts.insert(rng.randint(0, len(parts)), parts[index])
    elif act == 1:
        del parts[index]
    elif act == 2:
        parts[0] = trees.write_json(trees.alter(trees.read_json(parts[0]), rng))
    elif act == 3:
        at = rng.randrange(0, 36, 4)  # one of the numbers before a segment's pads, rows and plans
        parts[index] = parts[index][:at] + _lie(parts[index][at : at + 4], rng) + parts[index][at + 4 :]
    else:
        parts[index] = _anything(parts[index], rng)
    return MAGIC + b"".join(_segment(part) for part in parts)


def _segment(content: bytes) -> bytes:
    length = struct.pack("<I", len(content))
    return length + struct.pack("<I", zlib.crc32(content, zlib.crc32(length))) + content


def _checkpoint(content: bytes, rng: random.Random) -> bytes:
    """What the checksum covers is changed and signed again."""
    tree = trees.read_json(content)
    body = trees.write_json(trees.alter(dict(tree)["checkpoint"], rng))
    return b'{"sha256": "%s", "checkpoint": %s}\n' % (hashlib.sha256(body).hexdigest().encode(), body)


def _lines(content: bytes, rng: random.Random) -> bytes:
    """A line of JSON changed, doubled, dropped or moved."""
    lines = content.splitlines(keepends=True)
    index, act = rng.randrange(len(lines)), rng.randrange(4)
    if act == 0:
        lines.insert(rng.randint(0, len(lines)), lines[index])
    elif act == 1:
        del lines[index]
    else:
        lines[index] = trees.write_json(trees.alter(trees.read_json(lines[index]), rng)) + b"\n"
    return b"".join(lines)


_STRUCTURED: Final[Mapping[str, Callable[[bytes, random.Random], bytes]]] = {
    "ines": _ines,
    "zip": _zip,
    "npz": _npz,
    "npy": _npy,
    "part": _part,
    "checkpoint": _checkpoint,
    "lines": _lines,
}
