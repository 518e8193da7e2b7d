"""Bridges by name: ours, another package's, a broken one, none."""

from __future__ import annotations

from importlib.metadata import EntryPoint
from pathlib import Path
from typing import Any

import pytest

from emubot import bridges
from emubot.bridges import known_bridges, open_bridge
from emubot.errors import BridgeError, RomError, UsageError
from tests.bridges.cores import child
from tests.bridges.test_simulated import Recorder


@pytest.fixture
def other_package(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """A module with one good bridge and three broken ones, named as a package's entry points would."""
    code = "from emubot.bridges.simulated import connect\nnothing = 3\n"
    (tmp_path / "other_emulator.py").write_text(code, encoding="utf-8")
    (tmp_path / "broken_emulator.py").write_text("raise ValueError('of all things')\n", encoding="utf-8")
    monkeypatch.syspath_prepend(str(tmp_path))
    places = {
        "other": "other_emulator:connect",
        "number": "other_emulator:nothing",
        "broken": "broken_emulator:connect",
        "absent": "there_is_no_such_module:connect",
        "libretro": "broken_emulator:connect",
    }
    points = [EntryPoint(name, place, bridges.GROUP) for name, place in places.items()]

    def entry_points(*, group: str) -> list[EntryPoint]:
        assert group == "emubot.bridges"
        return points

    monkeypatch.setattr(bridges, "entry_points", entry_points)


def test_our_bridges_by_name() -> None:
    assert {"libretro", "simulated"} <= set(known_bridges())
    with_options: dict[str, Any] = {"machine": Recorder(), "emu_speed": None}
    bridge = open_bridge("simulated", **with_options)
    assert bridge.advance() == 1
    bridge.close()


def test_an_unknown_name_lists_the_known_ones() -> None:
    ours = "libretro, nintaco, fceux, retroarch, mesen, bizhawk, cynes, simulated"
    with pytest.raises(UsageError, match=f"There is no bridge 'nosuch'; known: {ours}"):
        open_bridge("nosuch")


def test_an_unknown_or_missing_option_is_a_sentence() -> None:
    with pytest.raises(UsageError, match="cannot be opened with these options: got an unexpected keyword"):
        open_bridge("simulated", machine=Recorder(), core="nestopia")
    with pytest.raises(UsageError, match="missing a required"):
        open_bridge("libretro", core="nestopia")


@pytest.mark.usefixtures("other_package")
def test_another_packages_bridge() -> None:
    assert known_bridges()[-4:] == ["absent", "broken", "number", "other"]
    assert open_bridge("other", machine=Recorder()).advance() == 1


@pytest.mark.usefixtures("other_package")
def test_a_broken_package_is_told_by_name_and_touches_no_other() -> None:
    with pytest.raises(BridgeError, match=r"The bridge broken of .* cannot be loaded: ValueError"):
        open_bridge("broken")
    with pytest.raises(BridgeError, match=r"The bridge absent of .* cannot be loaded: ModuleNotFoundError"):
        open_bridge("absent")
    with pytest.raises(BridgeError, match="is not a function"):
        open_bridge("number")
    assert open_bridge("simulated", machine=Recorder()).advance() == 1


@pytest.mark.usefixtures("other_package")
def test_our_own_names_cannot_be_taken() -> None:
    assert known_bridges().count("libretro") == 1
    with pytest.raises(UsageError, match="missing a required"):
        open_bridge("libretro")


def test_naming_and_finding_load_no_core_machinery() -> None:
    code = """
import sys
import emubot.bridges, emubot.bridges.libretro, emubot.bridges.libretro.finding
emubot.bridges.known_bridges()
emubot.bridges.libretro.finding.folders()
print([name for name in ("cffi", "numba") if name in sys.modules])
"""
    done = child(code)
    assert done.stdout == "[]\n", done.stderr


@pytest.mark.parametrize("name", ["libretro", "cynes"])
def test_a_cartridges_file_may_be_named_by_a_text(name: str, tmp_path: Path) -> None:
    file = tmp_path / "game.nes"
    file.write_bytes(b"no cartridge")
    with pytest.raises(RomError, match=r"game\.nes"):
        open_bridge(name, rom=str(file))
