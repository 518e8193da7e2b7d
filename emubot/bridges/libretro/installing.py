"""Fetches a core by pip or apt into a folder; knows where cores are published, prints nothing.

FCEUmm comes out of the stable-retro wheel, of which one library and the licence text are read; Nestopia out of
Debian's package. Both cores are GPL programs: their licence texts are kept beside them.
"""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
import tempfile
import time
import zipfile
from collections.abc import Callable, Sequence
from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path, PurePosixPath

from emubot.bridges.libretro.finding import SUFFIX, retroarch_folders
from emubot.errors import BridgeError, CoreError

WHEEL = "stable-retro==1.0.1"
DEBIAN_PACKAGE = "libretro-nestopia"

PIP: tuple[str, ...] = (sys.executable, "-m", "pip")
APT: tuple[str, ...] = ("apt-get",)
DPKG: tuple[str, ...] = ("dpkg-deb",)

_WHEEL_PYTHON = "3.11"  # the core inside needs no Python: one wheel serves every version
_MEMBER_LIMIT = 32 << 20
_NETWORK_WORDS = ("connection", "timed out", "name resolution", "proxy", "getaddrinfo", "unreachable", "ssl")

Report = Callable[[int], None]  # bytes downloaded so far


@dataclass(frozen=True, slots=True)
class Source:
    """Where a core comes from, for a person, and about how many bytes are downloaded."""

    described: str
    size: int


SOURCES = {
    "fceumm": Source("the stable-retro 1.0.1 wheel from the Python package index", 123_200_000),
    "nestopia": Source(f"Debian's package {DEBIAN_PACKAGE}", 500_000),
}


@dataclass(frozen=True, slots=True)
class Installed:
    """A core in its place; `size` in bytes, `licence` the text file beside it."""

    path: Path
    size: int
    licence: Path


def core_path(name: str, folder: Path) -> Path:
    """Where the core of that short name stands once it is installed."""
    return folder / f"{name}_libretro{SUFFIX}"


def install(name: str, folder: Path, report: Report = lambda done: None) -> Installed:
    """Download a core of `SOURCES` and put it into `folder`, over an old one; raises BridgeError, CoreError."""
    return {"fceumm": _install_fceumm, "nestopia": _install_nestopia}[name](folder, report)


def _install_fceumm(folder: Path, report: Report) -> Installed:
    """Take the core out of the pinned wheel, which pip downloads."""
    with tempfile.TemporaryDirectory(prefix="emubot-install-") as name:
        temporary = Path(name)
        command = [*PIP, "download", "--no-deps", "--only-binary=:all:", "--no-cache-dir", "--progress-bar=off"]
        command += [f"--python-version={_WHEEL_PYTHON}", f"--dest={temporary / 'wheel'}", "--disable-pip-version-check"]
        # pip's own temporary files lie in our folder as well: that is where the progress is read from.
        code, said = _run([*command, WHEEL], temporary, report)
        if code:
            raise _pip_error(said)
        wheels = list((temporary / "wheel").glob("*.whl"))
        if len(wheels) != 1:
            raise BridgeError(f"pip downloaded {len(wheels)} files instead of the wheel of {WHEEL}: try again.")
        return _take_from_wheel(wheels[0], folder)


def _install_nestopia(folder: Path, report: Report) -> Installed:
    """Take the core out of Debian's package, which apt-get downloads without being root."""
    if not (shutil.which(APT[0]) and shutil.which(DPKG[0])):
        raise BridgeError(f"Nestopia is installed by apt-get and dpkg-deb, which are not here: {_other_ways()}.")
    with tempfile.TemporaryDirectory(prefix="emubot-install-") as name:
        temporary = Path(name)
        code, said = _run([*APT, "download", DEBIAN_PACKAGE], temporary, report)
        packages = list(temporary.glob("*.deb"))
        if code or len(packages) != 1:
            raise BridgeError(
                f'apt-get could not download {DEBIAN_PACKAGE} ({_reason(said)}): run "apt-get update" as root and try '
                "again, or install the default core."
            )
        code, said = _run([*DPKG, "-x", str(packages[0]), str(temporary / "package")], temporary, report)
        cores = list((temporary / "package/usr/lib").glob(f"**/libretro/nestopia_libretro{SUFFIX}"))
        licence = temporary / "package/usr/share/doc" / DEBIAN_PACKAGE / "copyright"
        if code or len(cores) != 1 or not licence.is_file():
            raise CoreError(
                f"The package {packages[0].name} holds no Nestopia core ({_reason(said)}): try the default."
            )
        return _place("nestopia", cores[0].read_bytes(), licence.read_text(encoding="utf-8"), folder)


def _run(command: Sequence[str], temporary: Path, report: Report) -> tuple[int, str]:
    """Exit code and everything said; the folder's growth is reported meanwhile."""
    environment = {**os.environ, **dict.fromkeys(("TMPDIR", "TMP", "TEMP"), str(temporary)), "LC_ALL": "C"}
    log = temporary / "log.txt"
    with log.open("wb") as output:
        try:
            process = subprocess.Popen(command, cwd=temporary, env=environment, stdout=output, stderr=output)
        except OSError as error:
            raise BridgeError(f"{command[0]} cannot be started: {error.strerror}.") from error
        try:
            while process.poll() is None:
                report(_size(temporary))
                time.sleep(0.1)
        except BaseException:
            process.kill()
            process.wait()
            raise
    return process.returncode, log.read_text(encoding="utf-8", errors="replace")


def _size(folder: Path) -> int:
    """Bytes in the files below a folder in which another process is at work."""
    total = 0
    for base, _, names in os.walk(folder):
        for name in names:
            with suppress(OSError):  # gone since it was listed
                total += (Path(base) / name).stat().st_size
    return total


def _other_ways() -> str:
    return (
        f"RetroArch's online updater puts fceumm_libretro{SUFFIX} and nestopia_libretro{SUFFIX} into "
        f"{retroarch_folders()[0]}, where emubot finds them; meanwhile a demo plays without any core on the simulated "
        'bridge ("emubot play --demo tetris")'
    )


def _pip_error(said: str) -> BridgeError:
    lower = said.lower()
    if "no module named pip" in lower:
        return BridgeError(
            f'This Python has no pip: install it ("python -m ensurepip") and try again, or: {_other_ways()}.'
        )
    if any(word in lower for word in _NETWORK_WORDS):
        return BridgeError(f"pip could not reach its package index ({_reason(said)}): check the network and try again.")
    if "no matching distribution" in lower:
        return BridgeError(f"There is no {WHEEL} wheel for this system to take the core from: {_other_ways()}.")
    return BridgeError(f"pip could not download {WHEEL} ({_reason(said)}): try again, or: {_other_ways()}.")


def _reason(said: str) -> str:
    """The line of a tool's output that tells most: its last error, or its last word."""
    lines = [line.strip() for line in said.splitlines() if line.strip()]
    errors = [line for line in lines if line.upper().startswith(("ERROR", "E:", "DPKG"))]
    return (errors or lines or ["it said nothing"])[-1].rstrip(".")


def _take_from_wheel(wheel: Path, folder: Path) -> Installed:
    try:
        with zipfile.ZipFile(wheel) as archive:
            core = _member(archive, "*/cores/fceumm_libretro" + SUFFIX)
            licences = _member(archive, "*.dist-info/licenses/LICENSES.md").decode("utf-8", "replace")
    except (zipfile.BadZipFile, KeyError) as error:
        raise CoreError(f"{wheel.name} is not the wheel that was expected: {error}.") from error
    return _place("fceumm", core, _licence_of_fceumm(licences), folder)


def _member(archive: zipfile.ZipFile, pattern: str) -> bytes:
    found = [info for info in archive.infolist() if PurePosixPath(info.filename).match(pattern)]
    if len(found) != 1 or found[0].file_size > _MEMBER_LIMIT:
        raise KeyError(f"it has {len(found)} usable members {pattern}")
    return archive.read(found[0])


def _licence_of_fceumm(text: str) -> str:
    """FCEUmm's own notice and the GPL's text out of stable-retro's list of all its cores' licences."""
    sections = _sections(text)
    wanted = [body for title, body in sections if "fceumm" in title.lower() or "gplv2" in title.lower()]
    return "\n".join(wanted) if len(wanted) > 1 else text


def _sections(text: str) -> list[tuple[str, str]]:
    """(heading, heading and text) of each first- and second-level section of a Markdown file."""
    sections: list[tuple[str, list[str]]] = []
    for line in text.splitlines():
        if line.startswith(("# ", "## ")) or not sections:
            sections.append((line, []))
        sections[-1][1].append(line)
    return [(title, "\n".join(lines)) for title, lines in sections]


def _place(name: str, core: bytes, licence: str, folder: Path) -> Installed:
    """Put core and licence in their place; a core that is there is either the old one or the new one, never a part."""
    folder.mkdir(parents=True, exist_ok=True)
    path = core_path(name, folder)
    beside = path.with_name(f"{name}_libretro.LICENCE.txt")
    _write(beside, licence.encode())
    _write(path, core)
    return Installed(path, len(core), beside)


def _write(path: Path, data: bytes) -> None:
    handle, name = tempfile.mkstemp(dir=path.parent, prefix=f".{path.name}.")
    try:
        with os.fdopen(handle, "wb") as file:
            file.write(data)
            file.flush()
            os.fsync(file.fileno())
        Path(name).chmod(0o644)
        Path(name).replace(path)
    except BaseException:
        Path(name).unlink(missing_ok=True)
        raise
