"""`emubot maps watch`: shows what a map reads and why its phases do not hold, and never presses anything."""

from __future__ import annotations

import io
import itertools
import json
import re
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from rich.console import Console

from emubot.bridges.libretro import LibretroBridge
from emubot.bridges.simulated import SimulatedBridge
from emubot.cli import main
from emubot.datafiles import shipped
from emubot.demos import image
from emubot.pad import Pad
from emubot.rammap import load_map, parse_map
from emubot.rammap.sight import sight
from emubot.snapshot import Cell
from emubot.view.watch import WatchBoard
from tests.bridges.cores import in_each_core, require_core
from tests.cli.refusals import sentence
from tests.rammap.test_toy import TOY, ram_with

SIMULATED = ["--demo", "tetris", "--bridge", "simulated", "--emu-speed", "max"]


def watch(*words: str | Path) -> int:
    return main(["maps", "watch", *map(str, words)])


def watched(capsys: pytest.CaptureFixture[str], *words: str | Path) -> dict[str, Any]:
    assert watch(*words, "--json") == 0
    result: dict[str, Any] = json.loads(capsys.readouterr().out)
    return result


@pytest.fixture
def no_presses(monkeypatch: pytest.MonkeyPatch) -> None:
    def pressed(self: object, port: int, pad: Pad) -> None:
        raise AssertionError(f"port {port} was pressed")

    monkeypatch.setattr(SimulatedBridge, "press", pressed)
    monkeypatch.setattr(LibretroBridge, "press", pressed)


@pytest.mark.jit
@pytest.mark.usefixtures("no_presses")
def test_the_last_frame_as_json(capsys: pytest.CaptureFixture[str]) -> None:
    result = watched(capsys, *SIMULATED, "--frames", "40")
    assert (result["map"], result["bridge"], result["frames"]) == ("nes_tetris_usa", "simulated", 40)
    first, second = result["players"]
    assert (first["player"], first["phase"], first["state"]) == (1, "menu", "title")
    assert [why["state"] for why in first["why_not"]] == ["legal"]
    assert first["values"]["game_mode"] == 1
    assert [len(row) for row in first["playfield"]] == [10] * 20
    assert second["player"] == 2


@pytest.mark.usefixtures("no_presses")
@in_each_core("name", quick="fceumm")
def test_a_demo_cartridge_in_a_core(name: str, capsys: pytest.CaptureFixture[str]) -> None:
    where = ["--demo", "tetris", "--core", str(require_core(name)), "--core-process", "off", "--emu-speed", "max"]
    result = watched(capsys, *where, "--frames", "400")
    first = result["players"][0]
    assert (result["bridge"], first["state"]) == ("libretro", "title")
    assert first["why_not"] == [
        {"state": "legal", "phase": "menu", "value": "game_mode", "found": 1, "allowed": "0"},
    ]
    assert first["values"]["frame_counter"] > 300


@pytest.mark.usefixtures("no_presses")
def test_a_map_of_a_family_that_is_not_there_and_one_that_its_family_refuses(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    text = (shipped("ram_maps") / "nes_tetris_usa.yaml").read_text(encoding="utf-8")
    where = ["--core", str(require_core("fceumm")), "--core-process", "off", "--emu-speed", "max", "--frames", "400"]
    for old, new, words in (
        ("family: tetris", "family: chess", "The family chess is not installed"),
        ("\nprofile: nes-ntsc\n", "\nprofile: nes-secam\n", "nes-secam"),
    ):
        assert old in text
        file = tmp_path / "own.yaml"
        file.write_text(text.replace(old, new), encoding="utf-8")
        result = watched(capsys, "--rom", image("tetris"), "--map", file, *where)
        first = result["players"][0]
        assert first["state"] == "title"
        assert words in first["note"]


@pytest.mark.jit
def test_without_a_terminal_the_last_frame_is_printed(capsys: pytest.CaptureFixture[str]) -> None:
    assert watch(*SIMULATED, "--frames", "3") == 0
    shown = capsys.readouterr().out
    assert "frame 3" in shown
    assert "menu, title" in shown
    assert "game_mode" in shown


@pytest.mark.jit
def test_an_interrupt_ends_it_with_the_last_frame(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    advance = SimulatedBridge.advance

    def interrupted(self: SimulatedBridge) -> int:
        if self.frame == 7:
            raise KeyboardInterrupt
        return advance(self)

    monkeypatch.setattr(SimulatedBridge, "advance", interrupted)
    assert watch(*SIMULATED, "--json") == 130
    assert json.loads(capsys.readouterr().out)["frames"] == 7


def test_nothing_to_watch(capsys: pytest.CaptureFixture[str]) -> None:
    assert watch("--bridge", "libretro") == 2
    assert "name yours with --rom FILE, or a --demo" in sentence(capsys)


def test_why_each_phase_above_does_not_hold() -> None:
    toy = parse_map(TOY, "toy")
    found = sight(toy, ram_with(a2C=3, a12=3))
    assert (found.state, [str(refusal) for refusal in found.refusals]) == (
        "playing",
        [
            "mode_menu: state is 3, allowed is 0",
            "level_menu: state is 3, allowed is 1",
            "playing: state is 3, allowed is 2",
        ],
    )
    unknown = sight(toy, ram_with(a2C=2, a10=15))
    assert [str(refusal) for refusal in unknown.refusals][2:] == [
        "playing: column is -1, allowed is 0 to 2",
        "playing: state is 2, allowed is 3",
        "over: state is 2, allowed is at least 200",
    ]
    paused = sight(toy, ram_with(a2C=3, a12=6, a26=0x80))
    assert str(paused.refusals[3]) == "playing: row is 7, allowed is not at least 5"


def test_a_value_that_a_player_lacks_is_named() -> None:
    text = TOY.replace("  mode: 0x2D\n", "  mode: [0x2D, none]\n").replace("when: {state: 0}", "when: {mode: [0, 2]}")
    found = sight(parse_map(text, "toy"), bytes(2048), player=1)
    assert str(found.refusals[0]) == "mode_menu: mode is no value of this player, allowed is 0 or 2"
    assert "mode" not in found.values


def drawn(board: WatchBoard, *shown: Any) -> str:
    with board._console.capture() as captured:
        board._console.print(board.picture(shown))
    return captured.get()


def console_of(width: int, height: int, colours: str | None = None, encoding: str = "utf-8") -> Console:
    file = io.TextIOWrapper(io.BytesIO(), encoding=encoding)
    return Console(file=file, width=width, height=height, force_terminal=True, color_system=colours)  # type: ignore[arg-type]


def test_the_board_shows_hidden_rows_unknown_codes_the_piece_and_all_values() -> None:
    toy = parse_map(TOY, "toy")
    ram = bytearray(ram_with(a2C=2, a10=16, a313=0xF1, a309=0x02))
    ram[0x301] = 0x0C  # a code that no kind has, at the bottom left
    board = WatchBoard("it", console_of(120, 50))
    text = drawn(board, sight(toy, bytes(ram), piece=[Cell(2, 0, 1)]), sight(toy, bytes(ram), 1))
    lines = [line[1:7] for line in text.splitlines()[2:9]]
    assert lines == [" · · ·", "22 · ·", "──────", " · ·▒▒", " · · ·", " ·11 ·", "?? · ·"]
    for words in ("it · frame 0", "player 1: playing, playing", "not level_menu: state is 2, allowed is 1", "coins"):
        assert words in text
    assert np.count_nonzero([name in text for name in toy.value_names]) == len(toy.value_names)


def test_a_value_that_changed_lately_is_marked() -> None:
    toy = parse_map(TOY, "toy")
    board = WatchBoard("it", console_of(120, 50, "standard"))

    def marked() -> bool:
        return "\x1b[1;33m" in drawn(board, sight(toy, ram_with(a2C=2, a12=3)))

    board.note([sight(toy, ram_with(a2C=2))], 1)
    assert not marked()
    board.note([sight(toy, ram_with(a2C=2, a12=3))], 2)
    assert marked()
    board.note([sight(toy, ram_with(a2C=2, a12=3))], 70)
    assert not marked()


def test_every_shipped_map_can_be_watched_on_any_bytes() -> None:
    rng = np.random.default_rng(5)
    for name in ("nes_tetris_usa", "famicom_puyo", "demo_pairs"):
        ram_map = load_map(name)
        for player in range(ram_map.players):
            for ram in (bytes(2048), rng.integers(0, 256, 2048, np.uint8).tobytes()):
                json.dumps(sight(ram_map, ram, player).as_dict())


def test_the_picture_stands_beside_the_board_where_the_terminal_can_show_it() -> None:
    toy = parse_map(TOY, "toy")
    pixels = np.zeros((240, 256, 3), dtype=np.uint8)
    pixels[:, 128:] = (255, 0, 0)
    pixels[np.arange(240) % 8 >= 4] = 0  # every second line of half blocks

    def shown(width: int, colours: str | None) -> str:
        board = WatchBoard("it", console_of(width, 50, colours), lambda: pixels)
        return drawn(board, sight(toy, ram_with(a2C=2)))

    wide = shown(180, "truecolor")
    black, red = "\x1b[38;2;0;0;0;48;2;0;0;0m", "\x1b[38;2;255;0;0;48;2;0;0;0m"
    assert wide.count(f"{black}{'▀' * 32}\x1b[0m{red}{'▀' * 32}") == 30
    for width, colours in ((120, "truecolor"), (180, "standard"), (180, None)):
        assert "▀" not in shown(width, colours)


@pytest.mark.parametrize("size", [(80, 24), (80, 15), (40, 24), (30, 10), (200, 60)])
@pytest.mark.parametrize("name", ["nes_tetris_usa", "demo_pairs", "demo_capsules"])
def test_it_fits_every_terminal_and_shows_the_floor(name: str, size: tuple[int, int]) -> None:
    ram_map = load_map(name)
    ram = np.random.default_rng(5).integers(0, 256, 2048, np.uint8).tobytes()
    for players, (colours, encoding) in itertools.product((1, 2), (("256", "utf-8"), (None, "ascii"))):
        board = WatchBoard("a title" * 20, console_of(*size, colours, encoding))
        sights = [sight(ram_map, ram, player) for player in range(min(players, ram_map.players))]
        lines = [re.sub(r"\x1b\[[0-9;?]*[A-Za-z]", "", line) for line in drawn(board, *sights).splitlines()]
        assert max(map(len, lines)) <= size[0], lines
        assert len(lines) <= size[1], lines
        walls = "|" if encoding == "ascii" else "│"
        assert sum(line.count(walls) >= 2 for line in lines) >= min(size[1] // 2, len(sights[0].playfield) // 2), lines
        if encoding == "ascii":
            "".join(lines).encode("ascii")
