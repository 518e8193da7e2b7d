"""The text of `emubot doctor --report`: what the report of a fault needs, and nothing about the person; checks nothing.

What emubot composes itself are versions, counts, sizes and its own names. What comes from elsewhere, such as the words
of a check, goes through `Discretion`.
"""

from __future__ import annotations

import os
import re
import shutil
import sys
from collections.abc import Iterator, Sequence
from contextlib import suppress
from importlib.metadata import PackageNotFoundError, entry_points, version
from typing import Final, TextIO

from emubot.cli.discretion import Discretion
from emubot.cli.doctor_bridges import ReportLine
from emubot.datafiles import is_standalone, shipped, user_cache, user_config
from emubot.errors import UsageError
from emubot.extras import installed_by
from emubot.systems import about
from emubot.systems.desktop import has_display
from emubot.systems.processes import processors
from emubot.systems.terminals import has_colours
from emubot.text import counted
from emubot.version import __version__

PACKAGES: Final = ("numpy", "numba", "llvmlite", "cffi", "PyYAML", "pydantic", "rich", "platformdirs", "filelock")
_EXTRAS: Final = (
    *("pygame-ce", "starlette", "uvicorn", "websockets", "segno", "pillow", "gymnasium", "pettingzoo", "cma", "scipy"),
    *("matplotlib", "dask", "distributed", "scikit-learn", "cynes", "stable-retro"),
)
_VARIABLES: Final = (
    *("EMUBOT_CORES", "EMUBOT_ROMS", "EMUBOT_CACHE_DIR", "EMUBOT_NTC_SECRET", "EMUBOT_CONFIG", "NUMBA_CPU_NAME"),
    *("PYTHONPATH", "PYTHONIOENCODING", "LC_ALL", "SDL_VIDEODRIVER", "NO_COLOR"),
)
_FIGURES: Final = (  # variables whose values are told, where they are numbers
    *("EMUBOT_COMPILE_AHEAD", "EMUBOT_NO_BROWSER", "NUMBA_DISABLE_JIT", "NUMBA_BOUNDSCHECK", "NUMBA_OPT", "COLUMNS"),
    *("LINES", "FORCE_COLOR", "PYTHONUTF8"),
)
_TERM: Final = re.compile(r"(?:xterm|screen|tmux|rxvt|linux|vt|ansi|dumb|unknown|alacritty)(?:-[a-z0-9]{1,8})*[0-9]*")
_PLACES: Final = ("emubot.games", "emubot.bridges")
_CARTRIDGE: Final = "cartridge"  # the name of a finding about one of the person's own
_MARKS: Final = {True: "ok  ", None: "note", False: "BAD "}


def report(findings: Sequence[ReportLine], more: Sequence[str] = ()) -> str:
    """Returns the report, ASCII lines without a name of the person's; `more` are further words to be left out."""
    lines = [
        "emubot report",
        "For the report of a fault. Words and paths that emubot does not know are left out: <...>.",
        "",
        *(f"{name:<12}{text}" for name, text in _facts()),
        "",
        "checks",
        *(f"  {line}" for line in _checks(findings, Discretion.of_this_machine(more))),
    ]
    return "\n".join([*lines, ""]).encode("ascii", "replace").decode()


def _facts() -> Iterator[tuple[str, str]]:
    yield "emubot", f"{__version__}, {_installed()}"
    yield "python", f"{sys.implementation.name} {about.python()}"
    yield "system", f"{about.system()}, {about.machine().split()[-1]}, {counted(processors(), 'processor')}"
    yield "packages", ", ".join(f"{name} {_version(name) or 'MISSING'}" for name in PACKAGES)
    yield "extras", ", ".join(f"{name} {found}" for name in _EXTRAS if (found := _version(name))) or "none"
    yield "plug-ins", "; ".join(f"{group}: {_foreign(group)} of other packages" for group in _PLACES)
    yield "terminal", _terminal()
    yield "variables", ", ".join(_variables()) or "none of emubot's is set"
    yield "settings", ", ".join(_settings()) or "none"
    yield "cores", ", ".join(_cores()) or "none found"
    yield "maps", _shipped_and_own("ram_maps", ".yaml")
    yield "weights", _shipped_and_own("weights", ".json")
    yield "cache", _cache()


def _installed() -> str:
    if is_standalone():
        return "the stand-alone program"
    return f"installed by {installed_by()}" if (shipped("weights").name != "weights") else "in a checkout"


def _version(package: str) -> str | None:
    try:
        return version(package).partition("+")[0]
    except PackageNotFoundError:
        return None


def _foreign(group: str) -> int:
    return sum(not point.value.startswith("emubot.") for point in entry_points(group=group))


def _terminal() -> str:
    size = shutil.get_terminal_size()
    term = os.environ.get("TERM", "")
    streams = ", ".join(f"{name} {_stream(getattr(sys, name))}" for name in ("stdin", "stdout", "stderr"))
    kind = term if _TERM.fullmatch(term) else "another" if term else "none"
    colours = "colours" if has_colours() else "no colours"
    display = "a display" if has_display() else "no display"
    return f"{streams}; {size.columns}x{size.lines}, TERM {kind}, {colours}, {display}"


def _stream(stream: TextIO | None) -> str:
    if stream is None or stream.closed:
        return "closed"
    return f"{'terminal' if stream.isatty() else 'no terminal'} ({stream.encoding or 'no encoding'})"


def _variables() -> Iterator[str]:
    for name in (*_VARIABLES, *_FIGURES):
        if value := os.environ.get(name):
            is_told = name in _FIGURES and value.isascii() and value.isdecimal()
            yield f"{name}={value[:6]}" if is_told else f"{name} set"


def _settings() -> Iterator[str]:
    from emubot.cli.settings import config_file, read_config

    file = config_file()
    try:
        values = {} if file is None else read_config(file).values
    except UsageError:
        yield "a file that is refused"
        return
    for command, own in values.items():
        yield from (f"{command}.{name}{f'={value}' if isinstance(value, int) else ''}" for name, value in own.items())


def _cores() -> Iterator[str]:
    from emubot.bridges.libretro.finding import found_cores, install_folder

    for path in found_cores():
        where = "installed by emubot" if path.parent == install_folder().resolve() else "elsewhere"
        yield f"{path.name} ({where}, {path.stat().st_size:,} bytes)"


def _shipped_and_own(folder: str, suffix: str) -> str:
    own = len([*user_config(folder).glob(f"*{suffix}")])
    names = sorted(path.stem for path in shipped(folder).glob(f"*{suffix}"))
    return f"{', '.join(names) or 'none'}; {own} of one's own"


def _cache() -> str:
    folder = user_cache()
    sizes = []
    for path in folder.rglob("*"):
        with suppress(OSError):  # another process has removed it
            sizes += [path.stat().st_size] if path.is_file() else []
    writable = os.access(next(path for path in (folder, *folder.parents) if path.exists()), os.W_OK)
    chosen = "the folder of EMUBOT_CACHE_DIR" if os.environ.get("EMUBOT_CACHE_DIR") else "the usual folder"
    kernels = {path.name for path in (folder / "kernels").glob("emubot.*")}
    return (
        f"{chosen}, {'' if writable else 'NOT '}writable, {counted(len(sizes), 'file')} of {sum(sizes):,} bytes; "
        f"kernels: {', '.join(sorted(kernels)) or 'none'}"
    )


def _checks(findings: Sequence[ReportLine], discretion: Discretion) -> Iterator[str]:
    own = [finding for finding in findings if finding.name == _CARTRIDGE]
    if own:
        known = sum(finding.good is True for finding in own)
        yield f"note  cartridges: {known} that a map knows, {len(own) - known} that none does"
    for finding in findings:
        if finding not in own and not (finding.name in ("map", "weights") and finding.good):
            yield f"{_MARKS[finding.good]}  {finding.name}: {discretion(' '.join(finding.text.split()))}"
