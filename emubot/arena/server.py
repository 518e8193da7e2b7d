"""The arena's HTTP and WebSocket server: the page, and one connection for each client; knows no match and no game."""

from __future__ import annotations

import asyncio
import contextlib
from collections.abc import Callable, Iterator
from importlib.resources import files
from typing import Final

from emubot.arena import recordings
from emubot.arena.access import Access, Role
from emubot.arena.connection import PageConnection
from emubot.arena.limits import MOST_BYTES, MOST_CLIENTS, MOST_UPLOAD
from emubot.arena.lobby import Lobby, Refused
from emubot.arena.tables import StandingTable
from emubot.errors import EmubotError, UsageError
from emubot.extras import ARENA
from emubot.listening import listen, without_signals

try:
    import uvicorn
    from starlette.applications import Starlette
    from starlette.requests import Request
    from starlette.responses import PlainTextResponse, Response
    from starlette.routing import Route, WebSocketRoute
    from starlette.websockets import WebSocket, WebSocketDisconnect
except ImportError as missing:
    raise UsageError(ARENA.refusal(missing)) from missing

PAGE: Final = "index.html"
OVERLAY: Final = "overlay.html"
_TYPES: Final = {".html": "text/html", ".css": "text/css", ".js": "text/javascript", ".svg": "image/svg+xml"}
_HELLO_SECONDS: Final = 5.0
_POLICY, _TOO_MANY = 1008, 1013  # WebSocket close codes


class Arena:
    """The server. Open `url` in a browser while `run` serves.

    `host` is the address to listen on, `port` 0 takes a free one. Raises StorageError if the address cannot be used.
    """

    def __init__(self, host: str, port: int = 0, pace: float = 1.0, overlay: bool = False) -> None:
        """`pace` is how many times as fast as a console the matches run: tests need not wait.

        With `overlay` the first page is that of streams, and everybody who reaches it may watch, and order nothing.
        """
        self._socket = listen(host, port, "The arena")
        self._page_name = OVERLAY if overlay else PAGE
        self.access = Access(host, self._socket.getsockname()[1], anybody=Role.SPECTATOR if overlay else None)
        self.lobby = Lobby(self.access, pace)
        self._pages = dict(_pages())
        routes = [
            Route("/replays", self._take, methods=["POST"]),
            Route("/{name:path}", self._page),
            WebSocketRoute("/play", self._play),
        ]
        config = uvicorn.Config(
            Starlette(routes=routes),
            log_config=None,
            lifespan="off",
            ws="websockets-sansio",
            ws_max_size=MOST_BYTES,
            ws_max_queue=64,
            ws_per_message_deflate=False,
            server_header=False,
            timeout_graceful_shutdown=1,
        )
        self._server = without_signals(config)

    @property
    def url(self) -> str:
        """The owner's address, with the session's token in its fragment; that of an overlay is everybody's."""
        return self.access.url(self.access.anybody or Role.OWNER)

    def standing_session(self) -> StandingTable:
        """Returns the table at which a session of this program is shown; call it before `run`."""
        return self.lobby.show_session()

    def run(self, ready: Callable[[], object] | None = None) -> None:
        """Serve until `stop` is called; `ready` is called once the page can be opened."""
        asyncio.run(self._serve(ready))

    def stop(self) -> None:
        """End all matches and the server; a signal handler or another thread may call it."""
        self._server.should_exit = True

    async def _serve(self, ready: Callable[[], object] | None) -> None:
        self.lobby.open()
        if ready is not None:
            ready()
        try:
            await self._server.serve([self._socket])
        finally:
            await self.lobby.close()

    async def _page(self, request: Request) -> Response:
        headers = self.access.headers
        if not self.access.is_known_host(request.headers.get("host")):
            return PlainTextResponse("This is not the address of this server.", 421, headers)
        page = OVERLAY if "overlay" in request.query_params else self._page_name
        found = self._pages.get(request.path_params["name"] or page)
        if found is None:
            return PlainTextResponse("There is no such page.", 404, headers)
        return Response(found[1], 200, headers, found[0])

    async def _take(self, request: Request) -> Response:
        """A recorded match that the owner's page brings: it goes to the saved ones, and the answer has its name."""
        headers = self.access.headers
        asked = request.headers
        token = asked.get("authorization", "").removeprefix("Bearer ")
        if not self.access.is_known_host(asked.get("host")) or not self.access.is_own_origin(asked.get("origin")):
            return PlainTextResponse("This is not the address of this server.", 421, headers)
        if self.access.role_of(token) is not Role.OWNER:
            return PlainTextResponse("Only the one who started the arena may do that.", 403, headers)
        content = bytearray()
        async for piece in request.stream():
            content += piece
            if len(content) > MOST_UPLOAD:
                return PlainTextResponse("This file is too large for a recorded match.", 413, headers)
        try:
            name = await asyncio.to_thread(recordings.add, request.query_params.get("name", ""), bytes(content))
        except EmubotError as wrong:
            return PlainTextResponse(str(wrong), 422, headers)
        return PlainTextResponse(name, 200, headers)

    async def _play(self, socket_: WebSocket) -> None:
        headers = socket_.headers
        if not self.access.is_known_host(headers.get("host")) or not self.access.is_own_origin(headers.get("origin")):
            await socket_.close(_POLICY)
            return
        if len(self.lobby.clients) >= MOST_CLIENTS:
            await socket_.close(_TOO_MANY)
            return
        await socket_.accept()
        client = self.lobby.join()
        tasks = [asyncio.create_task(one) for one in (self._receive(socket_, client), _send(socket_, client))]
        try:
            await asyncio.wait(tasks, return_when=asyncio.FIRST_COMPLETED)
        finally:
            self.lobby.leave(client)
            for task in tasks:
                task.cancel()
            await asyncio.gather(*tasks, return_exceptions=True)

    async def _receive(self, socket_: WebSocket, client: PageConnection) -> None:
        try:
            while True:
                patience = _HELLO_SECONDS if client.role is None else None
                message = await asyncio.wait_for(socket_.receive(), patience)
                if message["type"] == "websocket.disconnect":
                    return
                if message.get("text") is not None:
                    self.lobby.hear_text(client, message["text"])
                else:
                    self.lobby.hear_input(client, message.get("bytes") or b"")
        except Refused as refused:
            await socket_.close(_POLICY, str(refused))
        except TimeoutError:
            await socket_.close(_POLICY, "no hello came")
        except (WebSocketDisconnect, RuntimeError):  # it is closed already
            return


async def _send(socket_: WebSocket, client: PageConnection) -> None:
    with contextlib.suppress(WebSocketDisconnect, RuntimeError, OSError):
        while True:
            for message in await client.outgoing():
                if isinstance(message, str):
                    await socket_.send_text(message)
                else:
                    await socket_.send_bytes(message)


def _pages() -> Iterator[tuple[str, tuple[str, bytes]]]:
    """Returns each file of the page by its name, with its type; they are read once."""
    for file in files("emubot.arena").joinpath("web").iterdir():
        kind = _TYPES.get("." + file.name.rpartition(".")[2])
        if kind is not None:
            yield file.name, (kind, file.read_bytes())
