"""The base of all methods of the API: void calls are queued, others wait for an answer; knows no method's meaning.

An answer of -1 or False may mean "there is no machine" (facts: Nintaco 5). In this case the frame counter is read. It
is -1 only if there is no machine, and then NoMachine is raised.
"""

from __future__ import annotations

from typing import Final

import numpy as np
from numpy.typing import NDArray

from emubot.bridges.nintaco.api.wire import LONGEST, ConnectionLost, NoMachine, Value, Wire, call
from emubot.errors import UsageError

GET_FRAME_COUNT: Final = 25
_NOTHING: Final = -1


class Calls:
    """The base of the client; `_wire` is None while there is no connection."""

    def __init__(self) -> None:
        self._wire: Wire | None = None
        self._waiting = False  # true while an event may come, which would be misread as an answer

    def get_frame_count(self) -> int:
        """The number of frames since the machine was powered on; id 25."""
        return _counted(self._plain_number(GET_FRAME_COUNT))

    def queue(self, calls: bytes) -> None:
        """Queue calls without answers that `wire.call` has made."""
        self._connected().queue(calls)

    def flush(self) -> None:
        """Send the queued calls now, without waiting for the next answer or the next call that has one."""
        self._connected().flush()

    def _connected(self) -> Wire:
        if self._wire is None:
            raise ConnectionLost("There is no connection to Nintaco: call connect.")
        return self._wire

    def _asking(self) -> Wire:
        if self._waiting:
            raise UsageError("Nintaco may be sending an event now: ask while an event is held, or before waiting.")
        return self._connected()

    def _void(self, method: int, *values: Value) -> None:
        """Queue a call without an answer."""
        self._connected().queue(call(method, *values))

    def _plain_number(self, method: int, *values: Value) -> int:
        """Returns a number; -1 has no special meaning."""
        wire = self._asking()
        wire.queue(call(method, *values))
        return wire.read_int(wire.begin_reply())

    def _number(self, method: int, *values: Value) -> int:
        """Returns a number of the machine; raises NoMachine if there is none."""
        number = self._plain_number(method, *values)
        if number == _NOTHING:
            self.get_frame_count()
        return number

    def _plain_flag(self, method: int, *values: Value) -> bool:
        """Returns a flag of the emulator; False has no special meaning."""
        wire = self._asking()
        wire.queue(call(method, *values))
        return wire.read(1, wire.begin_reply()) != b"\x00"

    def _flag(self, method: int, *values: Value) -> bool:
        """Returns a flag of the machine; raises NoMachine if there is none."""
        flag = self._plain_flag(method, *values)
        if not flag:
            self.get_frame_count()
        return flag

    def _text(self, method: int, *values: Value) -> str:
        wire = self._asking()
        wire.queue(call(method, *values))
        return wire.read_text(wire.begin_reply())

    def _texts(self, method: int, *values: Value) -> list[str]:
        wire = self._asking()
        wire.queue(call(method, *values))
        deadline = wire.begin_reply()
        return [wire.read_text(deadline) for _ in range(wire.read_count(deadline))]

    def _numbers(self, method: int, *values: Value) -> NDArray[np.int32]:
        """Returns an int32 array, which follows its count."""
        wire = self._asking()
        wire.queue(call(method, *values))
        deadline = wire.begin_reply()
        data = wire.read(4 * wire.read_count(deadline), deadline)
        return np.frombuffer(data, dtype=">i4").astype(np.int32)

    def _replies(self, calls: bytes, count: int) -> NDArray[np.uint32]:
        """Returns the answers of `count` calls of equal length as uint32."""
        return np.frombuffer(self._asking().replies(calls, count), dtype=">u4").astype(np.uint32)

    def _counted_replies(self, calls: bytes, count: int) -> tuple[int, NDArray[np.uint32]]:
        """Returns the frame counter and the answers of `count` calls of equal length; raises NoMachine."""
        data = self._asking().replies(calls, count, first=call(GET_FRAME_COUNT))
        numbers = np.frombuffer(data, dtype=">u4").astype(np.uint32)
        return _counted(int(numbers[0].view(np.int32))), numbers[1:]


def _counted(count: int) -> int:
    if count == _NOTHING:
        raise NoMachine("Nintaco runs no cartridge now: open one.")
    return count


def within(value: int, low: int, high: int, what: str) -> int:
    """Returns the value. Raises UsageError outside low..high, because the server would close the connection."""
    if not low <= value <= high:
        raise UsageError(f"{what} is {low} to {high}, not {value}.")
    return value


def printable(text: str) -> str:
    """Returns the text. Raises UsageError for characters that are not in Nintaco's font.

    The server ends the connection on a character below the space (measured on Nintaco 2023.12.08).
    """
    if not all(" " <= char <= "\xff" for char in text):
        raise UsageError(f"Nintaco draws Latin-1 characters from the space on, in one line: {text!r} has others.")
    return text


def short(count: int, what: str) -> None:
    """Raise UsageError for more elements than the server accepts."""
    if count > LONGEST:
        raise UsageError(f"Nintaco takes at most {LONGEST} {what}, not {count}.")
