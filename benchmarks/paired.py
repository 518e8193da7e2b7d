"""CPU time of two versions of emubot, in turn: play, self-play, starts and first compilations; the ratio with interval.

    python benchmarks/paired.py BEFORE AFTER [--rounds N] [--only TEXT] [--json]

BEFORE and AFTER are the Python interpreters of two environments, each with its version of emubot. In each round both
run every command, one directly after the other, so that a busy moment of the machine meets both. A ratio below 1 means
that AFTER needs less. A first compilation has a new, empty EMUBOT_CACHE_DIR; it runs in the first rounds only.
"""

from __future__ import annotations

import argparse
import json
import math
import os
import resource
import statistics
import subprocess
import sys
import tempfile
from pathlib import Path

PLAY = "play --bridge simulated --emu-speed max --view none -q --seed 1 --map"
# By name: the words of the command. Play is two pieces deep where it says so, else as deep as in play.
COMMANDS = {
    "play falling blocks": f"{PLAY} nes_tetris_usa --level 18 --pieces 400",
    "play falling blocks, two plies": f"{PLAY} nes_tetris_usa --level 18 --pieces 400 --nodes 0",
    "play pairs": f"{PLAY} demo_pairs --level 9 --pieces 200",
    "play pairs, two plies": f"{PLAY} demo_pairs --level 9 --pieces 400 --nodes 0",
    "play capsules": f"{PLAY} demo_capsules --level 10 --pieces 200",
    "play capsules, two plies": f"{PLAY} demo_capsules --level 10 --pieces 400 --nodes 0",
    "self-play of falling blocks": "selfplay tetris --pieces 50000 -q",
    "self-play of pairs": "selfplay puyo --pieces 30000 -q",
    "self-play of capsules": "selfplay matching --pieces 3000 -q",
    "trials of falling blocks": "evaluate tetris --rules textbook --board 10x10 --weights dt10 --games 10 -q",
    "trials of pairs": "evaluate puyo --pairs 100 --games 2 -q",
    "trials of columns": "evaluate matching --rules columns --cap-pieces 200 --games 1 -q",
    "start: --help": "--help",
    "start: maps list": "maps list",
    "start: play falling blocks": f"{PLAY} nes_tetris_usa --pieces 1",
    "start: play pairs": f"{PLAY} demo_pairs --pieces 1",
    "start: play capsules": f"{PLAY} demo_capsules --pieces 1",
}
COMPILED = "first start: "
FIRST_ROUNDS = 3


def seconds(python: str, words: str, cache: Path | None = None) -> float:
    """CPU seconds of a command and its children."""
    environment = dict(os.environ) if cache is None else {**os.environ, "EMUBOT_CACHE_DIR": str(cache)}
    before = resource.getrusage(resource.RUSAGE_CHILDREN)
    subprocess.run(
        [python, "-P", "-m", "emubot", *words.split()],
        check=True,
        env=environment,
        stdout=subprocess.DEVNULL,
        stderr=subprocess.PIPE,
    )
    after = resource.getrusage(resource.RUSAGE_CHILDREN)
    return after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime


def first(python: str, words: str) -> float:
    """The same, where nothing has been compiled yet."""
    with tempfile.TemporaryDirectory() as folder:
        return seconds(python, words, Path(folder))


def summary(pairs: list[tuple[float, float]]) -> dict[str, float]:
    """The medians of both, and the geometric mean of the ratios with its 95 % interval."""
    logs = [math.log(after / before) for before, after in pairs]
    middle = statistics.fmean(logs)
    around = 1.96 * statistics.stdev(logs) / math.sqrt(len(logs)) if len(logs) > 1 else math.nan
    return {
        "before": statistics.median(before for before, _ in pairs),
        "after": statistics.median(after for _, after in pairs),
        "ratio": math.exp(middle),
        "low95": math.exp(middle - around),
        "high95": math.exp(middle + around),
        "rounds": len(pairs),
    }


def main() -> None:
    made = argparse.ArgumentParser(description=__doc__.partition("\n")[0])
    made.add_argument("before", help="the interpreter of the earlier version")
    made.add_argument("after", help="that of the later one")
    made.add_argument("--rounds", type=int, default=8, help="default 8")
    made.add_argument("--only", default="", help="only commands with this text in their name")
    made.add_argument("--json", action="store_true")
    options = made.parse_args()
    firsts = {f"{COMPILED}{name.partition(': ')[2]}": words for name, words in COMMANDS.items() if ": play" in name}
    chosen = {name: words for name, words in {**COMMANDS, **firsts}.items() if options.only in name}
    pairs: dict[str, list[tuple[float, float]]] = {name: [] for name in chosen}
    pythons = (options.before, options.after)
    for name, words in chosen.items():
        if not name.startswith(COMPILED):  # so that no measured one compiles
            for python in pythons:
                seconds(python, words)
    for number in range(options.rounds):
        for name, words in chosen.items():
            measure = first if name.startswith(COMPILED) else seconds
            if measure is seconds or number < FIRST_ROUNDS:
                order = pythons if number % 2 == 0 else pythons[::-1]
                taken = {python: measure(python, words) for python in order}
                pairs[name].append((taken[options.before], taken[options.after]))
        print(f"round {number + 1} of {options.rounds}", file=sys.stderr)
    found = {name: summary(both) for name, both in pairs.items()}
    if options.json:
        print(json.dumps(found))
        return
    for name, one in found.items():
        print(
            f"{name:32} {one['before']:7.2f} s {one['after']:7.2f} s  ratio {one['ratio']:.3f} "
            f"({one['low95']:.3f} to {one['high95']:.3f}), {one['rounds']} rounds"
        )


if __name__ == "__main__":
    main()
