"""`python -m benchmarks.fuzz`: all kinds of cases by their seeds, what they found kept in a file, gone on from there.

    python -m benchmarks.fuzz                              all of it: 200,000 files, 1,000,000 images, 1,000,000 stepped
    python -m benchmarks.fuzz --kind maps --count 500      so many of one kind
    python -m benchmarks.fuzz --kind maps --case 77        one case again, with what it raised
    python -m benchmarks.fuzz --figures FILE...            what these ledgers hold, as a table

A fault is shrunk to the parts of its case that it needs, and told as the line that repeats it. Known ones are tried
again first.
"""

from __future__ import annotations

import argparse
import json
import sys
import time
from concurrent.futures import ThreadPoolExecutor
from dataclasses import asdict, dataclass, field
from pathlib import Path
from queue import SimpleQueue
from typing import Any, Final

from benchmarks.fuzz import cases
from benchmarks.fuzz.workers import Worker
from emubot.atomic import write_whole

_AT_ONCE: Final = 200  # cases between two writings of the ledger
_KEPT: Final = 5  # cases of one fault


@dataclass
class Record:
    """What is known of one kind: cases up to seed `next` are done, `counted` in its unit; verdicts by name."""

    next: int = 0
    counted: int = 0
    said: dict[str, int] = field(default_factory=dict)
    faults: dict[str, list[str]] = field(default_factory=dict)  # the line of each case
    mended: dict[str, list[str]] = field(default_factory=dict)
    slowest: float = 0.0  # seconds
    seconds: float = 0.0


class Ledger:
    """The file that a run goes on from."""

    def __init__(self, path: Path, seed: int) -> None:
        self._path = path
        told = json.loads(path.read_text(encoding="utf-8")) if path.exists() else {"seed": seed, "kinds": {}}
        if told["seed"] != seed:
            sys.exit(f"{path} is of seed {told['seed']}: name it, or another file.")
        self.seed = seed
        self.kinds = {kind: Record(**record) for kind, record in told["kinds"].items()}

    def of(self, kind: str) -> Record:
        return self.kinds.setdefault(kind, Record())

    def write(self) -> None:
        told = {"seed": self.seed, "kinds": {kind: asdict(record) for kind, record in self.kinds.items()}}
        write_whole(self._path, (json.dumps(told, indent=1) + "\n").encode())


class Run:
    """Cases of one kind after another, `jobs` at a time."""

    def __init__(self, ledger: Ledger, workers: list[Worker]) -> None:
        self.ledger = ledger
        self._free: SimpleQueue[Worker] = SimpleQueue()
        self._threads = ThreadPoolExecutor(len(workers))
        for worker in workers:
            self._free.put(worker)

    def kind(self, kind: str, count: int) -> None:
        """Until so many are counted, those of earlier runs included."""
        record = self.ledger.of(kind)
        self._again(kind, record)
        while record.counted < count:
            started = time.monotonic()
            left = count - record.counted
            at_once = min(left, _AT_ONCE) if kind in cases.FILE_KINDS else min(-(-left // cases.playing.PER_CASE), 20)
            seeds = range(record.next, record.next + at_once)
            for seed, (verdict, took) in zip(seeds, self._threads.map(lambda s: self._do(kind, s), seeds), strict=True):
                record.slowest = max(record.slowest, took)
                record.counted += verdict.count
                if verdict.is_fault:
                    self._keep(kind, seed, verdict, record)
                else:
                    record.said[verdict.said] = record.said.get(verdict.said, 0) + 1
            record.next = seeds.stop
            record.seconds += time.monotonic() - started
            self.ledger.write()
            print(f"{kind}: {record.counted:,} of {count:,}, {len(record.faults)} faults", flush=True)

    def _do(self, kind: str, seed: int, kept: Any = None) -> tuple[cases.Verdict, float]:
        worker = self._free.get()
        try:
            worker.begin()
            started = time.monotonic()
            verdict = cases.Verdict(*worker.do(kind, self._number(seed), kept))
            return verdict, time.monotonic() - started
        finally:
            self._free.put(worker)

    def _number(self, seed: int) -> int:
        """The seed of a case, another one in every ledger of another seed."""
        return self.ledger.seed * 10**9 + seed

    def _keep(self, kind: str, seed: int, verdict: cases.Verdict, record: Record) -> None:
        """Count the fault; of its first cases, the line that repeats it with the fewest parts."""
        name = verdict.said.partition(": ")[0]
        record.said[name] = record.said.get(name, 0) + 1
        lines = record.faults.setdefault(name, [])
        if len(lines) < _KEPT:
            number = self._number(seed)
            kept = cases.shrunk(kind, number, lambda parts: self._do(kind, seed, parts)[0])
            lines.append(cases.line_of(kind, number, kept))
            print(f"{verdict.said}\n    {lines[-1]}", flush=True)

    def _again(self, kind: str, record: Record) -> None:
        """Whether known faults are still there."""
        for name, lines in list(record.faults.items()):
            if not any(self._repeat(line) for line in lines):
                record.mended[name] = record.faults.pop(name)
                print(f"{kind}: mended: {name}", flush=True)

    def _repeat(self, line: str) -> bool:
        options = _parser().parse_args(line.split()[3:])
        worker = self._free.get()
        try:
            return cases.Verdict(*worker.do(options.kind[0], options.case, options.parts)).is_fault
        finally:
            self._free.put(worker)


def _parser() -> argparse.ArgumentParser:
    made = argparse.ArgumentParser(prog="python -m benchmarks.fuzz", description=__doc__, allow_abbrev=False,
                                   formatter_class=argparse.RawDescriptionHelpFormatter)  # fmt: skip
    made.add_argument("--kind", action="append", choices=cases.KINDS, help="may be given again (default: all)")
    made.add_argument("--count", type=int, metavar="N", help="how many in all, earlier runs included")
    made.add_argument("--seed", type=int, default=0, help="other cases (default 0)")
    made.add_argument("--jobs", type=int, default=1, help="processes (default 1)")
    made.add_argument("--ledger", type=Path, default=Path("fuzz.json"), help="what is done (default fuzz.json)")
    made.add_argument("--figures", type=Path, nargs="+", metavar="FILE", help="ledgers to tell the figures of")
    made.add_argument("--case", type=int, metavar="SEED", help="one case again, in this process")
    made.add_argument("--parts", type=lambda text: [int(word) for word in text.split(",")], help="of that case")
    made.add_argument("--keep", type=Path, metavar="DIR", help="with --case: write its files there, do nothing")
    return made


def main() -> int:
    options = _parser().parse_args()
    kinds = options.kind or list(cases.KINDS)
    if options.figures is not None:
        _tell(options.figures, options.seed)
        return 0
    if options.case is not None:
        return _one(kinds[0], options.case, options.parts, options.keep)
    ledger = Ledger(options.ledger, options.seed)
    workers = [Worker() for _ in range(options.jobs)]
    run = Run(ledger, workers)
    try:
        for kind in kinds:
            run.kind(kind, cases.ALL[kind] if options.count is None else options.count)
    except KeyboardInterrupt:
        return 130
    finally:
        for worker in workers:
            worker.__exit__()
    return 1 if any(ledger.of(kind).faults for kind in kinds) else 0


def _tell(ledgers: list[Path], seed: int) -> None:
    """A table for docs/measurements/faults.md: what came of the cases, the faults that are left and those mended."""
    print("| kind | tried | read or decoded | refused | faults found, mended since | left |")
    print("|---|---|---|---|---|---|")
    for kind, record in [each for path in ledgers for each in Ledger(path, seed).kinds.items()]:
        refused = sum(number for said, number in record.said.items() if said.startswith(cases.REFUSED))
        as_files = kind in cases.FILE_KINDS
        read = record.said.get(cases.OK, 0) if as_files else record.counted
        print(f"| {kind} | {record.counted:,} | {read:,} | {refused:,} | {len(record.mended)} | {len(record.faults)} |")


def _one(kind: str, seed: int, parts: list[int] | None, keep: Path | None) -> int:
    if keep is not None:
        keep.mkdir(parents=True, exist_ok=True)
        for file in cases.files_of(kind, seed, parts):
            (keep / file.name).write_bytes(file.content)
        return 0
    verdict = cases.judge(kind, seed, parts)
    print(verdict.said)
    return int(verdict.is_fault)


if __name__ == "__main__":
    sys.exit(main())
