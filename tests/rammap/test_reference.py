"""The reference, docs/reference/maps.md, says everything that a map can say: from the schema and the families."""

from __future__ import annotations

import ast
from collections.abc import Iterator
from importlib import import_module
from typing import get_args

import pytest

from docs.draw_map_reference import BEGIN, END, PAGE, SECTIONS, form, nested, page, rows
from emubot import games
from emubot.games.findings import RECORDED_TIMING
from emubot.games.map_words import DescribesMaps, MapWords, worded
from emubot.rammap import RamMap, json_schema, load_map, parse_map
from emubot.rammap.condition import ASKED, Condition
from emubot.rammap.fields import MapModel
from emubot.rammap.schema import Document
from tests.floors import FAMILIES, FOLDERS, PACKAGE, modules, parsed
from tests.paths import ROOT
from tests.toys.maps import map_text
from tests.toys.shelf import TOYS

pytestmark = pytest.mark.xdist_group("layers")  # each source is parsed once

REMEDY = "after a change of the schema or of a family's words: python docs/draw_map_reference.py"
ON_PAGE: list[type[MapModel]] = [Document, *(model for _, model in SECTIONS)]
SHIPPED = sorted((ROOT / "ram_maps").glob("*.yaml"))
# Values that a map states for recordings and `maps watch` alone, each for its map's author to use one day.
FOR_THE_RECORD = {
    "dr_mario_usa": {"attack_size", "fail_flag", "fall_counter", "failed", "reserve_index", "speed_ups", "victories"},
    "famicom_puyo": {"spawning", "sprite_x", "sprite_y"},
    "tengen_tetris": {"generator", "orientation", "own_generator"},
    "tetris_gym": {"generator"},
}


def all_models() -> set[type[MapModel]]:
    """Every mapping of the schema."""
    found: set[type[MapModel]] = set()
    left = [*ON_PAGE]
    while left:
        model = left.pop()
        if model not in found:
            found.add(model)
            left += [inner for field in model.model_fields.values() for _, inner in nested(field.annotation)]
    return found


def words_of(family: str) -> MapWords:
    game = games.game(family)
    assert isinstance(game, DescribesMaps)
    return game.map_words


def maps() -> Iterator[RamMap]:
    """The maps that ship, and those of the toys."""
    yield from map(load_map, SHIPPED)
    yield from (parse_map(map_text(toy), name) for name, toy in TOYS.items())


def values_in(conditions: list[Condition | None]) -> set[str]:
    """The values that conditions name."""
    return {name for one in conditions if one is not None for name in one if not name.startswith(ASKED)}


def used_by_itself(ram_map: RamMap) -> set[str]:
    """The values that a map uses itself: in conditions, as a counter, as a place, in its timing."""
    document = ram_map.document
    steps = document.menu.steps if document.menu else ()
    conditions = [rule.when for rule in document.phases]
    conditions += [one for event in document.events.values() for one in (event.before, event.after)]
    timing, place = document.timing, document.place
    named = {document.game_counter, timing.gravity_value, timing.velocity and timing.velocity.value}
    named |= {name for point in (place.cells if place else ()) for name in (point.x, point.y)}
    asked = [one for step in steps for one in (step.when, step.until)]
    return values_in([*conditions, *asked]) | {name for name in named if name} | {*document.foresight}


def test_the_page_is_made_from_the_schema_and_the_families() -> None:
    text = PAGE.read_text(encoding="utf-8")
    assert text.count(BEGIN) == text.count(END) == 1
    assert page(text) == text, REMEDY


def test_every_key_has_a_description() -> None:
    bare = [
        f"{model.__name__}.{name}"
        for model in all_models()
        for name, field in model.model_fields.items()
        if not field.description
    ]
    assert not bare
    described = json_schema()["properties"]
    assert all(one.get("description") for one in described.values()), "an editor shows it"


def test_every_key_is_on_the_page() -> None:
    on_page = {row.key.rpartition(".")[2] for model in ON_PAGE for row in rows(model)}
    keys = {field.alias or name for model in all_models() for name, field in model.model_fields.items()}
    assert keys == on_page


def test_what_may_stand_there_is_said_in_words() -> None:
    odd = [row for model in ON_PAGE for row in rows(model) if "<" in row.may_be]
    assert not odd
    assert form(get_args(dict[str, int])[1]) == "decimal"
    assert form(tuple[int, int]) == "[decimal, decimal]"
    assert form(tuple[str, ...]) == "list of texts"


@pytest.mark.parametrize("family", FAMILIES)
def test_a_family_says_the_words_of_its_maps(family: str) -> None:
    words = words_of(family)
    assert words.profiles
    assert words.values
    assert words.timing.keys() <= Document.model_fields["timing"].default.__class__.model_fields.keys()
    for rule in words.rules.values():
        assert rule.defaults.keys() <= words.profiles.keys()


@pytest.mark.parametrize("ram_map", [*maps()], ids=lambda one: one.name)
def test_the_words_of_a_map_are_known(ram_map: RamMap) -> None:
    words, document = words_of(ram_map.family), ram_map.document
    record = FOR_THE_RECORD.get(ram_map.name, set())
    unknown = {*document.values} - words.values.keys() - used_by_itself(ram_map)
    assert unknown == record, "a value that neither the family nor the map itself uses"
    assert document.rules.keys() <= words.rules.keys()
    assert document.timing.model_dump(exclude_none=True).keys() <= words.timing.keys() | {*RECORDED_TIMING}
    assert {ram_map.profile} <= words.profiles.keys()
    if words.kinds:
        assert document.grid.cell.kinds.keys() <= words.kinds.keys()
    assert ram_map.piece_codes.keys() <= words.piece_codes.keys()


def read_literally(folder: str) -> set[str]:
    """The names of values that the sources of a folder take from memory by a literal."""
    return {
        node.args[-1].value
        for path in modules(PACKAGE / "games" / folder)
        for node in parsed(path)
        if isinstance(node, ast.Call)
        and ast.unparse(node.func).rpartition(".")[2] == "value"
        and len(node.args) == 2
        and isinstance(node.args[-1], ast.Constant)
        and isinstance(node.args[-1].value, str)
    }


def source_of(family: str) -> str:
    """The sources of a family without the modules that only name the words."""
    naming = ("map_words.py", "value_names.py", "matching_values.py")
    paths = [path for path in modules(PACKAGE / "games" / FAMILIES[family]) if not path.name.endswith(naming)]
    return "\n".join(path.read_text(encoding="utf-8") for path in paths)


@pytest.mark.parametrize("folder", FOLDERS)
def test_what_a_family_reads_is_a_word(folder: str) -> None:
    families = [family for family, own in FAMILIES.items() if own == folder]
    assert read_literally(folder) <= {name for family in families for name in words_of(family).values}


def rule_names(folder: str) -> set[str]:
    """The attributes of the dataclasses of rules in a folder, if there are any."""
    found = [f"emubot.games.{folder}.{path.stem}" for path in (PACKAGE / "games" / folder).glob("*rules.py")]
    return {name for module in found for name in dir(getattr(import_module(module), "Rules", object))}


@pytest.mark.parametrize("family", FAMILIES)
def test_a_word_is_read_by_the_family(family: str) -> None:
    """Names of values, kinds and codes are those of the constants, which `worded` compares; here is the rest."""
    words, source = words_of(family), source_of(family)
    folder = PACKAGE / "games" / FAMILIES[family]
    fields = "\n".join(path.read_text(encoding="utf-8") for path in folder.glob("*timing.py"))
    for name in [*words.timing, *words.regions]:
        assert f'"{name}"' in source or f"\n    {name}: " in fields, name
    for name in words.rules:
        assert name.upper() in source or name in rule_names(FAMILIES[family]), name


def test_a_meaning_that_is_missing_or_in_vain_is_refused() -> None:
    assert worded(["one", "two", "one"], {"two": 2, "one": 1}) == {"two": 2, "one": 1}
    with pytest.raises(ValueError, match="three"):
        worded(["one", "three"], {"one": 1})
    with pytest.raises(ValueError, match="two"):
        worded(["one"], {"one": 1, "two": 2})


def test_a_family_without_words_has_no_table() -> None:
    assert "numbers" not in games.names()
    from tests.games.toy_family.family import GAME

    assert not isinstance(GAME, DescribesMaps)
