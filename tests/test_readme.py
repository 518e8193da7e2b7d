"""The README keeps its word: its Python runs as written, its commands and options exist, CI runs its test command."""

from __future__ import annotations

import re
import subprocess
import sys
from importlib.util import find_spec
from pathlib import Path
from textwrap import dedent

import pytest

from emubot.cli import COMMANDS, main
from emubot.cli.train import build_parser, plan_of
from tests.bridges.cores import core_for_tests
from tests.pages import PAGES, blocks_of
from tests.paths import ROOT

README = (ROOT / "README.md").read_text(encoding="utf-8")

# Where there is no core the demo's simulator stands in for it, and not a word of the README changes.
STAND_IN = """
import numpy as np
import emubot
from emubot.bridges.simulated import connect
ram_map = emubot.load_map("nes_tetris_usa")
machine = emubot.games.open_edition(ram_map).simulator.machine(np.random.default_rng(0))
emubot.open_bridge = lambda name, **options: connect(machine=machine, emu_speed=options["emu_speed"])
"""


def block(kind: str, text: str = README, mark: str = "") -> str:
    """The first fenced block of this kind, after the mark if there is one."""
    return text[text.index(mark) :].partition(f"```{kind}\n")[2].partition("```")[0]


@pytest.mark.jit
@pytest.mark.parametrize("where", ["core", pytest.param("simulator", marks=pytest.mark.slow)])
def test_the_python_runs_as_written(where: str, tmp_path: Path) -> None:
    code = block("python")
    assert len([line for line in code.splitlines() if line]) <= 6
    if core_for_tests() is None:
        where = "simulator"
    before = STAND_IN if where == "simulator" else ""
    done = subprocess.run(
        [sys.executable, "-W", "error", "-c", before + code],
        cwd=tmp_path,
        capture_output=True,
        text=True,
        timeout=300,
        check=False,
    )
    assert done.returncode == 0, done.stderr
    assert re.fullmatch(r"50 pieces, \d+ lines, 0 misplaced\n", done.stdout)
    assert done.stderr == ""


INSTALLED_THERE = "--demo dots"  # a family that its page installs: tests/games/test_dots.py plays it


def commands() -> list[str]:
    """Every line of a block, and every first cell of a table, that calls emubot."""
    found = set()
    for page in PAGES:
        text = page.read_text(encoding="utf-8")
        lines = [line for block in blocks_of(page) for line in block.code.splitlines()]
        lines += re.findall(r"^    (\S.*)$", text, re.MULTILINE) + re.findall(
            r"^\| `(emubot .*?)` \|", text, re.MULTILINE
        )
        for line in lines:
            parts = (part.replace(".venv/bin/", "").removeprefix("$ ").strip() for part in line.split("&&"))
            found |= {part for part in parts if part.startswith("emubot ") and INSTALLED_THERE not in part}
    return sorted(found)


@pytest.mark.parametrize("line", commands())
def test_every_command_and_option_in_the_pages_exists(line: str, capsys: pytest.CaptureFixture[str]) -> None:
    command, *words = line.split()[1:]
    assert command in COMMANDS
    with pytest.raises(SystemExit) as ended:
        main([command, *words, "--help-all"])  # choices and ranges are checked on the way to the help
    assert ended.value.code == 0
    told = capsys.readouterr().out
    for option in (word.partition("=")[0] for word in words if word.startswith("--")):
        assert f"{option} " in told or f"{option}]" in told, f"{line}: {option}"


# What runs of the pages start from: weights with the features that another run of the page gives.
STARTS = {"runs/six/weights.json": "chains", "runs/12hz/weights.json": "nes_tetris"}
TRAINING = [line for line in commands() if line.startswith("emubot train ") and "--method" in line]


@pytest.mark.parametrize("line", TRAINING)
def test_every_training_of_the_pages_has_a_plan(line: str) -> None:
    words = [STARTS.get(word, word) for word in line.split()[2:]]
    plan = plan_of(build_parser(None).parse_intermixed_args(words))
    needed = {"cmaes": "cma", "dqn": "sklearn"}.get(plan.method)
    if needed is None or find_spec(needed) is not None:
        plan.trainer()  # refuses what the rules do not have
    plan.settings()


def test_the_two_commands_need_python_and_pip_only() -> None:
    for mark in ("<!-- play -->", "<!-- test -->"):
        lines = block("sh", mark=mark).splitlines()
        assert lines[0] == "python3 -m venv --without-pip .venv &&"
        assert lines[1].startswith("python3 -m pip --python .venv/bin/python install pip ")
        assert all(line.endswith("&&") for line in lines[:-1])
    assert block("sh", mark="<!-- play -->").rstrip().endswith(".venv/bin/emubot play --demo tetris")


@pytest.mark.skipif(sys.platform == "win32", reason="needs a POSIX shell")
def test_ci_finds_the_test_command() -> None:
    script = (ROOT / ".ci" / "run").read_text(encoding="utf-8")
    taken = re.search(r'^command="\$\((awk .*)\)"$', script, re.MULTILINE)
    assert taken
    told = subprocess.run(["/bin/sh", "-c", taken[1]], cwd=ROOT, capture_output=True, text=True, check=True).stdout
    assert told == block("sh", mark="<!-- test -->")
    assert told.splitlines()[-1] == ".venv/bin/python -m pytest"


def test_every_python_block_of_the_pages_is_python() -> None:
    for block in (block for page in PAGES for block in blocks_of(page) if block.language == "python"):
        compile(dedent(block.code), str(block), "exec")
