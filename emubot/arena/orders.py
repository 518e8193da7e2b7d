"""Orders to what is played at a table, as strict models that travel as JSON; knows no page, no pipe and no match."""

from __future__ import annotations

from collections import deque
from threading import Event
from typing import Annotated, Final, Literal, TypeAlias

from pydantic import Field, TypeAdapter

from emubot.arena.request import AskCoach, AtSide, Do, Go, MatchRequest, StrictModel, WallRequest
from emubot.arena.wire import Input, unpack_input

_INPUT: Final = b"I"  # before the bytes of an input
_Number = Annotated[int, Field(ge=0)]


class Close(StrictModel):
    """End it."""

    type: Literal["close"] = "close"


class Save(StrictModel):
    """Write the match so far to this file; `is_own` if a person asked for it, and is told."""

    type: Literal["save"] = "save"
    path: str
    is_own: bool = True


class Tell(StrictModel):
    """Tell how many frames were shown, and how many of them late."""

    type: Literal["tell"] = "tell"


Order: TypeAlias = Do | Go | AtSide | AskCoach | Save | Tell | Close
_ORDER: TypeAdapter[Order] = TypeAdapter(Annotated[Order, Field(discriminator="type")])


class Warm(StrictModel):
    """Load what these games need."""

    type: Literal["warm"] = "warm"
    games: tuple[str, ...]


class Ghost(StrictModel):
    """A side of a recorded match that is shown beside a person who plays alone."""

    path: str
    side: _Number = 0


class GoOnFrom(StrictModel):
    """The first `ticks` of a recorded match, after which a live one begins."""

    path: str
    ticks: _Number


class Open(StrictModel):
    """Begin a match; a `fixed` one has the same pieces each time. A `ghost` races along as soon as its file exists."""

    type: Literal["open"] = "open"
    match: _Number
    request: MatchRequest
    seed: Annotated[int, Field(ge=0, le=2**31 - 1)]
    fixed: bool = False
    ghost: Ghost | None = None
    beginning: GoOnFrom | None = None


class OpenRecorded(StrictModel):
    """Open the recorded match of a file."""

    type: Literal["open-recorded"] = "open-recorded"
    match: _Number
    path: str


class OpenWall(StrictModel):
    """Begin a wall of bots; all its numbers are drawn from the seed."""

    type: Literal["open-wall"] = "open-wall"
    match: _Number
    request: WallRequest
    seed: Annotated[int, Field(ge=0, le=2**31 - 1)]


class ToMatch(StrictModel):
    """An order to a match."""

    type: Literal["to-match"] = "to-match"
    match: _Number
    order: Annotated[Order, Field(discriminator="type")]


ToProcess: TypeAlias = Warm | Open | OpenRecorded | OpenWall | ToMatch
_TO_PROCESS: TypeAdapter[ToProcess] = TypeAdapter(Annotated[ToProcess, Field(discriminator="type")])


def packed(message: Order | ToProcess) -> bytes:
    """Returns an order as bytes."""
    return message.model_dump_json().encode()


def packed_input(message: bytes) -> bytes:
    """Returns the bytes of an input (wire.py) as one of the messages that `read_order` reads."""
    return _INPUT + message


def read_order(message: bytes) -> Order | Input:
    """Returns the order or the input in bytes. Raises UsageError or ValidationError if they are none."""
    return unpack_input(message[1:]) if message[:1] == _INPUT else _ORDER.validate_json(message)


def read_for_process(message: bytes) -> ToProcess:
    """Returns the order to the process of the matches in bytes."""
    return _TO_PROCESS.validate_json(message)


class Mailbox:
    """Orders and inputs on their way to what is played; any thread may put one."""

    def __init__(self) -> None:
        self._waiting: deque[Order | Input] = deque()
        self._come = Event()

    def put(self, message: Order | Input) -> None:
        """Add one."""
        self._waiting.append(message)
        self._come.set()

    def take(self) -> Order | Input | None:
        """Returns the oldest one that waits, if there is one."""
        self._come.clear()
        return self._waiting.popleft() if self._waiting else None

    def wait(self) -> None:
        """Wait until there is one."""
        if not self._waiting:
            self._come.wait()
