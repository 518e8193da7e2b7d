"""The workflow runs the README's two commands on each system and each Python of setup.cfg, without secrets."""

from __future__ import annotations

import configparser
import importlib.util
import re
import subprocess
import sys
from pathlib import Path
from types import ModuleType
from typing import Any

import pytest
import yaml

from tests.pages import blocks_of
from tests.paths import ROOT
from tests.test_readme import block

FILE = ROOT / ".github" / "workflows" / "tests.yml"
TEXT = FILE.read_text(encoding="utf-8")


@pytest.fixture
def workflow() -> dict[Any, Any]:
    read: dict[Any, Any] = yaml.safe_load(TEXT)
    return read


@pytest.fixture
def readme() -> ModuleType:
    """The script that the workflow runs."""
    spec = importlib.util.spec_from_file_location("readme", ROOT / ".github" / "readme.py")
    assert spec is not None
    assert spec.loader is not None
    made = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(made)
    return made


def test_three_systems_and_each_python_are_in_it(workflow: dict[Any, Any]) -> None:
    config = configparser.ConfigParser()
    config.read(ROOT / "setup.cfg", encoding="utf-8")
    pythons = re.findall(
        r"^Programming Language :: Python :: (3\.\d+)$", config["metadata"]["classifiers"], re.MULTILINE
    )
    (job,) = workflow["jobs"].values()
    matrix = job["strategy"]["matrix"]
    assert matrix == {"system": ["ubuntu-latest", "macos-latest", "windows-latest"], "python": pythons}
    assert job["runs-on"] == "${{ matrix.system }}"
    assert job["strategy"]["fail-fast"] is False
    assert job["timeout-minutes"] <= 120


def test_it_needs_no_secret_and_may_only_read(workflow: dict[Any, Any]) -> None:
    assert workflow["permissions"] == {"contents": "read"}
    assert all("permissions" not in job for job in workflow["jobs"].values())
    assert "secrets" not in re.sub(r"#.*", "", TEXT)
    assert "pull_request_target" not in TEXT
    assert workflow[True].keys() == {"push", "pull_request", "workflow_dispatch"}  # YAML 1.1 reads "on" as true
    used = [
        step["uses"].partition("@")[0] for job in workflow["jobs"].values() for step in job["steps"] if "uses" in step
    ]
    assert used == ["actions/checkout", "actions/setup-python"]


def test_it_runs_both_commands_of_the_readme(workflow: dict[Any, Any], readme: ModuleType) -> None:
    (job,) = workflow["jobs"].values()
    runs = [step["run"] for step in job["steps"] if "run" in step]
    assert runs == [f"python .github/readme.py {command}" for command in ("play", "test", "report")]
    for mark in ("play", "test"):
        written = block("sh", mark=f"<!-- {mark} -->").replace("&&", " ").split()
        assert [word for line in readme.lines_of(mark) for word in line] == [word.strip('"') for word in written]


@pytest.mark.parametrize(
    ("system", "folder"), [("linux", ".venv/bin/{}"), ("darwin", ".venv/bin/{}"), ("win32", ".venv\\Scripts\\{}.exe")]
)
def test_it_types_what_the_readme_says(
    system: str, folder: str, readme: ModuleType, monkeypatch: pytest.MonkeyPatch
) -> None:
    python, emubot = folder.format("python"), folder.format("emubot")
    ran: list[list[str]] = []
    codes = {"install": 3 if system == "win32" else 0}

    def run(words: list[str], cwd: Path, check: bool) -> subprocess.CompletedProcess[str]:
        ran.append(words)
        return subprocess.CompletedProcess(words, codes.get(words[-1], 0))

    monkeypatch.setattr(sys, "platform", system)
    monkeypatch.setattr(subprocess, "run", run)
    assert readme.run("play") == 0
    assert ran[:2] == [
        [sys.executable, "-m", "venv", "--without-pip", ".venv"],
        [sys.executable, "-m", "pip", "--python", python, "install", "pip", "."],
    ]
    assert ran[2:] == [[emubot, "core", "install"], [emubot, "play", "--demo", "tetris", *readme.SHORT]]
    assert readme.run("test") == 0
    assert ran[-1] == [python, "-m", "pytest"]
    codes["pytest"] = 1
    assert readme.run("test") == 1
    codes["install"] = 4
    assert readme.run("play") == 4


def test_the_page_says_what_windows_types(readme: ModuleType, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(sys, "platform", "win32")
    monkeypatch.setattr(sys, "executable", "py")
    (console,) = (one for one in blocks_of(ROOT / "docs" / "reference" / "systems.md") if one.language == "console")
    *typed, activated = [line.removeprefix("> ") for line in console.code.splitlines()]
    lines = [line for line in readme.lines_of("play") if line[1:3] != readme.INSTALL]
    assert typed == [" ".join(readme.here(line)) for line in lines]
    assert activated == ".venv\\Scripts\\activate"
