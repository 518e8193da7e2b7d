"""The HTTP server of answers: one thread thinks, all clients wait their turn; knows no game and no search."""

from __future__ import annotations

import asyncio
import contextlib
import hmac
import logging
import re
from collections.abc import Awaitable, Callable, Mapping
from concurrent.futures import ThreadPoolExecutor
from typing import Any, Final

from pydantic import BaseModel, ValidationError

from emubot.errors import EmubotError, UsageError
from emubot.extras import SERVE
from emubot.games.offers import Tool
from emubot.listening import is_loopback, listen, without_signals
from emubot.serve.bots import Bots
from emubot.serve.openapi import openapi
from emubot.serve.questions import QUESTIONS
from emubot.text import printable

try:
    import uvicorn
    from starlette.applications import Starlette
    from starlette.requests import ClientDisconnect, Request
    from starlette.responses import JSONResponse, PlainTextResponse, Response
    from starlette.routing import Route

    from emubot.serve import connection
except ImportError as missing:
    raise UsageError(SERVE.refusal(missing)) from missing

MOST_WAITING: Final = 128  # questions that have no answer yet
MOST_CLIENTS: Final = 400  # connections at once
MOST_BYTES: Final = 1 << 18  # of a body
_CLOSES: Final = 5  # seconds after an answer, in which a connection may ask again
_LOOKS: Final = 0.5  # seconds after which it is seen that somebody who waits has left
_BAD, _NOT_KNOWN, _TOKEN, _TOO_LONG, _LEFT, _WRONG, _BUSY = 400, 404, 401, 413, 499, 500, 503

Answer = Callable[[], Any]
_V1: Final = ", ".join(f"/v1/{name}" for name in QUESTIONS)
_LOG: Final = logging.getLogger(__name__)
_OPTION: Final = re.compile(r"--(?=[a-z])")


class AnswerServer:
    """The server. Raises StorageError if the address cannot be used.

    On this machine alone (loopback) everybody may ask, and any page may read the answers: they change nothing.
    Elsewhere a `token` is needed with each question, as `Authorization: Bearer TOKEN` or `?token=TOKEN`, and no page of
    another address reads answers.
    """

    def __init__(self, host: str, port: int, tools: Mapping[str, Tool], token: str | None = None) -> None:
        """`tools` are the interfaces of other tools, by name."""
        if not token and not is_loopback(host):
            raise UsageError(f"{host} can be reached by others: a server there needs a token.")
        self._socket = listen(host, port, "The server")
        self._token, self._bots, self._tools = token or None, Bots(), tools
        self._thread = ThreadPoolExecutor(1, thread_name_prefix="answers")
        self._waiting = 0
        self.answered = 0
        name = f"[{host}]" if ":" in host else host
        self.url = f"http://{name}:{self._socket.getsockname()[1]}/"
        self._described = openapi({path: tool.parameters(path) for tool in tools.values() for path in tool.paths})
        routes = [
            *(Route(f"/v1/{name}", self._asked(name, model), methods=["POST"]) for name, model in QUESTIONS.items()),
            Route("/openapi.json", self._guarded(self._openapi)),
            Route("/", self._guarded(self._welcome)),
            *(
                Route(f"/{path}", self._guarded(self._of_tool(tool, path)))
                for tool in tools.values()
                for path in tool.paths
            ),
            Route("/{path:path}", self._guarded(self._unknown), methods=["GET", "POST", "OPTIONS"]),
        ]
        config = uvicorn.Config(
            Starlette(routes=routes),
            http=connection.Connection,
            log_config=None,
            lifespan="off",
            ws="none",
            server_header=False,
            access_log=False,  # it would show tokens
            limit_concurrency=MOST_CLIENTS,
            timeout_keep_alive=_CLOSES,
            timeout_graceful_shutdown=1,
        )
        self._server = without_signals(config)

    def run(self, ready: Callable[[], object] | None = None) -> None:
        """Serve until `stop` is called; `ready` is called once questions can come."""
        try:
            asyncio.run(self._serve(ready))
        finally:
            self._thread.shutdown(wait=False, cancel_futures=True)

    def stop(self) -> None:
        """End the server; a signal handler or another thread may call it."""
        self._server.should_exit = True

    async def _serve(self, ready: Callable[[], object] | None) -> None:
        if ready is not None:
            ready()
        await self._server.serve([self._socket])

    def _guarded(self, handle: Callable[[Request], Awaitable[Response]]) -> Callable[[Request], Awaitable[Response]]:
        """Returns a handler that first asks for the token, and lets pages read answers where there is none."""

        async def guarded(request: Request) -> Response:
            if self._token is not None and not self._is_right(request):
                return JSONResponse({"error": "A token is needed: Authorization: Bearer TOKEN."}, _TOKEN)
            if request.method == "OPTIONS":  # a page asks before it sends JSON
                response: Response = PlainTextResponse("")
                response.headers["Access-Control-Allow-Headers"] = "content-type"
                response.headers["Access-Control-Allow-Methods"] = "GET, POST"
            else:
                response = await handle(request)
            if self._token is None:
                response.headers["Access-Control-Allow-Origin"] = "*"
            return response

        return guarded

    def _is_right(self, request: Request) -> bool:
        kind, _, given = request.headers.get("authorization", "").partition(" ")
        given = given.strip() if kind.lower() == "bearer" else request.query_params.get("token", "")
        return hmac.compare_digest(given.encode(), (self._token or "").encode())

    def _asked(self, name: str, model: type[BaseModel]) -> Callable[[Request], Awaitable[Response]]:
        async def asked(request: Request) -> Response:
            try:
                body = await asyncio.wait_for(_body(request), connection.PATIENCE)
                question = model.model_validate_json(body)
            except TimeoutError:
                return JSONResponse(connection.too_slow(), connection.TOO_SLOW)
            except _TooLong:
                return JSONResponse({"error": f"A question has at most {MOST_BYTES:,} bytes."}, _TOO_LONG)
            except ValidationError as wrong:
                return JSONResponse({"error": _sentence(wrong)}, _BAD)
            return await self._thought(request, lambda: self._bots.answer(name, question), JSONResponse, _in_json)

        return self._guarded(asked)

    def _of_tool(self, tool: Tool, path: str) -> Callable[[Request], Awaitable[Response]]:
        async def asked(request: Request) -> Response:
            # Blanks do not count in such a question (facts: interfaces).
            given = {name: "".join(value.split()) for name, value in request.query_params.items()}
            return await self._thought(request, lambda: tool.answer(path, given), _plain, str)

        return asked

    async def _thought(
        self, request: Request, answer: Answer, response: Callable[..., Response], refused: Callable[[str], Any]
    ) -> Response:
        """Returns the answer of the thread that thinks, or why there is none; nobody thinks for a client that left."""
        if self._waiting >= MOST_WAITING:
            return response(refused(f"{MOST_WAITING} questions wait for an answer already: ask again later."), _BUSY)
        self._waiting += 1
        thinking = self._thread.submit(answer)
        try:
            said = asyncio.wrap_future(thinking)
            while not (await asyncio.wait({said}, timeout=_LOOKS))[0]:
                if await request.is_disconnected():
                    thinking.cancel()
            answered = response(await said)
            self.answered += 1
            return answered
        except EmubotError as error:
            return response(refused(str(error)), _BAD)
        except Exception as mistake:
            _LOG.error("this is a mistake in emubot (%r); report it with the question", mistake, exc_info=mistake)
            return response(refused(f"This is a mistake in emubot ({mistake!r}): report it with the question."), _WRONG)
        except asyncio.CancelledError:
            thinking.cancel()
            return response(refused("Nobody waits for the answer."), _LEFT)
        finally:
            self._waiting -= 1

    async def _openapi(self, request: Request) -> Response:
        return JSONResponse(self._described)

    async def _welcome(self, request: Request) -> Response:
        return PlainTextResponse(
            f"emubot answers POST {_V1} with JSON: /openapi.json.\n"
            + "".join(f"As {name}: {', '.join(tool.paths)}.\n" for name, tool in self._tools.items())
        )

    async def _unknown(self, request: Request) -> Response:
        known = [path for tool in self._tools.values() for path in tool.paths]
        path = printable(request.path_params["path"])
        said = f"/{path} is not served; what is: POST {_V1}; GET /openapi.json, {', '.join(known)}."
        return PlainTextResponse(said, _NOT_KNOWN)


class _TooLong(Exception):
    """A body has more bytes than a question may have."""


async def _body(request: Request) -> bytes:
    body = bytearray()
    with contextlib.suppress(ClientDisconnect):
        async for part in request.stream():
            body += part
            if len(body) > MOST_BYTES:
                raise _TooLong
    return bytes(body)


def _plain(text: str, status: int = 200) -> Response:
    """Returns an answer to another tool's client, of the type that these expect to the letter."""
    return Response(text, status, {"content-type": "text/plain"})


def _in_json(sentence: str) -> dict[str, str]:
    """Returns a refusal. Sentences name options of the command line; a question has the same words without dashes."""
    return {"error": _OPTION.sub("", sentence)}


def _sentence(wrong: ValidationError) -> str:
    """Returns the first fault of a body, with its place."""
    fault = wrong.errors(include_url=False, include_context=False, include_input=False)[0]
    where = ".".join(map(str, fault["loc"]))
    return f"{where}: {fault['msg']}." if where else f"{fault['msg']}."
