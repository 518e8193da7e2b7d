"""A review of a saved match for a page: a child `emubot review` that writes the file; judges nothing itself."""

from __future__ import annotations

import json
import tempfile
from collections.abc import Callable
from pathlib import Path
from typing import Any

from emubot.arena.child import output_of
from emubot.errors import EmubotError


async def review(path: Path, player: int, tell: Callable[[dict[str, Any]], None]) -> None:
    """Review a player's game (from 0); `tell` gets an event `review`, or `said` with what went wrong.

    The event has the page, and each placement with its frame. A review that is no longer wanted is cancelled; its child
    then ends too.
    """
    with tempfile.TemporaryDirectory(prefix="emubot-") as folder:
        out = Path(folder) / "review.html"
        words = ["review", str(path), "--player", str(player + 1), "--out", str(out), "--json"]
        try:
            moves = json.loads(await output_of(words))["moves"]
        except EmubotError as failure:
            tell({"event": "said", "message": str(failure)})
            return
        name = f"{path.name.partition('.')[0]}-review-{player + 1}.html"
        tell({"event": "review", "name": name, "moves": moves, "page": out.read_text(encoding="utf-8")})
