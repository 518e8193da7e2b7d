"""`emubot think`: plans for a pilot in another process; its orders come from stdin, its answers go to stdout."""

from __future__ import annotations

import sys

from emubot.pilot.apart.process import serve
from emubot.pilot.apart.wire import Reply, line_of


def run(words: list[str]) -> int:
    """Plan until stdin ends, and return the exit code."""
    del words
    out = sys.stdout.buffer

    def reply(message: Reply) -> None:
        out.write(line_of(message))
        out.flush()

    serve(sys.stdin.buffer, reply)
    return 0
