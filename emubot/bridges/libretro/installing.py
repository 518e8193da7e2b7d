"""Downloads a core with pip or apt into a folder.

FCEUmm comes from the stable-retro wheel, of which only one library and the licence text are read. Nestopia comes from
Debian's package. Both cores are GPL programs, so their licence texts are stored beside them. A new core replaces an
older one only after it has been tested.
"""

from __future__ import annotations

import hashlib
import shutil
import sys
import zipfile
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from importlib.util import find_spec
from pathlib import Path, PurePosixPath

from emubot.atomic import cannot_be_written, write_whole
from emubot.datafiles import is_standalone
from emubot.errors import BridgeError, CoreError
from emubot.systems import cores
from emubot.systems.workshop import Report, Workshop, workshop

WHEEL = "stable-retro==1.0.1"
# SHA-256 of each wheel with a core, by system and processor, as the Python package index lists them.
WHEEL_SHA256: dict[tuple[str | None, str], str] = {
    ("Linux", "x86-64"): "4ddabe781fb9bc2d1011ccd04f2684a59d69ce270da82bb5ae6e9a17e9ef4518",
    ("macOS", "arm64"): "bb562472bd44a61465676137b45f2e435d2e13593ed88c8b38e1e973bea809cc",
}
# Systems for which pip finds a wheel of cynes; on others it would need a compiler.
_CYNES = {("Linux", "x86-64"), ("macOS", "arm64"), ("macOS", "x86-64"), ("Windows", "x86-64")}
DEBIAN_PACKAGE = "libretro-nestopia"

# pip only downloads here, so that of the interpreter below a virtual environment without pip serves as well.
PIP: tuple[str, ...] = (sys.executable if find_spec("pip") else getattr(sys, "_base_executable", ""), "-P", "-m", "pip")
APT: tuple[str, ...] = ("apt-get",)
DPKG: tuple[str, ...] = ("dpkg-deb",)

_NO_WHEEL = f"There is no {WHEEL} wheel for this system to take the core from"
_WHEEL_PYTHON = "3.11"  # the core inside needs no Python, so one wheel serves every version
_MEMBER_LIMIT = 32 << 20
_NETWORK_WORDS = ("connection", "timed out", "name resolution", "proxy", "getaddrinfo", "unreachable", "ssl")

Probe = Callable[[Path], object]  # opens a core file; raises CoreError if it is no usable NES core


@dataclass(frozen=True, slots=True)
class CoreSource:
    """The origin of a core in words, and the approximate bytes of its download."""

    described: str
    size: int


SOURCES = {
    "fceumm": CoreSource("the stable-retro 1.0.1 wheel from the Python package index", 123_200_000),
    "nestopia": CoreSource(f"Debian's package {DEBIAN_PACKAGE}", 500_000),
}


@dataclass(frozen=True, slots=True)
class Installed:
    """An installed core; `size` is in bytes, `licence` is the text file beside it."""

    path: Path
    size: int
    licence: Path


def core_path(name: str, folder: Path) -> Path:
    """Returns the path of the installed core of this short name."""
    return folder / f"{name}_libretro{cores.suffix()}"


def install(name: str, folder: Path, probe: Probe, report: Report = lambda done: None) -> Installed:
    """Download a core of `SOURCES`, test it with `probe` and install it in `folder`, over an older one.

    `report` receives the number of bytes downloaded. Raises BridgeError, CoreError, StorageError and the errors of
    `probe`; the folder is then unchanged. Tools and temporary files are removed, however this process ends.
    """
    path = core_path(name, folder)
    if is_standalone():
        raise BridgeError(f"The stand-alone program has no pip to download a core with: {_other_ways()}.")
    if name == "fceumm" and _published() is None:
        raise BridgeError(f"{_NO_WHEEL}: {_other_ways()}.")
    is_new = not folder.exists()
    try:
        folder.mkdir(parents=True, exist_ok=True)
        # The core is tested there, and the system's temporary folder may forbid programs, so it is inside `folder`.
        with workshop(folder) as place:
            core, licence = {"fceumm": _fceumm, "nestopia": _nestopia}[name](place, report)
            candidate = place.folder / path.name
            candidate.write_bytes(core)
            probe(candidate)
        beside = path.with_name(f"{name}_libretro.LICENCE.txt")
        write_whole(beside, licence.encode())
        write_whole(path, core)
        return Installed(path, len(core), beside)
    except OSError as failure:
        raise cannot_be_written(folder, failure) from failure
    finally:
        if is_new and folder.is_dir() and not any(folder.iterdir()):
            folder.rmdir()


def _fceumm(place: Workshop, report: Report) -> tuple[bytes, str]:
    """Returns core and licence from the pinned wheel, which pip downloads."""
    command = [*PIP, "download", "--no-deps", "--only-binary=:all:", "--no-cache-dir", "--progress-bar=off"]
    command += [f"--python-version={_WHEEL_PYTHON}", f"--dest={place.folder / 'wheel'}", "--disable-pip-version-check"]
    # pip's temporary files are in this folder too, so its size shows the progress.
    code, said = _run(place, [*command, WHEEL], report)
    if code:
        raise _pip_error(said)
    wheels = list((place.folder / "wheel").glob("*.whl"))
    if len(wheels) != 1:
        raise BridgeError(f"pip downloaded {len(wheels)} files instead of the wheel of {WHEEL}: try again.")
    with wheels[0].open("rb") as file:
        digest = hashlib.file_digest(file, "sha256").hexdigest()
    if digest != _published():
        raise CoreError(
            f"{wheels[0].name} is not the wheel that was published (its SHA-256 is {digest}), so nothing of it is "
            "installed: see which package index pip is set to use, and try again."
        )
    return _out_of_wheel(wheels[0])


def _published() -> str | None:
    """Returns the SHA-256 of the wheel for this system and processor; None if none was published."""
    return WHEEL_SHA256.get((cores.system(), cores.processor()))


def _nestopia(place: Workshop, report: Report) -> tuple[bytes, str]:
    """Returns core and licence from Debian's package, which apt-get downloads without root rights.

    There is no checksum here, because apt itself checks the package against the distribution's signed list.
    """
    if not (shutil.which(APT[0]) and shutil.which(DPKG[0])):
        raise BridgeError(f"Nestopia is installed by apt-get and dpkg-deb, which are not here: {_other_ways()}.")
    code, said = _run(place, [*APT, "download", DEBIAN_PACKAGE], report)
    packages = list(place.folder.glob("*.deb"))
    if code or len(packages) != 1:
        raise BridgeError(
            f'apt-get could not download {DEBIAN_PACKAGE} ({_reason(said)}): run "apt-get update" as root and try '
            "again, or install the default core."
        )
    unpacked = place.folder / "package"
    code, said = _run(place, [*DPKG, "-x", str(packages[0]), str(unpacked)], report)
    found = list((unpacked / "usr/lib").glob(f"**/libretro/nestopia_libretro{cores.suffix()}"))
    licence = unpacked / "usr/share/doc" / DEBIAN_PACKAGE / "copyright"
    if code or len(found) != 1 or not licence.is_file():
        raise CoreError(f"The package {packages[0].name} holds no Nestopia core ({_reason(said)}): try the default.")
    return found[0].read_bytes(), licence.read_text(encoding="utf-8")


def _run(place: Workshop, command: Sequence[str], report: Report) -> tuple[int, str]:
    try:
        return place.run(command, report)
    except OSError as error:
        raise BridgeError(f"{command[0]} cannot be started: {error.strerror}.") from error


def _other_ways() -> str:
    suffix = cores.suffix()
    has_cynes = (cores.system(), cores.processor()) in _CYNES
    return (
        f"RetroArch's online updater puts fceumm_libretro{suffix} and nestopia_libretro{suffix} into "
        f"{cores.retroarch_folders()[0]}, where emubot finds them; meanwhile a demo plays without any core on the "
        'simulated bridge ("emubot play --demo tetris")'
        + (', and a cartridge in the small emulator cynes (add "--bridge cynes")' if has_cynes else "")
    )


def _pip_error(said: str) -> BridgeError:
    lower = said.lower()
    if "no module named pip" in lower:
        return BridgeError(
            f'This Python has no pip: install it ("{sys.executable} -m ensurepip") and try again, or: {_other_ways()}.'
        )
    if any(word in lower for word in _NETWORK_WORDS):
        return BridgeError(f"pip could not reach its package index ({_reason(said)}): check the network and try again.")
    if "no matching distribution" in lower:
        return BridgeError(f"{_NO_WHEEL}: {_other_ways()}.")
    return BridgeError(f"pip could not download {WHEEL} ({_reason(said)}): try again, or: {_other_ways()}.")


def _reason(said: str) -> str:
    """Returns the most useful line of a tool's output: its last error, or its last line."""
    lines = [line.strip() for line in said.splitlines() if line.strip()]
    errors = [line for line in lines if line.upper().startswith(("ERROR", "E:", "DPKG"))]
    return (errors or lines or ["it said nothing"])[-1].rstrip(".")


def _out_of_wheel(wheel: Path) -> tuple[bytes, str]:
    try:
        with zipfile.ZipFile(wheel) as archive:
            core = _member(archive, "*/cores/fceumm_libretro" + cores.suffix())
            licences = _member(archive, "*.dist-info/licenses/LICENSES.md").decode("utf-8", "replace")
    except (zipfile.BadZipFile, KeyError) as error:
        raise CoreError(f"{wheel.name} is not the wheel that was expected: {error}.") from error
    return core, _licence_of_fceumm(licences)


def _member(archive: zipfile.ZipFile, pattern: str) -> bytes:
    members = [info for info in archive.infolist() if PurePosixPath(info.filename).match(pattern)]
    if len(members) != 1 or members[0].file_size > _MEMBER_LIMIT:
        raise KeyError(f"it has {len(members)} usable members {pattern}")
    return archive.read(members[0])


def _licence_of_fceumm(text: str) -> str:
    """Returns FCEUmm's own notice and the GPL's text from stable-retro's list of all its cores' licences."""
    sections = _sections(text)
    wanted = [body for title, body in sections if "fceumm" in title.lower() or "gplv2" in title.lower()]
    return "\n".join(wanted) if len(wanted) > 1 else text


def _sections(text: str) -> list[tuple[str, str]]:
    """Returns (heading, heading and text) of each first- and second-level section of a Markdown file."""
    sections: list[tuple[str, list[str]]] = []
    for line in text.splitlines():
        if line.startswith(("# ", "## ")) or not sections:
            sections.append((line, []))
        sections[-1][1].append(line)
    return [(title, "\n".join(lines)) for title, lines in sections]
