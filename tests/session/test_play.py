"""`emubot.play`: a ten-line program plays a cartridge; nothing is printed and no signal handler is installed."""

from __future__ import annotations

import asyncio
import io
import pydoc
import re
import signal
import subprocess
import sys
import threading
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import pytest

import emubot
from emubot.bridges.libretro import finding
from emubot.errors import CoreNotFound, RomError, UsageError, WeightsError
from emubot.games.edition import Edition
from emubot.pilot import Tally, View
from emubot.session.request import SessionRequest
from tests.bridges.cores import core_for_tests, require_core

pytestmark = pytest.mark.jit
SIGNALS = (signal.SIGINT, signal.SIGTERM)
SCRIPT = """
import emubot
tally = emubot.play(demo="tetris", pieces=3)
print(tally.pieces, tally.misplaced)
"""


@pytest.fixture(autouse=True)
def no_core(monkeypatch: pytest.MonkeyPatch) -> None:
    """No core is installed: demos are played on the simulator."""
    monkeypatch.setattr(finding, "folders", list)


@pytest.fixture(params=["simulated", pytest.param("fceumm", marks=pytest.mark.core("fceumm"))])
def core(request: pytest.FixtureRequest, no_core: None, monkeypatch: pytest.MonkeyPatch) -> str | None:
    """What plays: the simulator, or a real core in its child process."""
    if request.param == "simulated":
        return None
    monkeypatch.undo()
    return str(require_core(request.param))


def test_it_plays_and_returns_the_tally() -> None:
    tally = emubot.play(10, demo="tetris", pieces=5)
    assert isinstance(tally, Tally)
    assert (tally.pieces, tally.misplaced, tally.replans) == (5, 0, 0)


def test_two_bots_return_two_tallies() -> None:
    both = emubot.play(demo="puyo", against_itself=True, pieces=4)
    assert isinstance(both, tuple)
    assert [tally.misplaced for tally in both] == [0, 0]
    assert all(tally.pieces >= 4 for tally in both)


def test_without_a_number_of_pieces_one_game_is_played() -> None:
    tally = emubot.play(10, demo="tetris", weights="random", seed=1)
    assert isinstance(tally, Tally)
    assert tally.games == 1


def test_the_same_seed_is_the_same_game_and_each_frame_is_seen() -> None:
    def boards(seed: int) -> list[bytes]:
        seen: list[View] = []
        emubot.play(10, demo="tetris", pieces=3, seed=seed, on_frame=seen.append)
        assert [view.frame for view in seen] == sorted({view.frame for view in seen})
        return [view.snapshot.playfield.tobytes() for view in seen]

    assert boards(1) == boards(1)
    assert boards(1) != boards(2)


@pytest.mark.parametrize(("wanted", "begins_at_once"), [({}, False), ({"on_frame": print}, True)])
def test_a_game_that_nobody_watches_waits_for_compiled_kernels(
    wanted: dict[str, Any], begins_at_once: bool, monkeypatch: pytest.MonkeyPatch
) -> None:
    compiled: list[Edition] = []
    monkeypatch.setattr("emubot.session.play.compile_kernels", compiled.append)

    class Opened:
        edition, readiness = object(), object() if begins_at_once else None

        def match(self, *_: object) -> Any:
            return SimpleNamespace(pilots=[SimpleNamespace(watchers=[], tally=Tally())], run=lambda: None)

        def close(self) -> None:
            pass

    def opens(request: SessionRequest) -> Opened:
        assert request.at_once == begins_at_once
        return Opened()

    monkeypatch.setattr("emubot.session.play.open_session", opens)
    emubot.play(demo="tetris", **wanted)
    assert compiled == ([] if begins_at_once else [Opened.edition])


def test_it_prints_nothing_and_leaves_the_signals_alone(core: str | None, capfd: pytest.CaptureFixture[str]) -> None:
    before = [signal.getsignal(number) for number in SIGNALS]
    during: list[list[object]] = []
    emubot.play(
        demo="tetris",
        pieces=1,
        core=core,
        on_frame=lambda view: during.append([signal.getsignal(number) for number in SIGNALS]),
    )
    assert during
    assert all(handlers == before for handlers in during)
    assert [signal.getsignal(number) for number in SIGNALS] == before
    assert capfd.readouterr() == ("", "")


def test_it_works_in_a_thread(core: str | None) -> None:
    played: list[object] = []
    thread = threading.Thread(target=lambda: played.append(emubot.play(demo="tetris", pieces=1, core=core)))
    thread.start()
    thread.join()
    assert [tally.pieces for tally in played if isinstance(tally, Tally)] == [1]


def test_it_works_in_a_notebook(core: str | None, monkeypatch: pytest.MonkeyPatch) -> None:
    """A notebook's cell runs in an event loop, and its output is no file of the system."""
    monkeypatch.setattr(sys, "stdout", io.StringIO())
    monkeypatch.setattr(sys, "stderr", io.StringIO())

    async def cell() -> Tally | tuple[Tally, Tally]:
        return emubot.play(demo="tetris", pieces=1, core=core)

    tally = asyncio.run(cell())
    assert isinstance(tally, Tally)
    assert tally.pieces == 1


def test_a_script_needs_no_main_guard(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """It plays in the core that is meant for emubot, which is in a child process, or else on the simulator."""
    monkeypatch.undo()
    core = core_for_tests()
    script = tmp_path / "ten_lines.py"
    script.write_text(SCRIPT if core is None else SCRIPT.replace("pieces=3", f"pieces=3, core={str(core)!r}"))
    done = subprocess.run([sys.executable, str(script)], capture_output=True, text=True, check=False)
    assert (done.stdout, done.stderr) == ("3 0\n", "")


@pytest.mark.parametrize(
    ("options", "error", "sentence"),
    [
        ({}, UsageError, "Name either a demo"),
        ({"demo": "tetris", "rom": "mine.nes"}, UsageError, "Name either a demo"),
        ({"demo": "chess"}, UsageError, "There is no demo 'chess'"),
        ({"demo": ""}, UsageError, "Name either a demo"),
        ({"demo": "tetris", "pieces": 0}, UsageError, "pieces must be a whole number of at least 1, not 0"),
        ({"demo": "tetris", "seed": -1}, UsageError, "seed must be a whole number of at least 0, not -1"),
        ({"demo": "tetris", "speed": 5.5}, UsageError, r"speed must be a whole number of at least 0, not 5\.5"),
        ({"demo": "tetris", "speed": 11}, UsageError, "The speed is 0 to 10, not 11"),
        ({"demo": "tetris", "weights": "nobody"}, WeightsError, "nobody"),
        ({"demo": "tetris", "weights": "reference"}, WeightsError, "puyo"),
        ({"demo": "tetris", "core": "nestopia"}, CoreNotFound, "nestopia"),
        ({"rom": "nowhere.nes"}, RomError, r"nowhere\.nes"),
    ],
)
def test_what_cannot_be_is_an_error_with_its_sentence(
    options: dict[str, object], error: type[Exception], sentence: str
) -> None:
    with pytest.raises(error, match=sentence):
        emubot.play(**options)  # type: ignore[arg-type]


def test_a_warning_is_not_printed_either() -> None:
    """Python prints warnings of a program that sets up no logging."""
    code = "import emubot, logging; emubot.play; logging.getLogger('emubot.jit').warning('it was said')"
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=False)
    assert (done.returncode, done.stdout, done.stderr) == (0, "", "")


def test_public_names_can_be_completed() -> None:
    assert {"play", "Pilot", "Goal", "open_bridge"} <= set(dir(emubot))


def test_help_begins_with_what_each_public_name_is_for() -> None:
    first = "\n".join(pydoc.plain(pydoc.render_doc(emubot)).splitlines()[:25])
    for name in emubot.__all__:
        if not name.startswith("_"):
            assert re.search(rf"^ *{name}\b|, {name} ", first, re.MULTILINE), name
