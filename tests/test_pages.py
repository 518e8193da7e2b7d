"""Every block of README and docs can be pasted in order into a fresh shell, and is run, or says why it cannot be."""

from __future__ import annotations

import configparser
import os
import re
import shutil
import subprocess
import sys
from importlib.util import find_spec
from pathlib import Path

import pytest

from tests.bridges.cores import require_core
from tests.pages import PAGES, RUNNING, Block, all_blocks, blocks_of, written
from tests.paths import ROOT, TESTS
from tests.programs import tracked_files

BLOCKS = all_blocks()
SHELL = [block for block in BLOCKS if block.language == "sh"]
CARTRIDGE = ROOT / "docs" / "tutorials" / "cartridge.md"
TUTORIAL = re.compile(r"(run|excerpt): \S+")  # its marks
SHELLS = [shell for shell in ("sh", "dash", "bash", "zsh") if shutil.which(shell)]
PIP = """#!/bin/sh
[ "$1" = install ] && [ -e setup.cfg ] && shift || exit 1
[ "$1" = -e ] && shift
case "$1" in ./*) exec "{python}" -m pip install --quiet --no-deps --no-build-isolation --target .site "$1" ;; esac
exec "{python}" -c "{check}" "$1"
"""
PYTHON = """#!/bin/sh
case "$1" in docs/examples/*) set -- "$@" --minutes 0.05 ;; esac
exec "{python}" "$@"
"""
CHECK = (
    "import configparser, re, sys; found = configparser.ConfigParser(); found.read('setup.cfg'); "
    "names = re.fullmatch(r'[.]\\[([a-z,]+)\\]', sys.argv[1])[1].split(','); "
    "assert set(names) <= set(found['options.extras_require']), names"
)
NEEDED = {
    "train": "matplotlib",
    "dqn": "sklearn",
    "arena": "uvicorn",
    "cynes": "cynes",
    "window": "pygame",
    "publish": "websockets",
    "gym": "pettingzoo",
    "serve": "uvicorn",
}


def named(page: Path) -> str:
    """The page as tests name it."""
    return page.relative_to(ROOT).with_suffix("").as_posix()


@pytest.mark.parametrize("block", BLOCKS, ids=str)
def test_every_block_runs_or_says_why_not(block: Block) -> None:
    assert block.language in (*RUNNING, "text", "toml"), "name the language of the block"
    if block.language not in RUNNING or block.runs_here or block.mark in ("play", "test"):
        return
    if block.page == CARTRIDGE and TUTORIAL.fullmatch(block.mark):
        return  # tests/cli/test_maps_tutorial.py
    if block.mark == "install":
        return  # test_the_tutorial_installs_as_the_readme_does
    if shown := re.fullmatch(r"part of (docs/examples/\S+)", block.mark):
        assert block.code in (ROOT / shown[1]).read_text(encoding="utf-8"), f"{shown[1]} says otherwise"
        return
    if elsewhere := re.fullmatch(r"run by (tests/\S+\.py)", block.mark):
        text = (ROOT / elsewhere[1]).read_text(encoding="utf-8")
        assert f'"{block.page.name}"' in text, f"{elsewhere[1]} does not read {block.page.name}"
        return
    assert re.fullmatch(r"not run: \w.{9,}", block.mark), f"{block.mark!r}: run it, or say why it cannot run"


def test_the_tutorial_installs_as_the_readme_does() -> None:
    """.ci/run runs that block in a fresh clone."""
    (readme,) = (block for block in BLOCKS if block.mark == "play")
    (tutorial,) = (block for block in BLOCKS if block.mark == "install")
    assert tutorial.code == readme.code.rstrip() + " --pieces 50\n"


TIMED = [block for block in BLOCKS if block.page.parent.name in ("tutorials", "how-to") and block.is_run]


@pytest.mark.parametrize("block", TIMED, ids=str)
def test_every_example_says_how_long_it_takes(block: Block) -> None:
    _, _, after = block.page.read_text(encoding="utf-8").partition(f"{block.code}```\n")
    said = after.lstrip().partition("\n")[0]
    assert re.match(r"\*Takes .*\d.*\.\*$", said), f"{said!r}: say how long {block} takes"


@pytest.mark.parametrize("block", SHELL, ids=str)
def test_every_shell_takes_the_block(block: Block) -> None:
    text = re.sub(r"<<(\w+)\n.*?^\1$", "", block.code, flags=re.DOTALL | re.MULTILINE)
    assert "#" not in text, "an interactive zsh has no comments"
    for word in text.split():
        assert "[" not in word or word[0] in "\"'", f"zsh takes {word} for a pattern: quote it"
    for shell in SHELLS:
        done = subprocess.run([shell, "-n"], input=block.code, capture_output=True, text=True, check=False)
        assert (done.returncode, done.stderr) == (0, "")


def test_installs_name_extras_that_there_are() -> None:
    read = configparser.ConfigParser()
    read.read(ROOT / "setup.cfg", encoding="utf-8")
    for page in (*PAGES, ROOT / "CONTRIBUTING.md"):
        text = page.read_text(encoding="utf-8")
        assert "emubot[" not in text or page.name == "releasing.md", f"{page.name}: install emubot from the clone"
        for names in re.findall(r"\.\[([\w,]+)\]", text):
            assert {*names.split(",")} - {"NAME"} <= set(read["options.extras_require"])


# What the packages of an extra are for, as the pages write it.
USES = {
    "train": r"--plot|train plot|--picture|--method cmaes",
    "dqn": r"--method dqn",
    "arena": r"emubot arena|--view web",
    "gif": r"--gif",
    "window": r"--view window",
    "cynes": r"--bridge cynes",
    "publish": r"--publish",
    "cluster": r"--cluster|^dask ",
    "gym": r"^import .*(emubot\.gym|gymnasium|pettingzoo)",
}


@pytest.mark.parametrize("page", PAGES, ids=named)
def test_packages_are_installed_before_they_are_used(page: Path) -> None:
    installed: set[str] = set()
    for block in blocks_of(page):
        for line in block.code.splitlines() if block.language in ("sh", "python") else []:
            for names in re.findall(r"pip install .*\.\[([\w,]+)\]", line):
                installed |= {*names.split(",")}
            missing = {extra for extra, used in USES.items() if re.search(used, line)} - installed
            assert not missing, f"{block}: {line}"


def test_no_two_blocks_write_the_same_file() -> None:
    writers: dict[str, list[str]] = {}
    for block in BLOCKS:
        for name in written(block):
            writers.setdefault(name, []).append(str(block))
    assert {"game.npz", "game-review.html", "movie.fm2", "board.txt", "curve.png", "runs/ce"} <= {*writers}
    assert not {name: blocks for name, blocks in writers.items() if len(blocks) > 1}


def place(folder: Path) -> tuple[Path, dict[str, str]]:
    """A clone as it is after the README's first block, and its environment: commands are shorter, pip only looks."""
    clone = folder / "emubot"
    for name in tracked_files(ROOT):
        (clone / name).parent.mkdir(parents=True, exist_ok=True)
        shutil.copy(ROOT / name, clone / name)
    programs = clone / ".venv" / "bin"
    programs.mkdir(parents=True)
    scripts = {
        "emubot": f'#!/bin/sh\nexec "{sys.executable}" "{TESTS / "shortened.py"}" "$@"\n',
        "python": PYTHON.format(python=sys.executable),
        "pip": PIP.format(python=sys.executable, check=CHECK.replace("\\", "\\\\")),
    }
    for name, text in scripts.items():
        (programs / name).write_text(text, encoding="utf-8")
        (programs / name).chmod(0o755)
    (programs / "activate").write_text(f'PATH="{programs}:$PATH"\nexport PATH\n', encoding="utf-8")
    environment = {**os.environ, "EMUBOT_NO_BROWSER": "1", "MPLBACKEND": "agg"}
    environment["PYTHONPATH"] = str(clone / ".site")  # what a page installs of its own
    return clone, environment


def script(blocks: list[Block]) -> str:
    """The blocks as somebody pastes them into one shell, which here ends at the first failure."""
    lines = ["set -eu"]
    for block in blocks:
        lines.append(f"echo '== {block}' >&2")
        lines.append(block.code if block.language == "sh" else f"python - <<'END-OF-PYTHON'\n{block.code}END-OF-PYTHON")
    return "\n".join(lines)


def run_page(page: Path, blocks: list[Block], folder: Path) -> None:
    clone, environment = place(folder)
    text = script(blocks)
    if page.name != "README.md":
        text = f". .venv/bin/activate\n{text}"
    done = subprocess.run(
        ["sh"], input=text, cwd=clone, env=environment, capture_output=True, text=True, timeout=3600, check=False
    )
    assert done.returncode == 0, done.stderr[-3000:]
    assert "Traceback" not in done.stderr


def skip_without_what_it_needs(blocks: list[Block]) -> None:
    """A page is read from its top: what a block above these installs is at hand for them, though it may not be run."""
    above = [block for block in blocks_of(blocks[-1].page) if block.runs_here and block.line <= blocks[-1].line]
    installs = "\n".join(block.code for block in above)
    for extra in {name for names in re.findall(r"\.\[([\w,]+)\]", installs) for name in names.split(",")}:
        if find_spec(NEEDED.get(extra, "sys")) is None:
            pytest.skip(f"needs the extra {extra}")
    text = "\n".join(block.code for block in blocks)
    if "libretro" in text or "trace export" in text:
        require_core("fceumm")


def quick_blocks(page: Path) -> list[Block]:
    return [block for block in blocks_of(page) if block.runs_here and not block.is_slow]


@pytest.mark.jit
@pytest.mark.skipif(sys.platform == "win32", reason="needs a POSIX shell")
@pytest.mark.parametrize("page", [page for page in PAGES if quick_blocks(page)], ids=named)
def test_the_quick_blocks_of_a_page_run_in_order(page: Path, tmp_path: Path) -> None:
    blocks = quick_blocks(page)
    skip_without_what_it_needs(blocks)
    run_page(page, blocks, tmp_path)


@pytest.mark.slow
@pytest.mark.jit
@pytest.mark.skipif(sys.platform == "win32", reason="needs a POSIX shell")
@pytest.mark.parametrize("page", [page for page in PAGES if any(b.is_slow for b in blocks_of(page))], ids=named)
def test_all_blocks_of_a_page_run_in_order(page: Path, tmp_path: Path) -> None:
    blocks = [block for block in blocks_of(page) if block.runs_here]
    skip_without_what_it_needs(blocks)
    run_page(page, blocks, tmp_path)
