"""The matching game frame by frame, for one or two players: states, waits, stages; knows no memory and no menus.

One call of `Simulator.step` is one frame of the demo cartridge of capsules, which implements the same frame model. The
timing of the originals is not documented to the frame. This module is written for clarity; the search has its own
kernels.

A frame: the pads are read. START of a player in the game pauses or goes on; such a frame, and a paused one, does
nothing else. Then each player has one step, player 1 first, until somebody has won or lost. Every state but CONTROL and
PLANT counts `wait` down first and acts in the frame in which it reaches 0:

- PLANT (begins a stage): one target a frame (field.plant). With the last one, or at once if the stage has none:
  SPAWN_DELAY, `spawn_delay` frames.
- SPAWN_DELAY: the next piece enters, or the player has lost if a cell of its entry is filled. It does not move in this
  frame. The piece after it is drawn: a colour for each half, half 1 first.
- CONTROL: turn (A clockwise before B, on the press), shift (on the press; held, the 16th frame repeats it, then every
  6th), fall (board/control.py): the drop timer counts down from the frames per row, DOWN without LEFT or RIGHT cuts it
  to `soft_drop`. At 0 the piece falls a row, or it locks: SETTLE, `settle` frames.
- SETTLE: test for lines. If there are some they are marked, their links are cut: VANISH, `vanish` frames. If not, the
  move is over: with `garbage_from` or more lines in it, the colours of its first `most_garbage` lines go to the other
  player, for whom at most `most_garbage` of them wait. Then the player's own garbage enters the top row
  (field.garbage): FALL, `per_row` frames; without garbage SPAWN_DELAY.
- VANISH: the marked cells are removed. If no target is left, the stage is won: of two players this one wins the game;
  alone, the game is WON for `STAGE_WAIT` frames, or until START, and the next stage begins in an empty field. Otherwise
  FALL, `per_row` frames.
- FALL: everything loose falls a row, and FALL begins again; if nothing fell: SETTLE.

Lines are counted in the order of field.lines. A target is worth 100 points times the chain's step times (pace + 1).
"""

from __future__ import annotations

from collections import deque
from collections.abc import Sequence
from dataclasses import dataclass, field
from enum import IntEnum
from typing import Final

from emubot.games.colours.board.cells import Cells, empty_field, fits, put_piece
from emubot.games.colours.board.cells_control import Falling, control
from emubot.games.colours.matching_rules import EMPTY, Rules, color_of
from emubot.games.colours.matching_timing import DEMO, Timing, gravity
from emubot.games.colours.simulator import matching_field as happens
from emubot.games.colours.simulator.matching_generator import Generator
from emubot.games.screens import PLAYERS, GameState
from emubot.pad import Pad

STAGE_WAIT: Final = 120  # frames from a stage's end to the next stage
HIGHEST_STAGE: Final = 99
MOST_POINTS: Final = 999_900
TARGET_POINTS: Final = 100
MOST_FALLING: Final = 4  # cells of garbage that fall at once where the rules send none themselves
_START: Final = int(Pad.START)


class PlayState(IntEnum):
    """The state of a player's field."""

    OUT = 0  # not in this game
    CONTROL = 1
    SETTLE = 2
    VANISH = 3
    FALL = 4
    SPAWN_DELAY = 5
    PLANT = 6
    WON = 7
    LOST = 8


@dataclass(slots=True, eq=False)
class Player:
    """One player's whole state. `wait` counts down outside control."""

    cells: Cells
    links: Cells
    generator: Generator
    play_state: PlayState = PlayState.OUT
    wait: int = 0
    piece: Falling = field(default_factory=Falling)
    current: tuple[int, ...] = ()  # kinds of the piece's cells, half 1 first
    next: tuple[int, ...] = ()
    targets: int = 0  # on the field
    pieces: int = 0  # that entered in this stage; 16 bits
    stages: int = 0  # won in this game; 8 bits
    chain: int = 0  # steps of this move
    lines: int = 0  # of this move
    colors: list[int] = field(default_factory=list)  # of the first lines of this move
    pending: list[int] = field(default_factory=list)  # colours of the garbage that will fall on this player
    finished: deque[int] = field(default_factory=lambda: deque(maxlen=16))  # lines of the latest moves, not yet taken
    score: int = 0
    spawned: bool = False  # whether a piece came into play in this frame


class Simulator:
    """One game from its first frame. The same seed and pads give the same game.

    `stage` and `pace` are the choices of the menus. `seed` is the first state of both players' generators, so that both
    get the same targets and pieces.
    """

    def __init__(
        self,
        rules: Rules,
        timing: Timing = DEMO,
        players: int = 1,
        stage: int = 0,
        pace: int = 0,
        seed: int = 1,
        held: Sequence[int] = (0, 0),
    ) -> None:
        self.rules, self.timing = rules, timing
        self.stage, self.pace = stage, pace
        self.state = GameState.PLAY
        self.loser: int | None = None
        self.held = [int(pad) for pad in held]
        self.in_game = players
        self.garbage_generator = Generator(seed)
        self.players = tuple(Player(*empty_field(rules), Generator(seed)) for _ in range(PLAYERS))
        for player in self.players[:players]:
            player.next = self._deal(player)
            self._begin(player)

    def step(self, pads: Sequence[int]) -> None:
        """Play one frame with the buttons held on the two ports."""
        pressed = [int(pad) & ~before for pad, before in zip(pads, self.held, strict=True)]
        self.held = [int(pad) for pad in pads]
        for player in self.players:
            player.spawned = False
        start = any(new & _START for new in pressed[: self.in_game])
        if self.state is GameState.WON:
            self._celebrate(start)
        elif self.state is GameState.PLAY and not start:
            for number in range(self.in_game):
                if self.state is GameState.PLAY:
                    self._step_player(number, pressed[number], self.held[number])
        elif start and self.state is not GameState.OVER:
            self.state = GameState.PAUSED if self.state is GameState.PLAY else GameState.PLAY

    def hold_up(self) -> None:
        """Keep the pieces in the air from falling by themselves in the next frame."""
        for player in self.players[: self.in_game]:
            player.piece.drop_timer = self.frames_per_row(player) + 1

    def frames_per_row(self, player: Player) -> int:
        """Returns the gravity of the piece in the air."""
        return gravity(self.timing, self.rules, self.pace, max(player.pieces - 1, 0))

    def _begin(self, player: Player) -> None:
        """Begin a stage: an empty field, and the targets come."""
        player.cells[:] = player.links[:] = EMPTY
        player.pieces = player.targets = 0
        if self.rules.stage_targets(self.stage):
            self._enter(player, PlayState.PLANT, 1)
        else:
            self._enter(player, PlayState.SPAWN_DELAY, self.timing.spawn_delay)

    def _celebrate(self, start: bool) -> None:
        """One frame between two stages."""
        player = self.players[0]
        player.wait -= 1
        if start or player.wait == 0:
            self.state = GameState.PLAY
            self.stage = min(self.stage + 1, HIGHEST_STAGE)
            self._begin(player)

    def _enter(self, player: Player, state: PlayState, wait: int) -> None:
        player.play_state, player.wait = state, wait

    def _step_player(self, number: int, new: int, held: int) -> None:
        player = self.players[number]
        if player.play_state is PlayState.CONTROL:
            frames = self.frames_per_row(player)
            if control(player.piece, player.cells, self.rules, self.timing, frames, new, held):
                place = (player.piece.orientation, player.piece.column, player.piece.row)
                put_piece(player.cells, player.links, self.rules, place, player.current)
                self._enter(player, PlayState.SETTLE, self.timing.settle)
        elif player.play_state is PlayState.PLANT:
            self._plant(player)
        else:
            player.wait -= 1
            if player.wait == 0:
                self._act(number)

    def _plant(self, player: Player) -> None:
        happens.plant(player.cells, self.rules, self.stage, player.targets, player.generator)
        player.targets += 1
        if player.targets == self.rules.stage_targets(self.stage):
            self._enter(player, PlayState.SPAWN_DELAY, self.timing.spawn_delay)

    def _act(self, number: int) -> None:
        """Do what a player's state does at the end of its wait."""
        player = self.players[number]
        if player.play_state is PlayState.SETTLE:
            self._test(number)
        elif player.play_state is PlayState.VANISH:
            self._remove(number)
        elif player.play_state is PlayState.FALL:
            if happens.fall_a_row(player.cells, player.links):
                self._enter(player, PlayState.FALL, self.timing.per_row)
            else:
                self._enter(player, PlayState.SETTLE, self.timing.settle)
        else:
            self._spawn(number)

    def _test(self, number: int) -> None:
        player = self.players[number]
        lines = happens.lines(player.cells, self.rules)
        if not lines:
            self._end_move(number)
            return
        player.chain += 1
        player.lines += len(lines)
        room = self.rules.most_garbage - len(player.colors)
        player.colors += [color_of(int(player.cells[line[0]])) for line in lines[:room]]
        targets = happens.mark(player.cells, player.links, lines)
        player.targets -= targets
        points = targets * player.chain * (self.pace + 1) * TARGET_POINTS
        player.score = min(player.score + points, MOST_POINTS)
        self._enter(player, PlayState.VANISH, self.timing.vanish)

    def _remove(self, number: int) -> None:
        player = self.players[number]
        happens.remove(player.cells)
        if player.targets or not self.rules.stage_targets(self.stage):
            self._enter(player, PlayState.FALL, self.timing.per_row)
            return
        player.stages = (player.stages + 1) & 0xFF
        self._count_lines(player)
        self._enter(player, PlayState.WON, STAGE_WAIT)
        if self.in_game > 1:
            self.loser, self.state = 1 - number, GameState.OVER
        else:
            self.state = GameState.WON

    def _end_move(self, number: int) -> None:
        player, opponent = self.players[number], self.players[1 - number]
        if self.in_game > 1 and player.lines >= self.rules.garbage_from:
            room = self.rules.most_garbage - len(opponent.pending)
            opponent.pending += player.colors[:room]
        self._count_lines(player)
        if player.pending:
            most = self.rules.most_garbage or MOST_FALLING
            happens.garbage(player.cells, player.links, player.pending[:most], self.garbage_generator)
            del player.pending[:most]
            self._enter(player, PlayState.FALL, self.timing.per_row)
        else:
            self._enter(player, PlayState.SPAWN_DELAY, self.timing.spawn_delay)

    def _count_lines(self, player: Player) -> None:
        """End the count of a move's lines."""
        if player.lines:
            player.finished.append(player.lines)
        player.chain = player.lines = 0
        player.colors.clear()

    def receive(self, number: int, halves: int) -> None:
        """Let garbage of drawn colours fall on a player after the next move."""
        colors = self.rules.colors
        self.players[number].pending += [1 + self.garbage_generator.below(colors) for _ in range(halves)]

    def _spawn(self, number: int) -> None:
        player, spawn = self.players[number], self.rules.spawn
        if not fits(player.cells, self.rules, (spawn.orientation, spawn.column, spawn.row)):
            self._enter(player, PlayState.LOST, 1)
            self.loser, self.state = number, GameState.OVER
            return
        player.pieces = (player.pieces + 1) & 0xFFFF
        player.current, player.next = player.next, self._deal(player)
        player.piece = Falling(spawn.orientation, spawn.column, spawn.row, self.frames_per_row(player))
        self._enter(player, PlayState.CONTROL, 0)
        player.spawned = True

    def _deal(self, player: Player) -> tuple[int, ...]:
        return tuple(1 + player.generator.below(self.rules.colors) for _ in range(self.rules.piece_cells))
