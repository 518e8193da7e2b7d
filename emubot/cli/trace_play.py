"""`emubot trace play`: shows a recorded game on the board in the terminal; plays and judges nothing."""

from __future__ import annotations

import argparse
from dataclasses import dataclass, field
from typing import TYPE_CHECKING

from emubot.bridges.protocol import Paced
from emubot.cli import common
from emubot.cli.result import emit_json
from emubot.cli.terminal import can_redraw
from emubot.cli.viewer import Viewer, keys_of
from emubot.errors import UsageError

if TYPE_CHECKING:
    from emubot.review.sources import FrameSource


@dataclass(slots=True)
class _Figures:
    """What is known of a recorded game beside its own counters."""

    pieces: int = 0
    wins: int | None = None
    misplaced: int | None = None
    decision_ms: list[float] = field(default_factory=list)


class _Clock(Paced):
    """Keeps the frames of a recording at its own rate, at a speed that the viewer's keys change."""

    def __init__(self, rate: float, speed: float | None) -> None:
        self._keep_pace(rate, speed)

    def wait(self) -> None:
        """Wait until the next frame is due."""
        if self._pace is not None:
            self._pace()


def run(options: argparse.Namespace) -> int:
    """Show the recorded game, and return the exit code."""
    from emubot.review.sources import trace_of

    source = trace_of(options.files[0], options.player - 1, options.map)
    if not can_redraw():
        raise UsageError('trace play needs a terminal that can be drawn over: "emubot trace show" prints one row.')
    code, shown = 0, 0
    try:
        shown = _show(source, None if options.speed == "max" else float(options.speed), options.frame or 0)
    except KeyboardInterrupt:
        code = common.INTERRUPTED
    if options.json:
        emit_json({"frames": source.frames, "shown": shown})
    return code


def _show(source: FrameSource, speed: float | None, first: int) -> int:
    """Draw frame after frame; returns the number of those that were shown."""
    from emubot.games.edition import part_of
    from emubot.judging.moves import MoveFinder
    from emubot.machine import FRAME_RATE_NTSC
    from emubot.view.board import TerminalBoard

    edition = source.edition
    look = part_of(edition, "depiction", edition.depiction, "pieces to draw (trace play)")
    clock, figures, moves = _Clock(source.frame_rate or FRAME_RATE_NTSC, speed), _Figures(), MoveFinder()
    shown = 0
    title = [source.title, edition.ram_map.cartridge]
    with TerminalBoard(title, look, looks=edition.game.looks) as board, keys_of(board) as pressed:
        viewer = Viewer(pressed, board, [clock])
        for frame, snapshot in enumerate(source.snapshots):
            if moves.see(frame, snapshot) is not None:
                figures.pieces += 1
            if frame < first:
                continue
            viewer.look()
            if viewer.closed:
                break
            clock.wait()
            board.show(snapshot, None, figures)
            shown += 1
        board.redraw()
    return shown
