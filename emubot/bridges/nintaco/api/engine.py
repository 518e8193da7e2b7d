"""The engine behind the table of calls: checks arguments, packs a request, and reads its answer."""

from __future__ import annotations

import operator
from ast import literal_eval
from collections.abc import Callable, Mapping
from inspect import Parameter, Signature
from types import MethodType
from typing import Any, Final, Generic, ParamSpec, Self, TypeVar, overload

from emubot.bridges.nintaco.api.answers import FRAME_COUNT, Answer, read_count
from emubot.bridges.nintaco.api.events import EventKind, Listener
from emubot.bridges.nintaco.api.wire import NintacoWire, call
from emubot.bridges.notices import ConnectionLost
from emubot.errors import UsageError

P = ParamSpec("P")
T = TypeVar("T")
Check = Callable[..., tuple[Any, ...]]


class ApiState:
    """The state that calls share; `_wire` is None while there is no connection."""

    def __init__(self) -> None:
        self._wire: NintacoWire | None = None
        self._waiting = False  # true while an event may come, which would be misread as an answer
        self.sprites: set[int] = set()  # ids on the server, which closes the connection on an unknown one
        self._listeners: dict[int, Listener] = {}
        self._next_listener = 0

    def queue(self, calls: bytes) -> None:
        """Queue calls without answers, as `ApiCall.pack` makes them."""
        self._connected().queue(calls)

    def flush(self) -> None:
        """Send the queued calls now, without waiting for the next answer or the next call that has one."""
        self._connected().flush()

    def remove_listener(self, number: int) -> None:
        """Remove a listener; harmless if it is removed already."""
        listener = self._listeners.pop(number, None)
        if listener is not None and self._wire is not None:
            self._wire.queue(listener.removal)

    def _connected(self) -> NintacoWire:
        if self._wire is None:
            raise ConnectionLost("There is no connection to Nintaco: call connect.")
        return self._wire

    def _asking(self) -> NintacoWire:
        if self._waiting:
            raise UsageError("Nintaco may be sending an event now: ask while an event is held, or before waiting.")
        return self._connected()

    def ask(self, request: bytes, read: Callable[[NintacoWire, float], T]) -> T:
        """Send a call and return its answer, which `read` takes off the wire by a deadline."""
        wire = self._asking()
        wire.queue(request)
        return read(wire, wire.begin_reply())

    def listen(self, kind: EventKind, handler: Callable[..., Any], *body: int) -> int:
        """Keep a listener, and register it if there is a connection; returns its number."""
        listener = Listener(kind, self._next_listener, body, handler)
        self._next_listener += 1
        self._listeners[listener.id] = listener
        if self._wire is not None:
            self._wire.queue(listener.registration)
        return listener.id


class ApiCall(Generic[P, T]):
    """A row of the table: `Client.name` is the row itself, `client.name` its call, typed as the table says.

    `arguments` are words `name`, `name:kind` or `name:kind=default`. A kind is a key of `KINDS`, or a range `low..high`
    of whole numbers; without a kind it is any whole number of 32 bits. `check` gets the client and the arguments, and
    returns what is sent. Without an `answer` the call is queued.
    """

    __name__ = ""

    def __init__(self, number: int, arguments: str, answer: Answer[T] | None, note: str, check: Check | None) -> None:
        self.number = number
        self.__doc__ = f"Call {number} of the API{note and f': {note}'}."
        self._answer, self._check = answer, check
        self._kinds: dict[str, str] = {}
        parameters = [Parameter("client", Parameter.POSITIONAL_ONLY)]
        for word in arguments.split():
            spelled, _, default = word.partition("=")
            name, _, self._kinds[name] = spelled.partition(":")
            value = literal_eval(default) if default else Parameter.empty
            parameters.append(Parameter(name, Parameter.POSITIONAL_OR_KEYWORD, default=value))
        self.__signature__ = Signature(parameters)

    def __set_name__(self, owner: type, name: str) -> None:
        self.__name__ = name

    @overload
    def __get__(self, client: None, owner: type) -> Self: ...
    @overload
    def __get__(self, client: ApiState, owner: type) -> Callable[P, T]: ...
    def __get__(self, client: ApiState | None, owner: type) -> Self | Callable[P, T]:
        return self if client is None else MethodType(self, client)

    def __call__(self, client: ApiState, *arguments: P.args, **named: P.kwargs) -> T:
        """Make the call. Raises UsageError for what the server would close the connection over."""
        values = self._values(client, *arguments, **named)
        return self._made(client, *(values if self._check is None else self._check(client, *values)))

    def pack(self, *arguments: P.args, **named: P.kwargs) -> bytes:
        """Returns the request's bytes, for calls that need no client to check their arguments."""
        return call(self.number, *self._values(None, *arguments, **named))

    def _made(self, client: ApiState, *values: Any) -> T:
        request, answer = call(self.number, *values), self._answer
        if answer is None:
            client.queue(request)
            return None  # type: ignore[return-value]  # `sends` of calls.py types it so
        if answer.of_machine:
            client.ask(FRAME_COUNT, read_count)
        result = client.ask(request, answer.read)
        if answer.absent is not None and result == answer.absent:
            client.ask(FRAME_COUNT, read_count)
        return result

    def _values(self, client: ApiState | None, *arguments: Any, **named: Any) -> list[Any]:
        bound = self.__signature__.bind(client, *arguments, **named)
        bound.apply_defaults()
        return [self._value(name, bound.arguments[name]) for name in self._kinds]

    def _value(self, name: str, value: Any) -> Any:
        kind = self._kinds[name]
        low, between, high = kind.partition("..")
        if between:
            return within(int(operator.index(value)), int(low), int(high), f"{self.__name__}: {name}")
        return KINDS[kind](value)


class Listening(ApiCall[P, int]):
    """A call that adds a listener: keeps it, and registers it if there is a connection; returns its number."""

    def _made(self, client: ApiState, *values: Any) -> int:
        return client.listen(EventKind(self.number), *values)


def within(value: int, low: int, high: int, what: str) -> int:
    """Returns the value. Raises UsageError outside low..high, because the server would close the connection."""
    if not low <= value <= high:
        raise UsageError(f"{what} is {low} to {high}, not {value}.")
    return value


def _printable(text: str) -> str:
    """Returns the text. Raises UsageError for characters that are not in Nintaco's font.

    The server ends the connection on a character below the space (measured on Nintaco 2023.12.08).
    """
    if not all(" " <= char <= "\xff" for char in text):
        raise UsageError(f"Nintaco draws Latin-1 characters from the space on, in one line: {text!r} has others.")
    return text


def _char(char: str) -> bytes:
    if len(char) != 1:
        raise UsageError(f"draw_char takes one character, not {char!r}: use draw_string.")
    return _printable(char).encode("latin-1")


KINDS: Final[Mapping[str, Callable[[Any], Any]]] = {
    "": lambda value: int(operator.index(value)),
    "flag": bool,
    "text": str,
    "printable": _printable,
    "char": _char,
    "numbers": list,
    "percent": lambda percent: max(percent, 0),
    "any": lambda value: value,
}
