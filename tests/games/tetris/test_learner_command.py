"""`emubot maps learn` for falling blocks: on the simulated bridge, and on the demo cartridge in each core."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from emubot.bridges import open_bridge
from emubot.cli import main
from emubot.datafiles import shipped
from emubot.games.tetris.family import GAME
from emubot.pilot import Skill
from emubot.rammap import RamMap, load_map, parse_map
from emubot.session import session
from emubot.session.request import SessionRequest
from emubot.session.seating import Seat
from emubot.weights import load_weights
from tests.bridges.cores import in_each_core, require_core
from tests.games.tetris.shuffled import Shuffled, replaced
from tests.games.tetris.test_learner import check_true

NES = (shipped("ram_maps") / f"{GAME.facts.default_map}.yaml").read_text(encoding="utf-8")
# The demo cartridge keeps its values as this map says; here only the addresses are known.
OPEN_DEMO = replaced(
    NES,
    ("profile: nes-ntsc\n", "profile: plain\n"),
    ("timing:\n  profile: nes-ntsc #", "timing: {} #"),
    ("foresight: [lfsr_hi, lfsr_lo, spawn_id, spawn_count]\n", ""),
    ("empty: 0xEF", "empty: learn"),
    *((f"{name}: 0x{code}", f"{name}: learn") for name, code in (("block_toi", "7B"), ("block_zl", "7C"))),
    *((f"{name}: 0x{code}", f"{name}: learn") for name, code in (("block_js", "7D"), ("curtain", "4F"))),
    ("# The first rule that holds.", "pieces: learn\n\n# The first rule that holds."),
)


@pytest.fixture
def unknown(monkeypatch: pytest.MonkeyPatch) -> Shuffled:
    """A cartridge of which only the addresses are known, in place of what the options would open."""
    machine = Shuffled(0)
    monkeypatch.setattr(session, "open_session", lambda request: session_of(machine, request))
    return machine


def session_of(machine: Shuffled, request: SessionRequest) -> session.Session:
    bridge = open_bridge("simulated", machine=machine)
    edition = GAME.open(machine.open)
    skill = Skill(load_weights("dt10"), request.tempos[0])
    seat = Seat(bridge, 0, True, skill, skill.mind(edition))
    return session.Session(edition, [bridge], [seat], {}, 0)


def learn(*words: str) -> int:
    return main(["maps", "learn", "--demo", "tetris", *words])


@pytest.mark.slow
@pytest.mark.jit
def test_the_written_map_is_complete_and_true_and_keeps_its_authors_words(
    unknown: Shuffled, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    file = tmp_path / "own.yaml"
    assert learn("--bridge", "simulated", "--pieces", "90", "--probe", "--out", str(file), "--json") == 0
    captured = capsys.readouterr()
    told: dict[str, Any] = json.loads(captured.out)
    assert told["open"] == []
    assert (told["timing"]["soft_drop"], told["timing"]["shift_delay"]) == (2, 0)
    assert told["rules"]["line_points"][0] == 40
    assert "found pieces" in captured.err
    assert "everything in use is known" in captured.err
    learnt = load_map(file)
    check_true(learnt, unknown.truth)
    assert 'title: "A stranger\'s falling blocks"  # whose?\n' in learnt.text
    assert " # pixels\n" in learnt.text
    assert main(["maps", "check", str(file)]) == 0


class Stuck(Shuffled):
    """After `most` pieces, every frame reads as the title."""

    most = 1 << 30

    def _publish(self) -> None:
        super()._publish()
        if self.pieces >= self.most:
            self._map.encode(self.ram, {"state": 0})


@pytest.mark.jit
@pytest.mark.parametrize("most", [0, 12])
def test_a_game_in_which_no_piece_comes_any_more_ends_the_command_and_keeps_what_was_learnt(
    most: int,
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
) -> None:
    monkeypatch.setattr("emubot.cli.learn_watch.PATIENCE", 1200)
    monkeypatch.setattr("emubot.cli.learn_watch.FIRST", 1800)
    machine = Stuck(0)
    machine.most = most
    monkeypatch.setattr(session, "open_session", lambda request: session_of(machine, request))
    file = tmp_path / "own.yaml"
    assert learn("--bridge", "simulated", "--pieces", "90", "--out", str(file)) == 1
    told = capsys.readouterr().err.splitlines()[-1]
    assert f"No piece has {'come for ten minutes' if most else 'counted in a minute'} of the game" in told
    assert "the map shuffled reads title (state 0), and waits for playing: state is 0, allowed is" in told
    assert "emubot maps watch" in told
    assert file.exists() == bool(most)


@pytest.mark.slow
@in_each_core("name", quick="fceumm")
def test_the_demo_cartridge_is_learnt_in_a_core(name: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    (tmp_path / "open.yaml").write_text(OPEN_DEMO, encoding="utf-8")
    words = ["--map", str(tmp_path / "open.yaml"), "--core", str(require_core(name)), "--pieces", "60", "--probe"]
    assert learn(*words, "--out", str(tmp_path / "own.yaml"), "--json") == 0
    told: dict[str, Any] = json.loads(capsys.readouterr().out)
    assert (told["open"], told["never_seen"]) == ([], ["curtain"])
    learnt, truth = load_map(tmp_path / "own.yaml"), load_map(GAME.facts.default_map)
    check_demo(learnt, truth)
    frames = (48, 43, 38, 33, 28, 23, 18, 13, 8, 6, 5, 5, 5, 4, 4, 4, 3, 3, 3, 2)
    assert dict(learnt.timing) == {
        "gravity": frames, "soft_drop": 2, "shift_delay": 0, "rotate_delay": 0, "das_initial": 16, "das_reset": 10,
    }  # fmt: skip
    assert 40 <= told["rules"]["line_points"][0] < 60


def check_demo(learnt: RamMap, truth: RamMap) -> None:
    """The codes of blocks have other names, and the pieces are those of the family's own table."""
    blocks = ("block_toi", "block_zl", "block_js")
    assert {learnt.codes[name] for name in blocks} == {truth.codes[name] for name in blocks}
    assert learnt.codes["empty"] == truth.codes["empty"]
    decode, known = GAME.open(learnt).decoder(), GAME.open(parse_map(replaced(OPEN_DEMO, *STATED), "stated")).decoder()
    ram = bytearray(2048)
    for number in range(19):
        ram[0xC0], ram[0xA7], ram[0x68], ram[0xBE] = 4, 2, 1, 1
        ram[0x60], ram[0x61], ram[0x62] = 5, 8, number
        assert decode(bytes(ram)).current == known(bytes(ram)).current is not None


STATED = (("empty: learn", "empty: 0xEF"), ("pieces: learn\n", ""))
