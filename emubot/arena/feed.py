"""A session as a page sees it: boards, picture, plans and figures out, orders and a person's pad in; draws nothing.

Messages are those of match_process.py without a match's number: `F` and a frame, `P` and a picture, JSON events.
"""

from __future__ import annotations

import struct
import time
from collections.abc import Callable, Mapping
from functools import partial
from typing import TYPE_CHECKING, Any, Final, Protocol, runtime_checkable

import numpy as np
from numpy.typing import NDArray

from emubot.arena.inputs import InputQueue
from emubot.arena.insight import Insight
from emubot.arena.orders import Order
from emubot.arena.request import Do
from emubot.arena.runner import FRAME, Runner
from emubot.arena.shown import fill_board
from emubot.arena.wire import Board, Input, Stage, pack_frame
from emubot.bridges.image import image_reader
from emubot.games.edition import Depiction, part_of
from emubot.pilot import View
from emubot.session.person import Person
from emubot.snapshot import Phase
from emubot.weights import load_weights

if TYPE_CHECKING:
    from emubot.pilot import Match
    from emubot.session.session import Session

PICTURE: Final = b"P\x03"
_SHOWN_EVERY: Final = 1 / 70  # seconds: a little less than a frame, so that none is left out at a console's speed
_PICTURE_EVERY: Final = 1 / 31
_FIGURES_EVERY: Final = 0.5
_PICTURE: Final = struct.Struct("<BHH")  # the number of the picture, width, height; then RGB565, little-endian


@runtime_checkable
class Pictured(Protocol):
    """A bridge with a picture."""

    def picture(self) -> NDArray[Any]:
        """Returns the last frame, uint8 (height, width, 3)."""


class Feed(Runner):
    """Plays a session's match frame by frame and sends what a page shows. `send` may be called from threads.

    `human` is the port of a person, on the first bridge, or None.
    """

    def __init__(self, opened: Session, match: Match, send: Callable[[bytes], None], human: int | None = None) -> None:
        """Raises UsageError if the family's pieces cannot be drawn."""
        super().__init__(send)
        self._opened, self._match = opened, match
        self._person = None if human is None else Person(opened, match, human)
        self._look = part_of(opened.edition, "depiction", opened.edition.depiction, "pieces to draw (--view web)")
        self._seen = None if human is None else _Seen(opened, human, self._look)
        self._boards = [Board() for _ in match.pilots]  # and the person's, as the last one
        self._inputs = InputQueue()
        self._paused = False
        self._frames = 0
        self._last_shown = self._last_picture = self._last_figures = 0.0
        self._started = time.monotonic()
        self._insights: list[Insight] = []
        for number, pilot in enumerate(match.pilots):
            pilot.previews = True
            pilot.watchers.append(partial(self._see, number))
            pilot.waiting.seen = human is not None
        if human is not None:
            self._boards.append(Board())

    def open(self) -> None:
        """Tell what is played."""
        facts = self._opened.bridges[0].facts
        self.say(
            event="opened",
            title=self._opened.title,
            family=self._opened.edition.game.name,
            looks=self._opened.edition.game.looks.data(),
            emulator=facts.emulator,
            bridge=facts.name,
            sides=[
                *(
                    {"player": seat.port, "tempo": seat.skill.tempo.name, "person": False}
                    for seat in self._opened.seats
                ),
                *({"player": 1 - seat.port, "person": True} for seat in self._opened.seats if self._person),
            ],
        )

    def step(self) -> None:
        """Play one frame, after the orders that have come; while paused it waits for them."""
        self.obey()
        self.obey_while(lambda: self._paused)
        if self.closed:
            return
        if self._person is not None:
            self._person.hold(self._inputs.next_pad())
        self._match.step()
        if self._seen is not None:
            self._seen.see(self._boards[-1])
        self._frames += 1
        now = time.monotonic()
        if now - self._last_shown >= _SHOWN_EVERY:
            self._last_shown = now
            self._show(Stage.PLAYING)
        if now - self._last_picture >= _PICTURE_EVERY:
            self._last_picture = now
            self._send_pictures()
        if now - self._last_figures >= _FIGURES_EVERY:
            self._last_figures = now
            wish = None if self._person is None else self._person.wish.name
            self.say(event="figures", wish=wish, **self._figures(now))

    def close(self, result: str) -> None:
        """Tell how it ended."""
        for insight in self._insights:
            insight.close()
        self._show(Stage.OVER)
        self.say(event="over", result={"how": result, **self._figures(time.monotonic())})

    def put(self, one: Input) -> None:
        """Take an input of the person."""
        self._inputs.put(one)

    def do(self, order: Order) -> None:
        """Do an order."""
        match order:
            case Do(type="pause"):
                self._paused = True
                self._inputs.clear()
                self._show(Stage.PAUSED)
            case Do(type="resume"):
                self._paused = False
            case Do(type="insight"):
                self._explain()

    def _explain(self) -> None:
        """From now on explain each decision."""
        if self._insights:
            return
        for number, (seat, pilot) in enumerate(zip(self._opened.seats, self._match.pilots, strict=True)):
            insight = Insight(
                pilot.edition,
                seat.skill.weights or load_weights(pilot.edition.game.facts.default_weights),
                seat.skill.tempo,
                partial(self._say_of, number),
                seat.skill.strength.nodes,
            )
            self._insights.append(insight)
            pilot.watchers.append(partial(_look, insight))

    def _see(self, number: int, view: View) -> None:
        looks = self._opened.edition.game.looks
        fill_board(self._boards[number], looks, self._look, view.snapshot, view.chosen, view.preview, view.tally.pieces)

    def _show(self, stage: Stage) -> None:
        if self._seen is not None:
            self._boards[-1].echo = self._inputs.echo
        self._send(FRAME + pack_frame(self._frames, stage, 0, self._boards))

    def _send_pictures(self) -> None:
        for number, bridge in enumerate(self._opened.bridges):
            if isinstance(bridge, Pictured):
                rgb = bridge.picture()
                self._send(PICTURE + _PICTURE.pack(number, rgb.shape[1], rgb.shape[0]) + rgb565(rgb))

    def _figures(self, now: float) -> Mapping[str, Any]:
        """Returns the running figures of all players."""
        sides = []
        for pilot in self._match.pilots:
            tally = pilot.tally
            latest = tally.decision_ms[-1] if tally.decision_ms else 0.0
            sides.append(
                {
                    "pieces": tally.pieces,
                    "misplaced": tally.misplaced,
                    "replans": tally.replans,
                    "games": tally.games,
                    "wins": tally.wins,
                    "nodes": tally.nodes,
                    "decision_ms": round(latest, 1),
                }
            )
        seconds = max(now - self._started, 1e-9)
        return {"frames": self._frames, "fps": round(self._frames / seconds, 1), "sides": sides}

    def _say_of(self, side: int, words: Mapping[str, Any]) -> None:
        self.say(side=side, **words)


class _Seen:
    """The board of a player without a bot; call `see` after each frame."""

    def __init__(self, opened: Session, player: int, look: Depiction) -> None:
        ram_map, self._looks = opened.edition.ram_map, opened.edition.game.looks
        self._read, self._look = image_reader(opened.bridges[0], ram_map.spaces), look
        self._decode = opened.edition.decoder(player)
        self._pieces = 0
        self._was_playing = False

    def see(self, board: Board) -> None:
        """Decode the last frame, count a piece that has locked, and fill the board."""
        snapshot = self._decode(self._read())
        self._pieces += self._was_playing and snapshot.phase.between_pieces
        self._was_playing = snapshot.phase is Phase.PLAYING
        fill_board(board, self._looks, self._look, snapshot, pieces=self._pieces)


def _look(insight: Insight, view: View) -> None:
    insight.see(view.snapshot, view.chosen, view.tally.pieces)


def rgb565(rgb: NDArray[Any]) -> bytes:
    """Returns a picture, uint8 (height, width, 3), as two bytes for each pixel: five, six and five bits."""
    wide = rgb.astype(np.uint16)
    packed = (wide[..., 0] >> 3 << 11) | (wide[..., 1] >> 2 << 5) | wide[..., 2] >> 3
    return packed.astype("<u2").tobytes()
