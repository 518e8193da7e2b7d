"""The tutorial of docs/maps.md: every command of the page is run in order, and prints what the page says."""

from __future__ import annotations

import re
import shlex
import shutil
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest

from emubot.cli import main
from tests.bridges.cores import require_core
from tests.paths import ROOT
from tests.toys.cartridge import build
from tests.toys.shelf import TOYS

PAGE = ROOT / "docs" / "maps.md"
BLOCK = re.compile(r"<!-- (run|script|excerpt|under): (\S+) -->\n```\w+\n(.*?)```", re.DOTALL)


def blocks() -> Iterator[tuple[str, str, str]]:
    """What a mark says and its argument, and the block behind it."""
    return ((kind, what, text) for kind, what, text in BLOCK.findall(PAGE.read_text(encoding="utf-8")))


def test_the_page_has_all_kinds_of_blocks() -> None:
    assert {kind for kind, _, _ in blocks()} == {"run", "script", "excerpt", "under"}
    assert sum(kind == "run" for kind, _, _ in blocks()) >= 7


def without_version(text: str) -> str:
    """A text of a command, without the version of the core."""
    return re.sub(r"FCEUmm git \w+", "FCEUmm", text).strip()


@pytest.mark.jit
@pytest.mark.core("fceumm")
def test_every_command_prints_what_the_page_says(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, user_config: Path, capfd: pytest.CaptureFixture[str]
) -> None:
    core = require_core("fceumm")
    (tmp_path / "cores").mkdir()
    (tmp_path / "cores" / core.name).symlink_to(core)
    monkeypatch.setenv("EMUBOT_CORES", str(tmp_path / "cores"))
    monkeypatch.setenv("COLUMNS", "200")
    monkeypatch.chdir(tmp_path)
    shutil.move(build(TOYS["wide"], tmp_path), "unknown.nes")
    for kind, what, text in blocks():
        if kind == "script":
            Path(what).write_text(text, encoding="utf-8")
        elif kind == "excerpt":
            assert text.removesuffix("...\n") in Path(what).read_text(encoding="utf-8")
        elif kind == "under":
            ram_map = Path("mine.yaml").read_text(encoding="utf-8")
            assert ram_map.count(f"\n{what}:\n") == 1
            Path("mine.yaml").write_text(ram_map.replace(f"\n{what}:\n", f"\n{what}:\n{text}"), encoding="utf-8")
        else:
            command, _, expected = text.removeprefix("$ ").partition("\n")
            program, *words = shlex.split(command)
            if program == "emubot":
                code = main(words)
            else:
                code = subprocess.run([sys.executable, *words], check=False).returncode
            printed = capfd.readouterr()
            assert code == int(what), f"{command}\n{printed.err}"
            assert without_version(printed.out + printed.err) == without_version(expected), command
