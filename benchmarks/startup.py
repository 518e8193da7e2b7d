"""How long a stranger waits: for the board, the bot's first press, its full strength; for the arena; what is compiled.

    python benchmarks/startup.py [play] [arena] [kernels] [--second] [--only TEXT] [--runs N] [--busy] [--here]
        [--core PATH]

A stranger has a fresh clone of this checkout in an environment of its own, an empty home and empty caches in each run.
--here takes the environment that runs this script instead of the clone. Without --core there is no core in the home, so
the simulator plays. Each run is a line of JSON; a table of median, lowest and highest comes last.

play: `emubot play --demo NAME` in a terminal of 40 lines and 120 columns, seconds from its start until
  painted: the whole board is drawn for the first time;
  pressed: the piece in the air is elsewhere, or turned otherwise, than where pieces of this demo appear and fall. This
    is read off the drawn board (30 drawings a second) while a plan is drawn on it. A first piece that is dropped
    straight down does not count: the next one does;
  full: the words "full strength" are drawn, or the bar of a start that compiles first is full;
  later: the same of the next start in the same home.
arena: `emubot arena` and headless Chromium, in seconds. painted: from the program's start to the first paint of the
  page. moved, bot: from there until the person's piece, and the bot's, is shifted or turned for the first time in a
  match of falling blocks. The person chooses at once, and presses Left all the time once there is a board: that ends
  the countdown.
kernels: CPU seconds, children included, of the jobs that play by a map compiles, after numba has compiled an empty
  function; and how many functions were compiled.
--second: how many functions a command compiles after `emubot play --demo tetris` has reached its full strength and was
  ended; by the new files in the cache folder.

--busy keeps one core busy meanwhile. arena needs the extras arena and browser.
"""

from __future__ import annotations

import argparse
import contextlib
import json
import os
import platform
import shutil
import signal
import statistics
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from functools import partial
from pathlib import Path
from typing import Any

sys.path.insert(0, str(Path(__file__).resolve().parents[1]))

from benchmarks.startup_screen import SPAWNS, Terminal

ROOT = Path(__file__).resolve().parents[1]
MAPS = ("nes_tetris_usa", "demo_pairs", "demo_capsules")
SECOND = {
    "play": "play --demo tetris --pieces 20 --emu-speed max --view none -q",
    "evaluate": "evaluate tetris --rules nes --games 1 --stop-lines 5 -q",
    "selfplay": "selfplay tetris --pieces 1000 -q",
    "train": "train tetris --method ga --generations 1 --games 1 --final-games 4 --set population=8 --out run -q",
}
# Compiles what play by a map needs, and prints what that took.
COMPILE = """
import json, resource, sys
import numba
from numba.core import event
from emubot import games
from emubot.rammap import load_map

def cpu():
    used = [resource.getrusage(who) for who in (resource.RUSAGE_SELF, resource.RUSAGE_CHILDREN)]
    return sum(one.ru_utime + one.ru_stime for one in used)

jobs = list(games.open_edition(load_map(sys.argv[1])).kernels())
numba.njit(lambda: 0)()
compiled, before = event.RecordingListener(), cpu()
with event.install_listener("numba:compile", compiled):
    for _, job, *_ in jobs:
        job()
functions = sum(one.is_start for _, one in compiled.buffer)
print(json.dumps({"cpu": cpu() - before, "functions": functions}))
"""
# Notes when a side's piece is shifted or turned, in seconds since the epoch. The page is not told what a bot presses.
NOTE_MOVES = """() => {
    [globalThis.noted, globalThis.isShown] = [{}, false];
    const [before, show] = [[], arena.match.onFrame];
    arena.match.onFrame = (frame) => {
        show.call(arena.match, frame);
        isShown = true;
        frame.boards.forEach(({ air, pieces }, side) => {
            const top = Math.min(...air.map((cell) => cell.row));
            const shape = air.map((cell) => [cell.row - top, cell.column].join()).sort().join(" ");
            const last = before[side];
            if (last && last.pieces === pieces && last.shape && shape && last.shape !== shape)
                noted[side ? "bot" : "moved"] ??= (performance.timeOrigin + performance.now()) / 1000;
            before[side] = { pieces, shape };
        });
    };
}"""


@dataclass(frozen=True, slots=True)
class Stranger:
    """Somebody who has just installed emubot: its interpreter, and a home where nothing has run yet."""

    python: Path
    home: Path

    @property
    def environment(self) -> dict[str, str]:
        left_out = ("EMUBOT_CORES", "COLUMNS", "LINES", "NO_COLOR", "PYTHONPATH")
        kept = {name: value for name, value in os.environ.items() if name not in left_out}
        folders = {f"XDG_{name}_HOME": str(self.home / name.lower()) for name in ("CACHE", "CONFIG", "DATA")}
        own = {"HOME": str(self.home), "EMUBOT_CACHE_DIR": str(self.cache), "TERM": "xterm-256color"}
        return {**kept, **folders, **own}

    @property
    def cache(self) -> Path:
        return self.home / "kernels"

    def emubot(self, words: str) -> list[str]:
        return [str(self.python), "-m", "emubot", *words.split()]

    def run(self, command: Sequence[str]) -> str:
        """Run a command to its end; returns what it prints."""
        done = subprocess.run(
            command, env=self.environment, cwd=self.home, stdout=subprocess.PIPE, text=True, check=True
        )
        return done.stdout

    def compiled(self) -> int:
        """Returns how many functions are in the cache."""
        return sum(1 for _ in self.cache.rglob("*.nbc"))


def play(stranger: Stranger, demo: str, core: Sequence[str], patience: float) -> dict[str, Any]:
    command = [*stranger.emubot(f"play --demo {demo} --view board --games 100"), *core]
    terminal = Terminal(command, stranger.environment, stranger.home)
    first = terminal.watch(demo, ("painted", "pressed", "full"), patience)
    later = terminal.watch(demo, ("painted", "pressed"), patience)
    return {**first, **{f"later {name}": seconds for name, seconds in later.items()}}


def kernels(stranger: Stranger, name: str) -> dict[str, Any]:
    found: dict[str, Any] = json.loads(stranger.run([str(stranger.python), "-c", COMPILE, name]))
    return found


def second(stranger: Stranger, after_play: Path, words: str) -> dict[str, Any]:
    shutil.copytree(after_play, stranger.cache)
    before = stranger.compiled()
    stranger.run(stranger.emubot(words))
    return {"functions": stranger.compiled() - before, "before": before}


def arena(stranger: Stranger, patience: float) -> dict[str, Any]:
    from tests.arena.serving import Visitor, browser

    with browser() as chromium:
        started = time.time()
        command = stranger.emubot("arena --no-open --port 0")
        with subprocess.Popen(
            command, env=stranger.environment, cwd=stranger.home, stderr=subprocess.PIPE, text=True
        ) as server:
            assert server.stderr is not None
            try:
                url = next(word for line in server.stderr for word in line.split() if word.startswith("http"))
                visitor = Visitor(chromium.new_page())
                page = visitor.page
                page.goto(url)
                paint = "(performance.timeOrigin + (performance.getEntriesByType('paint')[0]?.startTime ?? NaN)) / 1000"
                visitor.until(lambda: page.evaluate(f"!isNaN({paint})"), "anything", patience)
                painted = page.evaluate(paint)
                visitor.until(lambda: page.locator("#start").is_visible(), "the start screen", patience)
                page.evaluate(NOTE_MOVES)
                visitor.choose(("person", "blocks"), ("middle", "blocks"))
                page.locator("#go").click()
                end = time.monotonic() + patience
                while len(noted := page.evaluate("noted")) < 2 and time.monotonic() < end:
                    if page.evaluate("isShown"):
                        visitor.press("ArrowLeft")
                    page.wait_for_timeout(20)
            finally:
                server.send_signal(signal.SIGINT)
                with contextlib.suppress(subprocess.TimeoutExpired):
                    server.wait(20)
                server.kill()
    since = {name: noted[name] - painted if name in noted else None for name in ("moved", "bot")}
    return {"painted": painted - started, **since}


def table(lines: Sequence[dict[str, Any]]) -> list[str]:
    """Returns a row for each figure of each part and case: median, lowest and highest; "-" for what never came."""
    columns: dict[tuple[str, str, str], list[float | None]] = {}
    for line in lines:
        for name, value in line.items():
            if name not in ("part", "case", "run"):
                columns.setdefault((line["part"], line["case"], name), []).append(value)
    rows = [f"{'part':8} {'case':16} {'figure':14} {'median':>9} {'lowest':>9} {'highest':>9}"]
    for (part, case, name), values in columns.items():
        came = [value for value in values if value is not None]
        figures = (statistics.median(came), min(came), max(came)) if came else ()
        told = " ".join(f"{figure:9.2f}" for figure in figures) or "        -" * 3
        missing = f"  (came in {len(came)} of {len(values)} runs)" if len(came) < len(values) else ""
        rows.append(f"{part:8} {case:16} {name:14} {told}{missing}")
    return rows


@contextlib.contextmanager
def installed(here: bool) -> Iterator[Path]:
    """Yields the interpreter of a fresh clone's environment, or of this one."""
    if here:
        yield Path(sys.executable)
        return
    with tempfile.TemporaryDirectory(prefix="emubot-clone-") as folder:
        clone, environment = Path(folder, "clone"), Path(folder, "environment")
        subprocess.run(["git", "clone", "--quiet", str(ROOT), str(clone)], check=True)
        subprocess.run([sys.executable, "-m", "venv", "--without-pip", str(environment)], check=True)
        python = environment / "bin" / "python"
        pip = [sys.executable, "-m", "pip", "--python", str(python), "install", "--quiet", f"{clone}[arena]"]
        subprocess.run(pip, check=True)
        yield python


@contextlib.contextmanager
def new_stranger(python: Path) -> Iterator[Stranger]:
    with tempfile.TemporaryDirectory(prefix="emubot-home-", ignore_cleanup_errors=True) as home:
        yield Stranger(python, Path(home))
        end_what_runs_on(home)


def end_what_runs_on(home: str) -> None:
    """What compiles goes on when its command has ended: the next stranger shall not notice."""
    for environment in Path("/proc").glob("[0-9]*/environ"):
        with contextlib.suppress(OSError, ProcessLookupError):
            if f"HOME={home}".encode() in environment.read_bytes().split(b"\0"):
                os.kill(int(environment.parent.name), signal.SIGKILL)


def machine(python: Path) -> dict[str, Any]:
    """Returns what it runs on."""
    lines = Path("/proc/cpuinfo").read_text(encoding="utf-8").splitlines()
    models = [line.partition(":")[2].strip() for line in lines if line.startswith("model name")]
    ask = "import platform; from importlib.metadata import version; print(platform.python_version(), version('numba'))"
    versions = subprocess.check_output([python, "-c", ask], text=True).split()
    commit = subprocess.check_output(["git", "-C", ROOT, "describe", "--always", "--dirty"], text=True).strip()
    found = {"machine": models[0] if models else platform.processor(), "cores": os.cpu_count(), "commit": commit}
    return {**found, **dict(zip(("python", "numba"), versions, strict=True)), "load": os.getloadavg()[0]}


def main() -> None:
    made = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    made.add_argument("parts", nargs="*", choices=["play", "arena", "kernels", []], default=[], help="default: all")
    made.add_argument("--second", action="store_true", help="what a second command compiles; alone unless parts are")
    made.add_argument("--only", default="", metavar="TEXT", help="only cases with this text in their name")
    made.add_argument("--runs", type=int, default=3, help="default 3")
    made.add_argument("--busy", action="store_true", help="one process keeps one core busy meanwhile")
    made.add_argument("--here", action="store_true", help="measure the environment that runs this")
    made.add_argument("--core", type=Path, metavar="PATH", help="the libretro core that play takes")
    made.add_argument("--patience", type=float, default=600.0, help="seconds to wait for a figure (default 600)")
    options = made.parse_args()
    parts = options.parts or ([] if options.second else ["play", "arena", "kernels"])
    core = ["--core", str(options.core.resolve())] if options.core else []
    cases: dict[tuple[str, str], Callable[[Stranger], dict[str, Any]]] = {}
    if "play" in parts:
        cases |= {("play", demo): partial(play, demo=demo, core=core, patience=options.patience) for demo in SPAWNS}
    if "arena" in parts:
        cases["arena", "blocks"] = partial(arena, patience=options.patience)
    if "kernels" in parts:
        cases |= {("kernels", name): partial(kernels, name=name) for name in MAPS}
    lines = []
    with contextlib.ExitStack() as stack:
        python = stack.enter_context(installed(options.here))
        taken = {"busy": options.busy, "here": options.here, "core": options.core and options.core.name}
        print(json.dumps({**machine(python), **taken}), flush=True)
        if options.busy:
            stack.callback(subprocess.Popen([sys.executable, "-c", "while True: pass"]).kill)
        if options.second:
            first = stack.enter_context(new_stranger(python))
            play(first, "tetris", core, options.patience)
            cases |= {("second", name): partial(second, after_play=first.cache, words=w) for name, w in SECOND.items()}
        for run in range(1, options.runs + 1):
            for (part, case), measure in cases.items():
                if options.only not in case:
                    continue
                with new_stranger(python) as stranger:
                    lines.append({"part": part, "case": case, "run": run, **measure(stranger)})
                print(json.dumps(lines[-1]), flush=True)
    print("\n".join(table(lines)))


if __name__ == "__main__":
    main()
