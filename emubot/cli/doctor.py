"""`emubot doctor`: checks this machine, with a one-sentence remedy for each fault; never imports numba."""

from __future__ import annotations

import argparse
import os
import sys
import tempfile
from importlib.metadata import PackageNotFoundError, version
from pathlib import Path

from emubot.cli import common
from emubot.cli.doctor_bridges import ReportLine, bridge_findings
from emubot.cli.fitting import fitted
from emubot.cli.result import emit_json
from emubot.cli.session_options import add_where
from emubot.errors import CoreNotFound, EmubotError
from emubot.extras import command_for
from emubot.session import emulators
from emubot.systems import about
from emubot.text import printable
from emubot.version import __version__

_DESCRIPTION = """\
Check what emubot needs: Python, packages, cores, emulators, address maps, weights, the demos, the cache of compiled
kernels, and your own cartridges. A running emulator is watched for five seconds; no button is pressed there. "note"
is a hint: nothing is broken. "BAD" is a fault; the exit code is then 1."""
_PACKAGES = ("numpy", "numba", "cffi", "PyYAML", "pydantic", "rich", "platformdirs", "filelock")
_ROMS = "EMUBOT_ROMS"
_CACHE = "EMUBOT_CACHE_DIR"


def run(words: list[str]) -> int:
    """Run `emubot doctor WORDS`; return 0 if the bot can play, 1 if something that it needs is broken."""
    options = build_parser().parse_intermixed_args(words)
    where = emulators.where_of(options.bridge, options.host, options.port)
    common.refuse_existing(options.report, options.force)
    common.set_up_logging(options.verbose, options.quiet)
    if not options.quiet:
        emulators.warn_of(options.host, common.announce)
    findings = [
        _python(),
        *_packages(),
        _cores(),
        *bridge_findings(options.bridge, **where),
        *_maps(),
        _weights(),
        *_demos(),
        _cache(),
        *_cartridges(),
    ]
    _tell(findings, options)
    if options.report is not None:
        _write(findings, options)
    return 1 if any(finding.good is False for finding in findings) else 0


def build_parser() -> common.Parser:
    """Returns the parser of `emubot doctor`."""
    made = common.parser(
        "doctor", _DESCRIPTION, f"Your own cartridges are checked in the folder named by the variable {_ROMS}."
    )
    made.add_argument("--bridge", choices=emulators.ATTACHED, help="look only for this running emulator")
    add_where(made)
    made.add_argument(
        "--report",
        type=common.new_file,
        metavar="FILE",
        help="write what the report of a fault needs, as text without the names of your user, folders and cartridges",
    )
    common.add_force(made, "--report")
    common.add_json(made)
    return made


def _tell(findings: list[ReportLine], options: argparse.Namespace) -> None:
    if options.json:
        emit_json(
            {
                "ok": all(finding.good is not False for finding in findings),
                "findings": [{"name": f.name, "good": f.good, "text": f.text} for f in findings],
            }
        )
        return
    marks = {True: "ok  ", None: "note", False: "BAD "}
    width = max(len(finding.name) for finding in findings)
    for finding in findings:
        if not options.quiet or finding.good is False:
            text = printable(finding.text, len(finding.text))  # it may quote other programs
            print(fitted(f"{marks[finding.good]}  {finding.name:<{width}}  {text}", width + 8))


def _write(findings: list[ReportLine], options: argparse.Namespace) -> None:
    from emubot.atomic import write_whole
    from emubot.cli.doctor_report import report

    write_whole(options.report, report(findings, [options.host] if options.host else []).encode("ascii"))
    if not options.quiet:
        common.say(f"The report is in {options.report}. Read it before you send it.")


def _python() -> ReportLine:
    text = f"{about.python()} on {about.machine()}, emubot {__version__}"
    return ReportLine("python", sys.version_info >= (3, 11), text)


def _packages() -> list[ReportLine]:
    findings = []
    for package in _PACKAGES:
        try:
            findings.append(ReportLine(package, True, version(package)))
        except PackageNotFoundError:
            findings.append(ReportLine(package, False, f"is missing; run: {command_for([package])}"))
    return findings


def _cores() -> ReportLine:
    from emubot.bridges.hosted import probe_apart
    from emubot.bridges.libretro.finding import find_core

    try:
        path = find_core()
        return ReportLine("core", True, f"{probe_apart(path)}: {path}")
    except CoreNotFound as missing:
        return ReportLine("core", None, f"{missing} The demo plays on the simulator meanwhile.")
    except EmubotError as broken:
        return ReportLine("core", False, f'{broken} Remove it, or fetch another with "emubot core install".')


def _maps() -> list[ReportLine]:
    from emubot.rammap import all_maps

    try:
        known = [(one, len(one.identities)) for one in all_maps()]
        return [
            ReportLine("map", True, f"{one.name}: {one.title}, {count} cartridge{'' if count == 1 else 's'}")
            for one, count in known
        ]
    except EmubotError as broken:
        return [ReportLine("map", False, str(broken))]


def _weights() -> ReportLine:
    from emubot.weights import known_weights, load_weights

    broken = []
    known = known_weights()
    for name in known:
        try:
            load_weights(name)
        except EmubotError as error:
            broken.append(str(error))
    if broken or not known:
        return ReportLine("weights", False, "; ".join(broken) or "there are none; install emubot again")
    return ReportLine("weights", True, ", ".join(known))


def _demos() -> list[ReportLine]:
    from emubot.cartridge import load_cartridge
    from emubot.demos import IMAGES, image
    from emubot.rammap import map_for

    found = []
    for name in IMAGES:
        try:
            found.append(
                ReportLine("demo", True, f"{name}: known to the map {map_for(load_cartridge(image(name))).name}")
            )
        except EmubotError as broken:
            found.append(ReportLine("demo", False, f"{broken} Install emubot again."))
    return found


def _cache() -> ReportLine:
    """Check whether compiled kernels can be stored; if not, every start compiles them again."""
    from emubot.datafiles import user_cache

    folder = user_cache()
    there = next(path for path in (folder, *folder.parents) if path.exists())
    try:
        with tempfile.TemporaryFile(dir=there):
            return ReportLine("cache", True, f"compiled kernels are kept in {folder}")
    except OSError as failure:
        text = f"{folder} cannot be written ({failure.strerror}), so every start compiles; set {_CACHE} to a folder"
        return ReportLine("cache", None, text)


def _cartridges() -> list[ReportLine]:
    """Check each cartridge in the user's folder: whether a map knows it."""
    from emubot.cartridge import load_cartridge
    from emubot.rammap import map_for

    folder = os.environ.get(_ROMS)
    if not folder:
        return [ReportLine("cartridges", None, f"set {_ROMS} to a folder of your own .nes files to have them checked")]
    if not Path(folder).is_dir():
        return [
            ReportLine("cartridges", False, f"{_ROMS} names {folder}, which is no folder; set it to where yours are")
        ]
    findings = []
    for path in sorted(Path(folder).iterdir()):
        if path.suffix.lower() not in {".nes", ".zip"}:
            continue
        try:
            cartridge = load_cartridge(path)
            titles = [known.title for known in map_for(cartridge).identities if known.sha1 == cartridge.sha1]
            findings.append(ReportLine("cartridge", True, f"{path.name}: {', '.join(titles)}"))
        except EmubotError as refused:
            text = str(refused)
            named = text if text.startswith((path.name, str(path))) else f"{path.name}: {text}"
            findings.append(ReportLine("cartridge", None, named))
    return findings or [ReportLine("cartridges", None, f"{folder} holds no .nes or .zip file")]
