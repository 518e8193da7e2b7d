"""What is said to people: results count in the singular too."""

from __future__ import annotations

import ast
import re
from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.floors import PACKAGE, modules, parsed

pytestmark = pytest.mark.xdist_group("layers")  # each source is parsed once

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
    said = [text for room in rooms for path in modules(PACKAGE / room) for text in said_without_its_word(path)]
    assert said == [], 'write counted(number, "piece") of text.py'
