"""A client of Nintaco's program server: connection, events, reconnection and all methods.

from emubot.bridges.nintaco import Client

client = Client()
client.add_frame_listener(lambda: client.draw_string("hello", 96, 112))
client.run()
"""

from __future__ import annotations

import socket
import time
from collections.abc import Callable
from contextlib import suppress
from types import TracebackType
from typing import Final, Self

from emubot.bridges.nintaco.api.events import PAYLOAD, UNCHANGED, Event, EventKind
from emubot.bridges.nintaco.api.memory import MemoryReads
from emubot.bridges.nintaco.api.wire import (
    EVENT_REQUEST,
    EVENT_RESPONSE,
    HEARTBEAT,
    READY,
    NintacoWire,
    ProtocolError,
    pack_int,
)
from emubot.bridges.notices import ConnectionLost
from emubot.errors import BridgeError, EmulatorBusy, EmulatorNotFound, UsageError
from emubot.interrupts import held_back
from emubot.text import printable

HOST: Final = "127.0.0.1"
PORT: Final = 9999
_NOT_READY: Final = pack_int(-1)  # the frame counter before READY
REPLY_TIMEOUT: Final = 5.0  # seconds
GREETING: Final = 3.0  # seconds for the first answer; a server that just lost a client gives it after 1 s (3.3)
SILENCE: Final = 30.0  # seconds; a heartbeat comes every 13 s (facts, Nintaco 3.3)
# The server has one flag for the answers to events and to heartbeats. An answer that comes before its thread has taken
# the last one is lost: then a frame is not held, or the emulator hangs for good. With a pause before and after the
# answer to a heartbeat neither happened in 1,222 heartbeats; without a pause it did after 242 (measured with
# 2023.12.08).
_BREATH: Final = 0.01  # seconds
RETRY: Final = 0.25  # seconds between two attempts
_IDLE: Final = 1.0  # seconds
_REMEDY: Final = "choose Tools > Start Program Server... > Start Server in Nintaco"


class Client(MemoryReads):
    """One program attached to one Nintaco; use it from one thread.

    Calls without an answer are queued. They are sent together with the answer to the current event, with the next call
    that has an answer, or by `flush`. Calls with an answer are possible whenever no event can come: inside a handler,
    or before waiting for an event. Read the game's memory only inside handlers, because there the game stands still.

    Either `run` it with listeners, or take events one by one with `next_event` and `answer`. `last_words` are calls
    (from `Call.pack`) that are sent when the client is closed, even after Ctrl-C.
    """

    def __init__(
        self,
        host: str = HOST,
        port: int = PORT,
        *,
        reply_timeout: float = REPLY_TIMEOUT,
        silence: float = SILENCE,
        pipelines: bool | None = None,
    ) -> None:
        """`reply_timeout` and `silence` are in seconds; `pipelines` None means as the system allows. Sends nothing."""
        super().__init__()
        self.host, self.port = host, port
        self.heartbeats = 0  # received so far; if nothing else comes, the emulator is paused or has no cartridge
        self.last_words = b""
        self._reply_timeout, self._silence, self._pipelines = reply_timeout, silence, pipelines
        self._event: Event | None = None  # the held event: the emulator waits for its answer
        self._running = False

    @property
    def address(self) -> str:
        """Host and port as `host:port`."""
        return f"{self.host}:{self.port}"

    @property
    def connected(self) -> bool:
        """True if there is a connection; a loss may not be noticed yet."""
        return self._wire is not None

    def connect(self, wait: float = 0.0) -> None:
        """Connect, register all listeners and request events; tries again for `wait` seconds.

        A running machine sends an ACTIVATE event. Raises EmulatorNotFound if no server answers, BridgeError if the
        answer is not Nintaco's.
        """
        deadline = time.monotonic() + wait
        while True:
            try:
                return self._connect()
            except EmulatorNotFound:
                if time.monotonic() + RETRY > deadline:
                    raise
            time.sleep(RETRY)

    def next_event(self, idle: Callable[[], object] | None = None) -> Event:
        """Wait for an event while the server is alive; the emulator then stands still until `answer`.

        `idle` is called every second meanwhile. Raises ConnectionLost after `silence` seconds without a heartbeat.
        """
        heartbeats, alive = self.heartbeats, time.monotonic()
        while True:
            event = self.poll(min(_IDLE, self._silence))
            if event is not None:
                return event
            if idle is not None:
                idle()
            if self.heartbeats != heartbeats:
                heartbeats, alive = self.heartbeats, time.monotonic()
            elif time.monotonic() - alive >= self._silence:
                self.disconnect()
                raise ConnectionLost(
                    f"Nintaco has been silent for {self._silence:g} seconds: it hangs; stop and start its program "
                    "server, or start it again."
                )

    def poll(self, timeout: float) -> Event | None:
        """Returns the event that comes within `timeout` seconds, or None. Sends queued calls and answers heartbeats."""
        if self._event is not None:
            raise UsageError("An event is held: answer it before waiting for the next one.")
        wire = self._connected()
        deadline = time.monotonic() + timeout
        try:
            while True:
                if not self._waiting:
                    wire.queue(EVENT_REQUEST)
                    self._waiting = True
                wire.flush()
                if not wire.wait(deadline - time.monotonic()):
                    return None
                event = self._receive(wire)
                if event is not None:
                    self._event = event
                    return event
        except BaseException:
            self.disconnect()
            raise

    def answer(self, result: int = UNCHANGED) -> None:
        """Let the emulator go on; `result` is for an ACCESS event. It is sent at the next wait, in the same write."""
        event, wire = self._event, self._connected()
        if event is None:
            raise UsageError("No event is held: there is nothing to answer.")
        self._event = None
        wire.queue(_response(event, result))

    def dispatch(self, event: Event) -> None:
        """Call the event's listener and answer; if the listener raises, the emulator is released first."""
        listener = self._listeners.get(event.listener)
        result = UNCHANGED
        try:
            if listener is not None and listener.kind is event.kind:
                result = listener.handle(event)
        except BaseException:
            self._let_go(event)
            raise
        if self._event is event:
            self.answer(result)

    def run(self, *, reconnect: bool = True) -> None:
        """Call listeners as events come, until one of them calls `stop`; then disconnect.

        It reconnects without a time limit. If `reconnect` is false, it raises ConnectionLost instead. An exception of a
        listener ends the run.
        """
        self._running = True
        try:
            while self._running:
                try:
                    if self._wire is None:
                        self.connect(float("inf") if reconnect else 0.0)
                        self._tell(EventKind.STATUS, f"connected to {self.address}")
                    self.dispatch(self.next_event())
                except ConnectionLost as lost:
                    self.disconnect()
                    self._tell(EventKind.DEACTIVATE)
                    self._tell(EventKind.STATUS, str(lost))
                    if not reconnect:
                        raise
        finally:
            self._running = False
            self.disconnect()

    def stop(self) -> None:
        """End `run` after the current event."""
        self._running = False

    def disconnect(self) -> bool:
        """End the connection and so release the emulator and the pads; harmless without one. Listeners stay.

        Ctrl-C is delayed meanwhile. Returns whether the server took the last words.
        """
        with held_back():
            wire, self._wire = self._wire, None
            held = b"" if self._event is None else _response(self._event, UNCHANGED)
            self._event, self._waiting = None, False
            self.sprites.clear()
            return wire is not None and wire.close(self.last_words + held)

    def __enter__(self) -> Self:
        if self._wire is None:
            self.connect()
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self.disconnect()

    def _tell(self, kind: EventKind, *values: object) -> None:
        """Call the listeners of a kind for an event that the server does not send."""
        for listener in reversed(list(self._listeners.values())):
            if listener.kind is kind:
                listener.handler(*values)

    def _let_go(self, event: Event) -> None:
        """Answer at once, or end the connection; both release the emulator."""
        try:
            if self._event is event:
                self.answer()
                self.flush()
        except ConnectionLost:
            self.disconnect()

    def _connect(self) -> None:
        """Try once to connect. Before READY the server answers -1 to every call (facts, Nintaco 3.3)."""
        self.disconnect()
        wire = None
        try:
            connection = socket.create_connection((self.host, self.port), timeout=self._reply_timeout)
            wire = NintacoWire(connection, self._reply_timeout, self._pipelines)
            self._greet(wire)
            wire.queue(b"".join(listener.registration for listener in self._listeners.values()) + READY)
            wire.flush()
        except OSError as error:
            raise EmulatorNotFound(
                f"No Nintaco answers at {self.address} ({error.strerror or error}): {_REMEDY}."
            ) from None
        except ConnectionLost as lost:
            raise EmulatorNotFound(f"No program serves at {self.address}: {lost}") from None
        else:
            self._wire, wire = wire, None
        finally:
            if wire is not None:
                wire.close()

    def _greet(self, wire: NintacoWire) -> None:
        """Check the answer -1 before READY. Raises BridgeError for another answer, EmulatorBusy for none."""
        wire.queue(MemoryReads.get_frame_count.pack())
        with suppress(ConnectionLost):
            if wire.look(len(_NOT_READY), min(wire.begin_reply(), time.monotonic() + GREETING)) == _NOT_READY:
                wire.read_int(wire.begin_reply())
                return
        said = wire.overheard()
        if _NOT_READY.startswith(said):
            raise EmulatorBusy(
                f"Something at {self.address} accepts the connection and says nothing: Nintaco does so while it serves "
                "another program, perhaps another emubot (it serves one at a time), or when it hangs; if it is not "
                "Nintaco, check the port."
            )
        raise BridgeError(
            f"The program at {self.address} is not Nintaco's program server; it says "
            f'"{printable(said.decode("ascii", "replace"))}": check the port, and {_REMEDY}.'
        )

    def _receive(self, wire: NintacoWire) -> Event | None:
        """Returns the event whose first byte has come; None for a heartbeat, which is answered here."""
        deadline = time.monotonic() + self._reply_timeout
        kind = wire.read(1, deadline)[0]
        self._waiting = False
        if kind == HEARTBEAT:
            self.heartbeats += 1
            time.sleep(_BREATH)
            wire.queue(EVENT_RESPONSE)
            wire.flush()
            time.sleep(_BREATH)
            return None
        if kind == EventKind.STATUS:
            listener = wire.read_int(deadline)
            return Event(EventKind.STATUS, listener, text=wire.read_text(deadline))
        payload = PAYLOAD.get(kind)
        if payload is None:
            raise ProtocolError(f"Nintaco sent an event of kind {kind}, which emubot does not know: update emubot.")
        listener = wire.read_int(deadline)
        values = payload.unpack(wire.read(payload.size, deadline)) if payload.size else ()
        return Event(EventKind(kind), listener, tuple(map(int, values)))


def _response(event: Event, result: int) -> bytes:
    return EVENT_RESPONSE + pack_int(result) if event.kind is EventKind.ACCESS else EVENT_RESPONSE
