"""What a child process costs: frames of a core in this process and in a child, in turn, as fast as possible.

    python benchmarks/hosting.py [--core NAME|PATH] [--frames N] [--batches N] [--json]

Batches of frames alternate, so that a drift of the machine meets all. "asleep" is a child that is woken for each frame,
as at a paced speed; "two" are two consoles that take turns. Times are wall-clock microseconds a frame; ratios are to
the bridge in this process: medians over the batches, with the tenth and the ninetieth percentile.
"""

from __future__ import annotations

import argparse
import json
import os
import platform
import time
from collections.abc import Callable
from contextlib import ExitStack
from typing import Any

import numpy as np

from emubot.bridges import open_bridge
from emubot.bridges.hosted import HostedBridge, open_hosted
from emubot.demos import image


def main() -> None:
    options = _options()
    with ExitStack() as stack:

        def hosted() -> HostedBridge:
            return stack.enter_context(open_hosted("libretro", rom=image("tetris"), core=options.core, emu_speed=None))

        here = open_bridge("libretro", rom=image("tetris"), core=options.core, emu_speed=None)
        stack.callback(here.close)
        apart = hosted()
        one = _compared(options, {"here": here.advance, "apart": apart.advance, "asleep": _asleep(apart)})
        first, second = apart, hosted()

        def both() -> None:
            first.advance()
            second.advance()

        two = _compared(options, {"here": here.advance, "two": both}, frames={"two": 2})
    result = {
        "machine": f"{platform.machine()}, {len(os.sched_getaffinity(0))} processors",
        "core": here.facts.emulator,
        "frames": options.frames,
        "batches": options.batches,
        "one console": one,
        "two consoles": two,
    }
    if options.json:
        print(json.dumps(result))
        return
    print(f"{result['core']}, {result['machine']}, {options.batches} batches of {options.frames} frames")
    for title in ("one console", "two consoles"):
        for name, row in result[title].items():
            ratio = f", ratio {row['ratio']} ({row['low']} to {row['high']})" if "ratio" in row else ""
            print(f"{title}: {name} {row['us']} us a frame{ratio}")


def _options() -> argparse.Namespace:
    made = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    made.add_argument("--core", default="fceumm")
    made.add_argument("--frames", type=int, default=300, help="in a batch")
    made.add_argument("--batches", type=int, default=60)
    made.add_argument("--json", action="store_true")
    return made.parse_args()


def _asleep(bridge: HostedBridge) -> Callable[[], object]:
    """The same console, both ends asleep while the other works."""

    def frame() -> None:
        bridge._child.hurry(False)
        bridge.advance()
        bridge._child.hurry(True)

    return frame


def _compared(
    options: argparse.Namespace, ways: dict[str, Callable[[], object]], frames: dict[str, int] | None = None
) -> dict[str, Any]:
    """Microseconds a frame of each way, and its ratio to the first one, batch by batch."""
    counts = frames or {}
    times: dict[str, list[float]] = {name: [] for name in ways}
    for batch in range(options.batches + 1):
        for name, way in ways.items():
            started = time.perf_counter()
            for _ in range(options.frames):
                way()
            seconds = time.perf_counter() - started
            if batch:  # the first one warms up
                times[name].append(seconds / options.frames / counts.get(name, 1) * 1e6)
    base = np.array(next(iter(times.values())))
    rows: dict[str, Any] = {}
    for number, (name, taken) in enumerate(times.items()):
        rows[name] = {"us": round(float(np.median(taken)), 1)}
        if number:
            low, middle, high = np.percentile(np.array(taken) / base, (10, 50, 90))
            rows[name] |= {"ratio": round(float(middle), 3), "low": round(float(low), 3), "high": round(float(high), 3)}
    return rows


if __name__ == "__main__":
    main()
