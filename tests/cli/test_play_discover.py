"""`play --discover`: an unknown cartridge is found out once, its map is kept, and it is played."""

from __future__ import annotations

import hashlib
import json
from collections.abc import Callable
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import pytest

from emubot.cli import main
from emubot.demos import image
from emubot.discovery import discover as discovery
from emubot.errors import NotDiscovered
from emubot.rammap import load_map
from emubot.rammap.writing import map_text
from tests.bridges.cores import require_core
from tests.cli.refusals import sentence

HEADER = 16


def stranger(folder: Path) -> Path:
    """The demo cartridge with a byte that is never used changed, so that no map knows it."""
    data = bytearray(image("tetris").read_bytes())
    at = data.index(bytes(64), HEADER) + 32
    data[at] = 0x5A
    path = folder / "My Blocks.nes"
    path.write_bytes(data)
    return path


def found(path: Path) -> Callable[..., Any]:
    """What takes the place of the experiments: it knows the map."""
    sha1 = hashlib.sha1(path.read_bytes()[HEADER:], usedforsecurity=False).hexdigest()
    text = map_text(load_map("nes_tetris_usa").only_for(sha1, "My Blocks"), {})

    def stub(bridge: Any, title: str, digest: str, tell: Callable[[str], None], prepare: Any) -> Any:
        assert (title, digest.lower()) == ("My Blocks", sha1)
        tell("experimenting ...")
        return SimpleNamespace(text=text, left_open=("the next piece",))

    return stub


def play(path: Path, *words: str) -> int:
    core = str(require_core("fceumm"))
    return main(["play", "--rom", str(path), "--core", core, "--emu-speed", "max", "--view", "none", *words])


@pytest.mark.jit
@pytest.mark.core("fceumm")
def test_an_unknown_cartridge_is_found_out_once_and_played(
    tmp_path: Path, user_config: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    path = stranger(tmp_path)
    assert play(path, "--pieces", "2") == 2
    assert '"emubot play --rom FILE --discover"' in sentence(capsys)
    monkeypatch.setattr(discovery, "discover", found(path))
    assert play(path, "--pieces", "2", "--discover", "--json") == 0
    printed = capsys.readouterr()
    kept = user_config / "ram_maps" / "my_blocks.yaml"
    facts = json.loads(printed.out)
    assert (facts["pieces"], facts["misplaced"], facts["discovered"]) == (2, 0, str(kept))
    assert f"kept what was found as {kept}" in printed.err
    assert "experimenting" in printed.err
    monkeypatch.setattr(discovery, "discover", None)
    assert play(path, "--pieces", "2", "--json") == 0
    assert "discovered" not in json.loads(capsys.readouterr().out)
    assert play(path, "--pieces", "2", "--discover", "--json") == 0
    printed = capsys.readouterr()
    assert json.loads(printed.out)["discovered"] is None
    assert "is known already, by the map my_blocks" in printed.err


@pytest.mark.core("fceumm")
@pytest.mark.parametrize(
    ("raised", "code"),
    [(KeyboardInterrupt(), 130), (NotDiscovered("Nothing moves."), 1)],
    ids=["interrupted", "nothing found"],
)
def test_what_ends_early_keeps_nothing(
    raised: BaseException,
    code: int,
    tmp_path: Path,
    user_config: Path,
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
) -> None:
    def stub(*words: Any) -> None:
        raise raised

    monkeypatch.setattr(discovery, "discover", stub)
    assert play(stranger(tmp_path), "--discover", "--json") == code
    assert json.loads(capsys.readouterr().out)["code"] == code
    assert not [*(user_config / "ram_maps").iterdir()]


@pytest.mark.parametrize(
    ("words", "said"),
    [
        ("", "add --rom FILE"),
        ("--bridge fceux --rom ROM", "has none: take --bridge libretro or cynes"),
        ("--rom ROM --map nes_tetris_usa", "leave out --discover, or --map"),
    ],
)
def test_what_does_not_go_together_is_refused(
    words: str, said: str, tmp_path: Path, user_config: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    path = str(stranger(tmp_path))
    assert main(["play", "--discover", *(path if word == "ROM" else word for word in words.split())]) == 2
    assert said in sentence(capsys)


def test_a_simulated_game_is_known(capsys: pytest.CaptureFixture[str]) -> None:
    words = "play --discover --demo tetris --bridge simulated --pieces 1 --view none --emu-speed max"
    assert main(words.split()) == 0
    assert "this game is known already" in capsys.readouterr().err
