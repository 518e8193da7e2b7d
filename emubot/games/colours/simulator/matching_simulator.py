"""The matching game frame by frame, for one or two players: lines, stages, garbage; knows no memory and no menus.

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

from collections.abc import Sequence
from dataclasses import dataclass, field
from enum import IntEnum
from typing import Final

from emubot.games.colours.board.control import fits
from emubot.games.colours.board.groups import Cells
from emubot.games.colours.board.matching_cells import empty_field, put_piece
from emubot.games.colours.board.turning import Turning, piece_turning
from emubot.games.colours.matching_rules import EMPTY, Rules, color_of
from emubot.games.colours.simulator import matching_field as happens
from emubot.games.colours.simulator.generator import Generator
from emubot.games.colours.simulator.states import FieldPlayer, StateMachine
from emubot.games.colours.timing import MATCHING, MatchingTiming
from emubot.games.motion import Fall
from emubot.games.screens import PLAYERS, GameState

STAGE_WAIT: Final = 120  # frames from a stage's end to the next stage
HIGHEST_STAGE: Final = 99
MOST_POINTS: Final = 999_900
TARGET_POINTS: Final = 100


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
class Player(FieldPlayer):
    """One player's whole state. `chain` is that of this move."""

    links: Cells = field(kw_only=True)
    play_state: PlayState = PlayState.OUT
    targets: int = 0  # on the field
    pieces: int = 0  # that entered in this stage; 16 bits
    stages: int = 0  # won in this game; 8 bits
    lines: int = 0  # of this move
    colors: list[int] = field(default_factory=list)  # of the first lines of this move
    pending: list[int] = field(default_factory=list)  # colours of the garbage that will fall on this player
    due: int = 0  # of the garbage received in a game for one: what falls after this move


def player_of(rules: Rules, seed: int) -> Player:
    """Returns a player with an empty field."""
    cells, links = empty_field(rules)
    return Player(cells, Generator(seed), links=links)


class Simulator(StateMachine[Rules, Player]):
    """One game from its first frame.

    `stage` and `pace` are the choices of the menus. `seed` is the first state of both players' generators, so that both
    get the same targets and pieces.
    """

    control_state = PlayState.CONTROL
    delay_state = PlayState.SPAWN_DELAY
    lost_state = PlayState.LOST

    def __init__(
        self,
        rules: Rules,
        timing: MatchingTiming = MATCHING,
        players: int = 1,
        stage: int = 0,
        pace: int = 0,
        seed: int = 1,
        held: Sequence[int] = (0, 0),
    ) -> None:
        super().__init__(rules, tuple(player_of(rules, seed) for _ in range(PLAYERS)), players, held)
        self.timing, self.stage, self.pace = timing, stage, pace
        self._turning = piece_turning(rules)
        self.garbage_generator = Generator(seed)
        for player in self.players[:players]:
            player.next = self._deal(player)
            self._begin(player)

    def turning(self, kinds: Sequence[int]) -> Turning:
        """Returns how a piece turns: all do it alike."""
        return piece_turning(self.rules, kinds) if self.rules.swaps else self._turning

    def fall_of(self, player: Player) -> Fall:
        """Returns the fall at the pace of the game, after the player's pieces of this stage."""
        return self.timing.fall(self.timing.index(self.rules, self.pace, max(player.pieces - 1, 0)))

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

    def _lock(self, player: Player) -> None:
        piece = player.piece
        place = (piece.orientation, piece.column, piece.row)
        player.due = len(player.pending)
        put_piece(player.cells, player.links, self.rules, place, piece.kinds)
        self._enter(player, PlayState.SETTLE, self.timing.settle)

    def _plant(self, player: Player) -> None:
        happens.plant(player.cells, self.rules, self.stage, player.targets, player.generator)
        player.targets += 1
        if player.targets == self.rules.stage_targets(self.stage):
            self._enter(player, PlayState.SPAWN_DELAY, self.timing.spawn_delay)
        else:
            self._enter(player, PlayState.PLANT, 1)

    def _act(self, number: int) -> None:
        player = self.players[number]
        if player.play_state is PlayState.SETTLE:
            self._test(number)
        elif player.play_state is PlayState.VANISH:
            self._remove(number)
        elif player.play_state is PlayState.PLANT:
            self._plant(player)
        elif happens.fall_a_row(player.cells, player.links):
            self._enter(player, PlayState.FALL, self.timing.per_row)
        else:
            self._enter(player, PlayState.SETTLE, self.timing.settle)

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
        most = self.rules.most_garbage if self.in_game > 1 else min(self.rules.columns, player.due)
        falling = player.pending[:most]
        if falling:
            happens.garbage(player.cells, player.links, falling, self.garbage_generator)
            del player.pending[:most]
            player.due -= len(falling)
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
        """Let garbage of drawn colours fall on a player after the next lock: what comes while some falls, one later.

        No more waits than the field has cells.
        """
        pending, colors = self.players[number].pending, self.rules.colors
        room = self.rules.visible_rows * self.rules.columns - len(pending)
        pending += [1 + self.garbage_generator.below(colors) for _ in range(min(halves, room))]

    def _is_blocked(self, player: Player) -> bool:
        spawn = self.rules.spawn
        return not fits(
            player.cells, self.rules.hidden_rows, self.rules.shapes[spawn.orientation], spawn.column, spawn.row
        )

    def _count_piece(self, player: Player) -> None:
        player.pieces = (player.pieces + 1) & 0xFFFF

    def _deal(self, player: Player) -> tuple[int, ...]:
        return tuple(1 + player.generator.below(self.rules.colors) for _ in range(self.rules.piece_cells))
