"""A file is replaced whole or stays as it was; what is locked is refused in one sentence."""

from __future__ import annotations

import subprocess
import sys
from collections.abc import Callable
from pathlib import Path

import pytest

from emubot import atomic
from emubot.atomic import append, check_output, locked, write_whole
from emubot.errors import StorageError, UsageError
from tests.special_files import posix_only, python, special_files

NO_SPACE = OSError(28, "No space left on device")


def raises(failure: OSError) -> Callable[..., None]:
    def call(*_: object, **__: object) -> None:
        raise failure

    return call


def names(folder: Path) -> list[str]:
    return sorted(path.name for path in folder.iterdir())


def test_a_file_is_replaced(tmp_path: Path) -> None:
    path = tmp_path / "a.json"
    for content in (b"one", b"another"):
        write_whole(path, content)
        assert path.read_bytes() == content
    assert names(tmp_path) == ["a.json"]


def test_what_a_killed_run_left_is_in_nobodys_way(tmp_path: Path) -> None:
    (tmp_path / f".a.json.{atomic.PART}").write_bytes(b"half of something long")
    write_whole(tmp_path / "a.json", b"new")
    assert names(tmp_path) == ["a.json"]
    assert (tmp_path / "a.json").read_bytes() == b"new"


WRITE = """
import sys
from pathlib import Path
from emubot.atomic import check_output, write_whole
from emubot.errors import EmubotError
for name in sys.argv[1:]:
    for write in (lambda path: check_output(path, force=True), lambda path: write_whole(path, b"new")):
        try:
            write(Path(name))
        except EmubotError as failure:
            print(failure.exit_code, failure)
"""


@posix_only
def test_what_is_no_regular_file_is_never_replaced(tmp_path: Path) -> None:
    found = special_files(tmp_path)
    before = {path: path.lstat().st_mode for path in found.values()}
    ended = python(WRITE, *found.values())
    assert {path: path.lstat().st_mode for path in found.values()} == before
    assert len(names(tmp_path)) == len(found)
    assert ended.stderr == ""
    folder = found.pop("a folder")
    said = [f"2 {path} is {word}, which is never replaced: name a file." for word, path in found.items()]
    said.append(f"2 {folder} is a folder; name a file in it.")
    assert ended.stdout.splitlines() == [line for line in said for _ in range(2)]


@posix_only
def test_a_pipe_where_a_part_would_be_is_in_nobodys_way(tmp_path: Path) -> None:
    special_files(tmp_path)["a pipe"].rename(tmp_path / f".a.{atomic.PART}")
    assert python(WRITE, tmp_path / "a").stdout == ""
    assert (tmp_path / "a").read_bytes() == b"new"


def test_a_file_that_is_there_is_replaced_by_force_alone(tmp_path: Path) -> None:
    path = tmp_path / "a.json"
    check_output(path)
    path.write_bytes(b"old")
    with pytest.raises(UsageError) as told:
        check_output(path)
    assert told.value.exit_code == 2
    assert str(told.value) == f"{path} is there already: name another file, or replace it with --force."
    check_output(path, force=True)
    assert path.read_bytes() == b"old"
    assert names(tmp_path) == ["a.json"]


def test_a_folder_that_is_missing_or_not_writable_is_told_before(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    with pytest.raises(StorageError, match=r"cannot be written: there is no folder .*none; make it first\."):
        check_output(tmp_path / "none" / "a.json")
    (tmp_path / "file").touch()
    with pytest.raises(StorageError, match="cannot be written"):
        check_output(tmp_path / "file" / "a.json")
    monkeypatch.setattr("tempfile.TemporaryFile", raises(OSError(30, "Read-only file system")))
    with pytest.raises(StorageError, match=r"a\.json cannot be written: Read-only file system\."):
        check_output(tmp_path / "a.json")


FULL = """
import resource, signal, sys
from pathlib import Path
from emubot.atomic import check_output
from emubot.errors import EmubotError
signal.signal(signal.SIGXFSZ, signal.SIG_IGN)
resource.setrlimit(resource.RLIMIT_FSIZE, (1000, 1000))
try:
    check_output(Path(sys.argv[1]))
except EmubotError as failure:
    print(failure.exit_code, failure)
"""


@posix_only
def test_a_disk_without_room_is_told_before(tmp_path: Path) -> None:
    """The limit on a file's size stands for the full disk: the file can be made, and nothing can be written."""
    ended = python(FULL, tmp_path / "a.json")
    assert ended.stderr == ""
    assert ended.stdout == f"4 {tmp_path / 'a.json'} cannot be written: File too large.\n"
    assert names(tmp_path) == []


def test_ctrl_c_while_writing_leaves_no_part(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def interrupt(handle: int) -> None:
        raise KeyboardInterrupt

    (tmp_path / "a.json").write_bytes(b"old")
    monkeypatch.setattr("os.fsync", interrupt)
    with pytest.raises(KeyboardInterrupt):
        write_whole(tmp_path / "a.json", b"new")
    assert names(tmp_path) == ["a.json"]
    assert (tmp_path / "a.json").read_bytes() == b"old"


@pytest.mark.parametrize("call", ["os.fsync", "pathlib.Path.replace"])
def test_a_full_disk_leaves_the_file_as_it_was(call: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    path = tmp_path / "a.json"
    write_whole(path, b"old")
    monkeypatch.setattr(call, raises(NO_SPACE))
    with pytest.raises(StorageError, match=r"a\.json cannot be written: No space left on device\.") as told:
        write_whole(path, b"new")
    assert told.value.exit_code == 4
    assert path.read_bytes() == b"old"
    assert names(tmp_path) == ["a.json"]


@pytest.mark.skipif(sys.platform == "win32", reason="folders are opened")
def test_file_and_folder_are_seen_on_the_disk_in_order(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    seen: list[str] = []

    def note(handle: int) -> None:
        seen.append(",".join(names(tmp_path)) + " " + str(Path(f"/proc/self/fd/{handle}").resolve().name))

    monkeypatch.setattr("os.fsync", note)
    write_whole(tmp_path / "a", b"1")
    part = f".a.{atomic.PART}"
    assert seen == [f"{part} {part}", f"a {tmp_path.name}"]


def test_lines_are_added_at_the_end(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    path = tmp_path / "lines"
    append(path, b"1\n")
    append(path, b"2\n")
    assert path.read_bytes() == b"1\n2\n"
    monkeypatch.setattr("os.fsync", raises(NO_SPACE))
    with pytest.raises(StorageError, match="lines cannot be written: No space left"):
        append(path, b"3\n")


def test_a_lock_is_one_processs(tmp_path: Path) -> None:
    lock, what = tmp_path / ".lock", tmp_path / "run"
    script = (
        "import sys\n"
        "from pathlib import Path\n"
        "from emubot.atomic import locked\n"
        "with locked(Path(sys.argv[1]), Path('run'), 'go'):\n"
        "    print('held', flush=True)\n"
        "    sys.stdin.read()\n"
    )
    other = subprocess.Popen(
        [sys.executable, "-c", script, str(lock)], stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True
    )
    try:
        assert other.stdout is not None
        assert other.stdout.readline() == "held\n"
        with pytest.raises(UsageError) as told, locked(lock, what, "name another"):
            pass
        assert str(told.value) == f"{what} is in use by another run: wait for it, or name another."
    finally:
        other.kill()
        other.communicate()
    with locked(lock, what, "name another"):
        pass  # the killed one holds it no more


def test_a_lock_that_cannot_be_made_is_one_sentence(tmp_path: Path) -> None:
    (tmp_path / "file").touch()
    lock = tmp_path / "file" / "lock"
    with pytest.raises(StorageError, match="run cannot be written"), locked(lock, Path("run"), ""):
        pass
