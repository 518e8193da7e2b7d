"""Builds of the pairs demo from a seed: assembled into a folder, what they really are, and the map that says so."""

from __future__ import annotations

import re
import subprocess
from collections.abc import Mapping
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path
from types import MappingProxyType

from emubot import demos
from emubot.datafiles import shipped
from emubot.rammap import RamMap, parse_map
from tests.programs import require_cc65

SOURCES = Path(demos.__file__).parent / "pairs"
COLORS = tuple(f"color_{number}" for number in range(1, 7))
# By direction of the second half: above, right, below, left; facts: Famicom Puyo 1, the raw value of "above" is 2.
_SECOND = ((0, -1), (1, 0), (0, 1), (-1, 0))


@dataclass(frozen=True)
class Build:
    """One assembled image: `symbols` are its exported labels, `true` those that say what it is, without their TRUE_."""

    path: Path
    symbols: Mapping[str, int]

    @cached_property
    def true(self) -> Mapping[str, int]:
        cut = len("TRUE_")
        return MappingProxyType({name[cut:]: value for name, value in self.symbols.items() if name.startswith("TRUE_")})


def build(seed: int, folder: Path) -> Build:
    """Assemble the build of a seed into `folder`; skips or fails as `require_cc65` does."""
    require_cc65()
    name = folder / f"pairs-{seed}"
    image, labels, unlinked = (name.with_suffix(end) for end in (".nes", ".lab", ".o"))
    subprocess.run(["ca65", "-D", f"SEED={seed}", "pairs.s", "-o", unlinked], cwd=SOURCES, check=True)
    subprocess.run(["ld65", "-C", "pairs.cfg", "-Ln", labels, "-o", image, unlinked], cwd=SOURCES, check=True)
    lines = (line.split() for line in labels.read_text(encoding="ascii").splitlines())
    return Build(image, MappingProxyType({label[1:]: int(value, 16) for _, value, label in lines}))


def true_map(built: Build) -> RamMap:
    """The demo's address map with this build's codes, pieces, rules and clock: what a perfect learner would write."""
    true = built.true
    text = (shipped("ram_maps") / "demo_pairs.yaml").read_text(encoding="utf-8")
    text = re.sub(r"^identities:\n(  .*\n)+", "", text, flags=re.MULTILINE)
    for head, block in (("timing", _timing(true)), ("pieces", _pieces(true)), ("piece_codes", _piece_codes(true))):
        text, found = re.subn(rf"^{head}:.*\n(  .*\n)+", f"{head}:\n{block}", text, flags=re.MULTILINE)
        assert found == 1, head
    text, found = re.subn(r"^  cell:\n(    .*\n)+", _cell(true), text, flags=re.MULTILINE)
    assert found == 1
    return parse_map(f"{text}\nrules:\n{_rules(true)}", f"pairs_{true['SEED']}")


def chain_power(true: Mapping[str, int]) -> list[int]:
    """The chain power of steps 1 to 19."""
    return [true[f"CHAIN_POWER_{step}"] for step in range(1, 20)]


def gravity(true: Mapping[str, int]) -> list[int]:
    """Frames a row on levels 0 to 15."""
    return [true[f"GRAVITY_{level}"] for level in range(16)]


def cell_codes(true: Mapping[str, int]) -> list[int]:
    """Every code a cell of the playfield can have, under the mask, one for each meaning."""
    names = ["EMPTY", *range(1, 7), "NUISANCE", "POP_1", "POP_2"][: 8 + true["POP_CODES"]]
    return [true[f"CODE_{name}"] for name in names]


def _cell(true: Mapping[str, int]) -> str:
    shift = 8 * true["KIND_BYTE"]
    codes = dict(zip(("empty", *COLORS, "nuisance"), cell_codes(true), strict=False))
    popping = ", ".join(f"0x{true[f'CODE_POP_{number}']:02X}" for number in range(1, 1 + true["POP_CODES"]))
    empty = codes.pop("empty")
    lines = [
        f"bytes: 2\n    mask: 0x{true['MASK'] << shift:04X}\n    shift: {shift}\n    empty: 0x{empty:02X}\n    kinds:"
    ]
    lines += [f"  {name}: 0x{code:02X}" for name, code in codes.items()]
    return "  cell:\n    " + "\n    ".join([*lines, f"  popping: [{popping}]"]) + "\n"


def _pieces(true: Mapping[str, int]) -> str:
    lines = []
    for direction, (x, y) in enumerate(_SECOND):
        raw, after, before = ((direction + turn + 2 + true["ORIENTATION_ORIGIN"]) & 3 for turn in (0, 1, -1))
        cells = f"[0, 0], [{x}, {y}]" if true["PIVOT"] == 0 else f"[{x}, {y}], [0, 0]"
        lines.append(
            f"  - {{ id: {raw}, piece: pair, cells: [{cells}], clockwise: {after}, counterclockwise: {before} }}\n"
        )
    return "".join(sorted(lines))


def _piece_codes(true: Mapping[str, int]) -> str:
    codes = {name: true[f"PIECE_{number}"] for number, name in enumerate(COLORS, start=1)}
    codes |= {"big": true["PIECE_BIG"], "carbuncle": true["PIECE_CARBUNCLE"]}
    return "".join(f"  {name}: 0x{code:02X}\n" for name, code in codes.items())


def _timing(true: Mapping[str, int]) -> str:
    waits = ("soft_drop", "settle", "per_row", "pop", "nuisance_wait", "spawn_delay")
    return f"  gravity: {gravity(true)}\n" + "".join(f"  {name}: {true[name.upper()]}\n" for name in waits)


def _rules(true: Mapping[str, int]) -> str:
    column, row = true["SPAWN_X"] - 1, true["SPAWN_Y"] - 1
    spawn = f"  spawn: [{true['SPAWN_DIRECTION']}, {column}, {row}]\n  death_cells: [{column}, {row}]\n"
    return f"{spawn}  chain_power: {chain_power(true)}\n"
