"""A discovery that fails is tried again with other bytes, and says of its failures what was found out first."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any, cast

import pytest

from emubot.bridges.protocol import Bridge
from emubot.discovery import discover as discovering
from emubot.discovery.attempt import Discovery
from emubot.errors import NotDiscovered
from tests.learn.remembering import RememberingBridge
from tests.toys.machine import ToyMachine
from tests.toys.shelf import TOYS


@dataclass(frozen=True)
class Tried:
    """A survey of which only its place among all is known."""

    number: int


@dataclass
class Cartridge:
    """One whose surveys, and drafts by them, fail until one proves right."""

    outcomes: list[Any]
    proves: int
    colours: bool = False

    def surveys(self, *_: object) -> Iterator[Any]:
        yield from self.outcomes

    def blocks(self, _: object, found: Tried) -> Discovery:
        if found.number != self.proves:
            raise NotDiscovered(f"Draft {found.number} is wrong.")
        return cast(Discovery, found)

    def no_colours(self, *_: object) -> Any:
        raise NotDiscovered("No colours.")


def tried(monkeypatch: pytest.MonkeyPatch, cartridge: Cartridge) -> object:
    fakes = {
        "reach_play": lambda *_: type("Way", (), {"goal": None, "stations": ()}),
        "surveys": cartridge.surveys,
        "_may_be_colours": lambda _: cartridge.colours,
        "_blocks": cartridge.blocks,
        "colour_findings": cartridge.no_colours,
    }
    for name, fake in fakes.items():
        monkeypatch.setattr(discovering, name, fake)
    bridge = cast(Bridge, RememberingBridge(ToyMachine(TOYS["plain"])))
    return discovering.discover(bridge, "made up", "0" * 40, lambda _: None, lambda _: None)


@pytest.mark.parametrize(
    ("outcomes", "proves", "colours"),
    [
        ([Tried(0)], 0, False),
        ([Tried(0), Tried(1)], 1, False),
        ([NotDiscovered("No names."), NotDiscovered("No names."), Tried(2)], 2, False),
        ([Tried(0), Tried(1)], 0, True),
        ([Tried(0), Tried(1)], 1, True),
    ],
)
def test_the_first_survey_that_proves_right_is_the_cartridge(
    monkeypatch: pytest.MonkeyPatch, outcomes: list[Any], proves: int, colours: bool
) -> None:
    assert tried(monkeypatch, Cartridge(outcomes, proves, colours)) == Tried(proves)


def test_others_are_tried_a_few_times_and_the_first_reason_is_said(monkeypatch: pytest.MonkeyPatch) -> None:
    with pytest.raises(NotDiscovered, match=r"^As falling blocks: Draft 0 is wrong\. As colours: No colours\.$"):
        tried(monkeypatch, Cartridge([Tried(number) for number in range(9)], 8))
    with pytest.raises(NotDiscovered, match="No names"):
        tried(monkeypatch, Cartridge([NotDiscovered("No names.")], 8))
    with pytest.raises(NotDiscovered, match="Draft 1 is wrong"):
        tried(monkeypatch, Cartridge([Tried(1)], 8, colours=True))
