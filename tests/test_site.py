"""What is wrong with a built site is found; .ci/run builds it, and checks it so."""

from __future__ import annotations

from pathlib import Path

import pytest

from docs.check_site import main
from docs.site_hooks import help_of, repository
from emubot.cli import COMMANDS

HEAD = '<head><link rel="stylesheet" href="a.css"><script src="https://elsewhere/x.js"></script></head>'


def test_links_that_lead_nowhere_and_what_is_loaded_from_elsewhere(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    (tmp_path / "a.css").write_text("p { background: url(//elsewhere/x.png) }", encoding="utf-8")
    (tmp_path / "b.html").write_text('<p id="there"><a href="https://not.followed/">', encoding="utf-8")
    index = f'{HEAD}<a href="b.html#there"><a href="b.html#no"><img src="no.png"><a href="#here"><p id="here">'
    (tmp_path / "index.html").write_text(index, encoding="utf-8")
    assert main([str(tmp_path)]) == 1
    assert capsys.readouterr().out.splitlines() == [
        "index.html leads to b.html#no, where there is no such heading",
        "index.html loads https://elsewhere/x.js",
        "index.html leads to no.png, which is not there",
        "a.css loads url(//elsewhere/x.png",
        "2 pages, 4 faults",
    ]
    (tmp_path / "a.css").write_text("", encoding="utf-8")
    (tmp_path / "index.html").write_text('<a href="b.html">', encoding="utf-8")
    assert main([str(tmp_path)]) == 0


def test_the_site_has_the_help_of_each_command_and_the_one_address_of_the_project() -> None:
    assert all(help_of(command).startswith(f"usage: emubot {command}") for command in COMMANDS)
    assert repository().startswith("https://")
