"""`emubot maps`: lists, checks and describes maps; imports nothing heavy. Modules `maps_...` do the rest."""

from __future__ import annotations

import argparse
import json
from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any

from emubot.cli import actions
from emubot.cli.common import Parser, add_json, parser, say
from emubot.cli.fitting import fitted
from emubot.cli.result import emit_json
from emubot.text import counted

if TYPE_CHECKING:
    from emubot.rammap import RamMap
    from emubot.rammap.grid_layout import GridLayout
    from emubot.rammap.strict_yaml import KeyPath

_INVALID = 2
_UNTRUE = 1
_BRIDGES = ("libretro", "cynes")
_ACTIONS = actions.names("maps")

_EPILOG = f"""\
{actions.listed("maps")}

check ends with exit code 2 if a map is not valid. With --rom it then plays ten pieces, and says what the map let
expect that did not come true: exit code 1. discover, learn and watch have options of their own: see
emubot help maps discover.

examples:
  emubot maps list
  emubot maps discover --rom FILE --out draft.yaml
  emubot maps learn --rom FILE --map draft.yaml --out my_cartridge.yaml --probe
  emubot maps check my_cartridge.yaml
  emubot maps check my_cartridge.yaml --rom FILE
"""


def run(argv: list[str]) -> int:
    """Run `emubot maps ...` and return its exit code."""
    action = next((word for word in argv if word in _ACTIONS), None)
    if action == "learn":
        from emubot.cli import maps_learn

        return maps_learn.run(argv)
    if action == "discover":
        from emubot.cli import maps_discover

        return maps_discover.run(argv)
    if action == "watch":
        from emubot.cli import maps_watch

        return maps_watch.run(argv)
    made = build_parser()
    options = made.parse_intermixed_args(argv)
    if (options.action == "check") != bool(options.files):
        made.error("check needs at least one FILE" if not options.files else f"{options.action} takes no FILE")
    if options.rom is not None and len(options.files) != 1:
        made.error("--rom checks one map: name one FILE")
    return {"list": _list, "check": _check, "schema": _schema}[options.action](options)


def build_parser() -> Parser:
    """Returns the parser of `emubot maps`, but for the actions that have one of their own."""
    made = parser("maps", "List, check, draft, learn and watch address maps.", _EPILOG)
    made.add_argument("action", choices=_ACTIONS, help="what to do")
    made.add_argument(
        "files", nargs="*", default=[], metavar="FILE", help="map files, or names of known maps, to check"
    )
    made.add_argument("--rom", type=Path, metavar="FILE", help="check: the cartridge, to play ten pieces by the map")
    made.add_argument("--bridge", choices=_BRIDGES, default=_BRIDGES[0], help="with --rom: the emulator")
    made.add_argument("--core", metavar="NAME|PATH", help="with --rom: the libretro core")
    add_json(made)
    return made


def _schema(_: argparse.Namespace) -> int:
    from emubot.rammap import json_schema

    print(json.dumps(json_schema(), indent=2))
    return 0


def _list(options: argparse.Namespace) -> int:
    from emubot.rammap import all_maps

    maps = all_maps()
    if options.json:
        emit_json({"maps": [_facts(ram_map) for ram_map in maps]})
        return 0
    for ram_map in maps:
        print(fitted(f"{ram_map.name}: {ram_map.title}, family {ram_map.family}, {ram_map.path}", 4))
        for identity in ram_map.identities:
            print(fitted(f"    {identity.sha1}  {identity.title}", 46))
    return 0


def _check(options: argparse.Namespace) -> int:
    from emubot.cli.map_refusals import refusals
    from emubot.errors import MapError
    from emubot.rammap import map_errors, map_without_unknown

    loaded: dict[str, RamMap] = {}
    wrong: dict[str, list[str]] = {}
    for name in options.files:
        if errors := map_errors(name):
            wrong[name] = errors
        try:
            loaded[name] = map_without_unknown(name)  # for the family to say what else is wrong
        except MapError as error:
            wrong.setdefault(name, [str(error)])
    for name, findings in refusals(list(loaded)).items():
        wrong[name] = [*wrong.get(name, ()), *_with_lines(loaded[name], findings)]
    code, played = _INVALID if wrong else 0, dict[str, Any]()
    if options.rom is not None and not wrong:
        (name,) = options.files
        untrue, played = _play(loaded[name], name, options)
        if untrue:
            code, wrong[name] = _UNTRUE, untrue
    results: list[dict[str, Any]] = []
    for name in options.files:
        if name in wrong:
            for line in wrong[name]:
                say(f"emubot: {line}")
            results.append({"file": name, "ok": False, "error": wrong[name][0], "errors": wrong[name], **played})
            continue
        results.append({"file": name, "ok": True, **_facts(loaded[name]), **played})
        if not options.json and not played:
            print("\n".join([f"{name}: ok", *(fitted(f"    {line}", 8) for line in _words(loaded[name]))]))
    if options.json:
        emit_json({"maps": results})
    return code


def _play(ram_map: RamMap, name: str, options: argparse.Namespace) -> tuple[list[str], dict[str, Any]]:
    """Play some pieces; returns what did not come true, and the figures for JSON."""
    from emubot.cli.maps_check import play_by

    findings, figures = play_by(name, options)
    if not findings and not options.json:
        played = f"{counted(figures['pieces'], 'piece')}, {counted(figures['frames'], 'frame')}"
        print(f"{name}: all came true in {played}")
    return _with_lines(ram_map, findings), {"played": figures}


def _with_lines(ram_map: RamMap, findings: Sequence[tuple[KeyPath, str]]) -> list[str]:
    """Returns what a family says about a map, each sentence behind its place in the file, in the file's order."""
    from emubot.rammap.strict_yaml import read_source

    source = read_source(ram_map.path)
    placed = sorted(findings, key=lambda one: source.line(one[0]))
    return [str(source.error(path, text.removesuffix("."))) for path, text in placed]


def _facts(ram_map: RamMap) -> dict[str, Any]:
    """Returns the description of a map for JSON."""
    return {
        "name": ram_map.name,
        "title": ram_map.title,
        "family": ram_map.family,
        "profile": ram_map.profile,
        "path": str(ram_map.path),
        "players": ram_map.players,
        "cartridges": [{"title": known.title, "sha1": known.sha1} for known in ram_map.identities],
        "refused": [{"title": alike.title, "sha1": alike.sha1} for alike in ram_map.refuses],
        "learns": ram_map.learns,
    }


def _words(ram_map: RamMap) -> list[str]:
    """Returns the description of a map as lines of text."""
    from emubot.rammap.spaces import SPACES

    document, grid = ram_map.document, ram_map.document.grid
    spaces = [(space, SPACES[space]) for space in ram_map.spaces]
    states: dict[str, list[str]] = {}
    for rule in document.phases:
        if rule.state not in states.setdefault(rule.phase, []):
            states[rule.phase].append(rule.state)
    steps = len(document.menu.steps) if document.menu else 0
    lines = [
        f"{ram_map.title}; family {ram_map.family}, profile {ram_map.profile}, players {ram_map.players}",
        f"{counted(len(ram_map.value_names), 'value')} and {counted(len(document.regions), 'region')} in "
        + " and ".join(f"{space}, 0x{base:04X} to 0x{base + length - 1:04X}" for space, (base, length) in spaces),
        f"playfield of {counted(grid.rows, 'row')} and {counted(grid.columns, 'column')} {_where(grid)}, "
        f"first row at the {grid.first_row}, {len(grid.hidden)} hidden above",
        f"cells: empty, {', '.join(grid.cell.kinds)}"
        + (f"; {counted(grid.cell.bits, 'bit')} each" if grid.cell.bits else ""),
        *([f"pieces: parts {', '.join(ram_map.piece_codes)}"] if ram_map.piece_codes else []),
        *(f"{phase}: {', '.join(names)}" for phase, names in states.items()),
        f"menus: {counted(steps, 'step')}" if steps else "menus: none, start the game by hand",
        f"lag frames: by {ram_map.game_counter}" if ram_map.game_counter else "lag frames: not counted",
    ]
    lines += [f"for {known.title}, SHA-1 {known.sha1}" for known in ram_map.identities]
    lines += [f"not for {alike.title}: {alike.reason}" for alike in ram_map.refuses]
    if ram_map.learns:
        lines.append(f"still to be learnt: {', '.join(ram_map.learns)}")
    return lines


def _where(grid: GridLayout) -> str:
    """Returns where the playfield is, in words."""
    if grid.row_table is not None:
        return f"in {_hex(grid.row_table.rows_in.at)}, each row where the table at {_hex(grid.row_table.at)} says"
    beside = abs(grid.column_stride) * (grid.cell.bits or 8)  # bits from a column to the next
    return f"at {_hex(grid.at or ())}, {'row by row' if 8 * (grid.row_stride or 0) > beside else 'column by column'}"


def _hex(addresses: tuple[int, ...]) -> str:
    return " and ".join(f"0x{address:04X}" for address in addresses)
