"""docs/tutorials/cartridge.md: every command of the page is run in order, and prints what the page says."""

from __future__ import annotations

from pathlib import Path

import pytest

from emubot.version import __version__
from tests.cli.tutorial import PAGE, blocks, prepare, replayed

REMEDY = "after a change of what the commands print: python -m tests.cli.tutorial"


def test_the_page_has_all_kinds_of_blocks() -> None:
    page = [*blocks(PAGE.read_text(encoding="utf-8"))]
    assert {kind for kind, _, _ in page} == {"run", "excerpt"}
    assert sum(kind == "run" for kind, _, _ in page) >= 5


@pytest.mark.slow
@pytest.mark.jit
@pytest.mark.core("fceumm")
def test_every_command_prints_what_the_page_says(tmp_path: Path) -> None:
    prepare(tmp_path)
    text = PAGE.read_text(encoding="utf-8")
    assert replayed(text, tmp_path) == text, REMEDY


def test_a_command_that_fails_is_said(tmp_path: Path) -> None:
    with pytest.raises(ValueError, match="ended with 2"):
        replayed("<!-- run: 0 -->\n```console\n$ emubot maps check nothing.yaml\n```\n", tmp_path)


def test_blocks_are_written_anew(tmp_path: Path) -> None:
    (tmp_path / "one.yaml").write_text("values:\n  x: 1\ngrid:\n  at: 2\n", encoding="utf-8")
    page = (
        "<!-- excerpt: one.yaml -->\n```yaml\ngrid:\n  rows: 4\n...\n```\n"
        "<!-- run: 0 -->\n```console\n$ emubot --version\n6\n```\n"
    )
    anew = page.replace("rows: 4", "at: 2").replace("\n6\n", f"\nemubot {__version__}\n")
    assert replayed(page, tmp_path) == anew
