"""One player as pages see it, moved by a person or a bot: the board and figures of each frame; knows no network."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, replace
from functools import partial
from typing import Any, Final

from emubot.arena.coach import Coach
from emubot.arena.inputs import InputQueue
from emubot.arena.insight import Insight
from emubot.arena.origins import Origins
from emubot.arena.shown import count_of, fill_board
from emubot.arena.wire import Board
from emubot.bridges import Bridge
from emubot.games.edition import Edition, part_of
from emubot.judging.moves import Move, MoveFinder
from emubot.pad import Pad
from emubot.pilot import Pilot, Skill, View
from emubot.snapshot import Phase, Piece, Placement, Snapshot
from emubot.weights import load_weights

_PURPOSE: Final = "pieces to draw (the arena, --view web)"


@dataclass(slots=True, eq=False)
class ArenaConsole:
    """A machine that one player or two play on; `read` returns the image of its last frame."""

    edition: Edition
    bridge: Bridge
    read: Callable[[], bytes]


@dataclass(frozen=True, slots=True)
class SideFigures:
    """A side's figures so far. `count` is that of all lines, or the longest chain; the last four are those of a bot.

    `value` and `decision_ms` are those of its latest decision. `score` is None in a game without points.
    """

    score: int | None
    count: int
    pieces: int
    nodes: int = 0
    value: float | None = None
    misplaced: int = 0
    decision_ms: float = 0.0


class Side:
    """A player. Call `before` and `after` around each frame of its console; `board` then shows the frame.

    `over`, `in_control`, `pieces` and `count` are known after each frame. The board is filled only when it is asked
    for: a bot that plays hundreds of frames between two pictures draws none of them.
    """

    def __init__(self, console: ArenaConsole, player: int) -> None:
        """Raises UsageError if the family's pieces cannot be drawn."""
        self.console, self.player = console, player
        self.over = False
        self.in_control = False
        self.pieces = 0
        self.count = 0  # of lines, or the longest chain
        self.on_its_way = 0  # garbage in the queue of the exchange, in units
        self._board = Board()
        self._fill: Callable[[], None] | None = None  # what the board does not show yet
        self._was_playing = False
        self._finder = MoveFinder()
        self._pieces_before = 0  # that another side on this console has placed (`follow`)
        edition = console.edition
        self._looks = edition.game.looks
        self._depiction = part_of(edition, "depiction", edition.depiction, _PURPOSE)
        self._origins = Origins(self._depiction) if self._looks.pieces else None
        self._decode = edition.decoder(player)
        self._statistics = None if edition.statistics is None else edition.statistics()

    def follow(self, earlier: Side) -> None:
        """Go on from where another side on the same console has come to."""
        self.pieces = self._pieces_before = earlier.pieces
        self.count, self.on_its_way = earlier.count, earlier.on_its_way
        self._was_playing, self._statistics = earlier._was_playing, earlier._statistics
        self._origins, self._finder = earlier._origins, earlier._finder

    def before(self) -> None:
        """Press what is to be held in the next frame."""

    def after(self, frame: int) -> None:
        """Look at the frame that was played, and count a piece that has locked."""
        snapshot = self.snapshot()
        self._take(snapshot, self._finder.see(frame, snapshot))

    def _take(self, snapshot: Snapshot, move: Move | None) -> None:
        """Take a frame, and the piece that has locked in it."""
        locked = self._was_playing and (snapshot.phase.between_pieces or snapshot.phase is Phase.OVER)
        self._was_playing = snapshot.phase is Phase.PLAYING
        self._show(snapshot, pieces=self.pieces + locked)

    @property
    def board(self) -> Board:
        """The last frame as it is shown."""
        if self._fill is not None:
            self._fill()
            self._fill = None
            self._board.over = self.over
            self._board.garbage += self.on_its_way
        return self._board

    @property
    def figures(self) -> SideFigures:
        """The figures so far."""
        return SideFigures(self.board.score, self.count, self.pieces)

    @property
    def statistics(self) -> Mapping[str, str]:
        """What the family counts beside the game's own figures; nothing if it does not."""
        return {} if self._statistics is None else self._statistics.figures

    def explain(self, tell: Callable[[dict[str, Any]], None]) -> None:
        """From now on tell what each decision of a bot was made from."""

    def coach(self, tell: Callable[[dict[str, Any]], None] | None) -> None:
        """From now on judge each placement of a person; None: no longer."""

    def close(self) -> None:
        """Explain and judge nothing any more."""

    def show_pad(self, pad: Pad, echo: int = 0) -> None:
        """Show what is pressed, and the number of the input that it comes from."""
        self._board.pad, self._board.echo = pad, echo

    def snapshot(self) -> Snapshot:
        """Returns the frame as the family decodes it."""
        return self._decode(self.console.read())

    def _show(
        self, snapshot: Snapshot, chosen: Placement | None = None, preview: Piece | None = None, pieces: int = 0
    ) -> None:
        """Take a frame as the one to show."""
        if self._statistics is not None:
            self._statistics.see(snapshot)
        self.over = snapshot.phase is Phase.OVER and not snapshot.counters.get("won", 0)
        self.in_control = snapshot.phase is Phase.PLAYING and snapshot.current is not None
        self.count = max(self.count, count_of(self._looks, snapshot))
        self.pieces = pieces
        if self._origins is not None:
            self._origins.see(snapshot)
        self._fill = partial(
            fill_board, self._board, self._looks, self._depiction, snapshot, chosen, preview, pieces, self._origins
        )


class PersonSide(Side):
    """A side that a person plays: `inputs` has what is held, and `hold` presses it."""

    def __init__(self, console: ArenaConsole, player: int, hold: Callable[[Pad], object]) -> None:
        super().__init__(console, player)
        self.inputs = InputQueue()
        self._hold = hold
        self._coach: Coach | None = None

    def before(self) -> None:
        """Press what the person holds."""
        self.press(self.inputs.next_pad())

    def coach(self, tell: Callable[[dict[str, Any]], None] | None) -> None:
        """From now on judge each placement; None: no longer."""
        if tell is None:
            self.close()
        elif self._coach is None:
            self._coach = Coach(self.console.edition, tell)
            self._begin_piece(self._coach)

    def close(self) -> None:
        """Judge nothing any more."""
        if self._coach is not None:
            self._coach.close()
            self._coach = None

    def _take(self, snapshot: Snapshot, move: Move | None) -> None:
        piece = self.pieces
        super()._take(snapshot, move)
        if self._coach is not None:
            if move is not None:
                self._coach.lock(piece, move)
            self._begin_piece(self._coach)

    def _begin_piece(self, coach: Coach) -> None:
        if self._finder.begun is not None:
            coach.begin(self.pieces, self._finder.begun[1])

    def press(self, pad: Pad) -> None:
        """Hold this pad in the next frame."""
        self._hold(pad)
        self.show_pad(pad, self.inputs.echo)


class BotSide(Side):
    """A side that a pilot plays; it is shown whoever lets the pilot see the frames."""

    def __init__(self, console: ArenaConsole, pilot: Pilot, skill: Skill) -> None:
        super().__init__(console, pilot.port)
        self.pilot, self._skill = pilot, skill
        self._insight: Insight | None = None
        self._value: float | None = None
        pilot.previews = True
        pilot.watchers.append(self._see)

    def after(self, frame: int) -> None:
        """Let the bot look and press for the next frame."""
        self.pilot.see(frame)

    @property
    def figures(self) -> SideFigures:
        """The figures so far."""
        tally = self.pilot.tally
        latest = round(tally.decision_ms[-1], 1) if tally.decision_ms else 0.0
        return replace(
            super().figures, nodes=tally.nodes, value=self._value, misplaced=tally.misplaced, decision_ms=latest
        )

    def explain(self, tell: Callable[[dict[str, Any]], None]) -> None:
        """From now on tell what each decision was made from."""
        if self._insight is None:
            edition, skill = self.pilot.edition, self._skill
            weights = skill.weights or load_weights(edition.game.facts.default_weights)
            self._insight = Insight(edition, weights, skill.tempo, tell, skill.strength)

    def close(self) -> None:
        """Explain nothing any more."""
        if self._insight is not None:
            self._insight.close()

    def _see(self, view: View) -> None:
        if self._insight is not None:
            self._insight.see(view.snapshot, view.chosen, view.tally.pieces)
        if view.chosen is not None:
            self._value = view.chosen.value
        self._show(view.snapshot, view.chosen, view.preview, self._pieces_before + view.tally.pieces)
