"""The house stands: every module imports only from the floors below its own (docs/explanation/architecture.md)."""

from __future__ import annotations

import ast

import pytest

from tests.floors import (
    FAMILY_FLOORS,
    FAMILY_LEVEL,
    FOLDERS,
    LEVEL,
    NOT_IN_ALL,
    PACKAGE,
    edges,
    family_edges,
    imported_room,
    imports,
    modules,
    parsed,
    room_of,
)

pytestmark = pytest.mark.xdist_group("layers")  # each source is parsed once

LONGEST = 300  # lines of a module: what one reads in one sitting


def test_every_room_has_a_floor() -> None:
    rooms = {room_of(path) for path in modules()}
    assert rooms == set(LEVEL), f"without a floor, or gone: {sorted(rooms ^ set(LEVEL))}"


def test_imports_point_downwards_only() -> None:
    wrong = [f"{own} imports {other}" for own, other in edges() if LEVEL[other] >= LEVEL[own]]
    assert not wrong


@pytest.mark.parametrize("family", FOLDERS)
def test_the_rooms_of_a_family_stand_on_each_other(family: str) -> None:
    wrong = [
        f"{own} imports {other}" for own, other in family_edges(family) if FAMILY_LEVEL[other] >= FAMILY_LEVEL[own]
    ]
    assert not wrong
    found = {room_of(path, PACKAGE / "games" / family) for path in modules(PACKAGE / "games" / family)} - {"__init__"}
    assert set(FAMILY_LEVEL) - NOT_IN_ALL <= found, "a family has all rooms"
    assert found <= set(FAMILY_LEVEL), "every room has a floor"


def test_the_rooms_that_not_all_have_are_in_one() -> None:
    assert set().union(*FAMILY_FLOORS) >= NOT_IN_ALL
    found = [room_of(path, PACKAGE / "games" / name) for name in FOLDERS for path in modules(PACKAGE / "games" / name)]
    assert set(found) >= NOT_IN_ALL


def test_a_bridge_never_imports_a_game_nor_a_game_a_bridge() -> None:
    for path in modules():
        banned = {"bridges": "games", "games": "bridges"}.get(room_of(path))
        assert not any(imported_room(target) == banned for target in imports(path)), path


def test_only_the_command_line_prints() -> None:
    for path in modules():
        if room_of(path) == "cli":
            continue
        for node in parsed(path):
            called = isinstance(node, ast.Call) and isinstance(node.func, ast.Name) and node.func.id
            assert called != "print", f"{path}:{getattr(node, 'lineno', 0)} prints"


def test_every_module_opens_with_what_it_is_for() -> None:
    for path in modules():
        module = parsed(path)[0]
        assert isinstance(module, ast.Module)
        assert ast.get_docstring(module), f"{path} has no first line"


def test_a_module_is_read_in_one_sitting() -> None:
    long = {path.name: lines for path in modules() if (lines := len(path.read_text("utf-8").splitlines())) > LONGEST}
    assert not long
