"""`emubot serve`: answers over HTTP what the bot would play, in its own terms and in those of other tools."""

from __future__ import annotations

import os
import secrets
from typing import TYPE_CHECKING

from emubot import interrupts
from emubot.cli import common
from emubot.cli.result import emit_json
from emubot.extras import SERVE
from emubot.listening import LOOPBACK, is_loopback

if TYPE_CHECKING:
    from emubot.games.offers import Tool

TOKEN = "EMUBOT_SERVE_TOKEN"  # the name of a variable
_PORT = 3000  # where the clients of StackRabbit ask

_DESCRIPTION = """\
Answer over HTTP what the bot would play. Other programs ask POST /v1/decide, /v1/rank, /v1/explain and /v1/review with
JSON (described at /openapi.json), and clients of StackRabbit get answers in its form to get-move, engine-movelist,
rate-move, eval, ping and version. Nothing is pressed and nothing is written."""

_EPILOG = f"""\
examples:
  emubot serve                     on http://127.0.0.1:{_PORT}/, for this machine alone
  emubot serve --host 192.168.0.7  for your own network, with a token

On this machine any page may read the answers. Elsewhere each question needs the token: that of the environment variable
{TOKEN}, or one that is made and printed. Ctrl-C ends it."""


def run(words: list[str]) -> int:
    """Run `emubot serve WORDS` and return the exit code."""
    options = build_parser().parse(words)
    common.set_up_logging(options.verbose, options.quiet)
    SERVE.require()
    from emubot.cli.compiling import compile_kernels
    from emubot.games import game, names
    from emubot.rammap import load_map
    from emubot.serve.server import AnswerServer
    from emubot.weights import load_weights

    first = game(names()[0])
    compile_kernels(first.open(load_map(first.facts.default_map)), options.quiet)
    tools: dict[str, Tool] = {}
    for family in map(game, names()):
        for offer in family.offers.tools:
            tools[offer.name] = offer.open(load_weights(family.facts.default_weights))
    token = None if is_loopback(options.host) else os.environ.get(TOKEN) or secrets.token_urlsafe(24)
    server = AnswerServer(options.host, options.port, tools, token)
    with interrupts.noted(server.stop) as interrupted:

        def ready() -> None:
            common.say(f"emubot: answers are at {server.url}")
            if token is not None and not os.environ.get(TOKEN):
                common.say(f"emubot: each question needs the token {token}")
            common.say("emubot: Ctrl-C ends it.")

        server.run(ready)
    if options.json:
        emit_json({"url": server.url, "answered": server.answered})
    return common.INTERRUPTED if interrupted() else 0


def build_parser() -> common.Parser:
    """Returns the parser of `emubot serve`."""
    parser = common.parser("serve", _DESCRIPTION, _EPILOG)
    parser.add_argument(
        "--port", type=common.whole(0, 65535), default=_PORT, metavar="N", help=f"default {_PORT}; 0: a free one"
    )
    parser.add_argument(
        "--host", default=LOOPBACK, metavar="HOST", help="the address to listen on (default 127.0.0.1: this machine)"
    )
    common.add_json(parser)
    return parser
