"""`emubot clean`: lists what emubot keeps on this machine, and removes what is asked for; knows no file format."""

from __future__ import annotations

import argparse
import os
import shutil
import sys
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Final

from emubot.cli import common
from emubot.cli.fitting import fitted
from emubot.cli.result import emit_json
from emubot.datafiles import user_cache, user_config, user_data
from emubot.errors import StorageError, UsageError
from emubot.text import counted, did_you_mean, printable

_DESCRIPTION = "Show what emubot keeps on this machine, and remove what you name. Without a word nothing is removed."
_EPILOG = """\
caches      compiled kernels, and notes on emulators and maps: made anew when they are needed
cores       emulator cores that "emubot core install" has put there
data        scripts that "emubot bridge-script" has written
all         caches, cores and data
recordings  games that you recorded in the arena
results     your best results and saved matches of the arena
runs        trainings that you began in the arena

examples:
  emubot clean                     what is there, and how large
  emubot clean caches --yes        remove the caches without a question
  emubot clean cores data          ask, then remove both

Your own maps, weights and settings are never removed. Links are not followed, and a folder that is a link stays."""

_RECREATED: Final = ("caches", "cores", "data")  # what emubot can make or fetch again
_MINE: Final = ("recordings", "results", "runs")  # what a person made, and no `all` removes
_WORDS: Final = (*_RECREATED, "all", *_MINE)
_CACHES: Final = ("kernels", "attached", "maps")  # folders in the cache, which may be a folder of other things too
_UNITS: Final = ((1e9, "GB"), (1e6, "MB"), (1e3, "kB"))


@dataclass(slots=True)
class Kept:
    """A folder of ours: by which word it is removed, how many files and bytes it holds."""

    word: str
    path: Path
    files: int = 0
    size: int = 0
    is_link: bool = False
    removed: bool = False


def run(words: list[str]) -> int:
    """Run `emubot clean WORDS` and return the exit code."""
    options = build_parser().parse_intermixed_args(words)
    wanted = {word for asked in options.words for word in (_RECREATED if asked == "all" else (asked,))}
    found = [kept for kept in folders() if kept.files or kept.is_link]
    chosen = [kept for kept in found if kept.word in wanted and not kept.is_link]
    if chosen and not options.yes:
        _ask(chosen)
    for kept in chosen:
        _remove(kept.path)
        kept.removed = True
    _tell(found, options)
    return 0


def build_parser() -> common.Parser:
    """Returns the parser of `emubot clean`."""
    made = common.parser("clean", _DESCRIPTION, _EPILOG)
    made.add_argument(
        "words", nargs="*", default=[], type=_word, metavar="WHAT", help=f"what to remove: {', '.join(_WORDS)}"
    )
    made.add_argument("--yes", action="store_true", help="remove it without a question")
    common.add_json(made)
    return made


def _word(text: str) -> str:
    if text not in _WORDS:
        near = did_you_mean(text, _WORDS)
        raise argparse.ArgumentTypeError(f"there is nothing {printable(text)!r} to remove{near}: {', '.join(_WORDS)}")
    return text


def folders() -> Iterator[Kept]:
    """Yields every folder that emubot writes into, measured; it need not be there."""
    yield from (measured("caches", user_cache() / name) for name in _CACHES)
    yield measured("cores", user_data("cores"))
    yield measured("data", user_data("scripts"))
    yield measured("recordings", user_data("recordings"))
    yield measured("results", user_data("arena"))
    yield measured("runs", user_data("runs"))


def measured(word: str, path: Path) -> Kept:
    """Returns what a folder holds; nothing of what its links lead to."""
    kept = Kept(word, path, is_link=path.is_symlink())
    if not kept.is_link:
        for folder, _, names in os.walk(path):
            kept.files += len(names)
            for name in names:
                try:
                    kept.size += os.lstat(Path(folder, name)).st_size
                except OSError:  # another process has removed it
                    kept.files -= 1
    return kept


def _ask(chosen: Sequence[Kept]) -> None:
    """Ask whether to remove these. Raises UsageError if nobody is there to answer, or if the answer is no."""
    what = "; ".join(f"{kept.path} ({size_of(kept.size)})" for kept in chosen)
    if not (sys.stdin is not None and sys.stdin.isatty() and sys.stderr.isatty()):
        raise UsageError(f"Nothing is removed without --yes: it would be {what}.")
    sys.stderr.write(fitted(f"emubot: remove {what}? [y/N] ", 0, sys.stderr).rstrip() + " ")
    sys.stderr.flush()
    if sys.stdin.readline().strip().lower() not in ("y", "yes"):
        raise UsageError("Nothing was removed.")


def _remove(path: Path) -> None:
    """Remove one of our folders and all in it. Raises StorageError, and names the first file that stays."""
    try:
        shutil.rmtree(path)
    except OSError as failure:
        raise StorageError(f"{failure.filename or path} cannot be removed: {failure.strerror}.") from failure


def _tell(found: Sequence[Kept], options: argparse.Namespace) -> None:
    if options.json:
        rows = [
            {
                "what": kept.word,
                "path": str(kept.path),
                "files": kept.files,
                "bytes": kept.size,
                "link": kept.is_link,
                "removed": kept.removed,
            }
            for kept in found
        ]
        emit_json({"folders": rows, "removed_bytes": sum(kept.size for kept in found if kept.removed)})
        return
    if options.quiet:
        return
    width = max((len(kept.word) for kept in found), default=0)
    for kept in found:
        state = "removed" if kept.removed else f"{size_of(kept.size)} in {counted(kept.files, 'file')}"
        shown = "a link, which is left alone" if kept.is_link else state
        print(fitted(f"{kept.word:<{width}}  {shown}: {kept.path}", width + 2))
    if not found:
        print("emubot keeps nothing on this machine yet.")
    if (own := user_config("")).is_dir():
        print(fitted(f"Your own maps, weights and settings stay in {own}", 0))


def size_of(size: int) -> str:
    """Returns a number of bytes in words."""
    for unit, name in _UNITS:
        if size >= unit:
            return f"{size / unit:.1f} {name}"
    return f"{size} bytes"
