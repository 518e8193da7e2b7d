"""The folder of a training run: what lies in it is whole at any moment, and says where to go on; knows no method.

`checkpoint-000012.json` holds the run after 12 generations, the one before is kept; `history.jsonl` has a line for each
generation, `times.jsonl` how long it took (nothing else knows of time), `weights.json` what came out at the end and
`finished.json` after which generation that was. A generation's line is on the disk before its checkpoint: going on
cuts the history back to what the checkpoint knows of.
"""

from __future__ import annotations

import hashlib
import json
import os
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from pathlib import Path
from typing import Any, Final

from emubot.atomic import PART, append, cannot_be_written, locked, write_whole
from emubot.errors import CheckpointError, StorageError, UsageError, WeightsError
from emubot.files import UnsuitableFile, kind, open_regular, read_regular
from emubot.text import printable
from emubot.training.checkpoint import Checkpoint, differences, generation_of, plain
from emubot.training.history import NAME as HISTORY
from emubot.training.history import line_of
from emubot.training.trainer import Report
from emubot.version import __version__
from emubot.weights import Weights, load_weights, save_weights

TIMES: Final = "times.jsonl"
WEIGHTS: Final = "weights.json"
FINISHED: Final = "finished.json"
LOCK: Final = ".lock"
KEPT: Final = 2  # checkpoints

_MOST_BYTES: Final = 1 << 28  # of any file but the history
_AT_ONCE: Final = 1 << 20


class RunFolder:
    """A run's folder while this process has it; `open_run` gives one. `checkpoint` is where the run stands."""

    def __init__(self, path: Path, settings: Mapping[str, Any], checkpoint: Checkpoint | None) -> None:
        self.path = path
        self.settings = plain(settings) if checkpoint is None else checkpoint.settings
        self.checkpoint = checkpoint
        history = path / HISTORY
        self._written, self._length = _begun(history)

    def keep(self, generation: int, state: Mapping[str, Any], report: Report | None = None) -> None:
        """The run stands after this generation now: its line, then its checkpoint, then older ones go.

        Raises StorageError; the run then stands where it stood.
        """
        if report is not None:
            line = line_of(report)
            append(self.path / HISTORY, line)
            self._written.update(line)
            self._length += len(line)
        told = Checkpoint(__version__, self.settings, generation, state, self._length, self._written.hexdigest())
        write_whole(self.path / told.name, told.to_bytes())
        self.checkpoint = told
        _tidy(self.path, generation)

    def took(self, generation: int, what: str, games: int, wall_seconds: float, cpu_seconds: float) -> None:
        """Add a line to times.jsonl; `what` it was spent on is `generation` or `final`. Raises StorageError."""
        told = {
            "generation": generation,
            "what": what,
            "games": games,
            "wall_seconds": round(wall_seconds, 3),
            "cpu_seconds": round(cpu_seconds, 3),
        }
        append(self.path / TIMES, (json.dumps(told) + "\n").encode())

    def finish(self, weights: Weights) -> None:
        """Write weights.json, the outcome of the run as it stands. Raises StorageError."""
        save_weights(weights, self.path / WEIGHTS)
        write_whole(self.path / FINISHED, self._finished())

    def outcome(self) -> Weights | None:
        """What `finish` wrote for the run as it stands, or None."""
        try:
            if _content(self.path / FINISHED) == self._finished():
                return load_weights(str(self.path / WEIGHTS))
        except (FileNotFoundError, WeightsError):
            pass  # ended before it was finished: measured again, to the same bytes
        return None

    def _finished(self) -> bytes:
        assert self.checkpoint is not None
        digest = hashlib.sha256(_content(self.path / WEIGHTS)).hexdigest()
        return (json.dumps({"generation": self.checkpoint.generation, "weights_sha256": digest}) + "\n").encode()


@contextmanager
def open_run(
    path: Path, settings: Mapping[str, Any], say: Callable[[str], object], must_exist: bool = False
) -> Iterator[RunFolder]:
    """The folder of a run with these settings (a JSON object), made where there is none, this process's alone.

    `say` hears sentences about what was found amiss. With `must_exist`, a folder without a run is refused. Raises
    UsageError if it is in use or of a run with other settings, CheckpointError if nothing in it can be gone on from,
    StorageError if it cannot be read or written.
    """
    nothing = f"There is no run in {path} to resume: leave out --resume, or name the folder of one."
    if must_exist and not path.is_dir():
        raise UsageError(nothing)
    if path.exists() and not path.is_dir():
        raise UsageError(f"{path} is {kind(path.stat().st_mode) or 'a file'}, not a folder: name another one.")
    try:
        path.mkdir(parents=True, exist_ok=True)
    except OSError as failure:
        raise cannot_be_written(path, failure) from failure
    with locked(path / LOCK, path, "name another folder"):
        checkpoint = latest(path, say)
        if checkpoint is None and must_exist:
            raise UsageError(nothing)
        if checkpoint is not None:
            differ = differences(plain(settings), checkpoint.settings)
            if differ:
                raise UsageError(
                    f"{path} holds a run with other settings ({', '.join(differ)}): use the same ones, or another "
                    "folder."
                )
            if checkpoint.emubot != __version__:
                say(
                    f"The run in {path} was made by emubot {printable(checkpoint.emubot)}, this is {__version__}: it "
                    "goes on, but the result may be another than either alone would reach."
                )
            _cut_back(path, checkpoint)
        yield RunFolder(path, settings, checkpoint)


def latest(path: Path, say: Callable[[str], object] = lambda sentence: None) -> Checkpoint | None:
    """The newest checkpoint in a folder that is whole and whose history is there; None where no run has begun.

    It may be asked while the run goes on. `say` hears why a newer one was passed over. Raises CheckpointError where a
    run was but none of its checkpoints can be used, StorageError where a file cannot be read.
    """
    damage = ""
    for name in _checkpoints(path):
        try:
            found = Checkpoint.from_bytes(_content(path / name))
            _check_place(path, name, found)
        except FileNotFoundError:
            if not (path / name).is_symlink():
                return latest(path, say)  # the run goes on, and has removed it meanwhile
            damage = damage or f"{path / name} cannot be used (it is a link to nothing)"
            continue
        except CheckpointError as wrong:
            damage = damage or str(wrong).removesuffix(": remove it.")
            continue
        except (ValueError, TypeError, KeyError, RecursionError) as wrong:
            damage = damage or f"{path / name} cannot be used ({printable(wrong)})"
            continue
        if damage:
            say(f"{damage}: going on from {found.name}, so what came after generation {found.generation} is lost.")
        return found
    if damage or (path / HISTORY).exists():
        raise CheckpointError(
            f"{damage or f'{path} has a history but no checkpoint'} and no other one is left: put back a copy of the "
            "folder, or begin anew in another one."
        )
    return None


def _check_place(path: Path, name: str, checkpoint: Checkpoint) -> None:
    if checkpoint.name != name:
        raise ValueError(f"it is {checkpoint.name} by another name")
    digest, length = _begun(path / HISTORY, checkpoint.history_bytes)
    if (digest.hexdigest(), length) != (checkpoint.history_sha256, checkpoint.history_bytes):
        raise ValueError(f"{HISTORY} is not the one it was made with")


def _begun(history: Path, most: int | None = None) -> tuple[hashlib._Hash, int]:
    """SHA-256 and number of the first `most` bytes of a history, or of all; none where there is no file.

    Raises StorageError where it cannot be read.
    """
    digest, length = hashlib.sha256(), 0
    try:
        with open_regular(history) as file:
            while piece := file.read(_AT_ONCE if most is None else min(_AT_ONCE, most - length)):
                digest.update(piece)
                length += len(piece)
    except FileNotFoundError:
        pass
    except OSError as failure:
        raise StorageError(f"{history} cannot be read: {failure.strerror}.") from failure
    return digest, length


def _cut_back(path: Path, checkpoint: Checkpoint) -> None:
    """Take away what an earlier process wrote of later generations, and what it left half done."""
    try:
        for part in path.glob(f".*.{PART}"):  # what a file is before it is whole
            part.unlink()
        if (path / HISTORY).exists():
            os.truncate(path / HISTORY, checkpoint.history_bytes)
        if (path / TIMES).exists():
            lines = _content(path / TIMES).splitlines(keepends=True)
            kept = b"".join(line for line in lines if _is_up_to(line, checkpoint.generation))
            write_whole(path / TIMES, kept)
    except OSError as failure:
        raise cannot_be_written(path, failure) from failure
    _tidy(path, checkpoint.generation)


def _is_up_to(line: bytes, generation: int) -> bool:
    """Whether this is a line of times.jsonl that is whole and not of a generation that is to come again."""
    try:
        return line.endswith(b"\n") and int(json.loads(line)["generation"]) <= generation
    except (ValueError, TypeError, KeyError, OverflowError, RecursionError):
        return False


def _tidy(path: Path, generation: int) -> None:
    """Remove the checkpoints before the last KEPT; one of a later generation is of no use and soon written anew."""
    try:
        for name, number in _checkpoints(path).items():
            if number <= generation - KEPT:
                (path / name).unlink(missing_ok=True)
    except OSError as failure:
        raise cannot_be_written(path, failure) from failure


def _checkpoints(path: Path) -> dict[str, int]:
    """The names of the folder's checkpoints with their generations, the newest first."""
    try:
        names = [file.name for file in path.iterdir()]
    except (FileNotFoundError, NotADirectoryError):
        return {}
    except OSError as failure:
        raise StorageError(f"{path} cannot be read: {failure.strerror}.") from failure
    found = {name: number for name in names if (number := generation_of(name)) is not None}
    return dict(sorted(found.items(), key=lambda pair: pair[1], reverse=True))


def _content(path: Path) -> bytes:
    """A file's bytes. Raises FileNotFoundError, CheckpointError for no file of a run, StorageError."""
    try:
        return read_regular(path, _MOST_BYTES)
    except FileNotFoundError:
        raise
    except UnsuitableFile as wrong:
        raise CheckpointError(f"{path} cannot be used ({wrong.strerror}): remove it.") from wrong
    except OSError as failure:
        raise StorageError(f"{path} cannot be read: {failure.strerror}.") from failure
