"""The tutorial of docs/maps.md: every command of the page is run in order, and prints what the page says."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.cli.tutorial import PAGE, blocks, prepare, replayed

REMEDY = "after a change of what the commands print: python -m tests.cli.tutorial"


def test_the_page_has_all_kinds_of_blocks() -> None:
    page = [*blocks(PAGE.read_text(encoding="utf-8"))]
    assert {kind for kind, _, _ in page} == {"run", "script", "excerpt", "under"}
    assert sum(kind == "run" for kind, _, _ in page) >= 7


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
    page = (
        "<!-- under: one.yaml:grid -->\n```yaml\n  rows: 3\n```\n"
        "<!-- excerpt: one.yaml -->\n```yaml\ngrid:\n  rows: 4\n...\n```\n"
        "<!-- script: two.py -->\n```python\nprint(5)\n```\n"
        "<!-- run: 0 -->\n```console\n$ python two.py\n6\n```\n"
    )
    (tmp_path / "one.yaml").write_text("\nvalues:\n  x: 1\n\ngrid:\n  at: 2\n", encoding="utf-8")
    assert replayed(page, tmp_path) == page.replace("rows: 4", "rows: 3").replace("\n6\n", "\n5\n")
