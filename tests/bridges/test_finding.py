"""Which core file is taken, and what is said when there is none."""

from __future__ import annotations

import os
from pathlib import Path

import pytest

from emubot.bridges.libretro import finding
from emubot.errors import CoreNotFound, UsageError
from emubot.systems.cores import suffix


@pytest.fixture
def empty_machine(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A machine without any core: every known folder lies in an empty temporary one."""
    monkeypatch.delenv("EMUBOT_CORES", raising=False)
    monkeypatch.setattr(finding, "install_folder", lambda: tmp_path / "data")
    monkeypatch.setattr(finding, "retroarch_folders", lambda: [tmp_path / "retroarch"])
    monkeypatch.setattr(finding, "_stable_retro_folder", list)
    return tmp_path


def put(folder: Path, name: str) -> Path:
    folder.mkdir(parents=True, exist_ok=True)
    path = folder / f"{name}_libretro{suffix()}"
    path.write_bytes(b"")
    return path


def test_without_a_core_the_sentence_says_what_to_do_and_where_it_looked(empty_machine: Path) -> None:
    with pytest.raises(CoreNotFound) as caught:
        finding.find_core()
    assert str(caught.value) == (
        'No NES core found. Run "emubot core install", or point --core at a *_libretro file '
        f"(looked in: {empty_machine / 'data'}, {empty_machine / 'retroarch'})."
    )
    with pytest.raises(CoreNotFound, match="No core 'nestopia' found"):
        finding.find_core("nestopia")


def test_folders_come_in_order_and_fceumm_before_nestopia(empty_machine: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    last = put(empty_machine / "retroarch", "fceumm")
    assert finding.find_core() == last
    nestopia = put(empty_machine / "data", "nestopia")
    assert finding.find_core() == nestopia
    fceumm = put(empty_machine / "data", "fceumm")
    assert finding.find_core() == fceumm
    first, second = empty_machine / "first", put(empty_machine / "second", "fceumm")
    monkeypatch.setenv("EMUBOT_CORES", os.pathsep.join(map(str, [first, second.parent])))
    assert finding.find_core() == second
    assert finding.found_cores() == [second, fceumm, nestopia, last]


def test_one_file_seen_through_two_folders_counts_once(empty_machine: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    core = put(empty_machine / "data", "fceumm")
    monkeypatch.setenv("EMUBOT_CORES", str(empty_machine / "data" / ".." / "data"))
    assert [path.resolve() for path in finding.found_cores()] == [core.resolve()]


@pytest.mark.parametrize("asked", ["nestopia", "Nestopia", "nestopia_libretro"])
def test_short_names(empty_machine: Path, asked: str) -> None:
    put(empty_machine / "data", "fceumm")
    nestopia = put(empty_machine / "data", "nestopia")
    assert finding.find_core(asked) == nestopia


def test_other_cores_are_taken_by_name_only(empty_machine: Path) -> None:
    other = put(empty_machine / "data", "mesen")
    assert finding.find_core("mesen") == other
    with pytest.raises(CoreNotFound):
        finding.find_core()


def test_a_path_is_taken_as_it_is(empty_machine: Path) -> None:
    core = put(empty_machine / "some where", "any")
    assert finding.find_core(str(core)) == core
    with pytest.raises(CoreNotFound, match="There is no core file"):
        finding.find_core(str(core.with_name("other.so")))


def test_a_relative_path_is_the_users_own_word(empty_machine: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    core = put(empty_machine / "here", "any")
    monkeypatch.chdir(core.parent)
    assert finding.find_core(f".{os.sep}{core.name}") == core


def test_the_current_folder_is_never_searched(empty_machine: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(put(empty_machine / "here", "fceumm").parent)
    for asked in (None, "fceumm"):
        with pytest.raises(CoreNotFound):
            finding.find_core(asked)


@pytest.mark.parametrize("asked", ["", "two words", "a*"])
def test_nonsense_is_neither_name_nor_path(asked: str) -> None:
    with pytest.raises(UsageError, match="neither a core's short name nor a path"):
        finding.find_core(asked)


def test_known_folders_are_absolute_and_not_the_current_one() -> None:
    folders = finding.folders()
    assert folders
    assert all(folder.is_absolute() for folder in folders)
    assert Path.cwd() not in folders
