"""The pairs game frame by frame, for one or two players: groups, points, nuisance; knows no memory and no menus.

The original's timing and generator are unknown (facts: Famicom Puyo 0); these are the demo cartridge's.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from enum import IntEnum
from typing import Final

import numpy as np

from emubot.games.colours.board.control import Falling
from emubot.games.colours.board.turning import Turning, pair_turning
from emubot.games.colours.rules import BIG, CARBUNCLE, EMPTY, ITEMS, Rules
from emubot.games.colours.simulator import field as happens
from emubot.games.colours.simulator.generator import Generator
from emubot.games.colours.simulator.states import FieldPlayer, StateMachine
from emubot.games.colours.timing import PAIRS, PuyoTiming
from emubot.games.motion import Fall
from emubot.games.screens import PLAYERS

MOST_POINTS: Final = 99_999_990
PAIRS_PER_LEVEL: Final = 40
HIGHEST_LEVEL: Final = 15
PENDING_LIMIT: Final = 0xFFFF  # if the rules keep the excess
CHEAPER_EVERY: Final = 960  # frames between steps of the nuisance price; as in the whole series, no source differs
BITS: Final = 3  # of a drawn number, at least


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
class Player(FieldPlayer):
    """One player's whole state."""

    play_state: PlayState = PlayState.OUT
    piece: Falling = field(default_factory=lambda: Falling((EMPTY, EMPTY)))
    next: tuple[int, ...] = (EMPTY, EMPTY)  # the pivot's and the satellite's kind
    level: int = 0
    blocks: int = 0  # cells that popped, including nuisance; 16 bits
    pairs: int = 0  # pieces spawned so far
    chain_points: int = 0
    pop_points: int = 0  # points of the cells that are popping
    pending: int = 0  # nuisance that will fall on this player
    bonus_points: int = 0  # of an all-clear, added to the next attack
    all_clears: int = 0
    best_chain: int = 0


class Simulator(StateMachine[Rules, Player]):
    """One game from its first frame.

    `colors`, `start_level` and `items` are the choices of the menus. `seed` is the first state of both players'
    generators, so that both get the same pairs.
    """

    control_state = PlayState.CONTROL
    delay_state = PlayState.SPAWN_DELAY
    lost_state = PlayState.LOST

    def __init__(
        self,
        rules: Rules,
        timing: PuyoTiming = PAIRS,
        players: int = 1,
        colors: int | None = None,
        start_level: int = 0,
        items: bool = True,
        seed: int = 1,
        held: Sequence[int] = (0, 0),
    ) -> None:
        shape = (rules.stored_rows, rules.columns)
        made = tuple(Player(np.zeros(shape, dtype=np.uint8), Generator(seed)) for _ in range(PLAYERS))
        super().__init__(rules, made, players, held)
        self.timing = timing
        self._turning, self._items = pair_turning(EMPTY, rules), {item: pair_turning(item, rules) for item in ITEMS}
        self.colors = rules.colors if colors is None else colors
        self.start_level = start_level
        self.items = items and players == 1 and rules.item_every > 0
        self.nuisance_generator = Generator(seed)
        for player in self.players[:players]:
            player.level = start_level
            player.next = self._deal(player)
            self._enter(player, PlayState.SPAWN_DELAY, timing.spawn_delay)

    def turning(self, kinds: Sequence[int]) -> Turning:
        """Returns how a pair or an item turns."""
        return self._items.get(kinds[0], self._turning)

    def fall_of(self, player: Player) -> Fall:
        """Returns the fall at the player's level."""
        return self.timing.fall(player.level)

    def _lock(self, player: Player) -> None:
        self._settle(player, happens.land(player.cells, self.rules, player.piece))

    def _act(self, number: int) -> None:
        player = self.players[number]
        if player.play_state is PlayState.SETTLE:
            self._look_for_groups(number)
        elif player.play_state is PlayState.POP:
            self._remove(player)
        else:  # nuisance has fallen
            self._enter(player, PlayState.SPAWN_DELAY, self.timing.spawn_delay)

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
            happens.rain(player.cells, amount, lambda: self.nuisance_generator.below(self.rules.columns, BITS))
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
        limit = PENDING_LIMIT if self.rules.keeps_excess else self.rules.nuisance_cap
        opponent.pending = min(opponent.pending + amount, limit)

    def _price(self) -> int:
        """Returns the points per nuisance puyo: three quarters after the margin time, then halved every 16 seconds."""
        over = self.frames - self.rules.margin_frames
        if not self.rules.margin_frames or over < 0:
            return self.rules.nuisance_points
        return max(1, self.rules.nuisance_points * 3 // 4 >> over // CHEAPER_EVERY)

    def _remove(self, player: Player) -> None:
        removed, fallen = happens.remove(player.cells)
        player.blocks = (player.blocks + removed) & 0xFFFF
        player.score = min(player.score + player.pop_points, MOST_POINTS)
        player.chain_points += player.pop_points
        player.pop_points = 0
        self._settle(player, fallen)

    def _is_blocked(self, player: Player) -> bool:
        return any(player.cells[row + self.rules.hidden_rows, column] for column, row in self.rules.death_cells)

    def _count_piece(self, player: Player) -> None:
        player.pairs += 1
        if self.in_game == 1:
            player.level = min(HIGHEST_LEVEL, self.start_level + player.pairs // PAIRS_PER_LEVEL)

    def _deal(self, player: Player) -> tuple[int, ...]:
        """Returns the next piece: two colours, or at fixed intervals an item, Big Puyo and Carbuncle in turn."""
        dealt = player.pairs + 1
        if self.items and dealt % self.rules.item_every == 0:
            item = BIG if dealt // self.rules.item_every % 2 else CARBUNCLE
            return item, item
        return tuple(1 + player.generator.below(self.colors, BITS) for _ in range(2))
