"""A file is replaced whole or stays as it was; what is locked is refused in one sentence."""

from __future__ import annotations

import subprocess
import sys
from collections.abc import Callable
from pathlib import Path

import pytest

from emubot import atomic
from emubot.atomic import append, locked, write_whole
from emubot.errors import StorageError, UsageError

NO_SPACE = OSError(28, "No space left on device")


def raises(failure: OSError) -> Callable[..., None]:
    def call(*_: object) -> None:
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
