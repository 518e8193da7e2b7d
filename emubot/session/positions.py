"""Finds the position to explain, in a recorded game or in a running emulator; presses nothing and prints nothing."""

from __future__ import annotations

import contextlib
import time
from dataclasses import dataclass
from typing import TYPE_CHECKING

from emubot.errors import BridgeError, PositionError, TraceError, UsageError
from emubot.session import emulators, session
from emubot.snapshot import Phase

if TYPE_CHECKING:
    from pathlib import Path

    from emubot.games.edition import Edition
    from emubot.games.explainer import Explainer
    from emubot.pilot.waiting import Waiting
    from emubot.session.compiling import Compile
    from emubot.session.request import SessionRequest
    from emubot.snapshot import Snapshot


@dataclass(frozen=True, slots=True)
class FoundPosition:
    """A piece in the air, in the game that it was found in. `row` is that of a recorded game, else None."""

    edition: Edition
    snapshot: Snapshot
    row: int | None = None


def explainer_of(edition: Edition) -> Explainer:
    """Returns what explains decisions. Raises UsageError if the family does not offer that."""
    from emubot.games.edition import part_of

    return part_of(edition, "explainer", edition.explainer, "explained decisions")


def recorded_position(path: Path, row: int | None, map_name: str | None) -> FoundPosition:
    """Returns the position after a row of a recorded game; None means the last row with a piece in the air.

    Raises TraceError if the file or the row cannot be used, PositionError if no game can have what the row holds,
    MapError if there is no such map, UsageError if the family explains no decisions.
    """
    from emubot.games.recorded import edition_of, game_of, memory_of
    from emubot.trace import read_trace

    trace = read_trace(path)
    game = game_of(trace)
    if game is None:
        raise TraceError(f"{path} holds no game of a family that emubot knows.")
    edition = edition_of(trace, game, map_name)
    explainer_of(edition)
    ram_map = edition.ram_map
    if row is not None and row >= trace.frames:
        raise TraceError(f"{path} has rows 0 to {trace.frames - 1}, not {row}; choose --frame from these.")
    decode = edition.decoder()
    rows = range(trace.frames - 1, -1, -1) if row is None else range(row, trace.frames)
    if row is not None and (fault := decode(memory_of(trace, row, ram_map)).fault):
        raise PositionError(f"No game can have the position in row {row} of {path}: {fault}. Explain another one.")
    shown = ((at, decode(memory_of(trace, at, ram_map))) for at in rows)
    found = next(((at, snapshot) for at, snapshot in shown if _has_piece(snapshot)), None)
    if found is None:
        where = "any row" if row is None else f"row {row} or a later one"
        raise TraceError(f"{path} has no piece in the air in {where}: explain another game or frame.")
    at, snapshot = found
    if row not in (None, at):
        raise TraceError(f"Row {row} of {path} has no piece in the air; the next row that has one is --frame {at}.")
    return FoundPosition(edition, snapshot, at)


def running_position(request: SessionRequest, compile_kernels: Compile) -> FoundPosition:
    """Returns the position of a running emulator in the first frame that has a piece in the air.

    `compile_kernels` compiles the kernels of an edition and shows the progress. Raises UsageError if nobody can
    play there while emubot looks on, BridgeError if there is no piece within `request.wait` seconds.
    """
    from emubot.bridges.image import image_reader
    from emubot.pilot import waiting

    if not emulators.runs_elsewhere(request):
        raise UsageError(
            f"The bridge {request.bridge} starts an emulator of its own, and this command presses no button: take one "
            f"of {', '.join(emulators.ATTACHED)}, in which a game runs."
        )
    opened = session.reopened_if_cold(session.open_session(request), request, compile_kernels)
    with contextlib.closing(opened):
        edition, bridge = opened.edition, opened.bridges[0]
        explainer_of(edition)
        ram_map, decode = edition.ram_map, edition.decoder()
        read = image_reader(bridge, ram_map.spaces, ram_map.used, ram_map.clock)
        waits, until = waiting.Waiting(ram_map, 0), time.monotonic() + request.wait
        while True:
            bridge.advance()
            memory = read()
            snapshot = decode(memory)
            if _has_piece(snapshot):
                return FoundPosition(edition, snapshot)
            if time.monotonic() >= until:
                raise BridgeError(
                    f"{bridge.facts.emulator} showed no piece in the air within {request.wait:g} s ({snapshot.state}): "
                    "begin a game there, or wait longer with --wait."
                )
            _wait(waits, snapshot, memory)


def _wait(waits: Waiting, snapshot: Snapshot, memory: bytes) -> None:
    """Log what is waited for."""
    if snapshot.phase is Phase.PAUSED:
        waits.paused(snapshot.state)
    elif snapshot.fault is not None:
        waits.impossible(snapshot.state, snapshot.fault)
    elif snapshot.phase is Phase.UNKNOWN:
        waits.unknown(memory, snapshot.state)
    elif not snapshot.phase.in_game:
        waits.to_begin(snapshot.state)


def _has_piece(snapshot: Snapshot) -> bool:
    """Returns whether a piece is in the air and under control."""
    return snapshot.phase is Phase.PLAYING and snapshot.current is not None
