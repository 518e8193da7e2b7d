"""The house stands: every module imports only from the floors below its own (docs/architecture.md)."""

from __future__ import annotations

import ast
from functools import cache
from pathlib import Path

import pytest

from tests.paths import ROOT

pytestmark = pytest.mark.xdist_group("layers")  # each source is parsed once

PACKAGE = ROOT / "emubot"

FLOORS = [
    {"__init__", "errors", "files", "interrupts", "lazy", "text", "version"},
    {"pad", "atomic", "datafiles", "demos"},
    {"cartridge", "weights", "jit", "tempo", "snapshot", "machine"},
    {"trace", "movie", "rammap", "bridges"},
    {"learn", "view", "steering"},
    {"games"},
    {"pilot"},
    {"trials"},
    {"training"},
    {"session"},
    {"cli"},
    {"__main__"},
]
LEVEL = {room: level for level, rooms in enumerate(FLOORS) for room in rooms}


def room(module: str) -> str:
    name = module.split(".")[1]
    return name if name in LEVEL else "__init__"


@cache
def parsed(path: Path) -> list[ast.AST]:
    """Everything in a module, the module first."""
    return [*ast.walk(ast.parse(path.read_text(encoding="utf-8")))]


@cache
def imports(path: Path) -> set[str]:
    found: set[str] = set()
    for node in parsed(path):
        if isinstance(node, ast.ImportFrom):
            assert node.level == 0, f"{path}: relative import"
            found |= {f"{node.module}.{alias.name}" for alias in node.names if (node.module or "").startswith("emubot")}
        elif isinstance(node, ast.Import):
            found |= {alias.name for alias in node.names if alias.name.startswith("emubot.")}
    return found


def modules() -> list[Path]:
    return sorted(PACKAGE.rglob("*.py"))


def test_every_room_has_a_floor() -> None:
    rooms = {path.relative_to(PACKAGE).parts[0].removesuffix(".py") for path in modules()}
    assert rooms <= set(LEVEL), f"rooms without a floor: {sorted(rooms - set(LEVEL))}"


def test_imports_point_downwards_only() -> None:
    wrong = []
    for path in modules():
        own = path.relative_to(PACKAGE).parts[0].removesuffix(".py")
        for target in imports(path):
            other = room(target)
            if own == "__init__" or other == own:  # the public face names everything, lazily
                continue
            if LEVEL[other] >= LEVEL[own]:
                wrong.append(f"{path.relative_to(PACKAGE)} imports {target}")
    assert not wrong, wrong


def test_a_bridge_never_imports_a_game_nor_a_game_a_bridge() -> None:
    for path in modules():
        own = path.relative_to(PACKAGE).parts[0]
        banned = {"bridges": "games", "games": "bridges"}.get(own)
        assert not any(room(target) == banned for target in imports(path)), path


def test_only_the_command_line_prints() -> None:
    for path in modules():
        if path.relative_to(PACKAGE).parts[0] == "cli":
            continue
        for node in parsed(path):
            called = isinstance(node, ast.Call) and isinstance(node.func, ast.Name) and node.func.id
            assert called != "print", f"{path}:{getattr(node, 'lineno', 0)} prints"


def test_every_module_opens_with_what_it_is_for() -> None:
    for path in modules():
        module = parsed(path)[0]
        assert isinstance(module, ast.Module)
        assert ast.get_docstring(module), f"{path} has no first line"


# The rooms of a family by floor; a room imports those of lower floors only. Both families have them all, but where one
# family is named.

ROOMS = {
    "rules": 0,
    "timing": 1,  # pairs
    "words": 1,  # pairs
    "generator": 1,  # falling blocks
    "scoring": 2,
    "board": 3,
    "decode": 4,
    "reach": 5,
    "simulator": 5,
    "evaluation": 6,
    "search": 7,
    "thinker": 8,
    "textbook": 8,  # falling blocks
    "learning": 9,  # pairs
    "trials": 9,
    "family": 10,
}
IN_ONE_FAMILY = {"timing", "words", "generator", "textbook", "learning"}


@pytest.mark.parametrize("family", ["puyo", "tetris"])
def test_the_rooms_of_a_family_stand_on_each_other(family: str) -> None:
    prefix = f"emubot.games.{family}."
    found, wrong = set(), []
    for path in sorted((PACKAGE / "games" / family).rglob("*.py")):
        own = path.relative_to(PACKAGE / "games" / family).parts[0].removesuffix(".py")
        found.add(own)
        for target in sorted(imports(path)):
            other = target.removeprefix(prefix).split(".")[0] if target.startswith(prefix) else own
            if other != own and not ROOMS[other] < ROOMS[own]:
                wrong.append(f"{own} imports {target}")
    assert not wrong
    assert set(ROOMS) - IN_ONE_FAMILY <= found, "a family has all rooms"
    assert found <= {*ROOMS, "__init__"}, "every room has a floor"
