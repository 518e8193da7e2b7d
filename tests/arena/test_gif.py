"""A recorded match becomes an animated picture: its length, its colours, and what is refused."""

from __future__ import annotations

import io
from pathlib import Path

import pytest
from PIL import Image, ImageSequence

from emubot import games
from emubot.arena.gif import gif_of
from emubot.arena.gif_cells import CellPictures
from emubot.arena.replay import Replay
from emubot.cli import main
from emubot.errors import UsageError
from emubot.snapshot import JOINED_RIGHT
from tests.arena.playing import match_of, play, side

pytestmark = [pytest.mark.jit, pytest.mark.xdist_group("arena-match")]


@pytest.fixture(scope="module")
def replay() -> Replay:
    """Ten seconds of two bots, with the three of the countdown."""
    match = match_of(side("blocks", "strong", level=9), side("pairs", "strong"))
    play(match, 600)
    return match.replay()


def test_it_lasts_as_long_as_what_it_shows(replay: Replay) -> None:
    drawn: list[int] = []
    content, count = gif_of(replay, 2.0, 4.0, drawn.append)
    assert count == len(drawn) == 120
    with Image.open(io.BytesIO(content)) as picture:
        shown = sum(one.info["duration"] for one in ImageSequence.Iterator(picture))  # equal pictures are one
    assert abs(shown - 4000) <= 10


def test_the_colours_of_both_games_are_there(replay: Replay) -> None:
    content, _ = gif_of(replay, 5.0, 1.0)
    with Image.open(io.BytesIO(content)) as picture:
        colours = picture.convert("RGB").getcolors(1 << 16) or []
    found = {f"#{red:02x}{green:02x}{blue:02x}" for _, (red, green, blue) in colours}  # type: ignore[misc]
    assert len(found & {games.game("tetris").looks.kind(kind).colour for kind in (1, 2, 3)}) >= 1
    assert len(found & {games.game("puyo").looks.kind(kind).colour for kind in range(1, 6)}) >= 2


def test_joined_cells_are_joined() -> None:
    """A bridge between two puyos has their colour, and a single one ends before its border."""
    cells, ground = CellPictures(games.game("puyo").looks, 14, "#0d1117"), (0x0D, 0x11, 0x17)
    single, joined = cells.picture(1, 0), cells.picture(1, JOINED_RIGHT)
    assert single is not None
    assert joined is not None
    red = tuple(bytes.fromhex(games.game("puyo").looks.kind(1).colour[1:]))
    assert joined.getpixel((13, 7)) == red
    assert max(abs(part - its) for part, its in zip(single.getpixel((13, 7)), ground, strict=True)) < 60  # type: ignore[arg-type]
    assert joined.getpixel((13, 1)) == ground, "a bridge is no block"
    assert cells.picture(0, 0) is None


def test_a_part_after_the_end_is_refused(replay: Replay) -> None:
    with pytest.raises(UsageError, match=r"lasts \d+\.\d seconds: begin earlier"):
        gif_of(replay, 1000.0, 1.0)


def test_the_command_writes_it_and_replaces_nothing_unasked(
    replay: Replay, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    game, out = tmp_path / "game.match.json", tmp_path / "game.gif"
    replay.write(game)
    words = ["arena", str(game), "--gif", str(out), "--seconds", "1", "-q"]
    assert main(words) == 0
    assert capsys.readouterr().out == f"written: {out} (30 pictures)\n"
    assert out.read_bytes()[:6] == b"GIF89a"
    assert main(words) == 2
    assert main([*words, "--force"]) == 0
    assert main(["arena", "--gif", str(out), "--force"]) == 2
    assert capsys.readouterr().err.endswith("--gif draws a recorded match: name its FILE.\n")
