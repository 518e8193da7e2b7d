"""Plays the pairs demo in a core until the score stands at its cap: `python benchmarks/endless.py CORE [COLORS]`.

Prints a line of figures every ten thousand pairs, and at the end one JSON object.
"""

from __future__ import annotations

import contextlib
import json
import sys
import time

import emubot
from emubot.pilot import View
from emubot.pilot.tally import Tally

CAP = 99_999_990  # facts: Famicom Puyo 1
EVERY = 10_000


def main() -> None:
    core, colors = sys.argv[1], int(sys.argv[2]) if len(sys.argv) > 2 else 4
    latest: list[View] = []
    opened = emubot.open_bridge("libretro", rom=emubot.demo("puyo"), core=core, emu_speed=None)
    with contextlib.closing(opened) as bridge:
        pilot = emubot.Pilot(bridge, emubot.Goal(games=1, menu_choices={"level": 15, "colors": colors}))
        pilot.watchers.append(lambda view: latest.__setitem__(slice(None), [view]))
        started, told = time.monotonic(), 0
        score = 0
        while score < CAP and not pilot.finished:
            pilot.step()
            score = latest[0].snapshot.counters.get("score", 0)
            if pilot.tally.pieces >= told + EVERY:
                told = pilot.tally.pieces
                print(told, score, pilot.frames, round(time.monotonic() - started), flush=True)
        pilot.stop()
        print(json.dumps(summary(pilot.tally, pilot.frames, bridge.facts.emulator, colors)))


def summary(tally: Tally, frames: int, core: str, colors: int) -> dict[str, object]:
    """What is recorded of the run."""
    return {"core": core, "colors": colors, "frames": frames, **tally.as_dict()}


if __name__ == "__main__":
    main()
