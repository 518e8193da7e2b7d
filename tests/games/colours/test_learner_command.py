"""`emubot maps learn`: a cartridge nobody knows is played, and the map that is written knows it."""

from __future__ import annotations

import itertools
import json
import os
import signal
import sys
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from emubot.bridges import open_bridge
from emubot.cli import main, maps_learn
from emubot.errors import BridgeError
from emubot.games import game
from emubot.pad import Pad
from emubot.pilot import Skill
from emubot.rammap import load_map, map_for_identity, parse_map
from emubot.session import session
from emubot.session.request import SessionRequest
from emubot.session.seating import Seat
from emubot.weights import load_weights
from tests.games.colours.random_cartridges import Looks, open_with_menus, stranger

GAME = game("puyo")


@pytest.fixture
def unknown(monkeypatch: pytest.MonkeyPatch) -> Looks:
    """A cartridge of which only the addresses are known, in place of what the options would open."""
    made = stranger(7)
    looks = Looks(made, np.random.default_rng(7))

    def opened(request: SessionRequest) -> session.Session:
        bridge = open_bridge("simulated", machine=looks)
        edition, skill = (
            GAME.open(open_with_menus(made)),
            Skill(load_weights(GAME.facts.default_weights), request.tempos[0]),
        )
        seat = Seat(bridge, 0, True, skill, skill.mind(edition))
        return session.Session(edition, [bridge], [seat], {}, 0)

    monkeypatch.setattr(session, "open_session", opened)
    return looks


def learn(*words: str) -> int:
    return main(["maps", "learn", "--bridge", "simulated", "--demo", "puyo", *words])


@pytest.mark.slow
@pytest.mark.jit
def test_the_written_map_plays_what_nobody_knew(
    unknown: Looks, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    file = tmp_path / "own.yaml"
    assert learn("--pieces", "40", "--out", str(file)) == 0
    captured = capsys.readouterr()
    assert captured.out == ""
    assert "emubot: piece 1: found empty, mask; still open: pieces, piece_codes.\n" in captured.err
    assert "everything in use is known; never seen: color_6, nuisance" in captured.err
    assert main(["maps", "check", str(file)]) == 0
    learnt = load_map(file)
    assert learnt.identities == ()
    assert "gravity" not in learnt.timing
    truth = unknown.truth
    assert {entry.id: entry.cells for entry in learnt.pieces} == {entry.id: entry.cells for entry in truth.pieces}


@pytest.mark.jit
def test_without_a_file_the_map_is_printed_and_json_says_what_is_known(
    unknown: Looks, capsys: pytest.CaptureFixture[str]
) -> None:
    assert learn("--pieces", "3", "-q") == 1, "with so few pieces something is left open"
    printed = capsys.readouterr()
    assert printed.err == ""
    assert printed.out.startswith("# Learnt by emubot from pairs_7 in ")
    assert "title: pairs of seed 7\n" in printed.out
    assert learn("--pieces", "30", "-q", "--json") == 0
    told: dict[str, Any] = json.loads(capsys.readouterr().out)
    assert told["map"] == "pairs_7"
    assert told["open"] == []
    assert "color_6" in told["never_seen"]
    assert "seen in the locks of" in told["evidence"]["grid.cell.kinds.color_1"]


def after_frames(looks: Looks, number: int, happen: Callable[[], object], monkeypatch: pytest.MonkeyPatch) -> None:
    """Let something happen in that frame of the cartridge."""
    frames, step = itertools.count(), looks.step

    def stepped(pads: Sequence[Pad]) -> None:
        if next(frames) == number:
            happen()
        step(pads)

    monkeypatch.setattr(looks, "step", stepped)


@pytest.mark.xdist_group("signals")
@pytest.mark.jit
@pytest.mark.skipif(sys.platform == "win32", reason="needs POSIX signals")
@pytest.mark.parametrize("number", [signal.SIGINT, signal.SIGTERM])
def test_ended_early_it_writes_what_was_learnt_and_says_130(
    number: int, unknown: Looks, monkeypatch: pytest.MonkeyPatch, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    after_frames(unknown, 300, lambda: os.kill(os.getpid(), number), monkeypatch)
    before = signal.getsignal(number)
    assert learn("--out", str(tmp_path / "own.yaml")) == 130
    assert "still open: " in capsys.readouterr().err.splitlines()[-1]
    assert "empty" in load_map(tmp_path / "own.yaml").codes
    assert signal.getsignal(number) == before


def broken() -> None:
    raise BridgeError("The emulator is broken.")


@pytest.mark.jit
@pytest.mark.parametrize(("frame", "written"), [(20, False), (900, True)])
def test_what_an_emulator_let_see_before_it_failed_is_written(
    frame: int, written: bool, unknown: Looks, monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    after_frames(unknown, frame, broken, monkeypatch)
    assert learn("--out", str(tmp_path / "own.yaml"), "-q") == 3
    assert (tmp_path / "own.yaml").exists() is written


@pytest.mark.jit
def test_on_a_disk_that_fills_up_what_was_learnt_is_printed(
    unknown: Looks, monkeypatch: pytest.MonkeyPatch, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    file = tmp_path / "own.yaml"
    file.write_text("an older map", encoding="utf-8")

    def full(handle: int) -> None:
        raise OSError(28, "No space left on device")

    monkeypatch.setattr("os.fsync", full)
    assert learn("--pieces", "3", "--out", str(file), "--force", "-q") == 4
    printed, _, sentence = capsys.readouterr().err.strip().rpartition("\n")
    assert sentence == f"emubot: {file} cannot be written: No space left on device."
    assert parse_map(printed, "what was printed").title == "pairs of seed 7"
    assert file.read_text(encoding="utf-8") == "an older map"


@pytest.mark.jit
def test_a_game_for_two_that_fails_leaves_what_was_learnt_before(
    unknown: Looks, monkeypatch: pytest.MonkeyPatch, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setattr(maps_learn, "_experiment", lambda *known: 0)
    monkeypatch.setattr(maps_learn, "_knows_versus", lambda *known: True)
    monkeypatch.setattr(maps_learn, "_fight", lambda *known: broken())
    assert learn("--pieces", "20", "--probe", "--out", str(tmp_path / "own.yaml")) == 3
    assert capsys.readouterr().err.splitlines()[-1] == "emubot: The emulator is broken."
    assert load_map(tmp_path / "own.yaml").codes["color_1"]


def test_a_map_that_leaves_nothing_open_has_nothing_to_learn(capsys: pytest.CaptureFixture[str]) -> None:
    assert map_for_identity("simulated:demo_pairs").learns == ()
    assert learn("--map", "demo_pairs") == 2
    assert "leaves nothing open" in capsys.readouterr().err


@pytest.mark.parametrize(
    "words", [["learn", "check"], ["learn", "--pieces", "0"], ["learn", "--out", "/nowhere/x.yaml"]]
)
def test_wrong_usage(words: list[str]) -> None:
    assert main(["maps", *words]) in {2, 4}


def test_help_and_the_other_actions_do_not_learn(capsys: pytest.CaptureFixture[str]) -> None:
    with pytest.raises(SystemExit) as ended:
        main(["maps", "learn", "--help-all"])
    assert ended.value.code == 0
    told = " ".join(capsys.readouterr().out.split())
    assert "--pieces" in told
    assert "the emulator's speed (default max; of a running" in told
    assert main(["maps", "list"]) == 0
