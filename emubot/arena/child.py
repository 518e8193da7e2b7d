"""A child of this program that does one job and ends: what it wrote, or its last words; knows no job."""

from __future__ import annotations

import asyncio
from collections.abc import Sequence
from typing import Final

from emubot.errors import EmubotError
from emubot.program import program

_LAST_WORDS: Final = 600  # characters


async def output_of(words: Sequence[str]) -> bytes:
    """Run `emubot` with these words, and return what it wrote. If this is cancelled, the child ends.

    Raises EmubotError with its last words if it failed.
    """
    pipe = asyncio.subprocess.PIPE
    process = await asyncio.create_subprocess_exec(
        *program(), *words, "--quiet", stdin=asyncio.subprocess.DEVNULL, stdout=pipe, stderr=pipe
    )
    try:
        written, said = await process.communicate()
    except asyncio.CancelledError:
        process.kill()
        await process.wait()
        raise
    if process.returncode:
        last = said.decode("utf-8", "replace").strip().splitlines() or [f"emubot {words[0]} has ended without a word."]
        raise EmubotError(last[-1].removeprefix("emubot: ")[:_LAST_WORDS])
    return written
