"""Only regular files are read, and no more of them than allowed."""

from __future__ import annotations

from pathlib import Path

import pytest

from emubot.files import UnsuitableFile, open_regular, read_regular
from tests.special_files import posix_only, python, special_files


def test_a_file_is_read_up_to_its_limit(tmp_path: Path) -> None:
    path = tmp_path / "file"
    path.write_bytes(b"12345")
    assert read_regular(path, 5) == b"12345"
    with pytest.raises(UnsuitableFile) as caught:
        read_regular(path, 4)
    assert caught.value.strerror == "it is larger than 4 bytes"


def test_a_link_to_a_file_is_as_good(tmp_path: Path) -> None:
    (tmp_path / "file").write_bytes(b"12345")
    (tmp_path / "link").symlink_to("file")
    with open_regular(tmp_path / "link") as file:
        assert file.read() == b"12345"
        file.seek(1)
        assert file.read(1) == b"2"


def test_what_is_missing_is_missing(tmp_path: Path) -> None:
    with pytest.raises(FileNotFoundError):
        read_regular(tmp_path / "none", 5)
    (tmp_path / "dangling").symlink_to("none")
    with pytest.raises(FileNotFoundError):
        read_regular(tmp_path / "dangling", 5)


@pytest.mark.parametrize("name", ["a\0b", "\ud800"])
def test_an_impossible_name_is_no_crash(name: str, tmp_path: Path) -> None:
    with pytest.raises(UnsuitableFile, match="no file can have that name"):
        read_regular(tmp_path / name, 5)


READ = """
import sys
from pathlib import Path
from emubot.files import UnsuitableFile, read_regular
for name in sys.argv[1:]:
    try:
        read_regular(Path(name), 5)
    except UnsuitableFile as failure:
        print(failure.strerror)
"""


@posix_only
def test_pipes_devices_sockets_and_folders_are_not_opened(tmp_path: Path) -> None:
    found = special_files(tmp_path)
    ended = python(READ, *found.values(), "/dev/zero")
    assert ended.stderr == ""
    assert ended.stdout.splitlines() == [f"it is {word}, not a regular file" for word in [*found, "a device"]]


SWAPPED = """
import sys
from pathlib import Path
from emubot.files import UnsuitableFile, open_regular
pipe, file = map(Path, sys.argv[1:])
first = file.stat()
Path.stat = lambda path: first
try:
    open_regular(pipe)
except UnsuitableFile as failure:
    print(failure.strerror)
"""


@posix_only
def test_a_pipe_that_takes_the_place_of_a_file_after_the_first_look_blocks_nobody(tmp_path: Path) -> None:
    pipe = special_files(tmp_path)["a pipe"]
    (tmp_path / "file").touch()
    ended = python(SWAPPED, pipe, tmp_path / "file")
    assert ended.stderr == ""
    assert ended.stdout == "it is a pipe, not a regular file\n"
