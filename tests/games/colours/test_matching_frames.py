"""Matching games by frames in arrays are those of the slow simulator, until a stage is won or the game lost."""

from __future__ import annotations

import dataclasses
from collections.abc import Mapping
from typing import Any

import numpy as np
import pytest
from numpy.typing import NDArray

from emubot.errors import UsageError
from emubot.games.batch import STEP_PADS
from emubot.games.colours.batches.air import SEEDS, Cells
from emubot.games.colours.batches.cartridge import pieces_on
from emubot.games.colours.batches.matching_frames import MatchingFramesBatch
from emubot.games.colours.batches.states import PHASES
from emubot.games.colours.matching_rules import PACES, PROFILES, TARGET, VANISHING
from emubot.games.colours.simulator.machine import MatchingMachine
from emubot.games.colours.simulator.matching_simulator import PlayState, Simulator
from emubot.games.colours.worlds import MatchingWorld
from emubot.games.lots import draw, fresh_lots
from emubot.games.offers import FRAMES
from emubot.games.screens import GameState
from emubot.pad import Pad
from emubot.snapshot import Phase
from tests.games.colours.matching_playing import demo_map

pytestmark = pytest.mark.jit
DOWN = 9  # the action
PHASE_OF = {
    PlayState.CONTROL: Phase.PLAYING,
    PlayState.SETTLE: Phase.LOCKED,
    PlayState.VANISH: Phase.CLEARING,
    PlayState.FALL: Phase.LOCKED,
    PlayState.SPAWN_DELAY: Phase.LOCKED,
    PlayState.PLANT: Phase.CLEARING,
    PlayState.WON: Phase.CLEARING,
    PlayState.LOST: Phase.OVER,
}
TARGETS, PIECE = 7, 10  # of the counters
OVER = (GameState.OVER, GameState.WON)
WORLDS = [
    MatchingWorld(actions=FRAMES, pace="fast"),
    MatchingWorld(actions=FRAMES, colors=2, reward="cells", frame_skip=3, pace="fast"),
    MatchingWorld(actions=FRAMES, stage=20, cap=300, pace="slow"),
    MatchingWorld(actions=FRAMES, rules="columns", colors=3, reward="cells", pace="fast"),
]


def told(game: Simulator) -> list[int]:
    """What the arrays must show of a game."""
    player = game.players[0]
    piece, kinds = player.piece, player.piece.kinds
    is_held = player.play_state is PlayState.CONTROL
    place = [piece.orientation, piece.column, piece.row, piece.drop_timer, piece.repeat]
    return [
        *(place if is_held else [0] * 5),
        PHASES.index(PHASE_OF[player.play_state]),
        game.frames,
        *(player.targets, player.score, player.chain),
        *(kinds if is_held else [0] * game.rules.piece_cells),
        *player.next,
    ]


def begun(world: MatchingWorld, lots: NDArray[np.int64]) -> Simulator:
    """A new game of the simulator, drawn as the arrays draw it."""
    profile = PROFILES[world.rules]
    rules = dataclasses.replace(profile, colors=world.colors or profile.colors)
    pace, seed = PACES.index(world.pace), 1 + int(draw(lots, SEEDS))
    return Simulator(rules, stage=world.stage, pace=pace, seed=seed)


@pytest.mark.few(1)
@pytest.mark.parametrize("world", [*WORLDS[:2], pytest.param(WORLDS[2], marks=pytest.mark.slow), WORLDS[3]], ids=str)
def test_each_frame_is_that_of_the_simulator(world: MatchingWorld) -> None:
    plays_as_the_simulator_does(world, frames=12_000)


@pytest.mark.slow
@pytest.mark.parametrize("world", WORLDS, ids=str)
def test_each_of_many_frames_is_that_of_the_simulator(world: MatchingWorld) -> None:
    plays_as_the_simulator_does(world, frames=60_000)


def plays_as_the_simulator_does(world: MatchingWorld, frames: int) -> None:
    games, rng = 4, np.random.default_rng(3)
    batch = MatchingFramesBatch(world, games)
    batch.begin(np.ones(games, dtype=np.bool_), list(range(games)))
    lots = [fresh_lots(number) for number in range(games)]
    sides = [begun(world, drawn) for drawn in lots]
    ends = cuts = longest = rewarded = 0
    # Every third player holds its buttons long enough for directions to repeat.
    held, actions = np.where(np.arange(games) % 3 == 2, 0.9, 0.0), np.zeros(games, dtype=np.int64)
    for step in range(frames // world.frame_skip):
        for number, game in enumerate(sides):
            player = game.players[0]
            assert batch.counters[number].tolist() == told(game), f"game {number} before step {step}"
            for mine, other in ((batch._cells, player.cells), (batch._play.links, player.links)):
                if not np.array_equal(mine[number], other):
                    raise AssertionError(f"the field of game {number} before step {step}")
        fresh = np.where(rng.random(games) < 0.4, DOWN, rng.integers(len(STEP_PADS), size=games))
        actions = np.where(rng.random(games) < held, actions, fresh)
        over = batch.ended | batch.cut
        batch.step(actions)
        for number, game in enumerate(sides):
            if over[number]:
                sides[number] = begun(world, lots[number])
                assert batch.rewards[number] == 0
                continue
            player, cells, targets = game.players[0], 0, 0
            for _ in range(world.frame_skip):
                before = (player.cells == VANISHING).sum(), player.targets
                game.step((int(STEP_PADS[actions[number]]), 0))
                cells += max(int((player.cells == VANISHING).sum() - before[0]), 0)
                targets, longest = targets + max(before[1] - player.targets, 0), max(longest, player.chain)
                if game.state in OVER:
                    break
            assert batch.rewards[number] == (cells if world.reward == "cells" else targets)
            assert bool(batch.ended[number]) == (game.state in OVER)
            assert bool(batch.cut[number]) == (game.state not in OVER and 0 < world.cap <= game.frames)
            ends, cuts, rewarded = ends + (game.state in OVER), cuts + bool(batch.cut[number]), rewarded + cells
    assert rewarded > 0 or world.cap
    assert longest > 1 or world.colors is None
    assert cuts if world.cap else ends


def nearly_won(game: Simulator) -> Cells:
    """Leave one target, with three of its colour on it and the piece of that colour above; returns the field."""
    player, color = game.players[0], 2
    rows = player.cells.shape[0]
    player.cells[:] = player.links[:] = 0
    player.cells[rows - 1, 3], player.cells[rows - 3 : rows - 1, 3] = TARGET + color, color
    player.targets, player.piece.kinds = 1, (color, color)
    return player.cells


def test_a_stage_is_over_with_its_last_target() -> None:
    batch, lots = MatchingFramesBatch(WORLDS[0], 1), fresh_lots(0)
    batch.begin(np.ones(1, dtype=np.bool_), [0])
    game = begun(WORLDS[0], lots)
    while game.players[0].play_state is not PlayState.CONTROL:
        batch.step(np.array([0]))
        game.step((0, 0))
    batch._cells[0] = nearly_won(game)
    batch.counters[0, TARGETS], batch.counters[0, PIECE : PIECE + 2] = 1, game.players[0].piece.kinds
    while game.state is GameState.PLAY:
        assert not batch.ended[0]
        batch.step(np.array([DOWN]))
        game.step((int(STEP_PADS[DOWN]), 0))
        assert batch.counters[0].tolist() == told(game)
        assert np.array_equal(batch._cells[0], game.players[0].cells)
    assert game.state is GameState.WON
    assert (batch.ended[0], batch.cut[0]) == (True, False)
    batch.step(np.array([0]))
    assert batch.counters[0, :PIECE].tolist() == [0] * 5 + [2] + [0] * 4, "the next game: its targets grow"


class SimulatedConsole:
    """A console whose cartridge is the simulated machine."""

    def __init__(self) -> None:
        self.ram_map = demo_map()
        self.machine = MatchingMachine(self.ram_map)

    def forgets(self, *names: str) -> None:
        """From now on the map does not know these values."""
        values = {name: value for name, value in self.ram_map.data["values"].items() if name not in names}
        self.ram_map = self.ram_map.with_data({**self.ram_map.data, "values": values}, self.ram_map.cartridge)

    def begin(self, choices: Mapping[str, int], wait: int) -> bytes:
        assert choices == {"level": 0, "pace": 2}
        for frame in range(20):
            self.machine.step((Pad.START if frame % 4 == 0 else Pad.NONE, Pad.NONE))
            if self.machine.game is not None and self.machine.console.screen is GameState.PLAY:
                return self.machine.ram.tobytes()
        raise AssertionError("no game")

    def step(self, pad: Pad) -> bytes:
        self.machine.step((pad, Pad.NONE))
        return self.machine.ram.tobytes()

    def close(self) -> None:
        pass


def test_a_stage_that_is_won_on_a_cartridge_is_over() -> None:
    console = SimulatedConsole()
    batch = pieces_on(WORLDS[0], console)
    batch.begin(np.ones(1, dtype=np.bool_), [0])
    game = console.machine.game
    assert game is not None
    game.players[0].wait = 4  # the targets come later, as on other cartridges
    while game.players[0].play_state is not PlayState.CONTROL:
        batch.step(np.array([0]))
    nearly_won(game)
    batch.counters[0, TARGETS], gained = 1, 0.0
    while game.state is GameState.PLAY:
        assert not batch.ended[0]
        batch.step(np.array([DOWN]))
        gained += batch.rewards[0]
        assert batch.counters[0].tolist() == told(game)
    assert (game.state, gained) == (GameState.WON, 1.0)
    assert (batch.ended[0], batch.cut[0]) == (True, False)


def test_what_a_map_does_not_know_is_shown_as_such_and_is_no_reward() -> None:
    console = SimulatedConsole()
    console.forgets("repeat", "chain")
    batch: Any = pieces_on(WORLDS[0], console)
    batch.begin(np.ones(1, dtype=np.bool_), [0])
    names = [counter.name for counter in batch.numbers]
    while batch.counters[0, names.index("phase")] != 0:
        batch.step(np.array([0]))
    unknown = [name for name, number in zip(names, batch.counters[0].tolist(), strict=True) if number == -1]
    assert unknown == ["repeat", "chain"]
    console.forgets("targets")
    assert pieces_on(MatchingWorld(actions=FRAMES, reward="cells", pace="fast"), console)
    with pytest.raises(UsageError, match="does not know targets, so choose another reward"):
        pieces_on(WORLDS[0], console)
