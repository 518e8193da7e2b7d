"""Whatever a command is at, the three signals end it with 130 and leave no folder, process or hidden cursor."""

from __future__ import annotations

import random
import signal
import socket
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest

if sys.platform != "linux":
    pytest.skip("looks at processes as Linux shows them", allow_module_level=True)

from tests.interrupted import MAIN, Interrupted
from tests.paths import ROOT

pytestmark = pytest.mark.xdist_group("signals")

ALL = [signal.SIGINT, signal.SIGTERM, signal.SIGHUP]


def first(*numbers: signal.Signals) -> pytest.MarkDecorator:
    """All of them one after the other, the others in long runs only: what they do is the same."""
    others = [number for number in ALL if number not in numbers]
    return pytest.mark.parametrize(
        "number", [*numbers, *(pytest.param(number, marks=pytest.mark.slow) for number in others)]
    )


PIP = """
from emubot.bridges.libretro import installing
installing.PIP = (sys.executable, "-c", "import time; open('begun', 'w'); time.sleep(600)")
"""
STARTS = """
from emubot.cli import doctor, main
def run(_):
    from emubot.trials.executors import workers
    with workers({jobs}) as executor:
        list(executor.map(abs, range({jobs})))
        for _ in range({jobs}):
            executor.submit(time.sleep, 600)
        now()
doctor.run = run
sys.exit(main())
"""
HALF = """
import signal
from multiprocessing import util
starts = []
def half_started(*given, start=util.spawnv_passfds):
    child = start(*given)
    starts.append(child)
    if len(starts) == {start}:
        os.kill(os.getpid(), signal.SIGTERM)
    return child
util.spawnv_passfds = half_started
"""


@contextmanager
def nobody() -> Iterator[int]:
    """A port where nobody listens, nor anybody else begins to."""
    with socket.socket() as held:
        held.bind(("127.0.0.1", 0))
        yield held.getsockname()[1]


@first(signal.SIGHUP)
def test_waiting_for_an_emulator(number: int, tmp_path: Path) -> None:
    with nobody() as port:
        words = ["play", "--bridge", "nintaco", "--port", str(port), "--wait", "600"]
        with Interrupted(tmp_path, words, terminal=True) as run:
            run.wait_for("waiting")
            run.send(number, 2, to_all=True)
            assert run.end() == 130
            assert run.said.count("emubot: ") == 2, run.said  # that it waits, and that it was interrupted


@pytest.mark.parametrize(
    ("number", "times"),
    [(signal.SIGINT, 2), (signal.SIGTERM, 1), pytest.param(signal.SIGHUP, 1, marks=pytest.mark.slow)],
)
def test_installing_a_core(number: int, times: int, tmp_path: Path) -> None:
    data = tmp_path / "data"
    with Interrupted(tmp_path, ["core", "install"], PIP + MAIN, terminal=True, XDG_DATA_HOME=str(data)) as run:
        run.wait_for_file(data, "begun")
        run.send(number, times, to_all=number != signal.SIGTERM)
        assert run.end() == 130
        assert not any(path.is_file() for path in data.rglob("*"))


@pytest.mark.jit
@pytest.mark.parametrize("number", [signal.SIGTERM])
def test_compiling(number: int, tmp_path: Path) -> None:
    kernels = tmp_path / "cache"
    words = ["evaluate", "tetris", "--rules", "textbook", "--games", "1"]
    with Interrupted(tmp_path, words, terminal=True, EMUBOT_CACHE_DIR=str(kernels)) as run:
        run.wait_for("Compiling")
        run.wait_for_file(kernels, "*.nbi")
        run.send(number)
        assert run.end() == 130
        assert not [*kernels.rglob("*.tmp.*")]


@first(signal.SIGINT, signal.SIGTERM)
def test_starting_workers(number: int, tmp_path: Path) -> None:
    with Interrupted(tmp_path, ["doctor"], STARTS.format(jobs=2)) as run:
        run.wait_for_children(1)
        run.send(number, 2, to_all=number != signal.SIGTERM)
        assert run.end() == 130
        assert run.said == "emubot: interrupted.\n"


@pytest.mark.parametrize("start", [1, 2])
def test_a_process_that_is_half_started_is_not_left_so(start: int, tmp_path: Path) -> None:
    """The first is multiprocessing's own, the second a worker, which waits for what it is to do."""
    with Interrupted(tmp_path, ["doctor"], HALF.format(start=start) + STARTS.format(jobs=2)) as run:
        assert run.end() == 130
        assert run.said == "emubot: interrupted.\n"


@first(signal.SIGHUP, signal.SIGTERM)
def test_with_workers_at_work(number: int, tmp_path: Path) -> None:
    with Interrupted(tmp_path, ["doctor"], STARTS.format(jobs=2)) as run:
        run.wait_for("now\n")
        run.send(number, to_all=number != signal.SIGTERM)  # a terminal sends the others, and to all
        assert run.end() == 130
        assert run.said == "now\nemubot: interrupted.\n"


DEMO = ROOT / "ram_maps" / "demo_pairs.yaml"
TRAIN = "train tetris --method pso --games 2 --out run --jobs 2"
MOMENTS = {  # a command, seconds in which it gets to what it does, and whether it ends by itself
    "--help": (0.05, True),
    "doctor": (1.0, True),
    "maps list": (0.5, True),
    f"maps check {DEMO}": (1.5, True),
    "core list": (1.0, True),
    "bench tetris": (4.0, True),
    "play --bridge retroarch --port 9 --wait 600": (1.5, False),
    "play --demo tetris --bridge simulated --emu-speed max --games 100000 --record game.npz": (4.0, False),
    "play --demo puyo --emu-speed max --games 100000": (4.0, False),
    "maps learn --demo puyo --map open.yaml --pieces 100000 --out learnt.yaml": (4.0, False),
    "selfplay tetris --pieces 100000000 --unit 200 --jobs 2": (5.0, False),
    "evaluate tetris --rules textbook --cap-pieces 100 --games 10000000 --jobs 2": (5.0, False),
    "evaluate tetris --rules textbook --cap-pieces 10 --games 2 --plot games.png": (6.0, True),
    TRAIN: (5.0, False),
}


@pytest.mark.slow
@pytest.mark.jit
@pytest.mark.parametrize("line", MOMENTS)
def test_twenty_times_at_any_moment(line: str, tmp_path: Path) -> None:
    longest, ends = MOMENTS[line]
    moments = random.Random(line)
    for time in range(20):
        folder = tmp_path / str(time)
        folder.mkdir()
        (folder / "open.yaml").write_text(DEMO.read_text(encoding="utf-8").replace("color_6: 0x06", "color_6: learn"))
        with Interrupted(folder, line.split(), terminal=bool(time % 2)) as run:
            run.wait_until_it_listens()
            run.read_for(moments.uniform(0, longest))
            run.send(ALL[time % 3], 1 + time // 3 % 2, to_all=bool(time % 2))
            code = run.end()
            assert code == 130 or (ends and code in {0, 1, 3}), run.said
