"""The house stands: every module imports only from the floors below its own (DESIGN section 1)."""

from __future__ import annotations

import ast
from functools import cache
from pathlib import Path

import pytest

pytestmark = pytest.mark.xdist_group("layers")  # each source is parsed once

PACKAGE = Path(__file__).parents[1] / "emubot"

FLOORS = [
    {"__init__", "errors", "files", "interrupts", "text"},
    {"atomic", "datafiles", "demos"},
    {"pad", "cartridge", "weights", "jit"},
    {"tempo", "rammap", "snapshot", "bridges"},
    {"trace", "movie", "steering", "spreading", "menus", "learn", "report", "pulse", "waiting"},
    {"games", "view", "scorekeeping"},
    {"pilot"},
    {"recording", "match", "trials", "arena"},
    {"training", "web"},
    {"cli"},
    {"__main__"},
]
LEVEL = {room: level for level, rooms in enumerate(FLOORS) for room in rooms}
# A map turns bytes into a phase, and the phase is a word of snapshot.py: the one step along a floor.
ALONG_A_FLOOR = {("rammap", "snapshot")}


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
            # The public face names everything, lazily.
            if own == "__init__" or other == own or (own, other) in ALONG_A_FLOOR:
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


ROOMS = {"rules": 0, "board": 1, "reach": 2, "features": 2, "search": 3, "simulator": 3, "decode": 3}


def stands_on(family: str) -> dict[str, set[str]]:
    """For each room of a family every other one it imports, straight or through others."""
    prefix = f"emubot.games.{family}."
    direct: dict[str, set[str]] = {}
    for path in sorted((PACKAGE / "games" / family).rglob("*.py")):
        name = path.relative_to(PACKAGE / "games" / family).parts[0].removesuffix(".py")
        targets = {target.removeprefix(prefix).split(".")[0] for target in imports(path) if target.startswith(prefix)}
        direct.setdefault(name, set()).update(targets - {name})
    reached = {name: set(targets) for name, targets in direct.items()}
    for _ in direct:
        for targets in reached.values():
            targets |= {further for target in targets for further in reached.get(target, set())}
    return reached


@pytest.mark.parametrize("family", ["puyo", "tetris"])
def test_the_rooms_of_a_family_stand_on_each_other(family: str) -> None:
    """DESIGN section 1: rules, board, then reach and features, then search, simulator and decode."""
    reached = stands_on(family)
    assert set(ROOMS) <= set(reached), "a family has all rooms"
    wrong = {
        f"{name} stands on {target}"
        for name, targets in reached.items()
        for target in targets
        if name in ROOMS and ROOMS.get(target, 0) > ROOMS[name]
    }
    assert not wrong
    assert not [name for name, targets in reached.items() if name in targets], "imports in a circle"
