"""The folder of a training run: its content is whole at any moment and says where to continue.

`checkpoint-000012.json` holds the run after 12 generations, and the one before is kept. `history.jsonl` has a line for
each generation, `times.jsonl` how long it took (nothing else knows of time), `weights.json` the result at the end and
`finished.json` after which generation that was. A generation's line is on disk before its checkpoint. To continue, the
history is cut back to what the checkpoint knows of.
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
    """A run's folder while this process holds it; `open_run` returns one. `checkpoint` is the run's latest state."""

    def __init__(self, path: Path, settings: Mapping[str, Any], checkpoint: Checkpoint | None) -> None:
        self.path = path
        self.settings = plain(settings) if checkpoint is None else checkpoint.settings
        self.checkpoint = checkpoint
        history = path / HISTORY
        self._written, self._length = _begun(history)

    def save_generation(self, generation: int, state: Mapping[str, Any], report: Report | None = None) -> None:
        """Save the run after this generation: its line, then its checkpoint; then remove older checkpoints.

        Raises StorageError; the run is then as it was before.
        """
        if report is not None:
            line = line_of(report)
            append(self.path / HISTORY, line)
            self._written.update(line)
            self._length += len(line)
        checkpoint = Checkpoint(__version__, self.settings, generation, state, self._length, self._written.hexdigest())
        write_whole(self.path / checkpoint.name, checkpoint.to_bytes())
        self.checkpoint = checkpoint
        _tidy(self.path, generation)

    def took(self, generation: int, what: str, games: int, wall_seconds: float, cpu_seconds: float) -> None:
        """Add a line to times.jsonl; `what` took the time is `generation` or `final`. Raises StorageError."""
        line = {
            "generation": generation,
            "what": what,
            "games": games,
            "wall_seconds": round(wall_seconds, 3),
            "cpu_seconds": round(cpu_seconds, 3),
        }
        append(self.path / TIMES, (json.dumps(line) + "\n").encode())

    def finish(self, weights: Weights) -> None:
        """Write weights.json, the outcome of the run as it is now. Raises StorageError."""
        save_weights(weights, self.path / WEIGHTS)
        write_whole(self.path / FINISHED, self._finished())

    def outcome(self) -> Weights | None:
        """Returns what `finish` wrote for the run as it is now, or None."""
        try:
            if _content(self.path / FINISHED) == self._finished():
                return load_weights(str(self.path / WEIGHTS))
        except (FileNotFoundError, WeightsError):
            pass  # interrupted before it was finished: it is measured again, to the same bytes
        return None

    def _finished(self) -> bytes:
        assert self.checkpoint is not None
        digest = hashlib.sha256(_content(self.path / WEIGHTS)).hexdigest()
        return (json.dumps({"generation": self.checkpoint.generation, "weights_sha256": digest}) + "\n").encode()


@contextmanager
def open_run(
    path: Path, settings: Mapping[str, Any], say: Callable[[str], object], must_exist: bool = False
) -> Iterator[RunFolder]:
    """Open the folder of a run with these settings (a JSON object), for this process alone; make it if it is missing.

    `say` gets sentences about problems in the folder. With `must_exist`, a folder without a run is refused. Raises
    UsageError if the folder is in use or its run has other settings, CheckpointError if no checkpoint in it can be
    used, StorageError if it cannot be read or written.
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
                    "continues, but its result may differ from that of either version alone."
                )
            _cut_back(path, checkpoint)
        yield RunFolder(path, settings, checkpoint)


def latest(path: Path, say: Callable[[str], object] = lambda sentence: None) -> Checkpoint | None:
    """Returns the newest whole checkpoint in a folder whose history is there, or None if no run has begun.

    It can be called while the run is going on. `say` gets the reason why a newer one was passed over. Raises
    CheckpointError if there was a run but none of its checkpoints can be used, StorageError if a file cannot be read.
    """
    damage = ""
    for name in _checkpoints(path):
        try:
            checkpoint = Checkpoint.from_bytes(_content(path / name))
            _check_place(path, name, checkpoint)
        except FileNotFoundError:
            if not (path / name).is_symlink():
                return latest(path, say)  # the run is going on, and has removed it meanwhile
            damage = damage or f"{path / name} cannot be used (it is a link to nothing)"
            continue
        except CheckpointError as wrong:
            damage = damage or str(wrong).removesuffix(": remove it.")
            continue
        except (ValueError, TypeError, KeyError, RecursionError) as wrong:
            damage = damage or f"{path / name} cannot be used ({printable(wrong)})"
            continue
        if damage:
            last = checkpoint.generation
            say(f"{damage}: going on from {checkpoint.name}, so what came after generation {last} is lost.")
        return checkpoint
    if damage or (path / HISTORY).exists():
        raise CheckpointError(
            f"{damage or f'{path} has a history but no checkpoint'} and no other one is left: put back a copy of the "
            "folder, or start again in another one."
        )
    return None


def _check_place(path: Path, name: str, checkpoint: Checkpoint) -> None:
    if checkpoint.name != name:
        raise ValueError(f"it is {checkpoint.name} by another name")
    digest, length = _begun(path / HISTORY, checkpoint.history_bytes)
    if (digest.hexdigest(), length) != (checkpoint.history_sha256, checkpoint.history_bytes):
        raise ValueError(f"{HISTORY} is not the one it was made with")


def _begun(history: Path, most: int | None = None) -> tuple[hashlib._Hash, int]:
    """Returns SHA-256 and length of the first `most` bytes of a history, or of all; of nothing if there is no file.

    Raises StorageError if it cannot be read.
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
    """Remove what an earlier process wrote about later generations, and its unfinished files."""
    try:
        for part in path.glob(f".*.{PART}"):  # files that are not yet whole
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
    """Returns whether this is a whole line of times.jsonl, and not about a later generation."""
    try:
        return line.endswith(b"\n") and int(json.loads(line)["generation"]) <= generation
    except (ValueError, TypeError, KeyError, OverflowError, RecursionError):
        return False


def _tidy(path: Path, generation: int) -> None:
    """Remove the checkpoints before the last KEPT. One of a later generation is useless and soon overwritten."""
    try:
        for name, number in _checkpoints(path).items():
            if number <= generation - KEPT:
                (path / name).unlink(missing_ok=True)
    except OSError as failure:
        raise cannot_be_written(path, failure) from failure


def _checkpoints(path: Path) -> dict[str, int]:
    """Returns the names of the folder's checkpoints with their generations, the newest first."""
    try:
        names = [file.name for file in path.iterdir()]
    except (FileNotFoundError, NotADirectoryError):
        return {}
    except OSError as failure:
        raise StorageError(f"{path} cannot be read: {failure.strerror}.") from failure
    generations = {name: number for name in names if (number := generation_of(name)) is not None}
    return dict(sorted(generations.items(), key=lambda pair: pair[1], reverse=True))


def _content(path: Path) -> bytes:
    """Returns a file's bytes. Raises FileNotFoundError, CheckpointError if the file is unsuitable, or StorageError."""
    try:
        return read_regular(path, _MOST_BYTES)
    except FileNotFoundError:
        raise
    except UnsuitableFile as wrong:
        raise CheckpointError(f"{path} cannot be used ({wrong.strerror}): remove it.") from wrong
    except OSError as failure:
        raise StorageError(f"{path} cannot be read: {failure.strerror}.") from failure
