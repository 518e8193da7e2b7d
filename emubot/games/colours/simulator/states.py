"""One game of colours frame by frame: pads, pause, control, waits, the entry of pieces; knows no memory and no menus.

What a family's states do at the end of a wait, and what follows a lock, are hooks: nuisance, stages, garbage. One call
of `step` is one frame of the demo cartridges, which implement the same frame model. This is written for clarity; the
search has its own kernels.
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections import deque
from collections.abc import Sequence
from dataclasses import dataclass, field
from enum import IntEnum
from typing import Final, Generic, TypeVar

from emubot.games.colours.board.control import Cells, Falling, control
from emubot.games.colours.board.turning import Shape, Turning
from emubot.games.colours.field_rules import FieldRules
from emubot.games.colours.simulator.generator import Generator
from emubot.games.motion import Fall
from emubot.games.screens import GameState
from emubot.pad import Pad

_START: Final = int(Pad.START)


@dataclass(slots=True, eq=False)
class FieldPlayer:
    """What each family keeps of a player. `wait` counts down outside control; points are as on the screen."""

    cells: Cells
    generator: Generator
    play_state: IntEnum
    wait: int = 0
    piece: Falling = field(default_factory=Falling)
    fall: Fall = field(default_factory=lambda: Fall(1))  # of the piece
    next: tuple[int, ...] = ()  # kinds, as those of the piece
    score: int = 0
    chain: int = 0  # steps of the running chain
    spawned: bool = False  # whether a piece came into play in this frame
    # What the latest moves sent, not yet taken: points of chains, or lines.
    finished: deque[int] = field(default_factory=lambda: deque(maxlen=16))


PlayerT = TypeVar("PlayerT", bound=FieldPlayer)
RulesT = TypeVar("RulesT", bound=FieldRules)


class StateMachine(ABC, Generic[RulesT, PlayerT]):
    """A game of one or two players. The same seed and pads give the same game.

    `control_state`, `delay_state` and `lost_state` are the family's numbers of three states: a piece is under control,
    the next one is awaited, the game is lost.
    """

    control_state: IntEnum
    delay_state: IntEnum
    lost_state: IntEnum

    def __init__(self, rules: RulesT, players: tuple[PlayerT, ...], in_game: int, held: Sequence[int]) -> None:
        self.rules, self.players, self.in_game = rules, players, in_game
        self.state = GameState.PLAY
        self.loser: int | None = None
        self.frames = 0  # of play
        self.held = [int(pad) for pad in held]

    @abstractmethod
    def turning(self, kinds: Sequence[int]) -> Turning:
        """Returns how a piece of these kinds turns."""

    def shape(self, piece: Falling) -> Shape:
        """Returns the cells of a piece from its pivot."""
        turning = self.turning(piece.kinds)
        return turning.cells[turning.shown.index(piece.orientation)]

    @abstractmethod
    def fall_of(self, player: PlayerT) -> Fall:
        """Returns the fall of the player's piece in the air, which it keeps."""

    @abstractmethod
    def _lock(self, player: PlayerT) -> None:
        """Put the piece into the field, and begin what follows."""

    @abstractmethod
    def _act(self, number: int) -> None:
        """Do what a player's state does at the end of its wait, but for the entry of a piece."""

    @abstractmethod
    def _is_blocked(self, player: PlayerT) -> bool:
        """Returns whether the next piece cannot enter, so that the game is lost."""

    @abstractmethod
    def _count_piece(self, player: PlayerT) -> None:
        """A piece of the player enters."""

    @abstractmethod
    def _deal(self, player: PlayerT) -> tuple[int, ...]:
        """Returns the kinds of a new next piece."""

    def _celebrate(self, start: bool) -> None:
        """One frame in the state WON; `start` says whether START was pressed."""

    def step(self, pads: Sequence[int]) -> None:
        """Play one frame with the buttons held on the two ports."""
        pressed = [int(pad) & ~before for pad, before in zip(pads, self.held, strict=True)]
        self.held = [int(pad) for pad in pads]
        for player in self.players:
            player.spawned = False
        start = any(new & _START for new in pressed[: self.in_game])
        if self.state is GameState.WON:
            self._celebrate(start)
        elif start and self.state is not GameState.OVER:
            self.state = GameState.PAUSED if self.state is GameState.PLAY else GameState.PLAY
        elif self.state is GameState.PLAY:
            self.frames += 1
            for number in range(self.in_game):
                if self.state is GameState.PLAY:
                    self._step_player(number, pressed[number], self.held[number])

    def hold_up(self) -> None:
        """Keep the pieces in the air from falling by themselves in the next frame."""
        for player in self.players[: self.in_game]:
            player.piece.drop_timer = player.fall.gravity + 1

    def _step_player(self, number: int, new: int, held: int) -> None:
        player = self.players[number]
        if player.play_state is self.control_state:
            piece, hidden = player.piece, self.rules.hidden_rows
            if control(piece, player.cells, hidden, self.turning(piece.kinds), player.fall, new, held):
                self._lock(player)
            return
        player.wait -= 1
        if player.wait > 0:
            return
        if player.play_state is self.delay_state:
            self._spawn(number)
        else:
            self._act(number)

    def _enter(self, player: PlayerT, state: IntEnum, wait: int) -> None:
        player.play_state, player.wait = state, wait

    def _spawn(self, number: int) -> None:
        player, spawn = self.players[number], self.rules.spawn
        if self._is_blocked(player):
            self._enter(player, self.lost_state, 1)
            self.loser, self.state = number, GameState.OVER
            return
        self._count_piece(player)
        shown = self.turning(player.next).shown
        orientation = spawn.orientation if spawn.orientation in shown else shown[0]  # of an item
        player.fall = self.fall_of(player)
        player.piece = Falling(player.next, orientation, spawn.column, spawn.row, player.fall.gravity)
        player.next = self._deal(player)
        self._enter(player, self.control_state, 0)
        player.spawned = True
