"""The options for what to play: every choice in the menus of the maps that ship can be made by one."""

from __future__ import annotations

import argparse

import pytest

from emubot.cli import session_options
from emubot.cli.session_options import MENU_CHOICES, request_by
from emubot.rammap import RamMap, load_map
from emubot.rammap.schema import MenuChoice
from emubot.session.request import SessionRequest
from emubot.tempo import FULL_SPEED, tempo_for_speed
from tests.paths import ROOT

SHIPPED = sorted((ROOT / "ram_maps").glob("*.yaml"))


def request_of(line: str) -> SessionRequest:
    parser = argparse.ArgumentParser()
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
    for name, choices in choices_of(ram_map).items():
        assert name in MENU_CHOICES, f"no option sets {name}"
        words = MENU_CHOICES[name]
        if words is not None:
            numbers = {number for choice in choices for number in range(choice.low, choice.high + 1)}
            assert numbers <= {*words.values()}, f"--{name} has no word for one of its numbers"


@pytest.mark.parametrize("name", MENU_CHOICES)
def test_an_option_makes_the_choice_of_its_name(name: str) -> None:
    words = MENU_CHOICES[name]
    beside = "--type b" if name == "height" else ""
    for word, number in ({"3": 3} if words is None else words).items():
        chosen = request_of(f"{beside} --{name} {word}").menu_choices
        assert chosen == ({"type": 1} if beside else {}) | {name: number}
    assert request_of("").menu_choices == {}
