"""The house as data: floors and rooms of the package and of a family, and what each room imports."""

from __future__ import annotations

import ast
from functools import cache
from pathlib import Path

from tests.paths import ROOT

PACKAGE = ROOT / "emubot"

# From the lowest floor up: a room imports those of lower floors only.
FLOORS: list[set[str]] = [
    {"systems"},
    {"errors", "files", "formats", "interrupts", "lazy", "packed", "text", "version"},
    {"pad", "atomic", "datafiles", "demos", "looks", "weight_parts"},
    {"cartridge", "weights", "jit", "tempo", "human_error", "snapshot", "machine", "extras", "program", "listening"},
    {"trace", "movies", "rammap", "bridges", "explanation"},
    {"learn", "view", "publish", "steering"},
    {"games"},
    {"pilot", "judging"},
    {"trials", "discovery"},
    {"training"},
    {"session"},
    {"arena", "gym", "serve"},
    {"review"},
    {"__init__"},  # the public face: it names everything, lazily
    {"cli"},
    {"__main__"},
]
LEVEL = {room: level for level, rooms in enumerate(FLOORS) for room in rooms}

# The same inside a family. All families have all rooms, but for those of NOT_IN_ALL.
FAMILY_FLOORS: list[set[str]] = [
    {"field_rules", "bounds", "recipes", "looks"},
    {"rules", "matching_rules"},
    {"layout", "timing", "generator", "map_rules", "options", "worlds"},
    {"scoring"},
    {"board"},
    {"decode"},
    {"reach", "simulator", "crashes"},
    {"evaluation"},
    {"search"},
    {"puyo_engine", "matching_engine", "release_engine", "textbook"},
    {"mapped_engine"},
    {"foresight", "anyboard", "anyboard_engine"},
    {"learning", "trials", "explain", "map_words", "batches", "broadcast", "stackrabbit", "statistics"},
    {"editions", "puyo_edition", "matching_edition", "environments"},
    {"family", "puyo", "matching"},
]
FAMILY_LEVEL = {room: level for level, rooms in enumerate(FAMILY_FLOORS) for room in rooms}
NOT_IN_ALL = {
    *("layout", "generator", "textbook", "foresight", "learning", "scoring", "explain", "field_rules", "map_rules"),
    *("anyboard", "family", "broadcast", "stackrabbit", "statistics", "crashes"),
    *("puyo", "matching", "matching_rules", "matching_engine"),
    *("batches", "environments", "worlds"),
    *("anyboard_engine", "release_engine", "mapped_engine", "puyo_engine"),
    *("editions", "puyo_edition", "matching_edition"),
}
FAMILIES = {"matching": "colours", "puyo": "colours", "tetris": "tetris"}  # the folder of each
FOLDERS = sorted({*FAMILIES.values()})


@cache
def parsed(path: Path) -> list[ast.AST]:
    """Everything in a module, the module first."""
    return [*ast.walk(ast.parse(path.read_text(encoding="utf-8")))]


@cache
def imports(path: Path) -> set[str]:
    """The full names that a module imports from the package."""
    found: set[str] = set()
    for node in parsed(path):
        if isinstance(node, ast.ImportFrom):
            assert node.level == 0, f"{path}: relative import"
            found |= {f"{node.module}.{alias.name}" for alias in node.names if (node.module or "").startswith("emubot")}
        elif isinstance(node, ast.Import):
            found |= {alias.name for alias in node.names if alias.name.partition(".")[0] == "emubot"}
    return found


def modules(folder: Path = PACKAGE) -> list[Path]:
    """All modules under a folder."""
    return sorted(folder.rglob("*.py"))


def room_of(path: Path, folder: Path = PACKAGE) -> str:
    """The room that a module is in."""
    return path.relative_to(folder).parts[0].removesuffix(".py")


def imported_room(target: str) -> str:
    """The room of an imported name; the public face for a name that is none."""
    name = target.partition(".")[2].partition(".")[0]
    return name if name in LEVEL else "__init__"


def edges() -> set[tuple[str, str]]:
    """(room, room that it imports) of the package."""
    return {
        (own, other)
        for path in modules()
        for target in imports(path)
        if (own := room_of(path)) != (other := imported_room(target))
    }


def family_edges(family: str) -> set[tuple[str, str]]:
    """(room, room that it imports) of a family."""
    folder, prefix = PACKAGE / "games" / family, f"emubot.games.{family}."
    return {
        (own, other)
        for path in modules(folder)
        for target in imports(path)
        if target.startswith(prefix)
        and (own := room_of(path, folder)) != (other := target.removeprefix(prefix).split(".")[0])
    }
