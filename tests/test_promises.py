"""Promises of the pages: each test that a page names is there, and two promises that no room alone can hold."""

from __future__ import annotations

import re
import socket
from pathlib import Path
from typing import Any

import pytest

from emubot.bridges.nintaco.api import calls
from emubot.cli import main
from tests.pages import PAGES
from tests.paths import ROOT, TESTS

# `FILE.py::NAME`, where the file `...` is that of the name before.
NAMED = re.compile(r"`(?:tests/)?((?:[\w/]+\.py|\.\.\.))::(\w+)`")
# What emulators call the writing of memory, in their scripts and protocols.
WRITES = re.compile(
    r"writebyte|writeword|write_u\d|emu\.write\b|memory\.write|WRITE_CORE|write_cpu|write_ppu|set_state", re.IGNORECASE
)


@pytest.mark.parametrize("page", PAGES, ids=lambda page: page.stem)
def test_each_test_that_a_page_names_is_there(page: Path) -> None:
    file = ""
    for where, name in NAMED.findall(page.read_text(encoding="utf-8")):
        file = file if where == "..." else where
        text = (TESTS / file).read_text(encoding="utf-8")
        assert re.search(rf"^ *def {name}\(", text, re.MULTILINE), f"{file}::{name}"


def test_each_promise_has_a_quick_test() -> None:
    """A promise whose tests run by hand alone is broken unnoticed."""
    file, unnoticed = "", []
    for line in (ROOT / "docs" / "explanation" / "promises.md").read_text(encoding="utf-8").splitlines():
        quick = []
        for where, name in NAMED.findall(line):
            file = file if where == "..." else where
            above = (TESTS / file).read_text(encoding="utf-8").partition(f"def {name}(")[0].rpartition("\n\n")[2]
            quick.append("@pytest.mark.slow\n" not in above)
        unnoticed += [line] if quick and not any(quick) else []
    assert unnoticed == []


def test_no_bridge_writes_memory() -> None:
    """Nintaco's table of calls is complete, and holds those that write; no bridge uses them."""
    table = Path(calls.__file__)
    files = [path for path in (ROOT / "emubot" / "bridges").rglob("*") if path.suffix in {".py", ".lua"}]
    sources = [path for path in files if path != table]
    assert len(sources) > 40
    assert {path.suffix for path in sources} == {".py", ".lua"}
    assert [path for path in sources if WRITES.search(path.read_text(encoding="utf-8"))] == []
    assert WRITES.search(table.read_text(encoding="utf-8"))


@pytest.mark.jit
@pytest.mark.parametrize(
    "line",
    [
        "play --demo tetris --bridge simulated --view none --emu-speed max --level 18 --pieces 1 -q",
        pytest.param(
            "evaluate tetris --rules textbook --board 4x6 --games 2 --cap-pieces 20 --jobs 1 -q", marks=pytest.mark.slow
        ),
    ],
)
def test_playing_and_measuring_connect_to_nothing(line: str, monkeypatch: pytest.MonkeyPatch) -> None:
    def connected(self: socket.socket, *address: Any) -> None:
        pytest.fail(f"connected to {address}")

    for call in ("connect", "connect_ex", "bind", "sendto"):
        monkeypatch.setattr(socket.socket, call, connected)
    assert main(line.split()) == 0
