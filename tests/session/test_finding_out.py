"""The map of a cartridge that was found out is kept by a name of its own, and no other map is lost."""

from __future__ import annotations

import re
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from emubot.errors import StorageError
from emubot.session.finding_out import check_own_folder, keep, name_for
from tests.toys.maps import map_text
from tests.toys.shelf import TOYS

TEXT = map_text(TOYS["plain"])


@given(st.text(max_size=60))
def test_a_name_has_small_letters_digits_and_underscores(title: str) -> None:
    assert re.fullmatch(r"[a-z0-9_]{1,40}", name_for(title))


@pytest.mark.parametrize(
    ("title", "name"),
    [("Tétris (Japan) [!]", "tetris_japan"), ("テトリス", "cartridge"), ("..", "cartridge"), ("a" * 50, "a" * 40)],
)
def test_a_name_is_made_of_the_title(title: str, name: str) -> None:
    assert name_for(title) == name


def test_no_map_is_overwritten_and_none_hides_a_shipped_one(user_config: Path) -> None:
    check_own_folder()
    paths = [keep(TEXT, "Blocks"), keep(TEXT, "blocks"), keep(TEXT, "NES Tetris USA")]
    assert paths == [user_config / "ram_maps" / f"{name}.yaml" for name in ("blocks", "blocks_2", "nes_tetris_usa_2")]
    assert {path.read_text(encoding="utf-8") for path in paths} == {TEXT}


def test_a_folder_that_cannot_be_made_is_said_before_the_work(user_config: Path) -> None:
    (user_config / "ram_maps").write_text("a file", encoding="ascii")
    with pytest.raises(StorageError, match="ram_maps cannot be"):
        check_own_folder()
