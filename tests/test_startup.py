"""Starting is cheap: help costs a few interpreter starts, and what plays nothing never loads the compiler."""

from __future__ import annotations

import statistics
import subprocess
import sys
import time
from pathlib import Path

import pytest

from emubot.cli import COMMANDS

BARE = [sys.executable, "-I", "-S", "-c", "pass"]
DEAREST, ROUNDS, STARTS = 6.0, 4, 9


def emubot() -> list[str]:
    """The console script of this environment, or its module where there is none."""
    script = Path(sys.executable).with_name("emubot")
    return [str(script)] if script.is_file() else [sys.executable, "-m", "emubot"]


def seconds(command: list[str]) -> float:
    started = time.perf_counter()
    subprocess.run(command, check=True, stdout=subprocess.DEVNULL)
    return time.perf_counter() - started


def ratio_of_medians() -> float:
    """`emubot --help` over a bare start, taken in turn so that a busy moment of the machine meets both."""
    bare, helped = [], []
    for _ in range(STARTS):
        bare.append(seconds(BARE))
        helped.append(seconds([*emubot(), "--help"]))
    return statistics.median(helped) / statistics.median(bare)


def test_help_costs_at_most_six_bare_starts() -> None:
    seconds([*emubot(), "--help"])  # bytecode is written once
    ratios: list[float] = []
    while len(ratios) < ROUNDS and min(ratios, default=DEAREST + 1) > DEAREST:
        ratios.append(ratio_of_medians())
    assert min(ratios) <= DEAREST, f"in {len(ratios)} rounds: {ratios}"


EACH = """
import sys
from emubot.cli import main
for line in sys.argv[1:]:
    try: main(line.split())
    except SystemExit: pass
    print("\\nloaded", line, *sys.modules, sep="\\t")
"""


def modules_after(*lines: str) -> dict[str, set[str]]:
    """What is imported when one process has run `emubot LINE` for each line, one after the other."""
    done = subprocess.run([sys.executable, "-c", EACH, *lines], capture_output=True, text=True, check=True, timeout=300)
    told = (line.split("\t")[1:] for line in done.stdout.splitlines() if line.startswith("loaded\t"))
    return {line: set(modules) for line, *modules in told}


def test_help_loads_nothing_heavy() -> None:
    heavy = {"numba", "numpy", "pydantic", "yaml", "rich", "cffi", "platformdirs"}
    lines = ["--help", "--version", "nonsense"]
    loaded = modules_after(*lines)
    assert list(loaded) == lines
    for line, modules in loaded.items():
        assert "emubot.cli" in modules
        assert not modules & heavy, line


PLAYS_NOTHING = [
    *(f"{command} --help" for command in COMMANDS),
    "trace record --help",
    "maps list",
    "maps check nes_tetris_usa",
    "maps schema",
    "core list",
    "play --wait 0",
    "play 11",
    "play --rom none.nes",
    "doctor",
]


def test_what_plays_nothing_never_loads_the_compiler() -> None:
    loaded = modules_after(*PLAYS_NOTHING)
    assert list(loaded) == PLAYS_NOTHING
    for line, modules in loaded.items():
        assert "emubot.cli" in modules
        assert not modules & {"numba", "llvmlite"}, line


@pytest.mark.slow
@pytest.mark.parametrize("line", [*PLAYS_NOTHING, "doctor --json"])
def test_nor_does_it_alone(line: str) -> None:
    assert not modules_after(line)[line] & {"numba", "llvmlite"}


def test_importing_emubot_loads_nothing_heavy() -> None:
    code = "import sys, emubot; print(' '.join(sys.modules))"
    loaded = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True).stdout.split()
    assert not set(loaded) & {"numba", "numpy", "pydantic", "yaml", "rich", "cffi"}


def test_python_m_emubot_is_the_same() -> None:
    done = subprocess.run([sys.executable, "-m", "emubot", "--version"], capture_output=True, text=True, check=True)
    assert done.stdout.startswith("emubot ")
