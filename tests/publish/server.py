"""A scripted NestrisChamps server on loopback: takes one secret, keeps what comes, and does what a test tells it to."""

from __future__ import annotations

import contextlib
import json
import logging
import queue
import threading
from collections.abc import Callable, Iterator
from http import HTTPStatus

from websockets.datastructures import Headers
from websockets.exceptions import ConnectionClosed
from websockets.http11 import Request, Response
from websockets.sync.server import Server, ServerConnection, serve

SECRET = "S3CRET-0f-a-person"
WAIT = 30.0  # seconds at most for what must come; no test expects it to be quick
Answer = Callable[[ServerConnection], None]


class FakeServer:
    """Each connection is handled by the next answer of `answers`, and those after the last one by that."""

    def __init__(self, *answers: Answer, port: int = 0) -> None:
        self.paths: list[str] = []
        self.received: queue.Queue[bytes | str] = queue.Queue()
        self.connections = 0
        self._answers = list(answers) or [self.take]
        self._server: Server = serve(
            self._handle,
            "127.0.0.1",
            port,
            process_request=self._check,
            close_timeout=0.1,
            logger=logging.Logger("silent", logging.CRITICAL + 1),  # it would log the secret
        )
        self.port: int = self._server.socket.getsockname()[1]
        self._thread = threading.Thread(target=self._server.serve_forever, daemon=True)
        self._thread.start()

    @property
    def host(self) -> str:
        """The address as `--publish` names it, without its scheme."""
        return f"127.0.0.1:{self.port}"

    def close(self) -> None:
        """Stop listening; the connections stay."""
        self._server.shutdown()
        self._thread.join()

    def take(self, connection: ServerConnection) -> None:
        """Greet as the server does, and keep every message."""
        with contextlib.suppress(ConnectionClosed):  # a producer may have gone, and its frames are there
            connection.send(json.dumps(["_init", {"server_ts": 1, "id": "NTC1"}]))
            connection.send(json.dumps(["setVdoNinjaURL", None]))
        for message in connection:
            self.received.put(message)

    def frames(self, count: int) -> list[bytes]:
        """Wait for this number of messages, which must be binary."""
        messages = [self.received.get(timeout=WAIT) for _ in range(count)]
        assert all(isinstance(message, bytes) for message in messages)
        return [message for message in messages if isinstance(message, bytes)]

    def _handle(self, connection: ServerConnection) -> None:
        answer = self._answers[min(self.connections, len(self._answers) - 1)]
        self.connections += 1
        answer(connection)

    def _check(self, _connection: ServerConnection, request: Request) -> Response | None:
        self.paths.append(request.path)
        room, _, secret = request.path.rpartition("/")
        if secret != SECRET:
            return Response(HTTPStatus.NOT_FOUND, "Connecting User Not Found", Headers({"Connection": "close"}))
        if room not in ("/ws/room/producer", "/ws/room/u/yobi/producer"):
            return Response(HTTPStatus.NOT_FOUND, "Target User Not Found", Headers({"Connection": "close"}))
        return None


@contextlib.contextmanager
def serving(*answers: Answer) -> Iterator[FakeServer]:
    """A server for the time of a test."""
    server = FakeServer(*answers)
    try:
        yield server
    finally:
        server.close()
