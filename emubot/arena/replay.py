"""A match as a file: who met whom, the seed, and the pads of every frame; knows no page and plays nothing.

The same machines with the same pads play the same match, whatever bots or rules of exchange come later. A file is JSON:
`steps` are runs of ticks, [consoles, pad of side 1, pad of side 2, ticks], where `consoles` are those that played a
frame: 1 the first, 2 the second, 3 both. `falls` are the garbage, [ticks before it, console, units].
"""

from __future__ import annotations

import json
from collections.abc import Iterator, Sequence
from itertools import islice
from pathlib import Path
from typing import Annotated, Any, Final, Literal, NamedTuple

from pydantic import BaseModel, ConfigDict, Field, ValidationError

from emubot.arena.request import MatchRequest
from emubot.atomic import write_whole
from emubot.errors import StorageError, TraceError, UsageError
from emubot.files import UnsuitableFile, read_regular
from emubot.pad import Pad
from emubot.version import __version__

SUFFIX: Final = ".match.json"
_BEGINNING: Final = 8_192  # characters, in which the request ends
_LARGEST: Final = 32 << 20  # bytes of a file
_Byte = Annotated[int, Field(ge=0, le=255)]
_Console = Annotated[int, Field(ge=0, le=1)]
_Consoles = Annotated[int, Field(ge=1, le=3)]
_Count = Annotated[int, Field(ge=0, le=2**31)]


class Tick(NamedTuple):
    """A tick of a match: which consoles play a frame, with which pads, and the garbage after it: (console, units)."""

    consoles: int
    pads: tuple[Pad, Pad]
    falls: Sequence[tuple[int, int]]


class Replay(BaseModel):
    """A recorded match; see the module. `result` is that of Match.result."""

    model_config = ConfigDict(extra="forbid", frozen=True, strict=True)

    format: Literal["emubot match 1"] = "emubot match 1"
    emubot: Annotated[str, Field(max_length=20)] = __version__
    request: MatchRequest
    seed: Annotated[int, Field(ge=0, le=2**31 - 1)]
    steps: tuple[tuple[_Consoles, _Byte, _Byte, _Count], ...] = Field(max_length=2_000_000)
    falls: tuple[tuple[_Count, _Console, _Count], ...] = Field((), max_length=100_000)
    result: dict[str, Any] = Field({}, max_length=10)

    @property
    def ticks(self) -> int:
        """The ticks of the whole match."""
        return sum(count for *_, count in self.steps)

    def played(self) -> Iterator[Tick]:
        """Returns all ticks, one by one."""
        falls: dict[int, list[tuple[int, int]]] = {}
        for tick, console, units in self.falls:
            falls.setdefault(tick, []).append((console, units))
        number = 0
        for consoles, first, second, count in self.steps:
            pads = Pad(first), Pad(second)
            for _ in range(count):
                number += 1
                yield Tick(consoles, pads, falls.get(number, ()))

    def write(self, path: Path) -> None:
        """Write the file, whole or not at all; makes its folder. Raises StorageError."""
        try:
            path.parent.mkdir(parents=True, exist_ok=True)
        except OSError as failure:
            raise StorageError(f"{path.parent} cannot be made: {failure.strerror}.") from failure
        write_whole(path, self.model_dump_json().encode())


class Beginning(NamedTuple):
    """The first `ticks` of a recorded match, from which a live one goes on."""

    replay: Replay
    ticks: int

    def played(self, skipped: int = 0) -> Iterator[Tick]:
        """Returns these ticks, one by one, without the first ones."""
        return islice(self.replay.played(), skipped, self.ticks)


def read_request(path: Path) -> MatchRequest | None:
    """Returns what is played in a file, from its beginning alone; None if that says nothing that is offered here."""
    try:
        with path.open(encoding="utf-8") as file:
            _, found, rest = file.read(_BEGINNING).partition('"request":')
        request = (
            MatchRequest.model_validate_json(json.dumps(json.JSONDecoder().raw_decode(rest)[0])) if found else None
        )
        if request is not None:
            request.check()
    except (OSError, ValueError, UsageError):
        return None
    return request


def read_replay(path: Path) -> Replay:
    """Returns the match in a file. Raises TraceError if there is none, or if its games are not offered."""
    try:
        content = read_regular(path, _LARGEST)
        if not content.lstrip().startswith(b"{"):
            raise TraceError(
                f"{path} is no recorded match: the arena saves them as NAME{SUFFIX}, and the games of emubot play "
                "--record (.npz) are for emubot trace and emubot review."
            )
        replay = Replay.model_validate_json(content)
        replay.request.check()
    except FileNotFoundError as missing:
        raise TraceError(f"There is no file {path}.") from missing
    except UnsuitableFile as wrong:
        raise TraceError(f"{path} cannot be read: {wrong.strerror}.") from wrong
    except OSError as failure:
        raise StorageError(f"{path} cannot be read: {failure.strerror}.") from failure
    except ValidationError as wrong:
        first = wrong.errors(include_url=False, include_input=False, include_context=False)[0]
        where = ".".join(map(str, first["loc"])) or "its text"
        raise TraceError(f"{path} is no recorded match: {where}: {first['msg']}.") from wrong
    return replay


class MatchLog:
    """Collects a match while it is played."""

    def __init__(self) -> None:
        self._steps: list[list[int]] = []
        self._falls: list[tuple[int, int, int]] = []
        self.ticks = 0

    def tick(self, consoles: int, pads: tuple[Pad, Pad]) -> None:
        """Note a tick in which these consoles play a frame with these pads of both sides."""
        self.ticks += 1
        step = [consoles, int(pads[0]), int(pads[1])]
        if self._steps and self._steps[-1][:3] == step:
            self._steps[-1][3] += 1
        else:
            self._steps.append([*step, 1])

    def fall(self, console: int, units: int) -> None:
        """Note garbage that a console has received."""
        self._falls.append((self.ticks, console, units))

    def replay(self, request: MatchRequest, seed: int, result: dict[str, Any]) -> Replay:
        """Returns what was played so far."""
        steps = tuple((step[0], step[1], step[2], step[3]) for step in self._steps)
        return Replay(request=request, seed=seed, steps=steps, falls=tuple(self._falls), result=result)
