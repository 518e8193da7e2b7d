"""What lies in a run's folder after any damage is gone on from, or refused in one sentence; nothing is guessed."""

from __future__ import annotations

import hashlib
import json
import os
import subprocess
import sys
from collections.abc import Callable, Mapping
from pathlib import Path
from typing import Any

import pytest

from emubot.errors import CheckpointError, StorageError, UsageError
from emubot.training import folder as folder_module
from emubot.training.checkpoint import Checkpoint
from emubot.training.folder import FINISHED, LOCK, TIMES, WEIGHTS, RunFolder, latest, open_run
from emubot.training.history import NAME as HISTORY
from emubot.training.history import read_history
from tests.paths import ROOT
from tests.special_files import posix_only, python
from tests.training.toy_trainer import SETTINGS, ToyTrainer, weights
from tests.training.toy_trainer import main as whole_run

SILENT = list[str]().append


def advance(run: RunFolder, generations: int) -> None:
    """Do as a run does, with no executor."""
    trainer = ToyTrainer(run.checkpoint.state if run.checkpoint else None)
    if run.checkpoint is None:
        run.save_generation(0, trainer.state())
    for _ in range(generations):
        report = None
        while report is None:
            report = trainer.tell([task.work(task.argument) for task in trainer.ask()])
        run.took(trainer.generation, "generation", report.games, 1.5, 0.25)
        run.save_generation(trainer.generation, trainer.state(), report)


def made(path: Path, generations: int) -> None:
    with open_run(path, SETTINGS, SILENT) as run:
        advance(run, generations)


def content(path: Path) -> dict[str, bytes]:
    return {file.name: file.read_bytes() for file in path.iterdir() if file.name != LOCK}


def test_a_run_is_these_files(tmp_path: Path) -> None:
    made(tmp_path / "runs" / "a", 3)
    assert sorted(content(tmp_path / "runs" / "a")) == [
        "checkpoint-000002.json", "checkpoint-000003.json", HISTORY, TIMES,
    ]  # fmt: skip
    assert [report.generation for report in read_history(tmp_path / "runs" / "a")] == [1, 2, 3]
    assert b"seconds" not in b"".join(text for name, text in content(tmp_path / "runs" / "a").items() if name != TIMES)


def test_in_parts_or_at_once_is_the_same(tmp_path: Path) -> None:
    made(tmp_path / "a", 5)
    for generations in (0, 2, 0, 3):
        made(tmp_path / "b", generations)
    assert content(tmp_path / "a") == content(tmp_path / "b")


def test_what_came_after_the_checkpoint_is_cut_off(tmp_path: Path) -> None:
    made(tmp_path / "a", 4)
    whole = content(tmp_path / "a")
    made(tmp_path / "b", 3)
    kept = content(tmp_path / "b")
    line, time = (whole[name][len(kept[name]) :] for name in (HISTORY, TIMES))
    for length in (0, 1, len(line) // 2, len(line) - 1, len(line)):
        with (tmp_path / "b" / HISTORY).open("ab") as file:
            file.write(line[:length])
        with (tmp_path / "b" / TIMES).open("ab") as file:
            file.write(time[:length])
        for part in (".checkpoint-000004.json.part", ".weights.json.part", f".{TIMES}.part"):
            (tmp_path / "b" / part).write_bytes(b"half")
        (tmp_path / "b" / ".weights.json.swp").write_bytes(b"somebody's editor")
        made(tmp_path / "b", 0)
        (tmp_path / "b" / ".weights.json.swp").unlink()  # was left alone
        assert content(tmp_path / "b") == kept
    made(tmp_path / "b", 1)
    assert content(tmp_path / "b") == whole


def damages(whole: bytes) -> dict[str, bytes]:
    flipped = bytearray(whole)
    flipped[len(whole) // 2] ^= 4
    lengths = [0, 1, 20, len(whole) // 2, len(whole) - 1]
    return {"flipped": bytes(flipped), "other": b"\xff\x00"} | {str(length): whole[:length] for length in lengths}


@pytest.mark.parametrize("damage", ["flipped", "other", "cut", "older"])
def test_a_corrupt_last_checkpoint_is_passed_over(damage: str, tmp_path: Path) -> None:
    made(tmp_path / "a", 4)
    whole = content(tmp_path / "a")
    last, previous = tmp_path / "a" / "checkpoint-000004.json", tmp_path / "a" / "checkpoint-000003.json"
    cuts = list(damages(last.read_bytes()).values())[2:]
    for text in {"cut": cuts, "older": [previous.read_bytes()]}.get(damage) or [damages(last.read_bytes())[damage]]:
        last.write_bytes(text)
        said: list[str] = []
        with open_run(tmp_path / "a", SETTINGS, said.append) as run:
            assert run.checkpoint is not None
            assert run.checkpoint.generation == 3
            advance(run, 1)
        (sentence,) = said
        assert sentence.startswith(f"{last} cannot be used (it")
        assert sentence.endswith(": going on from checkpoint-000003.json, so what came after generation 3 is lost.")
        assert content(tmp_path / "a") == whole


def signed(checkpoint: bytes, change: Callable[[dict[str, Any]], object]) -> bytes:
    """The checkpoint changed, with the checksum that is right for it."""
    told = json.loads(checkpoint)["checkpoint"]
    change(told)
    body = json.dumps(told).encode()
    return b'{"sha256": "%s", "checkpoint": %s}\n' % (hashlib.sha256(body).hexdigest().encode(), body)


WRONG: dict[str, Callable[[dict[str, Any]], object]] = {
    "no length": lambda told: told["history"].update(bytes=None),
    "negative": lambda told: told["history"].update(bytes=-1),
    "huge": lambda told: told["history"].update(bytes=1 << 80),
    "longer by one": lambda told: told["history"].update(bytes=told["history"]["bytes"] + 1),
    "true": lambda told: told["history"].update(bytes=True),
    "no history": lambda told: told.update(history=None),
    "a list": lambda told: told.update(history=[]),
    "no checksum": lambda told: told["history"].update(sha256=None),
    "no generation": lambda told: told.update(generation=None),
    "words": lambda told: told.update(generation="4"),
    "no state": lambda told: told.update(state=None),
    "no settings": lambda told: told.update(settings=[]),
    "no version": lambda told: told.update(emubot=None),
    "nothing": lambda told: told.clear(),
}


@pytest.mark.parametrize("change", WRONG.values(), ids=WRONG.keys())
def test_a_checkpoint_that_is_whole_and_wrong_is_passed_over(
    change: Callable[[dict[str, Any]], object], tmp_path: Path
) -> None:
    made(tmp_path / "a", 4)
    whole = content(tmp_path / "a")
    last = tmp_path / "a" / "checkpoint-000004.json"
    last.write_bytes(signed(last.read_bytes(), change))
    said: list[str] = []
    with open_run(tmp_path / "a", SETTINGS, said.append) as run:
        assert run.checkpoint is not None
        assert run.checkpoint.generation == 3
        advance(run, 1)
    assert said[0].startswith(f"{last} cannot be used (")
    assert content(tmp_path / "a") == whole


@posix_only
@pytest.mark.parametrize("kind", ["a link to nothing", "a folder", "a device"])
def test_a_checkpoint_that_is_no_file_is_passed_over(kind: str, tmp_path: Path) -> None:
    made(tmp_path / "a", 4)
    last = tmp_path / "a" / "checkpoint-000004.json"
    last.unlink()
    if kind == "a folder":
        last.mkdir()
    else:
        last.symlink_to("none" if kind == "a link to nothing" else "/dev/zero")
    said: list[str] = []
    with open_run(tmp_path / "a", SETTINGS, said.append) as run:
        assert run.checkpoint is not None
        assert run.checkpoint.generation == 3
    assert said[0].startswith(f"{last} cannot be used (")
    assert said[0].endswith(": going on from checkpoint-000003.json, so what came after generation 3 is lost.")


@posix_only
def test_a_pipe_in_a_runs_folder_is_never_opened(tmp_path: Path) -> None:
    script = (
        "import sys\n"
        "from pathlib import Path\n"
        "from emubot.errors import EmubotError\n"
        "from emubot.training.folder import open_run\n"
        "from tests.training.toy_trainer import SETTINGS\n"
        "for name in sys.argv[1:]:\n"
        "    try:\n"
        "        with open_run(Path(name), SETTINGS, print) as run:\n"
        "            print(run.checkpoint.generation, run.outcome())\n"
        "    except EmubotError as failure:\n"
        "        print(failure.exit_code, failure)\n"
    )
    folders = []
    for name in ("checkpoint-000004.json", HISTORY, TIMES, FINISHED):
        folders.append(tmp_path / name.partition(".")[0])
        made(folders[-1], 4)
        (folders[-1] / name).unlink(missing_ok=True)
        os.mkfifo(folders[-1] / name)
    ended = python(f"import sys\nsys.path.insert(0, {str(ROOT)!r})\n" + script, *folders)
    assert ended.stderr == ""
    newest, history, times, finished = folders
    assert ended.stdout.splitlines() == [
        f"{newest / 'checkpoint-000004.json'} cannot be used (it is a pipe, not a regular file): going on from "
        "checkpoint-000003.json, so what came after generation 3 is lost.",
        "3 None",
        f"4 {history / HISTORY} cannot be read: it is a pipe, not a regular file.",
        f"2 {times / TIMES} cannot be used (it is a pipe, not a regular file): remove it.",
        f"2 {finished / FINISHED} cannot be used (it is a pipe, not a regular file): remove it.",
    ]


@posix_only
def test_a_run_in_what_is_no_folder_is_refused(tmp_path: Path) -> None:
    (tmp_path / "file").touch()
    for path, word in ((tmp_path / "file", "a file"), (Path("/dev/null"), "a device")):
        with pytest.raises(UsageError, match=f"is {word}, not a folder: name another one"):
            made(path, 0)
        assert latest(path) is None


def test_an_older_one_that_is_good_outlives_two_that_are_not(tmp_path: Path) -> None:
    """A run killed before it removed the oldest of three checkpoints, the other two of which went bad."""
    made(tmp_path / "a", 3)
    older = (tmp_path / "a" / "checkpoint-000002.json").read_bytes()
    made(tmp_path / "a", 1)
    whole = content(tmp_path / "a")
    (tmp_path / "a" / "checkpoint-000002.json").write_bytes(older)
    for number in (3, 4):
        (tmp_path / "a" / f"checkpoint-00000{number}.json").write_bytes(b"")
    made(tmp_path / "a", 0)
    made(tmp_path / "a", 2)
    assert content(tmp_path / "a") == whole


def test_a_history_that_is_not_the_checkpoints_is_not_gone_on_with(tmp_path: Path) -> None:
    made(tmp_path / "a", 4)
    history = tmp_path / "a" / HISTORY
    whole = history.read_bytes()
    last_line = whole.splitlines(keepends=True)[-1]
    history.write_bytes(whole[: -len(last_line)] + last_line.replace(b'"generation"', b'"Generation"'))
    said: list[str] = []
    with open_run(tmp_path / "a", SETTINGS, said.append) as run:
        assert run.checkpoint is not None
        assert run.checkpoint.generation == 3
    assert "checkpoint-000004.json cannot be used (history.jsonl is not the one it was made with)" in said[0]
    history.unlink()
    with pytest.raises(CheckpointError, match=r"history\.jsonl is not the one it was made with\) and no other one"):
        made(tmp_path / "a", 0)


def test_nothing_to_go_on_from_names_the_remedy(tmp_path: Path) -> None:
    made(tmp_path / "a", 2)
    files = sorted((tmp_path / "a").glob("checkpoint-*"))
    for file in files:
        file.write_bytes(file.read_bytes()[:-30])
    with pytest.raises(CheckpointError) as told:
        made(tmp_path / "a", 0)
    assert str(told.value) == (
        f"{files[1]} cannot be used (it is cut short or no checkpoint) and no other one is left: put back a copy of "
        "the folder, or start again in another one."
    )
    assert told.value.exit_code == 2
    for file in files:
        file.unlink()
    with pytest.raises(CheckpointError, match="a has a history but no checkpoint and no other one is left"):
        made(tmp_path / "a", 0)


def test_other_settings_are_named_one_by_one(tmp_path: Path) -> None:
    made(tmp_path / "a", 1)
    asked = SETTINGS | {"seed": 8, "shape": {"population": 20, "rounds": 2}}
    before = content(tmp_path / "a")
    with pytest.raises(UsageError) as told, open_run(tmp_path / "a", asked, SILENT):
        pass
    assert str(told.value) == (
        f"{tmp_path / 'a'} holds a run with other settings (seed 7 instead of 8, shape.population 6 instead of 20): "
        "use the same ones, or another folder."
    )
    assert content(tmp_path / "a") == before


def test_what_strangers_name_their_settings_is_shown_without_control_characters(tmp_path: Path) -> None:
    with open_run(tmp_path / "a", {"see\x1bd": "\x07\n", "shape": {"\x9b": 1}}, SILENT) as run:
        run.save_generation(0, {})
    with pytest.raises(UsageError) as told, open_run(tmp_path / "a", SETTINGS, SILENT):
        pass
    assert str(told.value).isprintable()
    assert "see?d ?? instead of none" in str(told.value)


def test_whose_emubot_it_was_is_shown_without_control_characters(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(folder_module, "__version__", "1\x1b[2J")
    made(tmp_path / "a", 1)
    monkeypatch.undo()
    said: list[str] = []
    with open_run(tmp_path / "a", SETTINGS, said.append):
        pass
    assert "emubot 1?[2J" in said[0]


@pytest.mark.parametrize("number", [b"1e999", b"NaN", b"[" * 60_000])
def test_impossible_lines_of_times_are_dropped(number: bytes, tmp_path: Path) -> None:
    made(tmp_path / "a", 2)
    before = (tmp_path / "a" / TIMES).read_bytes()
    (tmp_path / "a" / TIMES).write_bytes(b'{"generation": ' + number + b"}\n" + before)
    made(tmp_path / "a", 0)
    assert (tmp_path / "a" / TIMES).read_bytes() == before


def test_another_emubot_is_told(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    made(tmp_path / "a", 1)
    monkeypatch.setattr(folder_module, "__version__", "9.9.9")
    said: list[str] = []
    with open_run(tmp_path / "a", SETTINGS, said.append) as run:
        advance(run, 1)
    assert len(said) == 1
    assert "was made by emubot" in said[0]
    assert "this is 9.9.9" in said[0]
    made(tmp_path / "a", 0)


def test_resuming_where_nothing_is_can_be_refused(tmp_path: Path) -> None:
    for path in (tmp_path / "a", tmp_path):
        refused = pytest.raises(UsageError, match=r"There is no run in .* to resume: leave out --resume")
        with refused, open_run(path, SETTINGS, SILENT, must_exist=True):
            pass
    assert not (tmp_path / "a").exists()
    made(tmp_path / "a", 0)
    with open_run(tmp_path / "a", SETTINGS, SILENT, must_exist=True) as run:
        assert run.checkpoint is not None


def test_a_folder_that_cannot_be_made_is_one_sentence(tmp_path: Path) -> None:
    (tmp_path / "file").touch()
    with pytest.raises(StorageError, match="cannot be written"):
        made(tmp_path / "file" / "run", 0)


@pytest.mark.xdist_group("signals")
def test_a_folder_is_one_runs_at_a_time(tmp_path: Path) -> None:
    script = (
        "import sys\nfrom pathlib import Path\nfrom emubot.training.folder import open_run\n"
        "with open_run(Path(sys.argv[1]), {}, lambda sentence: None):\n"
        "    print('held', flush=True)\n    sys.stdin.read()\n"
    )
    path = tmp_path / "run"
    other = subprocess.Popen(
        [sys.executable, "-c", script, str(path)], stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True
    )
    try:
        assert other.stdout is not None
        assert other.stdout.readline() == "held\n"
        with pytest.raises(UsageError) as told:
            made(path, 1)
        assert str(told.value) == f"{path} is in use by another run: wait for it, or name another folder."
        assert told.value.exit_code == 2
    finally:
        other.kill()
        other.communicate()
    made(path / "..", 1)


@pytest.mark.parametrize("call", ["os.fsync", "pathlib.Path.replace", "pathlib.Path.open"])
@pytest.mark.parametrize("survivors", range(8))
def test_a_full_disk_loses_nothing_older(
    survivors: int, call: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The disk is full from one of the calls that write a generation on, and empty again later."""
    made(tmp_path / "straight", 3)
    made(tmp_path / "a", 2)
    module, _, name = call.rpartition(".")
    owner: Any = os if module == "os" else Path
    told = ""
    with open_run(tmp_path / "a", SETTINGS, SILENT) as run, monkeypatch.context() as patch:
        patch.setattr(owner, name, failing_after(survivors, getattr(owner, name)))
        try:
            advance(run, 1)
        except StorageError as full:
            told = str(full)
    assert not told or told.endswith("cannot be written: No space left on device.")
    assert told or survivors > 0
    found = latest(tmp_path / "a")
    assert found is not None
    assert found.generation >= 2
    made(tmp_path / "a", 3 - found.generation)
    assert content(tmp_path / "a") == content(tmp_path / "straight")


def failing_after(survivors: int, real: Callable[..., Any]) -> Callable[..., Any]:
    left = iter(range(survivors))

    def call(*given: Any, **named: Any) -> Any:
        if next(left, None) is None:
            raise OSError(28, "No space left on device")
        return real(*given, **named)

    return call


@pytest.mark.skipif(sys.platform == "win32", reason="needs POSIX limits")
def test_a_disk_that_fills_in_the_middle_of_a_line(tmp_path: Path) -> None:
    """The system itself refuses what goes beyond so many bytes of a file."""
    # -B: a module that is first imported under the limit would leave a cut-off .pyc behind.
    program = Path(__file__).with_name("toy_trainer.py")
    whole_run(str(tmp_path / "straight"), "seconds=0")
    limited = (
        "import resource, runpy, signal, sys\n"
        "signal.signal(signal.SIGXFSZ, signal.SIG_IGN)\n"
        "resource.setrlimit(resource.RLIMIT_FSIZE, (2000, 2000))\n"
        f"sys.argv[1:] = [{str(tmp_path / 'a')!r}, 'seconds=0']\n"
        f"runpy.run_path({str(program)!r}, run_name='__main__')\n"
    )
    ran = subprocess.run([sys.executable, "-B", "-c", limited], capture_output=True, text=True, check=False)
    assert ran.returncode == 4
    assert ran.stderr.splitlines()[-1] == f"{tmp_path / 'a' / HISTORY} cannot be written: File too large."
    assert (tmp_path / "a" / HISTORY).stat().st_size == 2000
    found = latest(tmp_path / "a")
    assert found is not None
    assert found.generation > 2
    whole_run(str(tmp_path / "a"), "seconds=0")
    assert without_times(content(tmp_path / "a")) == without_times(content(tmp_path / "straight"))


def without_times(files: Mapping[str, bytes]) -> dict[str, bytes]:
    return {name: text for name, text in files.items() if name != TIMES}


def test_the_outcome_is_of_the_run_as_it_stands(tmp_path: Path) -> None:
    with open_run(tmp_path / "a", SETTINGS, SILENT) as run:
        advance(run, 1)
        assert run.outcome() is None
        run.finish(weights(2.5))
        assert run.outcome() == weights(2.5)
    with open_run(tmp_path / "a", SETTINGS, SILENT) as run:
        assert run.outcome() == weights(2.5)
        (tmp_path / "a" / WEIGHTS).write_text((tmp_path / "a" / WEIGHTS).read_text().replace("2.5", "2.6"))
        assert run.outcome() is None
        run.finish(weights(2.5))
        (tmp_path / "a" / WEIGHTS).unlink()
        assert run.outcome() is None
        run.finish(weights(2.5))
        advance(run, 1)
        assert run.outcome() is None
        assert (tmp_path / "a" / WEIGHTS).exists()
        assert (tmp_path / "a" / FINISHED).exists()


def test_the_run_may_be_watched_while_it_goes_on(tmp_path: Path) -> None:
    assert latest(tmp_path / "none") is None
    assert latest(tmp_path) is None
    made(tmp_path, 3)
    found = latest(tmp_path)
    assert isinstance(found, Checkpoint)
    assert found.generation == 3


def test_a_checkpoint_removed_while_it_is_looked_for(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    made(tmp_path, 3)
    real = folder_module._content

    def slow(path: Path) -> bytes:
        if path.name == "checkpoint-000003.json" and path.exists():
            monkeypatch.setattr(folder_module, "_content", real)
            made(tmp_path, 2)
        return real(path)

    monkeypatch.setattr(folder_module, "_content", slow)
    found = latest(tmp_path)
    assert found is not None
    assert found.generation == 5
