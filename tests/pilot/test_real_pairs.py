"""The main job on the pairs cartridge in each real core: endless, against itself, against a greedy player."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from numpy.typing import NDArray

from emubot import games
from emubot.bridges.libretro import connect
from emubot.cli import main
from emubot.demos import image
from emubot.games.colours.decode.decode import Decoder, cells_of
from emubot.pad import Pad
from emubot.pilot import Goal, Pilot
from emubot.rammap import load_map
from emubot.snapshot import Phase, Snapshot
from emubot.trace import read_trace
from tests.bridges.cores import in_each_core, require_core
from tests.pilot.recount_pairs import recount

GAME = games.game("puyo")
MAP = load_map(GAME.facts.default_map)
HIGHEST_SPEED = 15
ITEM_EVERY = 48  # pairs
LAG_COUNTER = 0x0012  # the cartridge counts its own lag frames here, two bytes


def played(capsys: pytest.CaptureFixture[str], name: str, words: str, record: Path) -> dict[str, Any]:
    core = ["--core", str(require_core(name)), "--record", str(record)]
    assert (
        main(["play", *words.split(), "--demo", "puyo", "--emu-speed", "max", "--view", "none", "--json", *core]) == 0
    )
    told: dict[str, Any] = json.loads(capsys.readouterr().out)
    assert (told["bridge"], told["result"]) == ("libretro", "pieces")
    return told


@pytest.mark.parametrize(
    ("name", "pairs", "level"),
    [
        pytest.param("fceumm", ITEM_EVERY + 4, HIGHEST_SPEED, marks=pytest.mark.core("fceumm")),
        pytest.param("fceumm", 2 * ITEM_EVERY + 4, HIGHEST_SPEED, marks=[pytest.mark.core("fceumm"), pytest.mark.slow]),
        pytest.param("nestopia", 30, HIGHEST_SPEED, marks=[pytest.mark.core("nestopia"), pytest.mark.slow]),
        pytest.param("fceumm", 2000, 2, marks=[pytest.mark.core("fceumm"), pytest.mark.slow]),
        pytest.param("nestopia", 2000, 2, marks=[pytest.mark.core("nestopia"), pytest.mark.slow]),
    ],
)
def test_endless_pairs_up_to_the_highest_speed(
    name: str, pairs: int, level: int, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    told = played(capsys, name, f"10 --pieces {pairs} --level {level}", tmp_path / "game.npz")
    assert (told["pieces"], told["games"], told["level"]) == (pairs, 0, HIGHEST_SPEED), "nobody died"
    assert (told["misplaced"], told["replans"], told["lag_frames"]) == (0, 0, 0)
    (trace,) = (read_trace(Path(path)) for path in told["recorded"])
    count = recount(trace)
    assert (count.pieces, count.misplaced, count.replans, count.lag_frames, count.forbidden_pads) == (pairs, 0, 0, 0, 0)
    items = set(trace.column("current_bottom").tolist()) & {9, 10}
    assert items == set([9, 10][: pairs // ITEM_EVERY]), "Big Puyo and Carbuncle came, and were placed"


@in_each_core("name", quick="nestopia")
@pytest.mark.parametrize("pairs", [10, pytest.param(500, marks=pytest.mark.slow)])
def test_against_itself(name: str, pairs: int, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    told = played(capsys, name, f"10 AIvsAI --pieces {pairs} --level 9", tmp_path / "game.npz")
    assert min(player["pieces"] for player in told["players"]) >= pairs
    assert (told["misplaced"], told["replans"], told["lag_frames"]) == (0, 0, 0)
    assert told["games"] == 2 * told["wins"], "each game has one winner"
    for number, player in enumerate(told["players"]):
        stem = "game-player2" if number else "game"
        counts = [
            recount(read_trace(path), number)
            for path in sorted(tmp_path.glob(f"{stem}*.npz"), key=str)
            if ("player2" in path.name) == bool(number)
        ]
        assert sum(count.pieces for count in counts) == player["pieces"]
        assert sum(count.misplaced + count.replans + count.lag_frames + count.forbidden_pads for count in counts) == 0


class Greedy:
    """A scripted player: lets a pair fall into the lowest column that its pivot can be shifted to, never turning it."""

    def __init__(self, rng: np.random.Generator) -> None:
        self._decode = Decoder(MAP, 0)
        self._rng = rng
        self._column = 0
        self._tapped = False
        self._in_air = False

    def pad(self, ram: bytes) -> Pad:
        snapshot = self._decode(ram)
        if snapshot.phase is not Phase.PLAYING or snapshot.current is None:
            self._in_air = False
            return Pad.NONE
        if not self._in_air:
            self._in_air = True
            self._column = self._choose(snapshot)
        self._tapped = not self._tapped
        shift = self._column - snapshot.current.column
        if not shift:
            return Pad.DOWN
        return (Pad.LEFT if shift < 0 else Pad.RIGHT) if self._tapped else Pad.NONE

    def _choose(self, snapshot: Snapshot) -> int:
        cells: NDArray[Any] = cells_of(snapshot)
        below = [int(column[column > 0][0]) if (column > 0).any() else 0 for column in cells.T]
        alike = [kind == snapshot.counters["pivot"] for kind in below]
        heights = (cells > 0).sum(axis=0)
        best = [
            (-int(same and height < 9), int(height), self._rng.random())
            for same, height in zip(alike, heights, strict=True)
        ]
        return best.index(min(best))


@in_each_core("name", quick="fceumm")
@pytest.mark.parametrize("games", [1, pytest.param(20, marks=pytest.mark.slow)])
def test_at_port_2_it_beats_a_greedy_player_at_port_1(name: str, games: int) -> None:
    """All games but one of twenty; the person's port is written by nobody but the person."""
    rng = np.random.default_rng(5)
    with connect(rom=image("puyo"), core=str(require_core(name)), emu_speed=None) as bridge:
        menus = Pilot(bridge, Goal(menu_choices={"mode": 2, "level": 5}), GAME.open(MAP))
        bot = Pilot(bridge, Goal(games=games), GAME.open(MAP), port=1, leads=False)
        written: set[int] = set()
        press = bridge.press

        def heard(port: int, pad: Pad) -> None:
            written.add(port)
            press(port, pad)

        greedy = Greedy(rng)
        while not bot.finished:
            frame = bridge.advance()
            ram = bridge.read("ram", 0, 2048)
            phase = Decoder(MAP, 0)(ram).phase
            bridge.press = heard  # type: ignore[method-assign]
            bot.see(frame)
            bridge.press = press  # type: ignore[method-assign]
            bridge.press(0, menus.outside.menu.pads(ram)[0] if phase in (Phase.MENU, Phase.OVER) else greedy.pad(ram))
        assert written == {1}
        assert int.from_bytes(bridge.read("ram", LAG_COUNTER, 2), "little") == 0
    assert bot.tally.games == games
    assert bot.tally.wins is not None
    assert bot.tally.wins >= games - games // 20
    assert (bot.tally.misplaced, bot.tally.replans, bot.tally.lag_frames) == (0, 0, 0)
