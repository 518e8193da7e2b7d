"""A browser at an arena, for the tests that use one."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from tests.arena.lobbies import Table
from tests.arena.serving import PACE, Visitor, browser, served, visiting


@pytest.fixture(autouse=True)
def own_data(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """No test counts among the user's own results."""
    monkeypatch.setenv("XDG_DATA_HOME", str(tmp_path / "data"))


@pytest.fixture(scope="module")
def chromium() -> Iterator[Any]:
    with browser() as made:
        yield made


@pytest.fixture(scope="module")
def arena(chromium: Any) -> Iterator[str]:
    with served(PACE) as url:
        yield url


@pytest.fixture
def visitor(chromium: Any, arena: str) -> Iterator[Visitor]:
    with visiting(chromium, arena) as made:
        yield made


@pytest.fixture
def table(monkeypatch: pytest.MonkeyPatch) -> Table:
    return Table(monkeypatch)
