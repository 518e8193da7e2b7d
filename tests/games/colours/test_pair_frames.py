"""Games of pairs by frames in arrays are those of the slow simulator, alone and two against each other."""

from __future__ import annotations

import dataclasses

import numpy as np
import pytest

from emubot.games.batch import STEP_PADS
from emubot.games.colours.batches.air import SEEDS
from emubot.games.colours.batches.pairs_frames import PairsFramesBatch
from emubot.games.colours.batches.states import PHASES
from emubot.games.colours.rules import PROFILES
from emubot.games.colours.simulator.simulator import PlayState, Simulator
from emubot.games.colours.worlds import PuyoMatchWorld, PuyoWorld
from emubot.games.lots import draw, fresh_lots
from emubot.games.offers import FRAMES
from emubot.games.screens import GameState
from emubot.snapshot import Phase

pytestmark = pytest.mark.jit
DOWN = 9  # the action
PHASE_OF = {
    PlayState.CONTROL: Phase.PLAYING,
    PlayState.SETTLE: Phase.LOCKED,
    PlayState.POP: Phase.CLEARING,
    PlayState.NUISANCE: Phase.LOCKED,
    PlayState.SPAWN_DELAY: Phase.LOCKED,
    PlayState.LOST: Phase.OVER,
}


class Side:
    """A seat of a game in the slow simulator, and what the arrays must show of it."""

    def __init__(self, game: Simulator, seat: int) -> None:
        self.game, self.player = game, game.players[seat]

    def told(self) -> list[int]:
        player, frames = self.player, self.game.frames
        piece, kinds = player.piece, player.piece.kinds
        is_held = player.play_state is PlayState.CONTROL
        place = [piece.orientation, piece.column, piece.row, piece.drop_timer, piece.repeat]
        return [
            *(place if is_held else [0] * 5),
            PHASES.index(PHASE_OF[player.play_state]),
            frames,
            *(player.level, player.score, player.chain, player.pending),
            *(kinds if is_held else (0, 0)),
            *player.next,
        ]


def begun(world: PuyoWorld, seats: int, lots: np.ndarray) -> list[Side]:
    """A new game of the simulator, drawn as the arrays draw it."""
    profile = PROFILES[world.rules]
    rules = dataclasses.replace(profile, colors=world.colors or profile.colors)
    seed = 1 + int(draw(lots, SEEDS))
    game = Simulator(rules, players=seats, start_level=world.start_level, items=False, seed=seed)
    return [Side(game, seat) for seat in range(seats)]


WORLDS = [
    (PuyoWorld(actions=FRAMES), 1),
    (PuyoWorld(actions=FRAMES, rules="tsu", colors=2, reward="chain", start_level=15, frame_skip=3), 1),
    (PuyoWorld(actions=FRAMES, colors=3, start_level=12, cap=700), 1),
    (PuyoMatchWorld(actions=FRAMES, colors=2, start_level=15), 2),
    (PuyoMatchWorld(actions=FRAMES, rules="tsu", colors=2, start_level=15, reward="points"), 2),
    (PuyoMatchWorld(actions=FRAMES, rules="tsu", colors=2, start_level=15, frame_skip=5, cap=900), 2),
]


@pytest.mark.few(2)
@pytest.mark.parametrize(("world", "seats"), WORLDS, ids=str)
def test_each_frame_is_that_of_the_simulator(world: PuyoWorld, seats: int) -> None:
    plays_as_the_simulator_does(world, seats, frames=4000)


@pytest.mark.slow
@pytest.mark.parametrize(("world", "seats"), WORLDS, ids=str)
def test_each_of_many_frames_is_that_of_the_simulator(world: PuyoWorld, seats: int) -> None:
    plays_as_the_simulator_does(world, seats, frames=60_000)


def plays_as_the_simulator_does(world: PuyoWorld, seats: int, frames: int) -> None:
    games, rng = 3 * seats, np.random.default_rng(11)
    batch = PairsFramesBatch(world, games, seats)
    batch.begin(np.ones(games, dtype=np.bool_), [seat // seats for seat in range(games)])
    lots = [fresh_lots(number) for number in range(games // seats)]
    sides = [side for drawn in lots for side in begun(world, seats, drawn)]
    ends = cuts = pops = pended = quick = 0
    # Every third player holds its buttons long enough for directions to repeat.
    held, actions = np.where(np.arange(games) % 3 == 2, 0.9, 0.0), np.zeros(games, dtype=np.int64)
    for step in range(frames // world.frame_skip):
        for seat, side in enumerate(sides):
            assert batch.counters[seat].tolist() == side.told(), f"seat {seat} before step {step}"
            if not np.array_equal(batch._cells[seat], side.player.cells):
                raise AssertionError(f"the field of seat {seat} before step {step}")
        fresh = np.where(rng.random(games) < 0.5, DOWN, rng.integers(len(STEP_PADS), size=games))
        actions = np.where(rng.random(games) < held, actions, fresh)
        over, scores = batch.ended | batch.cut, [side.player.score for side in sides]
        batch.step(actions)
        for first in range(0, games, seats):
            both, seated = sides[first : first + seats], slice(first, first + seats)
            if over[first]:
                sides[seated] = begun(world, seats, lots[first // seats])
                assert not batch.rewards[seated].any()
                continue
            game, rises, pads = both[0].game, [0] * seats, [int(STEP_PADS[action]) for action in actions[seated]]
            for _ in range(world.frame_skip):
                chains = [side.player.chain for side in both]
                turned = [side.player.piece.primed for side in both]
                game.step([*pads, 0][:2])
                rises = [
                    rise + max(side.player.chain - chain, 0)
                    for rise, side, chain in zip(rises, both, chains, strict=True)
                ]
                quick += sum(was and not side.player.piece.primed for was, side in zip(turned, both, strict=True))
                if game.state is GameState.OVER:
                    break
            pops, pended = pops + sum(rises), pended + sum(side.player.pending for side in both)
            lost = game.state is GameState.OVER
            gained = [side.player.score - score for side, score in zip(both, scores[seated], strict=True)]
            wins = [0 if not lost else -1 if seat == game.loser else 1 for seat in range(seats)]
            want = {"points": gained, "chain": rises, "wins": wins}[world.reward]
            assert batch.rewards[seated].tolist() == want
            assert batch.ended[seated].tolist() == [lost] * seats
            assert batch.cut[seated].tolist() == [not lost and 0 < world.cap <= game.frames] * seats
            ends, cuts = ends + lost, cuts + bool(batch.cut[first])
    assert pops > 0
    assert cuts if world.cap else ends
    assert pended > 0 or seats == 1
    assert quick > 0 or world.rules != "tsu"
