"""Plays a demo for a long time in one emulator and writes down, minute by minute, whether anything grows or goes wrong.

    python benchmarks/soak.py LEDGER --demo tetris|puyo --bridge NAME [--core NAME|PATH] [--minutes N]

One line of JSON a minute goes to LEDGER: frames, pieces, misplaced, replans, lag frames, and the resident memory of
emubot and of its child process in KiB. A run that was ended goes on where it was: the minutes in LEDGER count. The
emulator runs as fast as it can; a bridge to a running emulator (fceux, retroarch, nintaco) attaches to it. At the end
one JSON object sums up each leg, that is each process.
"""

from __future__ import annotations

import argparse
import contextlib
import json
import os
import time
from functools import partial
from pathlib import Path
from typing import Any

from emubot import atomic
from emubot.bridges.protocol import AS_SET
from emubot.cli.compiling import compile_kernels
from emubot.pilot import Match
from emubot.session import session
from emubot.session.request import SessionRequest

MINUTE = 60.0
SETTLED = 2  # minutes of a leg after which memory is compared with its end
FAULTS = ("misplaced", "replans", "lag_frames")


def main() -> None:
    options = _options()
    rows = _rows(options.ledger)
    left = options.minutes - len(rows)
    if left > 0:
        _play(options, left, leg=1 + max((row["leg"] for row in rows), default=0))
    print(json.dumps(_summary(_rows(options.ledger))))


def _options() -> argparse.Namespace:
    made = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    made.add_argument("ledger", type=Path)
    made.add_argument("--demo", required=True, choices=("tetris", "puyo"))
    made.add_argument("--bridge", default="libretro")
    made.add_argument("--core")
    made.add_argument("--minutes", type=int, default=60)
    return made.parse_args()


def _play(options: argparse.Namespace, minutes: int, leg: int) -> None:
    asked = {"tetris": {"level": 18}, "puyo": {"level": 9}}[options.demo]
    speed = AS_SET if options.bridge == "retroarch" else None  # its speed is set in RetroArch itself
    request = SessionRequest(
        demo=options.demo, bridge=options.bridge, core=options.core, menu_choices=asked, emu_speed=speed, wait=60
    )
    compiled = partial(compile_kernels, quiet=False)
    opened = session.reopened_if_cold(session.open_session(request), request, compiled)
    with contextlib.closing(opened):
        compile_kernels(opened.edition, quiet=False)
        match = Match([opened.pilot(seat, opened.goal(None, None)) for seat in opened.seats])
        child = getattr(opened.bridges[0], "process", None)
        until = time.monotonic() + MINUTE
        for minute in range(minutes):
            while time.monotonic() < until:
                match.step()
            until += MINUTE
            tally = match.total()
            row = {"leg": leg, "minute": minute + 1, "frames": match.frames, "pieces": tally.pieces}
            row |= {name: getattr(tally, name) for name in FAULTS}
            row |= {"emulator": opened.bridges[0].facts.emulator, "demo": options.demo}
            row |= {"resident": _resident(os.getpid()), "resident_child": _resident(child) if child else None}
            atomic.append(options.ledger, json.dumps(row).encode() + b"\n")
        match.stop()


def _resident(process: int) -> int:
    """KiB of memory that a process has; Linux."""
    lines = Path(f"/proc/{process}/status").read_text(encoding="ascii").splitlines()
    return next(int(line.split()[1]) for line in lines if line.startswith("VmRSS"))


def _rows(ledger: Path) -> list[dict[str, Any]]:
    return [json.loads(line) for line in ledger.read_text().splitlines()] if ledger.exists() else []


def _summary(rows: list[dict[str, Any]]) -> dict[str, Any]:
    """The figures of all legs, and how much memory grew from a leg's third minute to its end."""
    legs = [[row for row in rows if row["leg"] == leg] for leg in sorted({row["leg"] for row in rows})]
    ends = [leg[-1] for leg in legs]
    summed = {name: sum(row[name] or 0 for row in ends) for name in ("frames", "pieces", *FAULTS)}
    grown = [
        {
            name: None if leg[-1][name] is None else leg[-1][name] - leg[min(SETTLED, len(leg) - 1)][name]
            for name in ("resident", "resident_child")
        }
        for leg in legs
    ]
    last = rows[-1]
    about = {name: last[name] for name in ("demo", "emulator", "resident", "resident_child")}
    return {"minutes": len(rows), **about, **summed, "grown_kib": grown}


if __name__ == "__main__":
    main()
