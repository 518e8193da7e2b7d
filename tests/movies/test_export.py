"""`emubot trace export`: what a recording must hold to become a movie, and what is said where it does not."""

from __future__ import annotations

import base64
import hashlib
import json
from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest

from emubot.cartridge import load_cartridge
from emubot.cli import main
from emubot.demos import image
from emubot.movies import LATER, read_bk2
from emubot.pad import Pad
from emubot.trace import read_trace, write_trace
from tests.movies.recordings import RECORDED, changed
from tests.movies.test_bk2 import texts
from tests.movies.test_fm2 import parts

FORMATS = ("fm2", "bk2", "r08")


@pytest.mark.parametrize(("core", "later"), [("FCEUmm git 1", 0), ("Nestopia 1.52.0", 1)])
def test_export_writes_the_movie(
    recording: Path, tmp_path: Path, core: str, later: int, capsys: pytest.CaptureFixture[str]
) -> None:
    out = tmp_path / "game.fm2"
    changed(recording, core=core)
    assert main(["trace", "export", str(recording), "--fm2", str(out), "--json"]) == 0
    frames = len(read_trace(recording).inputs)
    said = capsys.readouterr()
    assert json.loads(said.out) == {
        "file": str(recording),
        "fm2": str(out),
        "frames": frames,
        "rom": "emubot demo, falling blocks",
    }
    assert said.err == ""
    keys, log = parts(out.read_text(encoding="utf-8"))
    body = load_cartridge(image("tetris")).body
    digest = hashlib.md5(body, usedforsecurity=False).digest()
    assert keys["romChecksum"] == "base64:" + base64.b64encode(digest).decode()
    assert len(log) == frames + LATER[core.split(maxsplit=1)[0]]
    assert [number for number, line in enumerate(log) if "T" in line] == [7 + later]
    assert b"\r" not in out.read_bytes()


def test_export_takes_the_cartridge_from_its_file(
    recording: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    out = tmp_path / "game.fm2"
    words = ["trace", "export", str(recording), "--fm2", str(out), "--rom"]
    assert main([*words, str(image("tetris"))]) == 0
    assert parts(out.read_text(encoding="utf-8"))[0]["romFilename"] == "blocks.nes"
    assert main([*words, str(image("puyo")), "--force"]) == 2
    assert "is not the cartridge of" in capsys.readouterr().err


def test_export_replaces_nothing_without_force(
    recording: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    out = tmp_path / "game.fm2"
    out.write_text("a movie", encoding="utf-8")
    words = ["trace", "export", str(recording), "--fm2", str(out)]
    assert main(words) == 2
    assert "is there already: name another file, or replace it with --force." in capsys.readouterr().err
    assert out.read_text(encoding="utf-8") == "a movie"
    assert main([*words, "--force"]) == 0
    assert out.read_text(encoding="utf-8").startswith("version 3\n")


def test_export_says_why_a_recording_is_no_movie(
    recording: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    out = str(tmp_path / "game.fm2")
    for about, words in (
        ({"core": "cynes 0.1.2"}, "was recorded in cynes 0.1.2"),
        ({"core": ""}, "was recorded in an unknown emulator"),
        ({"core": "FCEUmm 1", "rom": "0" * 40}, "name its file with --rom"),
        (None, "does not hold the pads since power-on: record it anew"),
    ):
        file = RECORDED if about is None else changed(recording, **about)
        assert main(["trace", "export", str(file), "--fm2", out]) == 2
        said = capsys.readouterr()
        assert words in said.err
        assert said.err.count("\n") == 1
    assert main(["trace", "export", str(recording), "--fm2", str(tmp_path / "none" / "x.fm2")]) == 4
    assert main(["trace", "export", str(recording)]) == 2
    assert "export needs --fm2 OUT" in capsys.readouterr().err.splitlines()[-1]


def test_export_refuses_a_recording_of_a_pal_console(
    recording: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    changed(recording, frame_rate=50.007)
    assert main(["trace", "export", str(recording), "--fm2", str(tmp_path / "game.fm2")]) == 2
    assert "was recorded on a PAL console, and how that starts beside FCEUX is not known" in capsys.readouterr().err


@pytest.mark.parametrize("core", LATER)
def test_one_game_becomes_all_movies_at_once(
    recording: Path, tmp_path: Path, core: str, capsys: pytest.CaptureFixture[str]
) -> None:
    changed(recording, core=f"{core} 1")
    out = {name: tmp_path / f"game.{name}" for name in FORMATS}
    words = [word for name in FORMATS for word in (f"--{name}", str(out[name]))]
    assert main(["trace", "export", str(recording), *words, "--rom", str(image("tetris")), "--json"]) == 0
    frames = len(read_trace(recording).inputs)
    said = json.loads(capsys.readouterr().out)
    assert said == {
        "file": str(recording),
        **{name: str(path) for name, path in out.items()},
        "frames": frames,
        "rom": "blocks.nes",
        "latches": frames,
        "lag_frames": None,
    }
    movie = read_bk2(out["bk2"].read_bytes())
    whole = hashlib.sha1(image("tetris").read_bytes(), usedforsecurity=False).hexdigest().upper()
    assert movie.hashes == {load_cartridge(image("tetris")).md5, whole}
    assert movie.pads_for(f"{core} 1").tolist() == read_trace(recording).inputs.tolist()
    assert out["r08"].read_bytes() == read_trace(recording).inputs.tobytes()
    assert "\nAuthor emubot " in texts(out["bk2"].read_bytes())["Header.txt"]
    assert texts(out["bk2"].read_bytes())["Comments.txt"] == f"recorded in {core} 1\n"


def test_without_the_file_a_movie_of_bizhawk_names_no_sha1(recording: Path, tmp_path: Path) -> None:
    """BizHawk hashes the file with its header, and that is not known."""
    out = tmp_path / "game.bk2"
    assert main(["trace", "export", str(recording), "--bk2", str(out), "-q"]) == 0
    assert "SHA1" not in texts(out.read_bytes())["Header.txt"]


def test_latches_say_what_a_recording_does_not_tell(
    recording: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    trace = read_trace(changed(recording, map="nes_tetris_usa"))
    counter = trace.address.tolist().index(0xB1)
    assert not (np.diff(trace.state[:, counter].astype(int)) == 0).any()
    state = trace.state.copy()
    state[5:8, counter] = state[4, counter]
    write_trace(recording, replace(trace, state=state))
    words = ["trace", "export", str(recording), "--r08", str(tmp_path / "game.r08"), "--force"]
    assert main([*words, "--skip", "7"]) == 0
    latches = len(trace.inputs) - 7
    assert capsys.readouterr().out.splitlines() == [
        f"written: {tmp_path / 'game.r08'} ({latches:,} latches); play it with tastm32.py --console nes --players 1,5.",
        "note: one latch for each frame, for a recording does not tell in which frames the game did not read its pads; "
        f"the game's own counter stood still in 3 of {trace.frames:,} recorded frames.",
    ]
    assert (tmp_path / "game.r08").read_bytes() == trace.inputs[7:].tobytes()
    assert main([*words, "--json"]) == 0
    assert json.loads(capsys.readouterr().out)["lag_frames"] == 3


def test_export_refuses_in_one_sentence_what_no_movie_keeps(
    recording: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    def said(*words: str) -> str:
        assert main(["trace", "export", str(recording), *words]) == 2
        return capsys.readouterr().err.splitlines()[-1]

    out = str(tmp_path / "x")
    assert said("--r08", out, "--skip", "8") == (
        "emubot: Frame 7 has a button, and the first 8 are to be left out: choose a smaller --skip."
    )
    assert "so the first 99999 cannot be left out." in said("--r08", out, "--skip", "99999")
    assert "--skip needs --r08 OUT: other movies have a line for each frame" in said("--fm2", out, "--skip", "1")
    assert said("--fm2", out, "--bk2", out) == "emubot: Two movies cannot be one file: name another one for each."
    assert "export needs --fm2 OUT, --bk2 OUT or --r08 OUT" in said()
    trace = read_trace(recording)
    inputs = trace.inputs.copy()
    inputs[0, 1] = Pad.A
    write_trace(recording, replace(trace, inputs=inputs))
    assert said("--bk2", out) == (
        "emubot: Frame 0 has a button, and NesHawk, which starts earlier, has no such frame: record without it."
    )
    assert not Path(out).exists()


@pytest.mark.parametrize("name", FORMATS)
def test_each_movie_needs_the_same_of_a_recording(
    recording: Path, tmp_path: Path, name: str, capsys: pytest.CaptureFixture[str]
) -> None:
    out = [f"--{name}", str(tmp_path / "x")]
    for about, words in (
        ({"core": "cynes 0.1.2"}, "was recorded in cynes 0.1.2"),
        ({"core": "FCEUmm 1", "frame_rate": 50.007}, "was recorded on a PAL console"),
        (None, "does not hold the pads since power-on: record it anew"),
    ):
        file = RECORDED if about is None else changed(recording, **about)
        assert main(["trace", "export", str(file), *out]) == 2
        said = capsys.readouterr()
        assert words in said.err
        assert said.err.count("\n") == 1
    (tmp_path / "x").write_bytes(b"mine")
    assert main(["trace", "export", str(recording), *out]) == 2
    assert "is there already" in capsys.readouterr().err
    assert (tmp_path / "x").read_bytes() == b"mine"
