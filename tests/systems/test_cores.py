"""Core files of each system, and `emubot core install` on each, with tiny wheels of our own."""

from __future__ import annotations

import struct
from pathlib import Path

import pytest

from emubot.bridges.libretro import finding, installing, library
from emubot.errors import BridgeError, CoreError
from emubot.systems import cores
from tests.bridges import fakes
from tests.systems.conftest import Become

# system, Python's word for the processor, and ours
MACHINES = [
    ("Linux", "x86_64", "x86-64"),
    ("Linux", "aarch64", "arm64"),
    ("macOS", "x86_64", "x86-64"),
    ("macOS", "arm64", "arm64"),
    ("Windows", "AMD64", "x86-64"),
    ("Windows", "ARM64", "arm64"),
]
SUFFIXES = {"Linux": ".so", "macOS": ".dylib", "Windows": ".dll"}


@pytest.mark.parametrize(("system", "machine", "processor"), MACHINES)
def test_names(system: str, machine: str, processor: str, become: Become, monkeypatch: pytest.MonkeyPatch) -> None:
    become(system, machine)
    assert (cores.suffix(), cores.system(), cores.processor()) == (SUFFIXES[system], system, processor)
    assert cores.orders_writes() is (processor == "x86-64")
    monkeypatch.setattr(struct, "calcsize", lambda _: 4)
    assert cores.processor() == ("x86" if processor == "x86-64" else processor)


def test_of_another_system_nothing_is_known(become: Become) -> None:
    become("FreeBSD", "riscv64")
    assert (cores.suffix(), cores.system(), cores.processor()) == (".so", None, "riscv64")


def test_where_retroarch_keeps_its_cores(become: Become, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(Path, "home", lambda: tmp_path)
    for name in ("XDG_CONFIG_HOME", "APPDATA", "PROGRAMFILES", "SYSTEMDRIVE", "PROGRAMFILES(X86)"):
        monkeypatch.delenv(name, raising=False)
    become("Linux")
    assert cores.retroarch_folders()[0] == tmp_path / ".config/retroarch/cores"
    monkeypatch.setenv("XDG_CONFIG_HOME", str(tmp_path / "config"))
    assert cores.retroarch_folders()[0] == tmp_path / "config/retroarch/cores"
    become("macOS")
    assert cores.retroarch_folders() == [tmp_path / "Library/Application Support/RetroArch/cores"]
    become("Windows")
    usual, programs = Path("C:/RetroArch-Win64/cores"), Path("C:/Program Files/RetroArch/cores")
    assert cores.retroarch_folders() == [usual, tmp_path / "AppData/Roaming/RetroArch/cores", programs]
    for name, value in (("SYSTEMDRIVE", "D:"), ("APPDATA", tmp_path / "roaming"), ("PROGRAMFILES", tmp_path)):
        monkeypatch.setenv(name, str(value))
    others = [tmp_path / "roaming/RetroArch/cores", tmp_path / "RetroArch/cores"]
    assert cores.retroarch_folders() == [Path("D:/RetroArch-Win64/cores"), *others]


@pytest.mark.parametrize("system", SUFFIXES)
def test_cores_are_found_by_the_suffix_of_the_system(
    system: str, become: Become, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    for suffix in SUFFIXES.values():
        (tmp_path / f"fceumm_libretro{suffix}").touch()
    monkeypatch.setattr(finding, "folders", lambda: [tmp_path])
    become(system)
    assert finding.find_core() == tmp_path / f"fceumm_libretro{SUFFIXES[system]}"


@pytest.mark.parametrize(
    ("system", "machine"),
    [(system, machine) for system, machine, name in MACHINES if (system, name) in installing.WHEEL_SHA256],
)
def test_install_takes_the_core_of_this_system(
    system: str, machine: str, become: Become, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    become(system, machine)
    made = fakes.wheel(tmp_path / "made.whl", b"the core")
    monkeypatch.setattr(installing, "PIP", fakes.pip(tmp_path, made))
    fakes.publish(monkeypatch, made)
    installed = installing.install("fceumm", tmp_path / "cores", lambda _: None)
    assert installed.path == tmp_path / "cores" / f"fceumm_libretro{SUFFIXES[system]}"
    assert installed.path.read_bytes() == b"the core"
    assert "Copyright of FCEUmm." in installed.licence.read_text(encoding="utf-8")
    assert {file.name for file in installed.path.parent.iterdir()} == {installed.path.name, installed.licence.name}


@pytest.mark.parametrize(
    ("system", "machine"),
    [(system, machine) for system, machine, name in MACHINES if (system, name) not in installing.WHEEL_SHA256],
)
def test_where_there_is_no_wheel_nothing_is_downloaded(
    system: str, machine: str, become: Become, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(Path, "home", lambda: tmp_path)
    monkeypatch.delenv("APPDATA", raising=False)
    become(system, machine)
    monkeypatch.setattr(installing, "workshop", None)
    with pytest.raises(BridgeError, match=r"no stable-retro==1\.0\.1 wheel for this system") as told:
        installing.install("fceumm", tmp_path / "cores", lambda _: None)
    sentence = str(told.value)
    assert f"fceumm_libretro{SUFFIXES[system]}" in sentence
    assert str(cores.retroarch_folders()[0]) in sentence
    assert "emubot play --demo tetris" in sentence
    assert ("--bridge cynes" in sentence) is (cores.processor() == "x86-64"), "where it needs no compiler"
    assert told.value.exit_code == 3
    assert not (tmp_path / "cores").exists()


@pytest.mark.parametrize("system", SUFFIXES)
def test_a_core_of_another_system_is_named_as_such(system: str, become: Become, tmp_path: Path) -> None:
    heads = {
        "Linux": b"\x7fELF\x02\x01" + bytes(12) + struct.pack("<H", 62) + bytes(64),
        "macOS": b"\xcf\xfa\xed\xfe" + struct.pack("<I", 0x01000007) + bytes(64),
        "Windows": b"MZ" + bytes(58) + struct.pack("<I", 64) + b"PE\0\0" + struct.pack("<H", 0x8664),
    }
    become(system)
    for made_for, head in heads.items():
        file = tmp_path / made_for
        file.write_bytes(head)
        if made_for == system:
            library._check_kind(file)
        else:
            with pytest.raises(CoreError, match=f"is made for {made_for}, and this is {system}"):
                library._check_kind(file)
