"""`emubot core`: installs and lists libretro cores; only parses and prints, does not fetch or open a core itself.

While one is fetched, another process compiles what the first game will need.
"""

from __future__ import annotations

import argparse
from pathlib import Path
from typing import Any, Final

from emubot.bridges.libretro import finding, installing
from emubot.bridges.libretro.installing import SOURCES
from emubot.cli import actions, common
from emubot.cli.result import emit_json
from emubot.errors import EmubotError, UsageError
from emubot.text import did_you_mean

_DESCRIPTION = "Emulator cores are separate programs under the GPL; emubot contains none."

_EPILOG = f"""\
{actions.listed("core")}

cores that can be installed:
  fceumm    from {SOURCES["fceumm"].described} (Linux x86-64, macOS arm64)
  nestopia  from {SOURCES["nestopia"].described} (no root needed)

emubot looks first in the folders of the variable EMUBOT_CORES, then in its own data folder, then in the usual folders
of RetroArch and Linux distributions. It never looks in the current folder."""

_NOTICE = (
    "It is a separate program under the GNU General Public License (GPL), not part of emubot; its licence text and "
    "where its source is are in {licence}."
)
_COMPILED_IN: Final = 55  # seconds for all built-in games, where the costs of their jobs were measured


def run(words: list[str]) -> int:
    """Run `emubot core WORDS` and return the exit code."""
    options = build_parser().parse_intermixed_args(words)
    return _install(options) if options.action == "install" else _list(options)


def build_parser() -> common.Parser:
    """Returns the parser of `emubot core`."""
    made = common.parser("core", _DESCRIPTION, _EPILOG)
    made.add_argument("action", choices=actions.names("core"), help="what to do")
    made.add_argument(
        "core",
        nargs="?",
        help="install: the core to install (default fceumm); list: check only this core (a short name or a core file)",
    )
    made.add_argument("--force", action="store_true", help="install: download it again if it is installed already")
    common.add_json(made)
    return made


def _install(options: argparse.Namespace) -> int:
    from emubot.bridges.hosted import probe_apart
    from emubot.games import BUILT_IN, game
    from emubot.session.making import compile_ahead

    name = options.core or "fceumm"
    if name not in SOURCES:
        near = did_you_mean(name, SOURCES)
        raise UsageError(f"The core {name!r} cannot be installed from here{near}; known: {', '.join(SOURCES)}.")
    if compile_ahead([game(family) for family in BUILT_IN]) and not options.quiet:
        common.say(f"Compiling for this machine meanwhile, about {_COMPILED_IN} s.")
    folder = finding.install_folder()
    path = installing.core_path(name, folder)
    kept = path.exists() and not options.force
    installed = None if kept else _fetch(name, folder, probe_apart, quiet=options.quiet)
    info = probe_apart(path)
    if options.json:
        emit_json({"path": str(path), "name": info.name, "version": info.version, "installed": not kept})
    elif installed is None:
        print(f"{info} is installed already in {path}; --force fetches it again.")
    else:
        print(f"Installed {info}: {path} ({installed.size:,} bytes).")
        print(_NOTICE.format(licence=installed.licence))
    return 0


def _fetch(name: str, folder: Path, probe: installing.Probe, *, quiet: bool) -> installing.Installed:
    """Install the core, with a progress line on stderr."""
    source = SOURCES[name]
    from rich.console import Console
    from rich.progress import BarColumn, DownloadColumn, Progress, TextColumn

    if not quiet:
        common.say(f"Downloading {source.described}, about {source.size / 1e6:.1f} MB ...")
    columns = (TextColumn("{task.description}"), BarColumn(), DownloadColumn())
    console = Console(stderr=True)
    with Progress(*columns, console=console, transient=True, disable=quiet or not console.is_terminal) as progress:
        task = progress.add_task(name, total=source.size)
        return installing.install(
            name, folder, probe, lambda done: progress.update(task, completed=min(done, source.size))
        )


def _list(options: argparse.Namespace) -> int:
    asked = options.core is not None
    paths = [finding.find_core(options.core)] if asked else finding.found_cores()
    rows = [_row(path, strict=asked) for path in paths]
    if options.json:
        emit_json({"cores": rows, "looked_in": [str(folder) for folder in finding.folders()]})
        return 0
    for row in rows:
        what = row["error"] or f"{row['name']} {row['version']}"
        print(f"{what}  {row['path']}")
    if not rows and not options.quiet:
        common.say('No NES core found; "emubot core install" fetches one. Looked in:')
        for folder in finding.folders():
            common.say(f"  {folder}")
    return 0


def _row(path: Path, *, strict: bool) -> dict[str, Any]:
    """Returns what a core file reports about itself. A broken core is a row with an error, or raises if `strict`."""
    from emubot.bridges.hosted import probe_apart

    try:
        info = probe_apart(path)
    except EmubotError as error:
        if strict:
            raise
        return {"path": str(path), "name": None, "version": None, "error": str(error)}
    return {"path": str(path), "name": info.name, "version": info.version, "error": None}
