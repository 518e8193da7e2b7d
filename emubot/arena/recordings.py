"""The folder of what the page records: games and matches, by name; the page never sees a path."""

from __future__ import annotations

import re
import tempfile
import time
from contextlib import suppress
from pathlib import Path
from typing import Any, Final

from emubot.arena.catalogue import game_offer, preset
from emubot.arena.replay import SUFFIX, read_replay, read_request
from emubot.arena.request import SideRequest
from emubot.datafiles import user_data
from emubot.errors import StorageError, TraceError, UsageError

_MOST: Final = 200  # listed, the newest first
_STAMP: Final = "%Y%m%d-%H%M%S"
_MATCH: Final = re.compile(r"match-(\d{8}-\d{6})(-\d\d)?" + re.escape(SUFFIX))


def folder() -> Path:
    """Returns the folder; it need not exist."""
    return user_data("recordings")


def new_match() -> Path:
    """Returns the file of a match that is written now; with hundredths, so that the next one is another."""
    now = time.time()
    return folder() / f"match-{time.strftime(_STAMP, time.localtime(now))}-{int(100 * now) % 100:02}{SUFFIX}"


def new_game() -> Path:
    """Returns the file of a game of a cartridge that begins now."""
    return folder() / time.strftime(f"game-{_STAMP}.npz")


def make_folder() -> None:
    """Make the folder, if it does not exist. Raises StorageError."""
    try:
        folder().mkdir(parents=True, exist_ok=True)
    except OSError as failure:
        raise StorageError(f"{folder()} cannot be made: {failure.strerror}.") from failure


def add(name: str, content: bytes) -> str:
    """Put a recorded match that a person brought into the folder; returns its name there.

    Raises TraceError if it is none, StorageError if it cannot be kept.
    """
    stem = re.sub(r"[^A-Za-z0-9 _-]", "", name.partition(".")[0]).strip()[:60] or "match"
    with tempfile.TemporaryDirectory(prefix="emubot-") as scratch:
        brought = Path(scratch) / f"{stem}{SUFFIX}"
        brought.write_bytes(content)
        try:
            replay = read_replay(brought)
        except TraceError as wrong:
            raise TraceError(str(wrong).replace(str(brought), "This file")) from wrong
    number = 1
    while (path := folder() / f"{stem}{f'-{number}' if number > 1 else ''}{SUFFIX}").exists():
        number += 1
    replay.write(path)
    return path.name


def names() -> list[str]:
    """Returns the names of the recorded matches, the newest first."""
    if not folder().is_dir():
        return []
    return sorted((path.name for path in folder().glob(f"*{SUFFIX}")), reverse=True)[:_MOST]


def saved() -> list[dict[str, Any]]:
    """Returns the recorded matches, the newest first: the name of each, and when it was and who met, for people."""
    return [{"name": name, "title": _title(name)} for name in names()]


def _title(name: str) -> str:
    title = name.removesuffix(SUFFIX)
    ours = _MATCH.fullmatch(name)
    with suppress(ValueError):  # a name that a person gave
        then = time.strptime(ours[1] if ours else "", _STAMP)
        title = f"{then.tm_mday} {time.strftime('%B %Y, %H:%M', then)}"
    request = read_request(folder() / name)
    return title if request is None else f"{title}: {' against '.join(map(_who, request.sides))}"


def _who(side: SideRequest) -> str:
    player = "a person" if side.bot is None else f"the {preset(side.bot).title.lower()} bot"
    return f"{player} ({game_offer(side.game).game.title.lower()})"


def path_of(name: str) -> Path:
    """Returns the file of a recorded match. Raises UsageError if the list has no such name."""
    if name not in names():
        raise UsageError(f"There is no recorded match {name!r}: choose one from the list.")
    return folder() / name
