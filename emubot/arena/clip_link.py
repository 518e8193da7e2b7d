"""An animated picture of a match for a page: a child `emubot arena FILE --gif` that draws it; draws nothing itself."""

from __future__ import annotations

import asyncio
import base64
import tempfile
from collections.abc import Callable
from pathlib import Path
from typing import Any, Final

from emubot.arena.child import output_of
from emubot.arena.replay import SUFFIX
from emubot.errors import EmubotError

SECONDS: Final = 20  # of a picture at most
_PATIENCE: Final = 10.0  # seconds for a match to be written
_LOOK: Final = 0.05


async def clip(
    path: Path | None, start: int, save: Callable[[Path], object], tell: Callable[[dict[str, Any]], None]
) -> None:
    """Draw the match in a file from a second on, or, without one, the match that `save` writes to a file.

    `tell` gets the picture as an event `clip`, or `said` with what went wrong. A child that is no longer wanted ends.
    """
    with tempfile.TemporaryDirectory(prefix="emubot-") as folder:
        out = Path(folder) / "match.gif"
        if path is None:
            path = Path(folder) / f"match{SUFFIX}"
            save(path)
            for _ in range(round(_PATIENCE / _LOOK)):
                if path.exists():  # it is written whole or not at all
                    break
                await asyncio.sleep(_LOOK)
        words = ["arena", str(path), "--gif", str(out), "--start", str(start), "--seconds", str(SECONDS)]
        try:
            await output_of(words)
        except EmubotError as failure:
            tell({"event": "said", "message": str(failure)})
            return
        name = f"{path.name.partition('.')[0]}.gif"
        tell({"event": "clip", "name": name, "picture": base64.b64encode(out.read_bytes()).decode()})
