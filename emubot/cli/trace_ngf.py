"""`trace export --ngf`: a recorded game as a recording of NestrisChamps, a frame for each row; knows no rules."""

from __future__ import annotations

import argparse
from collections.abc import Iterator
from typing import TYPE_CHECKING

from emubot.cli.result import emit_json
from emubot.errors import TraceError, UsageError
from emubot.text import counted

if TYPE_CHECKING:
    from emubot.publish.frame import Frame


def export(options: argparse.Namespace) -> int:
    """Write the file of `--ngf` and return the exit code."""
    from emubot.atomic import check_output, write_whole
    from emubot.games.recorded import edition_of, game_of, memory_of
    from emubot.machine import FRAME_RATE_NTSC
    from emubot.publish.ngf import packed
    from emubot.trace import read_trace

    check_output(options.ngf, force=options.force)
    path = options.files[0]
    trace = read_trace(path)
    game = game_of(trace)
    if game is None:
        raise TraceError(f"{path} holds no game of a family that emubot knows.")
    edition = edition_of(trace, game, options.map)
    if edition.broadcast is None:
        raise UsageError(f"{path} cannot become a recording of NestrisChamps: that holds falling blocks only.")
    decode, camera = edition.decoder(), edition.broadcast.camera()
    told = trace.about.get("frame_rate")
    rate = told if isinstance(told, int | float) and 1 <= told <= 1000 else FRAME_RATE_NTSC

    def frames() -> Iterator[Frame]:
        for row in range(trace.frames):
            yield camera(decode(memory_of(trace, row, edition.ram_map)), int(1000 * row / rate))

    write_whole(options.ngf, packed(frames()))
    if options.json:
        emit_json({"file": str(path), "ngf": str(options.ngf), "frames": trace.frames})
    elif not options.quiet:
        print(f'written: {options.ngf} ({counted(trace.frames, "frame")}); "emubot review" goes through it.')
    return 0
