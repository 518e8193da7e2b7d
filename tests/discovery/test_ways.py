"""The way through menus is found, whatever buttons they want; counters and copies of the pad are no new screens."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from itertools import pairwise

import numpy as np
import pytest

from emubot.discovery.lab import Lab
from emubot.discovery.ways import Station, Way, again, way_back, way_to
from emubot.pad import Pad
from tests.discovery.menus import COUNTER, HELD, LAST, SCREEN, Menus
from tests.learn.remembering import RememberingBridge

GAME = 9
WAYS: Mapping[str, tuple[Mapping[tuple[int, Pad], int], list[Pad]]] = {
    "START": ({(1, Pad.START): GAME}, [Pad.START]),
    "both buttons": ({(1, Pad.A | Pad.B): GAME}, [Pad.A | Pad.B]),
    "three screens": (
        {(1, Pad.SELECT): 2, (2, Pad.B): 3, (3, Pad.RIGHT): GAME, (2, Pad.START): 1},
        [Pad.SELECT, Pad.B, Pad.RIGHT],
    ),
    "a cursor": (
        {(1, Pad.START): 4, (4, Pad.B): 1, (1, Pad.DOWN): 2, (2, Pad.UP): 1, (2, Pad.START): GAME},
        [Pad.DOWN, Pad.START],
    ),
}


def found(leads: Mapping[tuple[int, Pad], int], screens: int = 40) -> Way[int] | None:
    lab = Lab(RememberingBridge(Menus(leads)))
    lab.idle(1)
    return found_from(lab, screens)


def found_from(lab: Lab, screens: int = 40) -> Way[int] | None:
    def arrived(state: bytes, last: Station | None) -> int | None:
        return GAME if lab.replay(state, [Pad.NONE])[0, SCREEN] == GAME else None

    return way_to(lab, lab.save(), arrived, screens)


@pytest.mark.parametrize("name", WAYS)
def test_the_cheapest_way_is_found(name: str) -> None:
    leads, buttons = WAYS[name]
    way = found(leads)
    assert way is not None
    assert [station.button for station in way.stations] == buttons
    assert int(way.stations[0].frames[-1, SCREEN]) == 1


class Passing(Menus):
    """A screen looks the same for some seconds, then passes to one that a button leaves."""

    _since = 0

    def step(self, pads: Sequence[Pad]) -> None:
        before = self._screen
        super().step(pads)
        self._since = self._since + 1 if self._screen == before else 0
        if self._screen == 2 and self._since > 300:
            self._screen = 3


def test_waiting_goes_on_where_a_screen_passes() -> None:
    lines = (1, *range(10, 30))
    leads = {(line, Pad.DOWN): to for line, to in pairwise((*lines, 1))}
    leads |= {(1, Pad.START): 2, (3, Pad.A): GAME}
    lab = Lab(RememberingBridge(Passing(leads)))
    lab.idle(1)
    way = found_from(lab)
    assert way is not None
    buttons = [station.button for station in way.stations]
    assert (buttons[0], buttons[-2:]) == (Pad.START, [Pad.NONE, Pad.A])


class Opening(Menus):
    """The first screen looks the same until it takes START; RIGHT leaves a trace meanwhile, and does no more."""

    def step(self, pads: Sequence[Pad]) -> None:
        before = self._screen
        super().step(pads)
        if not (100 <= self._frames < 170 or self._frames >= 400) and self._screen == GAME:
            self._screen = before  # a wait is too short or too long to find it first
        self.ram[[HELD, LAST]] &= np.uint8(Pad.RIGHT)


def test_a_button_that_only_lets_time_pass_is_a_wait() -> None:
    lab = Lab(RememberingBridge(Opening({(1, Pad.START): GAME})))
    lab.idle(1)
    way = found_from(lab)
    assert way is not None
    assert [station.button for station in way.stations] == [*[Pad.NONE] * 3, Pad.START]


def test_a_game_that_begins_with_a_piece_that_cannot_move_is_no_screen() -> None:
    lab = Lab(RememberingBridge(Menus({(1, Pad.START): GAME})))
    lab.idle(1)

    def arrived(state: bytes, last: Station | None) -> int | None:
        image = lab.replay(state, [Pad.NONE])[0]
        return GAME if image[SCREEN] == GAME and image[COUNTER] > 130 else None

    way = way_to(lab, lab.save(), arrived, 40)
    assert way is not None
    assert [station.button for station in way.stations] == [Pad.START]


def test_a_byte_that_repeats_the_last_button_makes_no_new_screens() -> None:
    lines = (1, 2, 3, 4, 5)
    leads = {(line, Pad.DOWN): to for line, to in pairwise((*lines, 1))}
    leads |= {(line, Pad.START): line + 10 for line in lines[:-1]} | {(5, Pad.START): GAME}
    leads |= {(line + 10, Pad.START): line for line in lines}
    leads |= {(line + 10, Pad.DOWN): to + 10 for line, to in pairwise((*lines, 1))}
    way = found(leads, screens=24)
    assert way is not None
    assert [station.button for station in way.stations] == [Pad.DOWN] * 4 + [Pad.START]


@pytest.mark.slow
def test_menus_that_lead_nowhere_end() -> None:
    assert found({(1, Pad.START): 2, (2, Pad.B): 1}) is None


OVER = 5


@pytest.mark.parametrize(("leads_to", "buttons"), [(1, [Pad.B, Pad.START]), (GAME, [Pad.B])])
def test_the_way_back_is_the_known_way_or_a_shorter_one(leads_to: int, buttons: list[Pad]) -> None:
    leads = {(1, Pad.START): GAME, (GAME, Pad.SELECT): OVER, (OVER, Pad.B): leads_to}
    lab = Lab(RememberingBridge(Menus(leads)))
    lab.idle(1)
    known = [Station(lab.save(), lab.idle(4), Pad.START)]
    lab.play([Pad.START] * 8)
    lab.play([Pad.NONE] * 8 + [Pad.SELECT] * 8 + [Pad.NONE] * 8)
    assert lab.idle(1)[0, SCREEN] == OVER

    def arrived(state: bytes) -> int | None:
        return GAME if lab.replay(state, [Pad.NONE])[0, SCREEN] == GAME else None

    way = way_back(lab, lab.save(), lab.idle(4), known, arrived)
    assert way is not None
    assert [station.button for station in way.stations] == buttons
    assert way_back(lab, known[0].state, known[0].frames, [], lambda state: None) is None


def test_a_way_is_gone_again_with_other_waits() -> None:
    leads, _ = WAYS["three screens"]
    lab = Lab(RememberingBridge(Menus(leads)))
    lab.idle(1)
    way = found_from(lab)
    assert way is not None
    first = set[int]()
    for wait in (5, 17):
        seen = again(lab, way.stations, wait)
        assert [{*frames[:, SCREEN].tolist()} for frames in seen] == [{1}, {2}, {3}]
        for frames, station in zip(seen, way.stations, strict=True):
            assert len(frames) == len(station.frames) + wait
        after = lab.idle(1)
        assert after[0, SCREEN] == GAME
        first.add(int(after[0, COUNTER]))
    assert len(first) == 2, "what counts on the screens is another number each time"
