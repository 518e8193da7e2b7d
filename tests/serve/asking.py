"""A server of answers in a thread, and a client that asks it as a program would: with http.client, nothing of ours."""

from __future__ import annotations

import http.client
import json
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any, NamedTuple
from urllib.parse import urlencode

from emubot.serve.answers import ANSWERS, Refused
from emubot.serve.server import AnswerServer


class Said(NamedTuple):
    """An answer."""

    status: int
    headers: dict[str, str]
    text: str

    @property
    def json(self) -> Any:
        """The body as JSON."""
        return json.loads(self.text)


class Client:
    """Asks one question after the other."""

    def __init__(self, url: str) -> None:
        self.address = url.removeprefix("http://").rstrip("/")

    def ask(self, method: str, path: str, body: str | None = None, headers: dict[str, str] | None = None) -> Said:
        connection = http.client.HTTPConnection(self.address, timeout=60)
        try:
            connection.request(method, path, body, headers or {})
            answer = connection.getresponse()
            text = answer.read().decode()
            return Said(answer.status, {name.lower(): value for name, value in answer.getheaders()}, text)
        finally:
            connection.close()

    def get(self, path: str, **given: object) -> Said:
        return self.ask("GET", f"/{path}?{urlencode(given)}" if given else f"/{path}")

    def post(self, name: str, **body: object) -> Said:
        """Returns the answer, which must be of the form that the description tells."""
        said = self.ask("POST", f"/v1/{name}", json.dumps(body))
        (ANSWERS[name] if said.status == 200 else Refused).model_validate_json(said.text, strict=True)
        return said


@contextmanager
def serving(server: AnswerServer) -> Iterator[Client]:
    """The server, until the block ends."""
    ready = threading.Event()
    thread = threading.Thread(target=server.run, args=(ready.set,))
    thread.start()
    try:
        assert ready.wait(30)
        yield Client(server.url)
    finally:
        server.stop()
        thread.join(30)
    assert not thread.is_alive()
