"""One case by its kind and seed: what is made of it, and the verdict; no case knows of another."""

from __future__ import annotations

import random
import shutil
import tempfile
import traceback
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Final

from benchmarks.fuzz import originals, playing
from benchmarks.fuzz.mutations import MOST_STEPS, mutate
from benchmarks.fuzz.readers import READERS
from emubot.errors import EmubotError

FILE_KINDS: Final = originals.KINDS
IMAGES, PILOTS = "images", "pilots"
KINDS: Final = (*FILE_KINDS, IMAGES, PILOTS)
OK: Final = "ok"
REFUSED: Final = "refused "
FOLDER: Final = "emubot-fuzz-"  # how the name of a case's folder begins
_ORIGINALS: Final = 20  # cases, among which each recorded game is
_SIGNS: Final = 160  # of a fault's message


@dataclass(frozen=True, slots=True)
class Verdict:
    """`said` is `ok`, `refused NAME` for a documented error, or the fault with its place; `count` what it counts as."""

    said: str
    count: int = 1

    @property
    def is_fault(self) -> bool:
        """Whether something else came out than what is documented."""
        return self.said != OK and not self.said.startswith(REFUSED)


def parts_of(kind: str, seed: int) -> int:
    """Of how many parts a case is made, which shrinking may leave out."""
    if kind == IMAGES:
        return playing.PER_CASE
    return playing.STRETCHES if kind == PILOTS else _random(kind, seed).choice((1, 1, 1, 2, 3, MOST_STEPS))


def first(kind: str) -> int:
    """How many cases reach every original, or every map: what they need is compiled and loaded then."""
    return len(playing.players()) if kind == PILOTS else _ORIGINALS if kind == "games" else 1


def files_of(kind: str, seed: int, kept: Sequence[int] | None = None) -> list[originals.File]:
    """The damaged files of a case; `kept` are the steps of the damage that are taken, all by default."""
    rng = _random(kind, seed)
    steps = rng.choice((1, 1, 1, 2, 3, MOST_STEPS))
    files = list(rng.choice(originals.bundles(kind)))
    for step in range(steps) if kept is None else kept:
        own = random.Random(f"{kind}/{seed}/{step}")  # so that a step does the same with others left out
        index = own.randrange(len(files))
        name, content, form = files[index]
        files[index] = originals.File(name, mutate(content, form, own), form)
    return files


def judge(kind: str, seed: int, kept: Sequence[int] | None = None) -> Verdict:
    """Do the case, and say what came of it."""
    try:
        if kind == IMAGES:
            playing.decode_images(seed, kept)
            return Verdict(OK, playing.PER_CASE)
        if kind == PILOTS:
            return Verdict(OK, playing.step_pilot(seed, kept))
        return _read(kind, seed, kept)
    except Exception as fault:  # whatever it is, finding it is what this is for
        return Verdict(_described(fault))


def _read(kind: str, seed: int, kept: Sequence[int] | None) -> Verdict:
    files = files_of(kind, seed, kept)
    folder = Path(tempfile.mkdtemp(prefix=FOLDER))
    try:
        for file in files:
            (folder / file.name).write_bytes(file.content)
        READERS[kind](folder, files)
    except EmubotError as refused:
        told = str(refused)
        if told.isprintable():
            return Verdict(f"{REFUSED}{type(refused).__name__}")
        raise AssertionError(f"control characters in the message of {type(refused).__name__}") from refused
    finally:
        shutil.rmtree(folder, ignore_errors=True)
    return Verdict(OK)


def _random(kind: str, seed: int) -> random.Random:
    return random.Random(f"{kind}/{seed}")


def _described(fault: BaseException) -> str:
    """The fault and the innermost place in emubot that it went through: two of them are taken for one fault."""
    cause = fault.__cause__ if isinstance(fault, AssertionError) and fault.__cause__ else fault
    frames = [f for f in traceback.extract_tb(cause.__traceback__) if "/emubot/" in f.filename.replace("\\", "/")]
    place = ""
    if frames:
        file = frames[-1].filename.replace("\\", "/").rpartition("/emubot/")[2]
        place = f" in {file}:{frames[-1].name}"
    text = " ".join(str(fault).split())
    shown = "".join(sign if sign.isprintable() else "?" for sign in text)[:_SIGNS]
    return f"{type(fault).__name__}{place}: {shown}"


def shrunk(kind: str, seed: int, ask: Callable[[Sequence[int]], Verdict]) -> tuple[int, ...]:
    """The fewest parts, by leaving out half and then ever less, that still give the fault."""
    kept = tuple(range(parts_of(kind, seed)))
    size = max(len(kept) // 2, 1)
    while True:
        at = 0
        while at < len(kept) and len(kept) > 1:
            rest = kept[:at] + kept[at + size :]
            if rest and ask(rest).is_fault:
                kept = rest
            else:
                at += size
        if size == 1:
            return kept
        size //= 2


def line_of(kind: str, seed: int, kept: Sequence[int] | None = None) -> str:
    """The command that repeats one case."""
    only = f" --parts {','.join(map(str, kept))}" if kept else ""
    return f"python -m benchmarks.fuzz --kind {kind} --case {seed}{only}"


ALL: Final[Mapping[str, int]] = {
    "cartridges": 30_000,
    "maps": 5_000,
    "weights": 15_000,
    "traces": 6_000,
    "games": 100_000,
    "folders": 10_000,
    "keys": 34_000,
    IMAGES: 1_000_000,
    PILOTS: 1_000_000,
}
