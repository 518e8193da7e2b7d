"""`--json` prints one object however a command ends: its result, what was reached before an error, or the error."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from emubot.bridges.simulated import SimulatedBridge
from emubot.cli import bench, doctor, main
from emubot.cli.result import emit_json
from emubot.errors import BridgeError, StorageError
from emubot.pad import Pad
from emubot.trace import read_trace

SIMULATED = "play --demo tetris --bridge simulated --emu-speed max --view none --level 9 --weights meatfighter"
LOST = "Nintaco at 127.0.0.1:9999 is gone."


@pytest.mark.parametrize(
    ("line", "code"),
    [
        ("play --rom none.nes", 2),
        ("play --levle 3", 2),
        ("play --bridge fcuex", 2),
        ("play --bridge fceux --port 1 --wait 0", 3),
        ("selfplay tetrs --pieces 5", 2),
        ("evaluate tetris --weights none", 2),
        ("bench pastry", 2),
        ("review none.npz", 2),
        ("explain none.npz", 2),
        ("trace verify none.npz", 2),
        ("maps discover", 2),
        ("train tetris --method psoo --out x", 2),
        ("core install none", 2),
        ("arena none.match.json --no-open", 2),
    ],
)
def test_a_command_that_fails_says_why_on_both_ways_out(
    line: str, code: int, capsys: pytest.CaptureFixture[str]
) -> None:
    assert main([*line.split(), "--json"]) == code
    said = capsys.readouterr()
    assert said.out.count("\n") == 1
    told = json.loads(said.out)
    assert set(told) == {"error", "code"}
    assert told["code"] == code
    assert said.err.splitlines()[-1] == f"emubot: {told['error']}"


@pytest.mark.parametrize(
    ("ended", "told"),
    [
        (KeyboardInterrupt(), {"error": "interrupted.", "code": 130}),
        (
            OSError(28, "No space left on device", "game.npz"),
            {"error": "game.npz: No space left on device.", "code": 4},
        ),
        (BridgeError(LOST), {"error": LOST, "code": 3}),
    ],
)
def test_every_other_end_is_told_the_same_way(
    ended: BaseException,
    told: dict[str, object],
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
) -> None:
    def run(_: list[str]) -> int:
        raise ended

    monkeypatch.setattr(doctor, "run", run)
    assert main(["doctor", "--json"]) == told["code"]
    assert json.loads(capsys.readouterr().out) == told
    assert main(["doctor"]) == told["code"]
    assert capsys.readouterr().out == ""


def test_an_error_after_the_result_adds_no_second_object(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    """As where the picture beside a result cannot be written."""

    def run(_: list[str]) -> int:
        emit_json({"ok": True})
        raise StorageError("curve.png cannot be written: the disk is full.")

    monkeypatch.setattr(doctor, "run", run)
    for _ in range(2):  # each run has an object of its own
        assert main(["doctor", "--json"]) == 4
        said = capsys.readouterr()
        assert json.loads(said.out) == {"ok": True}
        assert "curve.png" in said.err


def test_what_was_reached_before_an_error_is_told_with_it(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    """As the kinds that a benchmark measured, or the generations that a training has finished."""

    def measure(subject: str, *_: object) -> float:
        if subject == "puyo":
            raise KeyboardInterrupt
        return 7.0

    monkeypatch.setattr(bench, "_measure", measure)
    assert main(["bench", "--json"]) == 130
    assert json.loads(capsys.readouterr().out) == {"tetris": 7.0, "error": "interrupted.", "code": 130}
    assert main(["bench", "pastry", "--json"]) == 2
    assert set(json.loads(capsys.readouterr().out)) == {"error", "code"}


@pytest.fixture
def _lost(monkeypatch: pytest.MonkeyPatch) -> None:
    """The emulator is gone after 400 frames, and takes no pad from then on."""
    advance, press = SimulatedBridge.advance, SimulatedBridge.press
    gone: list[int] = []

    def lost(bridge: SimulatedBridge) -> int:
        if bridge.frame == 400:
            gone.append(bridge.frame)
            raise BridgeError(LOST)
        return advance(bridge)

    def refused(bridge: SimulatedBridge, port: int, pad: Pad) -> None:
        if gone:
            raise BridgeError("It is closed.")
        press(bridge, port, pad)

    monkeypatch.setattr(SimulatedBridge, "advance", lost)
    monkeypatch.setattr(SimulatedBridge, "press", refused)


@pytest.mark.jit
@pytest.mark.usefixtures("_lost")
def test_what_was_played_is_told_where_the_emulator_is_lost(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    record = tmp_path / "game.npz"
    assert main([*SIMULATED.split(), "--json", "--record", str(record)]) == 3
    said = capsys.readouterr()
    assert said.err.splitlines()[-1] == f"emubot: {LOST}"
    told = json.loads(said.out)
    assert (told["result"], told["error"], told["code"]) == ("error", LOST, 3)
    assert told["frames"] == 401
    assert told["pieces"] == told["players"][0]["pieces"] > 3
    assert told["score"] > 0, "the game that is not over counts"
    assert told["recorded"] == [str(record)]
    assert read_trace(record).frames > 200


@pytest.mark.jit
@pytest.mark.usefixtures("_lost")
def test_a_person_is_told_it_too(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(SIMULATED.split()) == 3
    first, second, last = capsys.readouterr().err.splitlines()[-3:]
    assert first.startswith("error: ")
    assert second.startswith("401 frames on ")
    assert last == f"emubot: {LOST}"
