"""The file for --appendconfig."""

from __future__ import annotations

from pathlib import Path

import pytest

from emubot.bridges.retroarch import write_config
from emubot.errors import StorageError, UsageError


def settings(file: Path) -> dict[str, str]:
    lines = file.read_text(encoding="ascii").splitlines()
    return {name: value.strip('"') for name, _, value in (line.partition(" = ") for line in lines)}


def test_it_turns_on_what_the_bridge_needs(tmp_path: Path) -> None:
    found = settings(write_config(tmp_path / "mine.cfg"))
    assert found == {
        "network_cmd_enable": "true",
        "network_cmd_port": "55355",
        "network_cmd_bind_address": "127.0.0.1",
        "network_remote_enable": "true",
        "network_remote_base_port": "55400",
        "network_remote_enable_user_p1": "true",
        "network_remote_enable_user_p2": "true",
        "pause_nonactive": "false",
        "menu_pause_libretro": "true",
    }


def test_a_folder_gets_it_under_its_usual_name(tmp_path: Path) -> None:
    file = write_config(tmp_path, 50000, 50010)
    assert file == tmp_path / "emubot-retroarch.cfg"
    assert (settings(file)["network_cmd_port"], settings(file)["network_remote_base_port"]) == ("50000", "50010")


def test_what_cannot_be_is_refused_in_a_sentence(tmp_path: Path) -> None:
    with pytest.raises(StorageError, match="cannot be written: No such file"):
        write_config(tmp_path / "no" / "folder" / "mine.cfg")
    with pytest.raises(UsageError, match="1 to 65535"):
        write_config(tmp_path / "mine.cfg", port=0)
    with pytest.raises(UsageError, match="not 65536"):
        write_config(tmp_path / "mine.cfg", pad_port=65535)
