"""Files that are no usable core: one sentence each, by content and not by name."""

from __future__ import annotations

import platform
import struct
import sys
from pathlib import Path

import pytest

from emubot.bridges.libretro.library import probe
from emubot.errors import CoreError, CoreNotFound


def elf(machine: int, bits: int = 64) -> bytes:
    return b"\x7fELF" + bytes([bits // 32, 1, 1]) + bytes(9) + struct.pack("<HH", 3, machine) + bytes(200)


def mach(machine: int) -> bytes:
    return struct.pack("<II", 0xFEEDFACF, machine) + bytes(200)


def pe(machine: int) -> bytes:
    return b"MZ" + bytes(58) + struct.pack("<I", 64) + b"PE\x00\x00" + struct.pack("<H", machine) + bytes(200)


FOREIGN_ELF = {"x86_64": 183, "aarch64": 62}.get(platform.machine(), 2)


@pytest.mark.parametrize(
    ("content", "words"),
    [
        (b"", "is not a libretro core: it is an empty file"),
        (b"#!/bin/sh\necho no core\n", "is not a libretro core: it is a text file"),
        (bytes(range(256)), "is not a libretro core: it is not a shared library"),
        (b"\x7fELF", "is not a libretro core"),
        (b"MZ", "is not a libretro core"),
    ],
)
def test_no_library_at_all(tmp_path: Path, content: bytes, words: str) -> None:
    path = tmp_path / "x_libretro.so"
    path.write_bytes(content)
    with pytest.raises(CoreError, match=words):
        probe(path)


@pytest.mark.skipif(sys.platform != "linux", reason="tells what Linux is told")
@pytest.mark.parametrize(
    ("content", "words"),
    [
        (mach(0x0100000C), "is made for macOS, and this is Linux: get the core for Linux"),
        (b"\xca\xfe\xba\xbe" + bytes(100), "is made for macOS"),
        (pe(0x8664), "is made for Windows, and this is Linux"),
        (elf(FOREIGN_ELF), "processors, and this Python runs on"),
        (elf(3, bits=32), "is made for x86 processors, and this Python runs on"),
        (elf(9999), r"is made for unknown \(9999\) processors"),
    ],
)
def test_made_for_another_machine(tmp_path: Path, content: bytes, words: str) -> None:
    path = tmp_path / "x_libretro.so"
    path.write_bytes(content)
    with pytest.raises(CoreError, match=words):
        probe(path)


@pytest.mark.skipif(sys.platform != "linux", reason="an ELF file")
def test_a_damaged_library_is_told_with_the_loaders_reason(tmp_path: Path) -> None:
    path = tmp_path / "x_libretro.so"
    path.write_bytes(elf({"x86_64": 62, "aarch64": 183}.get(platform.machine(), 2)))
    with pytest.raises(CoreError, match="cannot be loaded: "):
        probe(path)


@pytest.mark.skipif(sys.platform == "win32", reason="extension modules are .pyd there")
def test_a_library_that_is_no_core(tmp_path: Path) -> None:
    import _cffi_backend

    with pytest.raises(CoreError, match="is not a libretro core: it has no function retro_api_version"):
        probe(Path(_cffi_backend.__file__))


def test_missing_file_and_folder(tmp_path: Path) -> None:
    for path in (tmp_path / "none.so", tmp_path):
        with pytest.raises(CoreNotFound, match="There is no core file"):
            probe(path)
