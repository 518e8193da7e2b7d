"""What is compiled is known without the compiler, and made by a process that nothing waits for."""

from __future__ import annotations

import os
import subprocess
import sys
import threading
import time
from collections.abc import Callable
from pathlib import Path

import pytest

from emubot.cli.compiling import compile_first
from emubot.jit import mark
from emubot.jit.sources import cache_folder
from emubot.rammap import load_map, parse_map
from emubot.session import making
from emubot.session.compiling import Progress, Purpose, play_purpose, scope_of
from emubot.session.making import Making, compile_ahead
from emubot.session.readiness import begun_at_once
from emubot.session.request import SessionRequest
from tests.families import whole_game
from tests.toys.maps import map_text
from tests.toys.shelf import TOYS

ASKED = """
import sys
from emubot.jit.warm import is_warm, mark
from emubot.rammap import load_map
from emubot.session.compiling import Progress, is_compiled, play_purpose, scope_of
from emubot.games import game
ram_map = load_map("demo_pairs")
before = is_compiled(ram_map)
mark(scope_of(game("puyo")), play_purpose(ram_map))
print(before, is_compiled(ram_map), Progress.read(scope_of(game("puyo"))), "numba" in sys.modules)
"""


def test_whether_a_map_is_compiled_is_known_without_the_compiler(tmp_path: Path) -> None:
    environment = os.environ | {"EMUBOT_CACHE_DIR": str(tmp_path)}
    done = subprocess.run([sys.executable, "-c", ASKED], env=environment, capture_output=True, text=True, check=True)
    assert done.stdout.split() == ["False", "True", "None", "False"], done.stderr


def test_a_purpose_is_of_what_a_map_says_of_the_game_and_not_of_the_cartridges() -> None:
    ram_map, toy = load_map("demo_pairs"), parse_map(map_text(TOYS["plain"]), "toy")
    assert play_purpose(ram_map) == play_purpose(load_map("demo_pairs"))
    assert play_purpose(ram_map) == play_purpose(ram_map.for_identity(str(ram_map.identities[0].sha1)))
    assert len({play_purpose(one) for one in (ram_map, toy, load_map("famicom_puyo"))}) == 3
    assert play_purpose(ram_map.learnt(timing={"settle": 9})) != play_purpose(ram_map)


Start = Callable[[str], list[str]]


@pytest.fixture
def begun(monkeypatch: pytest.MonkeyPatch, empty_cache: Path) -> Start:
    """Makes processes that run some code instead of emubot; the words that they got."""
    words: list[str] = []

    def instead(code: str) -> list[str]:
        saved = f"import sys; print(*sys.argv[1:], file=open({str(empty_cache / 'words')!r}, 'w')); "
        monkeypatch.setattr(making, "program", lambda: [sys.executable, "-c", saved + code])
        return words

    return instead


def test_a_process_makes_what_is_missing_and_then_the_rest(begun: Start, monkeypatch: pytest.MonkeyPatch) -> None:
    ram_map = load_map("nes_tetris_usa")
    monkeypatch.setenv("EMUBOT_COMPILE_AHEAD", "1")
    begun("")
    made = Making.start(ram_map)
    ended(made)
    assert words() == ["compile", "--map", str(ram_map.path.absolute()), "tetris", "-q"]
    assert (made.ready, made.failed, made.progress) == (False, True, None), "it compiled nothing"
    at_work = Progress("blocks", "play", "search", 1, 2, 0.5, 10.0, own=False)
    monkeypatch.setattr(Progress, "read", lambda scope: at_work)
    assert made.progress is at_work
    mark(scope_of(whole_game("tetris")), play_purpose(ram_map))
    assert (made.ready, made.failed, made.progress is None) == (True, False, True)


@pytest.mark.skipif(sys.platform == "win32", reason="priorities are others")
def test_it_has_the_lowest_priority_and_no_terminal_and_outlives_its_start(
    begun: Start, monkeypatch: pytest.MonkeyPatch
) -> None:
    begun("import time; time.sleep(60)")
    monkeypatch.setenv("EMUBOT_COMPILE_AHEAD", "1")
    monkeypatch.setenv("NUMBA_DISABLE_JIT", "1")
    made = Making.start(load_map("demo_pairs"))
    process = made._process
    assert process is not None
    try:
        assert not made.failed
        assert os.getpriority(os.PRIO_PROCESS, process.pid) == 19
        assert os.getsid(process.pid) == process.pid != os.getsid(0)
        made.close()
        os.kill(process.pid, 0)
        assert words()[-2:] == ["puyo", "-q"]
    finally:
        os.kill(process.pid, 9)
    for thread in threading.enumerate():
        if thread.name == "compiles":
            thread.join(60)
    with pytest.raises(ProcessLookupError):  # its end was taken notice of
        os.kill(process.pid, 0)


def test_what_was_learnt_is_compiled_too(begun: Start, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("EMUBOT_COMPILE_AHEAD", "1")
    begun("")
    learnt = load_map("demo_pairs").learnt(timing={"settle": 9})
    ended(Making.start(learnt))
    assert play_purpose(load_map(words()[2])) == play_purpose(learnt)


def test_nothing_is_compiled_ahead_if_nothing_is_missing_or_nobody_wants_it(
    begun: Start, monkeypatch: pytest.MonkeyPatch
) -> None:
    begun("")
    game = whole_game("puyo")
    monkeypatch.setenv("EMUBOT_COMPILE_AHEAD", "0")
    assert not compile_ahead([game])
    monkeypatch.setenv("EMUBOT_COMPILE_AHEAD", "1")
    assert compile_ahead([game])
    mark(scope_of(game), "family-puyo")
    assert not compile_ahead([game])


def test_where_nothing_can_be_kept_the_game_waits_for_its_own_kernels(
    begun: Start, empty_cache: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """What another process compiled would be lost, and the bot would never be at full strength."""
    begun("")
    ram_map, request = load_map("demo_pairs"), SessionRequest(demo="puyo", at_once=True)
    readiness = begun_at_once(request, ram_map)
    assert readiness is not None
    readiness.close()
    (empty_cache / "file").touch()
    monkeypatch.setenv("EMUBOT_CACHE_DIR", str(empty_cache / "file"))
    monkeypatch.setenv("EMUBOT_COMPILE_AHEAD", "1")
    monkeypatch.setenv("EMUBOT_UNCACHED", "1")
    cache_folder.cache_clear()
    assert begun_at_once(request, ram_map) is None
    assert not compile_ahead([whole_game("puyo")])


@pytest.mark.parametrize("quiet", [True, False])
def test_a_command_compiles_its_own_first_and_leaves_the_rest(
    begun: Start, quiet: bool, monkeypatch: pytest.MonkeyPatch
) -> None:
    begun("")
    done: list[str] = []
    game = whole_game("puyo")
    purposes = [
        Purpose("pairs", "emubot", name, lambda name=name: [(name, lambda: done.append(name))])  # type: ignore[misc]
        for name in ("one", "two")
    ]
    monkeypatch.setenv("EMUBOT_COMPILE_AHEAD", "1")
    compile_first(game, purposes, quiet)
    assert done == ["one", "two"]
    assert words() == ["compile", "puyo", "-q"]


def words() -> list[str]:
    file = Path(os.environ["EMUBOT_CACHE_DIR"]) / "words"
    until = time.monotonic() + 60
    while not (file.is_file() and file.read_text()):
        assert time.monotonic() < until
        time.sleep(0.02)
    return file.read_text().split()


def ended(made: Making) -> None:
    assert made._process is not None
    made._process.wait(60)
