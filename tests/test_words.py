"""The field's own words: no module, class, function, parameter or attribute has a name that was replaced.

Each row is a name, where it was meant (a folder or a module of the package; all of it where it says ""), and its
successor. Local variables are free, and so are words of files, JSON and options.
"""

from __future__ import annotations

import ast
import re
from collections.abc import Iterator
from functools import cache
from pathlib import Path

import pytest

from tests.floors import PACKAGE, modules, parsed

pytestmark = pytest.mark.xdist_group("layers")  # each source is parsed once

MODULES = {
    "pulse": "liveness",
    "spreading": "single_button",
    "solo": "untimed",
    "flat_out": "untimed",
    "duel": "versus",
    "registers": "addresses (falling blocks), ram_writer (pairs)",
    "worlds": "hypotheses",
    "valuing": "evaluation",
    "wanted": "request",
}
NAMES = [
    ("told", "", "describe_tally, checked_fitness, summarise, on_generation, describe"),
    ("asked", "pilot", "menu_choices"),
    ("asked", "session", "menu_choices"),
    ("asked", "trials", "options"),
    ("asked", "games", "options, choices"),
    ("asked", "training", "options"),
    ("Asked", "", "Candidates, MenuChoice"),
    ("Wanted", "", "SessionRequest"),
    ("want", "", "request"),
    ("keep", "pilot", "set_tempo"),
    ("keep", "steering.py", "set_tempo"),
    ("keep", "training/folder.py", "save_generation"),
    ("Hands", "", "InputState"),
    ("hands", "", "input_state, input_rules"),
    ("hands_of", "", "input_rules_of"),
    ("Desk", "", "Scratch"),
    ("desk", "", "scratch"),
    ("Steadfast", "", "CanReroute"),
    ("again", "games", "reroute"),
    ("Foreseeing", "", "CanPreview"),
    ("following", "games/thinking.py", "preview_next"),
    ("following", "view", "preview"),
    ("following", "pilot", "preview"),
    ("Varied", "", "CanVary"),
    ("World", "", "Hypothesis"),
    ("worlds", "", "hypotheses"),
    ("forgetting", "", "without_cells"),
    ("PuyoProbe", "", "PassiveMeasurer"),
    ("PuyoProber", "", "Experimenter"),
    ("Lesson", "", "EpisodeBatch"),
    ("recall", "", "load_state"),
    ("learn_from", "", "td_update"),
    ("GOES_ON", "", "RUNNING"),
    ("LOST", "games/trial.py", "TERMINATED"),
    ("LOST", "training", "TERMINATED"),
    ("STOPPED", "games", "TRUNCATED"),
    ("search_pairs", "", "search_two_plies"),
    ("started", "session", "start_emulator"),
    ("attached", "session", "attach_emulator"),
    ("seated", "session", "assign_ports"),
    ("Job", "", "WorkUnit"),
    ("Portion", "", "WorkUnit"),
    ("Look", "", "Appearance"),
]


def names_in(path: Path) -> Iterator[tuple[str, int]]:
    """Classes, functions, parameters, attributes and a module's own names, each with its line."""
    for node in parsed(path):
        if isinstance(node, ast.ClassDef | ast.FunctionDef | ast.AsyncFunctionDef):
            yield node.name, node.lineno
        elif isinstance(node, ast.arg):
            yield node.arg, node.lineno
        elif isinstance(node, ast.Attribute):
            yield node.attr, node.lineno
        elif isinstance(node, ast.Module | ast.ClassDef):
            for inner in node.body:
                targets = inner.targets if isinstance(inner, ast.Assign) else [getattr(inner, "target", None)]
                yield from ((target.id, inner.lineno) for target in targets if isinstance(target, ast.Name))


@cache
def places_by_name() -> dict[str, list[tuple[Path, int]]]:
    """The modules and lines of each name."""
    found: dict[str, list[tuple[Path, int]]] = {}
    for path in modules():
        for name, line in names_in(path):
            found.setdefault(name, []).append((path, line))
    return found


@pytest.mark.parametrize(("name", "where", "successor"), NAMES, ids=[f"{name}-{where}" for name, where, _ in NAMES])
def test_a_name_that_was_replaced_is_gone(name: str, where: str, successor: str) -> None:
    place = PACKAGE / where
    assert place.exists()
    left = [
        f"{path.relative_to(PACKAGE)}:{line}"
        for found in (name, f"_{name}")
        for path, line in places_by_name().get(found, ())
        if path.is_relative_to(place)
    ]
    assert not left, f"{name} is now {successor}"


def test_a_module_that_was_renamed_is_gone() -> None:
    left = [path for path in modules() if MODULES.get(path.stem)]
    assert not left


def test_a_name_that_is_there_would_be_found() -> None:
    assert {"Pilot", "menu_choices", "set_tempo"} <= places_by_name().keys()


COUNTABLE = "pieces pairs lines games frames rows files placements generations pauses steps".split()


def said_without_its_word(path: Path) -> Iterator[str]:
    """Numbers of an f-string that are followed by a plural, whatever they are; a constant is never 1 by chance."""
    for node in parsed(path):
        if not isinstance(node, ast.JoinedStr):
            continue
        for number, text in zip(node.values, node.values[1:], strict=False):
            value = number.value if isinstance(number, ast.FormattedValue) else None
            if value is None or (isinstance(value, ast.Name) and value.id.strip("_").isupper()):
                continue
            word = re.match(r" ([a-z]+)\b(?!/| a second)", str(text.value)) if isinstance(text, ast.Constant) else None
            if word and word.group(1) in COUNTABLE:
                yield f"{path.relative_to(PACKAGE)}:{node.lineno}: {ast.unparse(node)}"


def test_results_count_in_singular_too() -> None:
    """`counted` writes "1 piece"; rooms that word results use it, errors may speak of limits that are never 1."""
    rooms = ("cli", "review", "view")
    found = [one for room in rooms for path in modules(PACKAGE / room) for one in said_without_its_word(path)]
    assert found == [], 'write counted(number, "piece") of text.py'
