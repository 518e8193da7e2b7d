"""Loads a core's shared library, once or several times, or reports why not."""

from __future__ import annotations

import shutil
import struct
import tempfile
from dataclasses import dataclass
from pathlib import Path
from types import SimpleNamespace
from typing import Any

from emubot.bridges.libretro import abi
from emubot.errors import CoreError, CoreNotFound
from emubot.systems.cores import processor, system
from emubot.text import printable

# A path opened twice gives one machine with the last caller's callbacks, so the second time a copy is opened.
_open_files: set[tuple[int, int]] = set()

_ELF_MACHINES = {3: "x86", 40: "arm", 62: "x86-64", 183: "arm64", 243: "riscv64"}
_MACH_MACHINES = {7: "x86", 12: "arm", 0x01000007: "x86-64", 0x0100000C: "arm64"}
_PE_MACHINES = {0x014C: "x86", 0x01C4: "arm", 0x8664: "x86-64", 0xAA64: "arm64"}


@dataclass(frozen=True, slots=True)
class CoreInfo:
    """A core's description of itself; `extensions` are the file name extensions it accepts, without the dot."""

    name: str
    version: str
    extensions: tuple[str, ...]
    need_fullpath: bool

    def __str__(self) -> str:
        return f"{self.name} {self.version}"


class Library:
    """An open core file: `functions` holds every libretro function by name. Raises CoreNotFound or CoreError."""

    def __init__(self, path: Path, private: Path) -> None:
        """Open `path`, or a copy of it in the folder `private` if this process has it open already."""
        self.path = path = _existing(path)
        _check_kind(path)
        status = path.stat()
        self._file = (status.st_dev, status.st_ino)
        self._first = self._file not in _open_files
        source = path if self._first else Path(shutil.copyfile(path, private / path.name))
        self._library = _dlopen(source, path)
        try:
            self.functions = _functions(self._library, path)
        except CoreError:
            abi.ffi.dlclose(self._library)
            raise
        if self._first:
            _open_files.add(self._file)

    def close(self) -> None:
        """Unload the library; none of its functions may be called afterwards."""
        abi.ffi.dlclose(self._library)
        if self._first:
            _open_files.discard(self._file)


def core_info(functions: Any) -> CoreInfo:
    """Returns the result of `retro_get_system_info`, which may be called before any other function."""
    info = abi.ffi.new("struct retro_system_info *")
    functions.retro_get_system_info(info)
    extensions = _text(info.valid_extensions).lower().split("|")
    return CoreInfo(_text(info.library_name), _text(info.library_version), tuple(extensions), bool(info.need_fullpath))


def require_nes(functions: Any, path: Path) -> CoreInfo:
    """Returns the core's info. Raises CoreError if its API version is wrong or it plays no NES cartridges."""
    version = functions.retro_api_version()
    if version != abi.API_VERSION:
        raise CoreError(
            f"{path} speaks libretro API version {version} and emubot version {abi.API_VERSION}: "
            f"take a core made for version {abi.API_VERSION}."
        )
    info = core_info(functions)
    if "nes" not in info.extensions:
        takes = ", ".join(info.extensions)
        raise CoreError(
            f"{path} is {info}, which plays no NES cartridges (it takes {takes}): point --core at one that does."
        )
    return info


def probe(path: Path) -> CoreInfo:
    """Open a core file only to read its info; raises CoreNotFound or CoreError if it is no usable NES core."""
    with tempfile.TemporaryDirectory(prefix="emubot-core-") as private:
        library = Library(path, Path(private))
        try:
            return require_nes(library.functions, library.path)
        finally:
            library.close()


def _text(pointer: Any) -> str:
    return printable(abi.ffi.string(pointer).decode("utf-8", "replace").strip()) if pointer else ""


def _existing(path: Path) -> Path:
    resolved = path.expanduser().resolve()
    if not resolved.is_file():
        raise CoreNotFound(f"There is no core file {path}: give the path of a *_libretro file.")
    return resolved


def _dlopen(source: Path, path: Path) -> Any:
    try:
        return abi.ffi.dlopen(str(source))
    except OSError as error:
        reason = str(error).removeprefix("cannot load library ").strip()
        raise CoreError(f"The core {path} cannot be loaded: {reason}.") from error


def _functions(library: Any, path: Path) -> SimpleNamespace:
    """Returns all libretro functions, looked up once, because cffi's lookup costs more than some of the calls."""
    functions = {}
    for symbol in abi.SYMBOLS:
        try:
            functions[symbol] = getattr(library, symbol)
        except AttributeError:
            raise CoreError(f"{path} is not a libretro core: it has no function {symbol}.") from None
    return SimpleNamespace(**functions)


def _check_kind(path: Path) -> None:
    """Raise CoreError for a file that the system's loader would refuse: no library, another system or processor."""
    with path.open("rb") as file:
        head = file.read(4096)
    kind, machine = _kind(head)
    if not kind:
        text = head.isascii() and 0 not in head
        what = "an empty file" if not head else "a text file" if text else "not a shared library"
        raise CoreError(f"{path} is not a libretro core: it is {what}.")
    own_kind = system() or kind
    if kind != own_kind:
        raise CoreError(f"The core {path} is made for {kind}, and this is {own_kind}: get the core for {own_kind}.")
    own = processor()
    if own in {*_ELF_MACHINES.values()} and machine not in {own, "universal"}:
        raise CoreError(
            f"The core {path} is made for {machine} processors, and this Python runs on {own}: get the core for {own}."
        )


def _kind(head: bytes) -> tuple[str, str]:
    """Returns (system, processor) of a shared library from its first bytes; ("", "") if it is none."""
    if head[:4] == b"\x7fELF" and len(head) >= 20:
        order = "<" if head[5] == 1 else ">"
        code = struct.unpack_from(order + "H", head, 18)[0]
        return "Linux", _ELF_MACHINES.get(code, f"unknown ({code})")
    if head[:4] in {b"\xcf\xfa\xed\xfe", b"\xce\xfa\xed\xfe"} and len(head) >= 8:
        code = struct.unpack_from("<I", head, 4)[0]
        return "macOS", _MACH_MACHINES.get(code, f"unknown ({code})")
    if head[:4] == b"\xca\xfe\xba\xbe":
        return "macOS", "universal"
    if head[:2] == b"MZ" and len(head) >= 64:
        at = struct.unpack_from("<I", head, 60)[0]
        code = struct.unpack_from("<H", head, at + 4)[0] if at + 6 <= len(head) else 0
        return "Windows", _PE_MACHINES.get(code, f"unknown ({code})")
    return "", ""
