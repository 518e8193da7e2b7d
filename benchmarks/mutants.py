"""Changes one thing at a time in a copy of the checkout, and sees whether a test notices it.

    python benchmarks/mutants.py map                  which test runs which line: once, with pip install pytest-cov
    python benchmarks/mutants.py try --seed 1         draws 300 mutants and tries them; goes on where it was stopped
    python benchmarks/mutants.py show --seed 1        how many were noticed, room by room, and each that was not

A mutant is a condition inverted, a comparison shifted or inverted, or a call dropped. It is killed if one of the tests
that run its line fails, or does not end. The tests of a line are tried in the order of their durations.
"""

from __future__ import annotations

import argparse
import ast
import json
import math
import os
import queue
import random
import re
import shutil
import subprocess
import sys
import tempfile
import threading
import xml.etree.ElementTree as Xml
from collections import defaultdict
from collections.abc import Iterator
from pathlib import Path
from typing import Any, Final, NamedTuple

import pytest
from rich.progress import Progress

ROOT: Final = Path(__file__).parents[1]
ROOMS: Final = {
    "rammap": "emubot/rammap/*.py",
    "pilot": "emubot/pilot/**/*.py",
    "steering": "emubot/steering.py",
    "trace": "emubot/trace/*.py",
    "decode": "emubot/games/*/decode/*.py",
    "session": "emubot/session/*.py",
    "access": "emubot/arena/access.py",
}
PYTEST: Final = (sys.executable, "-m", "pytest", "-q", "-p", "no:cacheprovider")
_LONGEST: Final = 40.0  # seconds of the tests of one mutant, by the durations of the map
_PATIENCE: Final = 60.0  # seconds beside five times the duration, after which a run does not end
_LEFT_OUT: Final = (".git", ".venv", "__pycache__", ".mypy_cache", ".pytest_cache", ".ruff_cache", ".hypothesis")
_OTHER: Final = {
    ast.Lt: ast.LtE, ast.LtE: ast.Lt, ast.Gt: ast.GtE, ast.GtE: ast.Gt, ast.Eq: ast.NotEq, ast.NotEq: ast.Eq,
    ast.Is: ast.IsNot, ast.IsNot: ast.Is, ast.In: ast.NotIn, ast.NotIn: ast.In,
}  # fmt: skip


class Mutant(NamedTuple):
    """In `file`, the text from offset `start` to `end` (bytes, line `line`) becomes `after`."""

    room: str
    file: str
    line: int
    start: int
    end: int
    after: str

    @property
    def key(self) -> str:
        """What tells it from the others."""
        return f"{self.file}:{self.start}:{self.end}:{self.after}"

    def applied(self, source: bytes) -> bytes:
        """Returns the changed source."""
        return source[: self.start] + self.after.encode() + source[self.end :]


def mutants_of(room: str, file: str, source: bytes) -> Iterator[Mutant]:
    """Yields every mutant of a module."""
    starts = [0]
    for line in source.splitlines(keepends=True):
        starts.append(starts[-1] + len(line))
    tree = ast.parse(source)
    # Parts of f-strings have no true place before Python 3.12; what only type checkers see is never run.
    skipped = {
        id(part) for node in ast.walk(tree) if isinstance(node, ast.JoinedStr) or _is_typing(node)
        for part in ast.walk(node)
    }  # fmt: skip
    inverted: set[int] = set()
    for node in ast.walk(tree):
        if id(node) in skipped:
            continue
        for changed, after in _changes(node, inverted):
            start = starts[changed.lineno - 1] + changed.col_offset
            end = starts[(changed.end_lineno or 0) - 1] + (changed.end_col_offset or 0)
            yield Mutant(room, file, changed.lineno, start, end, after)


def _changes(node: ast.AST, inverted: set[int]) -> Iterator[tuple[ast.expr | ast.stmt, str]]:
    """Yields what of a node becomes which text; `inverted` keeps the comparisons that a condition has inverted."""
    if isinstance(node, ast.If | ast.IfExp | ast.While):
        inverted.add(id(node.test))
        yield node.test, f"(not ({ast.unparse(node.test)}))"
    elif isinstance(node, ast.Compare) and len(node.ops) == 1:
        other = _OTHER[type(node.ops[0])]
        is_shift = isinstance(node.ops[0], ast.Lt | ast.LtE | ast.Gt | ast.GtE)
        if is_shift or id(node) not in inverted:
            yield node, f"({ast.unparse(ast.Compare(node.left, [other()], node.comparators))})"
    elif isinstance(node, ast.Expr) and isinstance(node.value, ast.Call):
        yield node, "pass"


def _is_typing(node: ast.AST) -> bool:
    return isinstance(node, ast.If) and ast.unparse(node.test) == "TYPE_CHECKING"


def all_mutants() -> list[Mutant]:
    """Returns every mutant of every room, in a fixed order."""
    return [
        mutant
        for room, pattern in ROOMS.items()
        for path in sorted(ROOT.glob(pattern))
        for mutant in mutants_of(room, path.relative_to(ROOT).as_posix(), path.read_bytes())
    ]


def copy_tree(to: Path) -> None:
    """Copy the checkout: nothing that is tried changes it."""
    shutil.copytree(ROOT, to, ignore=shutil.ignore_patterns(*_LEFT_OUT), symlinks=True)


def write_map(out: Path, jobs: int) -> None:
    """Run the tests once, and write which of them run each line of the rooms, and how long they take."""
    from coverage import CoverageData

    with tempfile.TemporaryDirectory() as folder:
        tree = Path(folder) / "tree"
        copy_tree(tree)
        patterns = [str(tree / pattern) for pattern in ROOMS.values()]
        (tree / "map.ini").write_text("[run]\ninclude =\n" + "".join(f"    {one}\n" for one in patterns))
        command = [*PYTEST, f"-n{jobs}", "--cov", "--cov-config=map.ini", "--cov-context=test", "--cov-report="]
        command += ["--junitxml=map.xml"]
        subprocess.run(command, cwd=tree, check=False)
        seconds = durations(tree / "map.xml")
        data = CoverageData(str(tree / ".coverage"))
        data.read()
        lines: dict[str, dict[int, list[str]]] = {}
        for measured in data.measured_files():
            contexts = data.contexts_by_lineno(measured)
            lines[Path(measured).relative_to(tree).as_posix()] = {
                line: sorted({as_asked(name.rpartition("|")[0]) for name in names} & seconds.keys())
                for line, names in contexts.items()
            }
    out.write_text(json.dumps({"seconds": seconds, "lines": lines}))


def durations(report: Path) -> dict[str, float]:
    """Returns the seconds of each test of a report (JUnit) that passed, by the name that it is asked for with."""
    seconds: dict[str, float] = defaultdict(float)
    for case in Xml.parse(report).iter("testcase"):
        if not any(case.findall(end) for end in ("failure", "error", "skipped")):
            words = case.get("classname", "").split(".")
            of_class = words.pop() if words[-1][:1].isupper() else ""
            name = as_asked("::".join(filter(None, ("/".join(words) + ".py", of_class, case.get("name")))))
            seconds[name] += float(case.get("time", 0))
    return seconds


def as_asked(name: str) -> str:
    """Returns a test's name without the group that a run with workers writes behind it (in reports, before a `]`)."""
    return re.sub(r"(?<=\])@[\w-]+\]?$|@[\w-]+$", "", name)


def chosen_tests(mutant: Mutant, known: dict[str, Any]) -> list[str]:
    """Returns the tests for a mutant, the shortest first, for up to _LONGEST seconds.

    A line that is run when its module is imported has those of the whole module.
    """
    lines = known["lines"].get(mutant.file, {})
    names = lines.get(str(mutant.line)) or {name for line in lines.values() for name in line}
    chosen: list[str] = []
    total = 0.0
    for name in sorted(known["seconds"].keys() & names, key=lambda name: (known["seconds"][name], name)):
        total += known["seconds"][name]
        if total > _LONGEST and chosen:
            break
        chosen.append(name)
    return chosen


def pass_alone(tests: set[str], jobs: int) -> set[str]:
    """Returns which of the tests pass in a copy of the checkout that nothing was changed in."""
    with tempfile.TemporaryDirectory() as folder:
        tree = Path(folder) / "tree"
        copy_tree(tree)
        (tree / "tests.txt").write_text("\n".join(sorted(tests)))
        command = [*PYTEST, f"-n{jobs}", "--junitxml=control.xml", "@tests.txt"]
        ended = subprocess.run(command, cwd=tree, env={**os.environ, "PYTHONPATH": str(tree)}, check=False)
        if ended.returncode not in (pytest.ExitCode.OK, pytest.ExitCode.TESTS_FAILED):
            raise SystemExit("Tests of the map are not there any more: write it anew.")
        return tests & durations(tree / "control.xml").keys()


def is_killed(mutant: Mutant, tree: Path, tests: list[str], seconds: float) -> bool:
    """Returns whether a test fails, or does not end, with the mutant in this copy of the checkout."""
    path = tree / mutant.file
    before = path.read_bytes()
    path.write_bytes(mutant.applied(before))
    command = [*PYTEST, "-x", "-n0", *tests]
    environment = {**os.environ, "PYTHONPATH": str(tree)}  # what tests start is the mutant, too
    limit = _PATIENCE + 5 * seconds
    try:
        ended = subprocess.run(command, cwd=tree, env=environment, timeout=limit, capture_output=True, check=False)
    except subprocess.TimeoutExpired:
        return True
    finally:
        path.write_bytes(before)
    return ended.returncode not in (pytest.ExitCode.OK, pytest.ExitCode.NO_TESTS_COLLECTED)


def try_all(drawn: list[Mutant], known: dict[str, Any], ledger: Path, jobs: int) -> None:
    """Try mutants, `jobs` at a time, and write each result as a line of the ledger; those there are not tried again."""
    done = {one["key"] for one in read_ledger(ledger)}
    todo: queue.SimpleQueue[Mutant] = queue.SimpleQueue()
    for mutant in drawn:
        if mutant.key not in done:
            todo.put(mutant)
    lock = threading.Lock()

    def work(tree: Path) -> None:
        copy_tree(tree)
        while True:
            try:
                mutant = todo.get_nowait()
            except queue.Empty:
                return
            tests = chosen_tests(mutant, known)
            seconds = sum(known["seconds"][name] for name in tests)
            killed = bool(tests) and is_killed(mutant, tree, tests, seconds)
            with lock, ledger.open("a") as file:
                found = {"key": mutant.key, "killed": killed, "tests": len(tests)}
                file.write(json.dumps({**mutant._asdict(), **found}) + "\n")
                progress.advance(bar)

    with tempfile.TemporaryDirectory() as folder, Progress() as progress:
        bar = progress.add_task("mutants", total=todo.qsize())
        workers = [threading.Thread(target=work, args=(Path(folder) / str(job),)) for job in range(jobs)]
        for worker in workers:
            worker.start()
        for worker in workers:
            worker.join()


def read_ledger(ledger: Path) -> list[dict[str, Any]]:
    """Returns the results so far."""
    return [json.loads(line) for line in ledger.read_text().splitlines()] if ledger.exists() else []


def show(found: list[dict[str, Any]]) -> None:
    """Print how many were killed, and each one that was not."""
    for room in (*ROOMS, "all"):
        of_room = [one["killed"] for one in found if room in (one["room"], "all")]
        if of_room:
            low, high = _wilson(sum(of_room), len(of_room))
            print(f"{room:9} {sum(of_room):4} of {len(of_room):4} killed, {low:.1%} to {high:.1%}")
    for one in sorted(found, key=lambda one: (one["file"], one["line"])):
        if not one["killed"]:
            text = (ROOT / one["file"]).read_bytes()[one["start"] : one["end"]].decode()
            print(f"{one['file']}:{one['line']}: {text}  ->  {one['after']}  ({one['tests']} tests)")


def _wilson(killed: int, tried: int) -> tuple[float, float]:
    """Returns the 95 % interval of a share (Wilson, 1927)."""
    z, share = 1.96, killed / tried
    middle = (share + z * z / (2 * tried)) / (1 + z * z / tried)
    half = z / (1 + z * z / tried) * math.sqrt(share * (1 - share) / tried + z * z / (4 * tried * tried))
    return middle - half, middle + half


def main() -> None:
    """Run; see the module."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("what", choices=("map", "try", "show"))
    parser.add_argument("--seed", type=int, default=1, help="of the draw")
    parser.add_argument("--count", type=int, default=300, help="mutants to draw")
    parser.add_argument("--jobs", type=int, default=2, help="tests at a time")
    parser.add_argument("--folder", type=Path, default=Path("mutants"), help="where map and results are kept")
    asked = parser.parse_args()
    asked.folder.mkdir(parents=True, exist_ok=True)
    map_file, ledger = asked.folder / "map.json", asked.folder / f"seed-{asked.seed}.jsonl"
    if asked.what == "map":
        write_map(map_file, asked.jobs)
    elif asked.what == "show":
        show(read_ledger(ledger))
    else:
        every = all_mutants()
        drawn = random.Random(asked.seed).sample(every, min(asked.count, len(every)))
        print(f"{len(drawn)} of {len(every)} mutants; first their tests without a change")
        known = json.loads(map_file.read_text())
        used = {test for mutant in drawn for test in chosen_tests(mutant, known)}
        for failed in used - pass_alone(used, asked.jobs):
            del known["seconds"][failed]
        try_all(drawn, known, ledger, asked.jobs)
        show(read_ledger(ledger))


if __name__ == "__main__":
    main()
