"""Files as each system takes them."""

from __future__ import annotations

import os
import sys
import tempfile
from pathlib import Path

import pytest

from emubot.systems import disk
from tests.systems.conftest import Become


def test_flags(become: Become, monkeypatch: pytest.MonkeyPatch) -> None:
    for name, flag in (("O_BINARY", 0x8000), ("O_NONBLOCK", 0x800), ("O_NOCTTY", 0x100), ("O_CLOEXEC", 0x80000)):
        monkeypatch.setattr(os, name, flag, raising=False)
    for system, flags in (("Linux", 0x80900), ("macOS", 0x80900), ("Windows", 0x8000)):
        become(system)
        assert disk.reading_flags() == os.O_RDONLY | flags


def test_windows_has_no_modes_and_no_owners(become: Become, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    file = tmp_path / "file"
    file.touch()
    file.chmod(0o644)
    status = file.stat()
    monkeypatch.setattr(os, "geteuid", lambda: status.st_uid, raising=False)
    for system, others in (("Linux", True), ("macOS", True), ("Windows", False)):
        become(system)
        assert disk.is_ours(status)
        assert disk.others_may_read(status) is others
    monkeypatch.setattr(os, "geteuid", lambda: status.st_uid + 1)
    assert disk.is_ours(status)
    become("macOS")
    assert not disk.is_ours(status)
    file.chmod(0o600)
    assert not disk.others_may_read(file.stat())


def test_windows_syncs_folders_by_itself(become: Become, tmp_path: Path) -> None:
    become("Windows")
    disk.settle(tmp_path / "none")
    become("Linux")
    with pytest.raises(OSError, match="No such file"):
        disk.settle(tmp_path / "none")


@pytest.mark.parametrize("system", ["Linux", "macOS", "Windows"])
def test_shared_memory_has_no_name(
    system: str, become: Become, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(tempfile, "tempdir", str(tmp_path))
    if system != "Linux":
        monkeypatch.delattr(os, "memfd_create", raising=False)
    elif sys.platform != "linux":
        pytest.skip("Linux' own")
    become(system)
    memory = disk.shared_memory(4097)
    assert os.read(memory, 5000) == bytes(4097)
    assert list(tmp_path.iterdir()) == []
    os.close(memory)


def test_the_end_of_a_log_that_only_grows() -> None:
    if sys.platform == "win32":
        pytest.skip("POSIX only")
    log = disk.nameless_log()
    os.write(log, b"first and ")
    os.lseek(log, 0, os.SEEK_SET)
    os.write(log, b"last words")
    assert disk.end_of(log, 5) == b"words"
    assert disk.end_of(log, 100) == b"first and last words"
    os.ftruncate(log, 0)
    os.write(log, b"again")
    assert disk.end_of(log, 100) == b"again"
    os.close(log)
