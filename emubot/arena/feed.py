"""A session as a page sees it: boards, picture, plans and figures out, orders and a person's pad in; draws nothing.

Messages are those of match_process.py without a match's number: `F` and a frame, `P` and a picture, JSON events.
"""

from __future__ import annotations

import struct
import time
from collections.abc import Callable, Mapping
from dataclasses import asdict
from functools import partial
from typing import TYPE_CHECKING, Any, Final, Protocol, runtime_checkable

import numpy as np
from numpy.typing import NDArray

from emubot.arena.orders import Order
from emubot.arena.request import Do
from emubot.arena.runner import FRAME, Runner
from emubot.arena.side import ArenaConsole, BotSide, PersonSide, Side
from emubot.arena.wire import Input, Stage, pack_frame
from emubot.bridges.image import image_reader
from emubot.session.person import Person
from emubot.view.framing import boards_of, framed

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
        spaces = opened.edition.ram_map.spaces
        consoles = {
            id(bridge): ArenaConsole(opened.edition, bridge, image_reader(bridge, spaces)) for bridge in opened.bridges
        }
        self._sides: list[Side] = []
        for seat, pilot in zip(opened.seats, match.pilots, strict=True):
            self._sides.append(BotSide(consoles[id(pilot.bridge)], pilot, seat.skill))
            pilot.waiting.seen = human is not None
        self._own: PersonSide | None = None
        if human is not None and self._person is not None:
            self._own = PersonSide(consoles[id(opened.bridges[0])], human, self._person.hold)
            self._sides.append(self._own)
        self._boards = [
            boards_of(opened.edition.ram_map, (seat.port for seat in opened.seats if seat.bridge is bridge))
            for bridge in opened.bridges
        ]
        self._paused, self._readiness = False, ""
        self._frames = 0
        self._last_shown = self._last_picture = self._last_figures = 0.0
        self._started = time.monotonic()

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
        if self._own is not None:
            self._own.before()
        self._match.step()
        self._frames += 1
        if self._own is not None:
            self._own.after(self._frames)
        now = time.monotonic()
        if self._opened.readiness is not None and (words := self._opened.readiness.words) != self._readiness:
            self._readiness = words
            self.say(event="readiness", words=words)
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
            self.say_statistics(self._sides)

    def close(self, result: str) -> None:
        """Tell how it ended."""
        for side in self._sides:
            side.close()
        self._show(Stage.OVER)
        self.say(event="over", result={"how": result, **self._figures(time.monotonic())})

    def put(self, one: Input) -> None:
        """Take an input of the person."""
        if self._own is not None:
            self._own.inputs.put(one)

    def do(self, order: Order) -> None:
        """Do an order."""
        match order:
            case Do(type="pause"):
                self._paused = True
                if self._own is not None:
                    self._own.inputs.clear()
                self._show(Stage.PAUSED)
            case Do(type="resume"):
                self._paused = False
            case Do(type="insight"):
                for number, side in enumerate(self._sides):
                    side.explain(partial(self._say_of, number))

    def _show(self, stage: Stage) -> None:
        self._send(FRAME + pack_frame(self._frames, stage, 0, [side.board for side in self._sides]))

    def _send_pictures(self) -> None:
        for number, (bridge, boards) in enumerate(zip(self._opened.bridges, self._boards, strict=True)):
            if isinstance(bridge, Pictured):
                rgb = framed(bridge.picture(), boards)
                self._send(PICTURE + _PICTURE.pack(number, rgb.shape[1], rgb.shape[0]) + rgb565(rgb))

    def _figures(self, now: float) -> Mapping[str, Any]:
        """Returns the running figures of all players."""
        seconds = max(now - self._started, 1e-9)
        sides = [asdict(side.figures) for side in self._sides]
        return {"frames": self._frames, "fps": round(self._frames / seconds, 1), "sides": sides}

    def _say_of(self, side: int, words: Mapping[str, Any]) -> None:
        self.say(side=side, **words)


def rgb565(rgb: NDArray[Any]) -> bytes:
    """Returns a picture, uint8 (height, width, 3), as two bytes for each pixel: five, six and five bits."""
    wide = rgb.astype(np.uint16)
    packed = (wide[..., 0] >> 3 << 11) | (wide[..., 1] >> 2 << 5) | wide[..., 2] >> 3
    return packed.astype("<u2").tobytes()
