"""`play --gif`: the boards of a game as an animated picture, as long as it lasted, and never over somebody's file."""

from __future__ import annotations

import io
import json
from pathlib import Path
from types import SimpleNamespace

import numpy as np
import pytest
from PIL import Image, ImageSequence

from emubot import extras, games
from emubot.cli import main, play
from emubot.cli.play_gif import GamePicture
from emubot.pilot import Match, View
from emubot.pilot.tally import Tally
from emubot.snapshot import Cell, Phase, Piece, Snapshot

PLAY = "play --bridge simulated --emu-speed max --view none --seed 3"


class Dots:
    """Pieces of one cell."""

    def cells(self, snapshot: Snapshot, piece: Piece) -> list[Cell]:
        return [Cell(piece.column, piece.row, 1)]

    def next_cells(self, snapshot: Snapshot, there: Piece | None = None) -> list[Cell]:
        return []

    def joins(self, snapshot: Snapshot) -> None:
        return None


def kept(path: Path, seats: int, phases: str, seconds: int = 60) -> GamePicture:
    """What is kept of frames: a menu (m), play (p)."""
    opened = SimpleNamespace(
        title="a title",
        edition=SimpleNamespace(game=games.game("tetris")),
        seats=[SimpleNamespace(skill=SimpleNamespace(tempo=SimpleNamespace(name="speed 10")))] * seats,
        bridges=[SimpleNamespace(facts=SimpleNamespace(frame_rate=60.0))],
    )
    picture = GamePicture(path, opened, seconds, True, Dots())  # type: ignore[arg-type]
    field = np.zeros((20, 10), np.uint8)
    for number, letter in enumerate(phases):
        phase = Phase.PLAYING if letter == "p" else Phase.MENU
        snapshot = Snapshot(phase, letter, field, field[:2], Piece(0, number % 10, 4), (), {"score": number})
        for seat in range(seats):
            picture.see(seat, View(number, snapshot, None, Tally(pieces=number), seat))
    return picture


@pytest.mark.parametrize("seats", [1, 2])
@pytest.mark.parametrize(("menu", "play"), [(0, 60), (30, 60), (7, 1)])
def test_every_second_frame_is_kept_from_the_first_piece_on(seats: int, menu: int, play: int, tmp_path: Path) -> None:
    out = tmp_path / "game.gif"
    picture = kept(out, seats, "m" * menu + "p" * play)
    picture.close()
    assert picture.written
    assert seconds_of(out) == pytest.approx((play + 1) // 2 / 30, abs=0.01)


def test_it_ends_where_it_is_long_enough_and_draws_no_menus(tmp_path: Path) -> None:
    assert len(kept(tmp_path / "x.gif", 1, "p" * 300, seconds=2).boards) == 60
    picture = kept(tmp_path / "x.gif", 1, "m" * 30)
    picture.close()
    assert not picture.written
    assert not (tmp_path / "x.gif").exists()


def seconds_of(file: Path) -> float:
    with Image.open(io.BytesIO(file.read_bytes())) as picture:
        shown: float = sum(one.info["duration"] for one in ImageSequence.Iterator(picture))  # equal pictures are one
    return shown / 1000


@pytest.mark.slow
@pytest.mark.jit
def test_the_picture_lasts_as_long_as_the_game(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    out = tmp_path / "game.gif"
    assert main([*PLAY.split(), *"--demo tetris --level 18 --pieces 1 --json --gif".split(), str(out)]) == 0
    told = json.loads(capsys.readouterr().out)
    assert told["drawn"] == [str(out)]
    assert 0.3 < seconds_of(out) < told["frames"] / 60.09, "from the first piece on"
    with Image.open(out) as picture:
        colours = picture.convert("RGB").getcolors(1 << 16) or []
    found = {"#{:02x}{:02x}{:02x}".format(*rgb) for _, rgb in colours}  # type: ignore[misc]
    assert found & {games.game("tetris").looks.kind(kind).colour for kind in (1, 2, 3)}


@pytest.mark.slow
@pytest.mark.jit
def test_two_players_stand_side_by_side_and_a_long_game_is_cut(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    out = tmp_path / "match.gif"
    assert main([*f"{PLAY} 10 AIvsAI --demo puyo --pieces 3 --gif-seconds 1 --gif".split(), str(out)]) == 0
    assert f"drawn: {out}\n" in capsys.readouterr().err
    assert seconds_of(out) == pytest.approx(1, abs=0.05)
    with Image.open(out) as picture:
        assert picture.width > 2 * (6 + 4) * 14


def test_a_file_that_is_there_or_a_missing_package_is_told_before_the_work(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setattr(play, "_play", lambda *_: pytest.fail("it began to play"))
    out = tmp_path / "mine.gif"
    out.write_bytes(b"mine")
    words = [*PLAY.split(), "--demo", "tetris", "--gif"]
    assert main([*words, str(out)]) == 2
    assert "is there already: name another file, or replace it with --force." in capsys.readouterr().err
    monkeypatch.setattr(extras.Need, "is_met", lambda self: False)
    assert main([*words, str(tmp_path / "new.gif")]) == 2
    assert "An animated picture needs Pillow (not installed): " in capsys.readouterr().err
    assert out.read_bytes() == b"mine"


def test_a_game_that_ends_before_its_first_piece_draws_nothing(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    def interrupted(match: Match) -> None:
        match.frames += 1
        raise KeyboardInterrupt

    monkeypatch.setattr(Match, "step", interrupted)
    out = tmp_path / "game.gif"
    assert main([*PLAY.split(), *"--demo tetris --json --gif".split(), str(out)]) == 130
    assert json.loads(capsys.readouterr().out)["drawn"] == []
    assert not out.exists()
