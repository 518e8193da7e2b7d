"""The options for what to play: every choice in the menus of the maps that ship can be made by one."""

from __future__ import annotations

import pytest

from emubot.cli import session_options
from emubot.cli.common import Parser
from emubot.cli.session_options import request_by
from emubot.games import game
from emubot.games.kinds import Choice
from emubot.rammap import RamMap, load_map
from emubot.rammap.schema import MenuChoice
from emubot.session.request import SessionRequest
from emubot.tempo import FULL_SPEED, tempo_for_speed
from tests.paths import ROOT

SHIPPED = sorted((ROOT / "ram_maps").glob("*.yaml"))


def request_of(line: str) -> SessionRequest:
    parser = Parser()
    parser.add_argument("--quiet", action="store_true")
    session_options.add_options(parser)
    return request_by(parser.parse_args(line.split()), tempo_for_speed(FULL_SPEED))


def choices_of(ram_map: RamMap) -> dict[str, list[MenuChoice]]:
    """The choices of the menus by name, with those of each cartridge; `--mode` and `AIvsAI` make the choice `mode`."""
    found: dict[str, list[MenuChoice]] = {}
    for asked in (ram_map.menu_choices, *(identity.asked for identity in ram_map.identities)):
        for name, choice in asked.items():
            found.setdefault(name, []).append(choice)
    found.pop("mode", None)
    return found


@pytest.mark.parametrize("ram_map", [*map(load_map, SHIPPED)], ids=lambda one: one.name)
def test_every_choice_in_the_menus_of_a_map_has_an_option(ram_map: RamMap) -> None:
    declared = {one.name: one for one in game(ram_map.family).options.menus}
    for name, choices in choices_of(ram_map).items():
        assert name in declared, f"no option sets {name}"
        kind = declared[name].kind
        if isinstance(kind, Choice):
            numbers = {number for choice in choices for number in range(choice.low, choice.high + 1)}
            assert numbers <= {*range(len(kind.words))}, f"--{name} has no word for one of its numbers"


@pytest.mark.parametrize("family", ["matching", "puyo", "tetris"])
def test_an_option_makes_the_choice_of_its_name(family: str) -> None:
    options = game(family).options
    for one in options.menus:
        beside = "--type b" if one.name == "height" else ""
        words = one.kind.words if isinstance(one.kind, Choice) else ("3",)
        for word in words:
            chosen = options.menu_numbers(request_of(f"{beside} {one.flag} {word}").menu_choices)
            number = 3 if word == "3" else words.index(word)
            assert chosen == ({"type": 1} if beside else {}) | {one.name: number}
    assert request_of("").menu_choices == {}
