"""Seconds from `emubot play --demo tetris` to the first press: at the first start after installation, and later.

    python benchmarks/startup.py [--core NAME|PATH] [--starts N] [--json]

Each start is a process of its own at the console's speed. The first one has an empty EMUBOT_CACHE_DIR, so it compiles;
the others find what it left. Presses are noted inside the process, against the clock read before it was started.
"""

from __future__ import annotations

import argparse
import json
import os
import platform
import statistics
import subprocess
import sys
import tempfile
import time
from importlib.metadata import version
from pathlib import Path
from typing import Any

# Runs the command as the console script does, and ends with the first press in play.
CHILD = """
import json, os, sys, time
begun = time.monotonic()
from emubot.cli import main, play
from emubot.session import session

noted = {"python": begun}
def timed(name, function):
    def call(*args, **options):
        started = time.monotonic()
        result = function(*args, **options)
        noted[name] = time.monotonic() - started
        return result
    return call

play.compile_kernels = timed("kernels", play.compile_kernels)
session.open_session = timed("opening", session.open_session)

import emubot.pilot.pilot
from emubot.snapshot import Phase

class Watched(emubot.pilot.pilot.Pilot):
    pad = 0

    def __init__(self, bridge, *args, **options):
        super().__init__(bridge, *args, **options)
        press = bridge.press
        def heard(port, pad):
            self.pad = pad
            press(port, pad)
        bridge.press = heard
        noted["core"] = bridge.facts.emulator
        self.watchers.append(self.note)

    def note(self, view):
        if not self.pad:
            return
        now = time.monotonic()
        noted.setdefault("menu", now)
        noted.setdefault("menu_frame", view.frame)
        if view.snapshot.phase is Phase.PLAYING:
            noted.update(play=now, play_frame=view.frame)
            print(json.dumps(noted), flush=True)
            os._exit(0)

emubot.pilot.pilot.Pilot = Watched
sys.exit(main(sys.argv[1:]))
"""


def start(words: list[str], cache: Path) -> dict[str, Any]:
    """One start: seconds to the first press in a menu and in play, and what they are made of."""
    environment = {**os.environ, "EMUBOT_CACHE_DIR": str(cache)}
    started = time.monotonic()
    done = subprocess.run(
        [sys.executable, "-c", CHILD, "play", "--demo", "tetris", "--emu-speed", "1", "--view", "none", *words],
        env=environment,
        stdout=subprocess.PIPE,
        text=True,
        check=True,
    )
    noted = json.loads(done.stdout)
    return {
        "menu": noted["menu"] - started,
        "play": noted["play"] - started,
        "kernels": noted["kernels"],
        "opening": noted["opening"],
        "menu_frame": noted["menu_frame"],
        "play_frame": noted["play_frame"],
        "core": noted["core"],
    }


def machine() -> str:
    """What it ran on."""
    model = next(
        (
            line.partition(":")[2].strip()
            for line in Path("/proc/cpuinfo").read_text(encoding="utf-8").splitlines()
            if line.startswith("model name")
        ),
        platform.processor(),
    )
    packages = ", ".join(f"{package} {version(package)}" for package in ("numba", "numpy"))
    return (
        f"{model}, {os.cpu_count()} cores, load {os.getloadavg()[0]:.1f}; {platform.system()} {platform.machine()}, "
        f"Python {platform.python_version()}, {packages}"
    )


def told(name: str, starts: list[dict[str, Any]]) -> str:
    """One line: median (lowest to highest) of each part."""
    parts = []
    for part in ("menu", "play", "kernels", "opening"):
        values = [one[part] for one in starts]
        spread = f" ({min(values):.2f} to {max(values):.2f})" if len(values) > 1 else ""
        parts.append(f"{part} {statistics.median(values):.2f} s{spread}")
    frames = f"first press in frame {starts[0]['menu_frame']}, in play in frame {starts[0]['play_frame']}"
    return f"{name}: {'; '.join(parts)}; {frames}"


def main() -> None:
    made = argparse.ArgumentParser(description=__doc__.partition("\n")[0])
    made.add_argument("--core", help="libretro core (default: the first found)")
    made.add_argument("--starts", type=int, default=5, help="second starts (default 5)")
    made.add_argument("--json", action="store_true")
    options = made.parse_args()
    words = ["--core", options.core] if options.core else []
    with tempfile.TemporaryDirectory() as folder:
        first = start(words, Path(folder))
        later = [start(words, Path(folder)) for _ in range(options.starts)]
    if options.json:
        print(json.dumps({"machine": machine(), "first": first, "later": later}))
        return
    print(f"{machine()}; {first['core']}")
    print(told("first start", [first]))
    print(told(f"{options.starts} later starts", later))


if __name__ == "__main__":
    main()
