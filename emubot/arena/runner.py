"""Runs one game for a table: does the orders that have come, and tells what happens; knows no game, pipe or page."""

from __future__ import annotations

import json
import struct
from abc import ABC, abstractmethod
from collections.abc import Callable, Iterable
from typing import TYPE_CHECKING, Any, Final

from emubot.arena.orders import Close, Mailbox, Order
from emubot.arena.side import Side
from emubot.arena.wire import Input

if TYPE_CHECKING:  # loaded before any thread begins (match_process.py)
    from emubot.arena.odds import Odds

FRAME: Final = b"F"
NUMBER: Final = struct.Struct("<I")


def text_of(**words: Any) -> bytes:
    """Returns an event as bytes."""
    return json.dumps(words).encode()


class Runner(ABC):
    """`mail` takes orders and inputs from any thread. After an order to close it is `closed`."""

    def __init__(self, send: Callable[[bytes], None]) -> None:
        """`send` takes events and frames; it may be called from threads."""
        self.mail = Mailbox()
        self.closed = False
        self._send = send
        self._statistics: list[dict[str, str]] = []
        self._chance: int | None = None

    def obey(self) -> None:
        """Do what has come."""
        while not self.closed and (message := self.mail.take()) is not None:
            if isinstance(message, Input):
                self.put(message)
            elif isinstance(message, Close):
                self.closed = True
            else:
                self.do(message)

    def obey_while(self, stands: Callable[[], bool]) -> None:
        """Do what comes for as long as nothing moves."""
        while stands() and not self.closed:
            self.mail.wait()
            self.obey()

    @abstractmethod
    def put(self, one: Input) -> None:
        """Take a person's input."""

    @abstractmethod
    def do(self, order: Order) -> None:
        """Do an order; one that means nothing here is passed over."""

    def say_statistics(self, sides: Iterable[Side]) -> None:
        """Tell what is counted beside the games' own figures, if it is not what was told last."""
        statistics = [dict(side.statistics) for side in sides]
        if any(statistics) and statistics != self._statistics:
            self._statistics = statistics
            self.say(event="statistics", sides=statistics)

    def say_chance(self, odds: Odds | None) -> None:
        """Tell how likely the first side wins, in per cent, if that is not what was told last."""
        chance = None if odds is None else round(100 * odds.chance())
        if chance is not None and chance != self._chance:
            self._chance = chance
            self.say(event="chance", first=chance)

    def say(self, **words: Any) -> None:
        """Send an event."""
        self._send(text_of(**words))
