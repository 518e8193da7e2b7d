"""Drafts, completes and plays cartridges drawn from seeds, and writes what came of each.

    python benchmarks/strangers.py LEDGER.jsonl --kind blocks --seeds 100000-100199
    python benchmarks/strangers.py LEDGER.jsonl --table

The ledger has one line a cartridge; a run that was interrupted goes on where it ended. `--drafts FOLDER` keeps maps.
"""

from __future__ import annotations

import argparse
import json
import os
import resource
import shutil
import subprocess
import sys
import tempfile
import time
from collections import Counter, defaultdict
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any, Final

ROOT: Final = Path(__file__).parents[1]
PIECES: Final = 100
_SECONDS: Final = 180  # of one core, for all commands of a cartridge together
_JUDGED: Final = ("blocks", "beyond", "colours")  # the kinds of which a draft is compared with what the generator knows
_WALL: Final = 8  # times the seconds that are left, on a machine that others use too


def main() -> None:
    """Runs the seeds that the ledger lacks, or prints its table."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("ledger", type=Path)
    parser.add_argument("--kind", choices=("blocks", "colours", "nongame", "beyond"), default="blocks")
    parser.add_argument("--seeds", metavar="FIRST-LAST", help="both included")
    parser.add_argument("--core", default="fceumm", help="libretro core: a name or a file")
    parser.add_argument("--drafts", metavar="FOLDER", type=Path, help="keep the drafts there, as KIND-SEED.yaml")
    parser.add_argument("--table", action="store_true", help="print the ledger's table by property")
    options = parser.parse_args()
    if options.seeds:
        first, last = map(int, options.seeds.split("-"))
        done = {(line["kind"], line["seed"]) for line in lines(options.ledger)}
        for seed in range(first, last + 1):
            if (options.kind, seed) not in done:
                result = run(options.kind, seed, options.core, options.drafts)
                with options.ledger.open("a", encoding="utf-8") as ledger:
                    ledger.write(json.dumps(result) + "\n")
                print(f"{options.kind} {seed}: {result['ended']}, {result['seconds']:.0f} s", flush=True)
    if options.table:
        print("\n".join(table(list(lines(options.ledger)))))


def lines(ledger: Path) -> Iterator[dict[str, Any]]:
    """Yields the lines of a ledger; none if there is no such file."""
    if ledger.exists():
        yield from map(json.loads, ledger.read_text(encoding="utf-8").splitlines())


def run(kind: str, seed: int, core: str, drafts: Path | None) -> dict[str, Any]:
    """Returns what came of one cartridge, by the source code that git names; a folder `drafts` gets its draft."""
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        write = [sys.executable, "-m", "tests.toys.strangers", str(seed), "--out", name, "--kind", kind]
        subprocess.run(write, cwd=ROOT, check=True, capture_output=True)
        (image,) = folder.glob("*.nes")
        told = json.loads(image.with_suffix(".json").read_text(encoding="utf-8"))
        source = ["--rom", str(image), "--core", core]
        draft, whole = folder / "draft.yaml", folder / "whole.yaml"
        clock = _Clock()
        result: dict[str, Any] = {"kind": kind, "seed": seed, "source": _source(), "drafted": False}
        said = clock.run("maps", "discover", *source, "--out", str(draft))
        if draft.exists():
            result["drafted"] = True
            if drafts:
                drafts.mkdir(parents=True, exist_ok=True)
                shutil.copy(draft, drafts / f"{kind}-{seed}.yaml")
            if kind in _JUDGED:
                result["wrong"] = wrong_lines(kind, image, draft, told.get("truth", told), core)
            said = clock.run("maps", "learn", *source, "--map", str(draft), "--out", str(whole), "--probe")
            played = str(whole if whole.exists() else draft)
            view = ["--view", "none", "--emu-speed", "max", "--json", "--games", "1000"]
            said = clock.run("play", *source, "--map", played, "--pieces", str(PIECES), *view)
            result["learnt"] = whole.exists()
            result |= _played(said)
        result["said"] = said.stderr.strip().splitlines()[-1:] if said else ["out of time"]
        result["seconds"] = clock.used
        result["ended"] = _ended(result)
        return result


class _Clock:
    """Runs commands, and counts the seconds of processor that they use together."""

    def __init__(self) -> None:
        self.used = 0.0

    def run(self, *words: str) -> subprocess.CompletedProcess[str] | None:
        """Returns how a command of emubot ended; None if it ran out of time."""
        left = _SECONDS - self.used
        if left <= 0:
            return None
        before, began = _children(), time.monotonic()
        command = [sys.executable, "-m", "emubot", *words]
        try:
            return subprocess.run(
                command,
                check=False,
                capture_output=True,
                text=True,
                timeout=_WALL * left,
                preexec_fn=lambda: resource.setrlimit(resource.RLIMIT_CPU, (int(left) + 1, int(left) + 6)),
                env={**os.environ, "EMUBOT_COMPILE_AHEAD": "0"},
            )
        except subprocess.TimeoutExpired:
            return None
        finally:
            self.used += max(_children() - before, 0.0)
            if time.monotonic() - began > _WALL * left:
                self.used = float(_SECONDS)


def _children() -> float:
    usage = resource.getrusage(resource.RUSAGE_CHILDREN)
    return usage.ru_utime + usage.ru_stime


def _played(said: subprocess.CompletedProcess[str] | None) -> dict[str, Any]:
    try:
        tally = json.loads(said.stdout) if said else {}
    except ValueError:
        tally = {}
    return {"pieces": tally.get("pieces", 0), "misplaced": tally.get("misplaced")}


def _ended(result: Mapping[str, Any]) -> str:
    if not result["drafted"]:
        return "no draft"
    if result["pieces"] < PIECES or result["misplaced"]:
        return "drafted, not played"
    return "played"


def wrong_lines(kind: str, image: Path, draft: Path, truth: Mapping[str, Any], core: str) -> list[str]:
    """Returns what a draft says and the generator knows to be otherwise."""
    sys.path.insert(0, str(ROOT))  # the tests belong to no package
    from emubot.rammap import load_map
    from tests.discovery import truth as of_blocks
    from tests.discovery.colours import truth as of_colours

    judge = of_colours if kind == "colours" else of_blocks
    return judge.wrong_lines(load_map(draft), truth, image, core)


def properties(kind: str, seed: int) -> Sequence[str]:
    """Returns the properties of a cartridge, as the generator names them."""
    sys.path.insert(0, str(ROOT))  # the tests belong to no package
    from tests.toys.strangers import colours, truth
    from tests.toys.strangers.__main__ import KINDS

    told: Mapping[str, Any] = (
        colours.truth(colours.colour_stranger(seed)) if kind == "colours" else truth(KINDS[kind](seed))
    )
    return list(told.get("properties", ()))


def _source() -> str:
    command = ["git", "-C", str(ROOT), "describe", "--always", "--dirty"]
    return subprocess.run(command, check=True, capture_output=True, text=True).stdout.strip()


def table(results: Sequence[Mapping[str, Any]]) -> list[str]:
    """Returns the lines of a table for each kind, a row for each sort of property: how many of how many were played."""
    text = []
    for kind in dict.fromkeys(result["kind"] for result in results):
        own = [result for result in results if result["kind"] == kind]
        ended = Counter(result["ended"] for result in own)
        sources = ", ".join(dict.fromkeys(result["source"] for result in own))
        text += [
            f"## {kind}: {ended['played']} of {len(own)} played, {ended['no draft']} without a draft ({sources})",
            "",
        ]
        text += ["| property | played of all |", "|---|---|"]
        counts: dict[str, dict[str, list[int]]] = defaultdict(lambda: defaultdict(lambda: [0, 0]))
        for result in own:
            for name in properties(kind, result["seed"]):
                sort, _, value = name.partition(": ")
                counts[sort][value or "yes"][0] += result["ended"] == "played"
                counts[sort][value or "yes"][1] += 1
        for sort, values in counts.items():
            shown = ", ".join(f"{value} {good} of {all_}" for value, (good, all_) in sorted(values.items()))
            text.append(f"| {sort} | {shown} |")
        wrong = [f"{kind} {result['seed']}: {line}" for result in own for line in result.get("wrong", ())]
        text += ["", f"Wrong lines in drafts: {len(wrong)}", *wrong, ""]
    return text


if __name__ == "__main__":
    main()
