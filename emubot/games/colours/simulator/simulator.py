"""The pairs game frame by frame, for one or two players: states, waits, points, nuisance; knows no memory and no menus.

One call of `Simulator.step` is one frame of the demo cartridge. That cartridge implements the same frame model, and all
its values agree. The original's timing and generator are unknown (facts: Famicom Puyo 0). This module is written for
clarity; the search and the battles have their own kernels.
"""

from __future__ import annotations

from collections import deque
from collections.abc import Sequence
from dataclasses import dataclass, field
from enum import IntEnum
from typing import Final

import numpy as np

from emubot.games.colours.board.control import Cells, Falling, control
from emubot.games.colours.rules import BIG, CARBUNCLE, EMPTY, UP, Rules
from emubot.games.colours.simulator import field as happens
from emubot.games.colours.simulator.generator import Generator
from emubot.games.colours.timing import DEMO, Timing, gravity
from emubot.games.screens import PLAYERS, GameState
from emubot.pad import Pad

MOST_POINTS: Final = 99_999_990
PAIRS_PER_LEVEL: Final = 40
HIGHEST_LEVEL: Final = 15
_PENDING_LIMIT: Final = 0xFFFF  # if the rules keep the excess
_CHEAPER_EVERY: Final = 960  # frames between steps of the nuisance price; as in the whole series, no source differs
_START: Final = int(Pad.START)


class PlayState(IntEnum):
    """The state of a player's field."""

    OUT = 0  # not in this game
    CONTROL = 1
    SETTLE = 2
    POP = 3
    NUISANCE = 4
    SPAWN_DELAY = 5
    LOST = 6


@dataclass(slots=True, eq=False)
class Player:
    """One player's whole state. `wait` counts down outside control; points are as on the screen."""

    cells: Cells
    generator: Generator
    play_state: PlayState = PlayState.OUT
    wait: int = 0
    piece: Falling = field(default_factory=Falling)
    next: tuple[int, int] = (EMPTY, EMPTY)  # the pivot's and the satellite's kind
    level: int = 0
    score: int = 0
    blocks: int = 0  # cells that popped, including nuisance; 16 bits
    pairs: int = 0  # pieces spawned so far
    chain: int = 0  # steps of the running chain
    chain_points: int = 0
    pop_points: int = 0  # points of the cells that are popping
    pending: int = 0  # nuisance that will fall on this player
    bonus_points: int = 0  # of an all-clear, added to the next attack
    all_clears: int = 0
    best_chain: int = 0
    spawned: bool = False  # whether a piece came into play in this frame
    finished: deque[int] = field(default_factory=lambda: deque(maxlen=16))  # points of the latest chains, not yet taken


class Simulator:
    """One game from its first frame. The same seed and pads give the same game.

    `colors`, `start_level` and `items` are the choices of the menus. `seed` is the first state of both players'
    generators, so that both get the same pairs.
    """

    def __init__(
        self,
        rules: Rules,
        timing: Timing = DEMO,
        players: int = 1,
        colors: int | None = None,
        start_level: int = 0,
        items: bool = True,
        seed: int = 1,
        held: Sequence[int] = (0, 0),
    ) -> None:
        self.rules, self.timing = rules, timing
        self.colors = rules.colors if colors is None else colors
        self.start_level = start_level
        self.items = items and players == 1 and rules.item_every > 0
        self.state = GameState.PLAY
        self.loser: int | None = None
        self.frames = 0  # of play
        self.held = [int(pad) for pad in held]
        self.in_game = players
        self.nuisance_generator = Generator(seed)
        shape = (rules.stored_rows, rules.columns)
        self.players = tuple(Player(np.zeros(shape, dtype=np.uint8), Generator(seed)) for _ in range(PLAYERS))
        for player in self.players[:players]:
            player.play_state, player.wait = PlayState.SPAWN_DELAY, timing.spawn_delay
            player.level = start_level
            player.next = self._deal(player)

    def step(self, pads: Sequence[int]) -> None:
        """Play one frame with the buttons held on the two ports."""
        pressed = [int(pad) & ~before for pad, before in zip(pads, self.held, strict=True)]
        self.held = [int(pad) for pad in pads]
        for player in self.players:
            player.spawned = False
        if self.state is GameState.OVER:
            return
        if any(new & _START for new in pressed[: self.in_game]):
            self.state = GameState.PAUSED if self.state is GameState.PLAY else GameState.PLAY
            return
        if self.state is GameState.PAUSED:
            return
        self.frames += 1
        for number in range(self.in_game):
            if self.loser is None:
                self._step_player(number, pressed[number], self.held[number])

    def hold_up(self) -> None:
        """Keep the pieces in the air from falling by themselves in the next frame."""
        for player in self.players[: self.in_game]:
            player.piece.drop_timer = gravity(self.timing, player.level) + 1

    def _step_player(self, number: int, new: int, held: int) -> None:
        player = self.players[number]
        if player.play_state is PlayState.CONTROL:
            if control(player.piece, player.cells, self.rules, self.timing, player.level, new, held):
                fallen = happens.land(player.cells, self.rules, player.piece)
                self._settle(player, fallen)
            return
        player.wait -= 1
        if player.wait > 0:
            return
        if player.play_state is PlayState.SETTLE:
            self._look_for_groups(number)
        elif player.play_state is PlayState.POP:
            self._remove(player)
        elif player.play_state is PlayState.NUISANCE:
            self._enter(player, PlayState.SPAWN_DELAY, self.timing.spawn_delay)
        else:
            self._spawn(number)

    def _enter(self, player: Player, state: PlayState, wait: int) -> None:
        player.play_state, player.wait = state, wait

    def _settle(self, player: Player, fallen: int) -> None:
        self._enter(player, PlayState.SETTLE, self.timing.settle + self.timing.per_row * fallen)

    def _look_for_groups(self, number: int) -> None:
        player = self.players[number]
        popping = happens.groups(player.cells, self.rules)
        if popping:
            player.chain += 1
            player.best_chain = max(player.best_chain, player.chain)
            player.pop_points = happens.points(player.cells, self.rules, player.chain, popping)
            happens.mark(player.cells, self.rules, popping)
            self._enter(player, PlayState.POP, self.timing.pop)
            return
        self._end_chain(number)
        amount = min(player.pending, self.rules.nuisance_cap)
        if amount:
            player.pending -= amount
            happens.rain(player.cells, amount, lambda: self.nuisance_generator.below(self.rules.columns))
            self._enter(player, PlayState.NUISANCE, self.timing.nuisance_wait)
        else:
            self._enter(player, PlayState.SPAWN_DELAY, self.timing.spawn_delay)

    def _end_chain(self, number: int) -> None:
        """Send the chain's nuisance, and store the points of an all-clear for the next attack."""
        player = self.players[number]
        if player.chain:
            player.finished.append(player.chain_points + player.bonus_points)
        if player.chain and self.in_game > 1:
            self._attack(number, (player.chain_points + player.bonus_points) // self._price())
        if player.chain:
            player.bonus_points = 0
        if player.chain and not player.cells.any():
            player.all_clears += 1
            player.bonus_points = self.rules.all_clear_points
        player.chain = player.chain_points = 0

    def _attack(self, number: int, amount: int) -> None:
        player, opponent = self.players[number], self.players[1 - number]
        if not self.rules.keeps_excess:
            amount = min(amount, self.rules.nuisance_cap)
        if self.rules.offset:
            cancelled = min(amount, player.pending)
            player.pending -= cancelled
            amount -= cancelled
        limit = _PENDING_LIMIT if self.rules.keeps_excess else self.rules.nuisance_cap
        opponent.pending = min(opponent.pending + amount, limit)

    def _price(self) -> int:
        """Returns the points per nuisance puyo: three quarters after the margin time, then halved every 16 seconds."""
        over = self.frames - self.rules.margin_frames
        if not self.rules.margin_frames or over < 0:
            return self.rules.nuisance_points
        return max(1, self.rules.nuisance_points * 3 // 4 >> over // _CHEAPER_EVERY)

    def _remove(self, player: Player) -> None:
        removed, fallen = happens.remove(player.cells)
        player.blocks = (player.blocks + removed) & 0xFFFF
        player.score = min(player.score + player.pop_points, MOST_POINTS)
        player.chain_points += player.pop_points
        player.pop_points = 0
        self._settle(player, fallen)

    def _spawn(self, number: int) -> None:
        player = self.players[number]
        if any(player.cells[row + self.rules.hidden_rows, column] for column, row in self.rules.death_cells):
            self._enter(player, PlayState.LOST, 1)
            self.loser, self.state = number, GameState.OVER
            return
        player.pairs += 1
        if self.in_game == 1:
            player.level = min(HIGHEST_LEVEL, self.start_level + player.pairs // PAIRS_PER_LEVEL)
        pivot, satellite = player.next
        spawn = self.rules.spawn
        player.piece = Falling(pivot, satellite, spawn.orientation, spawn.column, spawn.row)
        if player.piece.is_item:
            player.piece.orientation = UP
        player.piece.drop_timer = gravity(self.timing, player.level)
        player.next = self._deal(player)
        self._enter(player, PlayState.CONTROL, 0)
        player.spawned = True

    def _deal(self, player: Player) -> tuple[int, int]:
        """Returns the next piece: two colours, or at fixed intervals an item, Big Puyo and Carbuncle in turn."""
        dealt = player.pairs + 1
        if self.items and dealt % self.rules.item_every == 0:
            item = BIG if dealt // self.rules.item_every % 2 else CARBUNCLE
            return item, item
        pivot = 1 + player.generator.below(self.colors)
        return pivot, 1 + player.generator.below(self.colors)
