"""A cartridge of falling blocks with a game for two of its own: the bot plays it against itself on one console."""

from __future__ import annotations

import json
import re
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from emubot.cli import main
from emubot.games.tetris.family import GAME
from emubot.games.tetris.simulator.cartridge import TetrisSimulator
from emubot.machine import FRAME_RATE_NTSC
from emubot.pad import Pad
from emubot.rammap import RamMap, parse_map
from emubot.session.emulators import modes_of, plays_versus
from tests.families import default_edition
from tests.games.tetris.toy_blocks import OVER, PLAYING, TITLE, Toy, ToyMachine

MODE, LOSER = 0x40, 0x41
SECOND = 0x0400  # where player 2's bytes begin
TOY = Toy(8, 16)


def map_text(outcome: str = "loser") -> str:
    """The toy's map with addresses for two players, a mode in the menu, and who lost or won."""
    values, grid = TOY.map_text().split("grid:")
    for_both = re.sub(r"0x(\w\w)\b", lambda at: f"[0x{at[1]}, 0x{SECOND + int(at[1], 16):04X}]", values)
    grid = re.sub(r"  at: (0x\w+)", lambda at: f"  at: [{at[1]}, 0x{SECOND + int(at[1], 16):04X}]", grid)
    text = f"{for_both}  mode: 0x{MODE:02X}\n  {outcome}: 0x{LOSER:02X}\ngrid:{grid}"
    text = text.replace("profile: plain\n", "profile: plain\nplayers: 2\n")
    return text.replace(
        "  steps:\n",
        "  asked:\n    mode: {from: 0, to: 1, default: 0, names: [endless, versus]}\n"
        "  steps:\n    - {state: title, tap: SELECT, until: {mode: {asked: mode}}}\n",
    )


class TwoPlayers:
    """Two toys in one console: SELECT changes the mode, and whoever fills a field ends the game for both."""

    def __init__(self) -> None:
        self.ram = np.zeros(2048, dtype=np.uint8)
        self.identity, self.frame_rate = "simulated:two", FRAME_RATE_NTSC
        self._toys = [ToyMachine(TOY, seed=3), ToyMachine(TOY, seed=3)]
        self._mode, self._loser, self._held = 0, 0, Pad.NONE
        self._show()

    def step(self, pads: Sequence[Pad]) -> None:
        first, second = self._toys
        if first.state in (TITLE, OVER):
            self._mode ^= bool(pads[0] & ~self._held & Pad.SELECT)
            first.step([pads[0]])
            if self._mode:
                second.step([pads[0]])
            self._loser = 0 if first.state == PLAYING else self._loser
        else:
            first.step([pads[0]])
            if self._mode:
                second.step([pads[1]])
            if OVER in (first.state, second.state):
                self._loser = 1 + (first.state != OVER)
                first.state = second.state = OVER
                first._write()
                second._write()
        self._held = pads[0]
        self._show()

    def _show(self) -> None:
        for start, toy in zip((0, SECOND), self._toys, strict=True):
            self.ram[start : start + SECOND] = toy.ram[:SECOND]
        self.ram[[MODE, LOSER]] = self._mode, self._loser


def map_of(text: str) -> RamMap:
    return parse_map(text, "two")


def test_the_words_for_modes_are_the_maps_own() -> None:
    two = map_of(map_text())
    assert modes_of(GAME.open(two)) == {"endless": 0, "versus": 1}
    assert plays_versus(GAME.open(two))
    one = map_of(TOY.map_text())
    assert modes_of(GAME.open(one)) == GAME.modes == {}
    assert not plays_versus(GAME.open(one))


def test_a_game_for_two_needs_the_addresses_of_both() -> None:
    text = TOY.map_text().replace(
        "  steps:\n", "  asked:\n    mode: {from: 0, to: 1, default: 0, names: [a, versus]}\n  steps:\n"
    )
    assert not plays_versus(GAME.open(map_of(text)))


@pytest.mark.parametrize(
    ("outcome", "number", "won"),
    [("loser", 0, [0, 0]), ("loser", 1, [0, 1]), ("loser", 2, [1, 0]), ("winner", 0, [0, 0]), ("winner", 2, [0, 1])],
)
def test_the_winner_is_the_one_who_did_not_lose(outcome: str, number: int, won: list[int]) -> None:
    ram_map, ram = map_of(map_text(outcome)), bytearray(2048)
    ram[LOSER] = number
    frames = [GAME.open(ram_map).decoder(player)(bytes(ram)) for player in range(2)]
    assert [default_edition(GAME.name).summary(frame)["won"] for frame in frames] == won


@pytest.mark.jit
def test_the_bot_against_itself_on_one_console(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    path = tmp_path / "two.yaml"
    path.write_text(map_text(), encoding="utf-8")
    monkeypatch.setattr(TetrisSimulator, "machine", lambda *args, **kwargs: TwoPlayers())
    words = ["play", "10", "AIvsAI", "--bridge", "simulated", "--map", str(path), "--emu-speed", "max"]
    assert main([*words, "--view", "none", "--pieces", "60", "--json"]) == 0
    told: dict[str, Any] = json.loads(capsys.readouterr().out)
    assert told["consoles"] == 1
    assert [player["misplaced"] for player in told["players"]] == [0, 0]
    assert min(player["pieces"] for player in told["players"]) >= 60
