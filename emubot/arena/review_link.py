"""A review of a saved match for a page: a child `emubot review` that writes the file; judges nothing itself."""

from __future__ import annotations

import asyncio
import json
import tempfile
from collections.abc import Callable
from pathlib import Path
from typing import Any

from emubot.program import program

_LAST_WORDS = 600


async def review(path: Path, player: int, tell: Callable[[dict[str, Any]], None]) -> None:
    """Review a player's game (from 0); `tell` gets an event `review`, or `said` with what went wrong.

    The event has the page, and each placement with its frame. A review that is no longer wanted is cancelled; its child
    then ends too.
    """
    with tempfile.TemporaryDirectory(prefix="emubot-") as folder:
        out = Path(folder) / "review.html"
        words = ["review", str(path), "--player", str(player + 1), "--out", str(out), "--json", "--quiet"]
        process = await asyncio.create_subprocess_exec(
            *program(),
            *words,
            stdin=asyncio.subprocess.DEVNULL,
            stdout=asyncio.subprocess.PIPE,
            stderr=asyncio.subprocess.PIPE,
        )
        try:
            found, said = await process.communicate()
        except asyncio.CancelledError:
            process.kill()
            await process.wait()
            raise
        if process.returncode == 0:
            name = f"{path.name.partition('.')[0]}-review-{player + 1}.html"
            moves = json.loads(found)["moves"]
            tell({"event": "review", "name": name, "moves": moves, "page": out.read_text(encoding="utf-8")})
        else:
            last = said.decode("utf-8", "replace").strip().splitlines() or ["emubot review has ended without a word."]
            tell({"event": "said", "message": last[-1].removeprefix("emubot: ")[:_LAST_WORDS]})
