"""Finds the buttons that lead from one screen to another, nearest screens first; knows no pieces."""

from __future__ import annotations

import heapq
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, field, replace
from typing import Final, Generic, TypeVar

import numpy as np

from emubot.discovery.lab import History, Lab
from emubot.discovery.looks import STEADY, Echoes, Look
from emubot.pad import Pad

T = TypeVar("T")

# What is tried on each screen, with its cost: screens that cost little are looked at first. NONE waits.
_CHOICES: Final = (
    (Pad.START, 1.0),
    (Pad.A, 1.3),
    (Pad.NONE, 1.6),
    (Pad.B, 1.8),
    (Pad.SELECT, 1.8),
    (Pad.DOWN, 1.9),
    (Pad.RIGHT, 2.0),
    (Pad.A | Pad.B, 2.1),
    (Pad.UP, 2.3),
    (Pad.LEFT, 2.3),
    (Pad.START | Pad.SELECT, 3.0),
)
_HELD: Final = 8  # frames of a press: some games look at the pad every fourth frame
_SHOWS: Final = 52  # frames from its end to a look at the new screen
_LONG: Final = 120  # frames of a wait
_OTHER_WAITS: Final = (0, 9, 26, 71)  # frames more before each button, with which a shorter way is tried
_WAITS: Final = 4  # one after the other, that are tried in place of a button
_REPEATS: Final = 3  # looks at screens that differ in bytes that only count
_AGAIN: Final = 2.5  # costs more to look at a screen once more


@dataclass(frozen=True, slots=True)
class Station:
    """A screen on a way: a moment of it, the frames without a button before, and the button that leaves it.

    NONE: it passes by itself.
    """

    state: bytes
    frames: History
    button: Pad


@dataclass(frozen=True, slots=True)
class Way(Generic[T]):
    """A way to a goal, and what the goal's own test found there."""

    stations: tuple[Station, ...]
    goal: T


@dataclass(order=True, slots=True)
class _Screen:
    cost: float
    number: int
    state: bytes = field(compare=False)
    frames: History = field(compare=False)  # the last ones before `state`, without a button
    stations: tuple[Station, ...] = field(compare=False)
    looks: int = field(default=0, compare=False)  # at screens that seem to be the same


def way_to(
    lab: Lab,
    start: bytes,
    arrived: Callable[[bytes, Station | None], T | None],
    screens: int,
) -> Way[T] | None:
    """Returns the cheapest way from a moment to a screen where `arrived` returns something.

    `arrived` gets each screen and the last station before it. None if none of so many `screens` is the goal.
    """
    first = lab.replay(start, [Pad.NONE] * _SHOWS)
    waiting = [_Screen(0.0, 0, lab.save(), first, ())]
    known: list[Look] = []
    looked: list[Look] = []
    echoes = Echoes()
    number = 0
    while waiting and screens:
        screen = heapq.heappop(waiting)
        look = Look(screen.frames)
        repeated = echoes.bytes(first.shape[1])
        # A screen that only passes may look the same all the while.
        waited = bool(screen.stations) and screen.stations[-1].button is Pad.NONE
        looks = 0 if waited else sum(look.seems(other, repeated) for other in looked)
        if looks > screen.looks:  # it is rather one that was looked at: others are first
            cost = screen.cost + (looks - screen.looks) * _AGAIN
            heapq.heappush(waiting, replace(screen, cost=cost, looks=looks))
            continue
        looked.append(look)
        screens -= 1
        found = arrived(screen.state, screen.stations[-1] if screen.stations else None)
        if found is not None:
            return _without_needless(lab, Way(screen.stations, found), arrived)
        for cost, station, state, frames in _next(lab, screen):
            if station.button:
                echoes.add(screen.frames, station.button, frames)
            if _is_new(frames, known):
                number += 1
                heapq.heappush(waiting, _Screen(screen.cost + cost, number, state, frames, (*screen.stations, station)))
    return None


def _without_needless(lab: Lab, way: Way[T], arrived: Callable[[bytes, Station | None], T | None]) -> Way[T]:
    """Returns the way without a last button that is pressed in the game, and with waits for those that do no more.

    The piece that a game begins with may be one that cannot move aside, so that the game is taken for a screen. A
    screen may pass meanwhile, and look new by a button.
    """
    buttons = [station.button for station in way.stations]
    shorter = [(buttons[:-1], wait) for wait in _OTHER_WAITS if len(buttons) > 1]
    eased = [
        ([*buttons[:place], *[Pad.NONE] * waits, *buttons[place + 1 :]], 0)
        for place, button in enumerate(buttons)
        if dict(_CHOICES)[button] > dict(_CHOICES)[Pad.NONE]
        for waits in range(1, _WAITS + 1)
    ]
    for others, wait in (*shorter, *eased):
        stations = _gone(lab, way.stations[0], others, wait)
        found = arrived(lab.save(), stations[-1])
        if found is not None:
            return _without_needless(lab, Way(stations, found), arrived)
    return way


def _gone(lab: Lab, start: Station, buttons: Sequence[Pad], wait: int = 0) -> tuple[Station, ...]:
    """Returns the stations of a way that begins on the screen of one and goes on by these buttons; goes it.

    It waits so many frames more before each of them.
    """
    stations: list[Station] = []
    lab.load(start.state)
    frames = start.frames
    for button in buttons:
        if wait:
            frames = np.concatenate([frames, lab.idle(wait)])
        stations.append(Station(lab.save(), frames, button))
        frames = _after(lab, button)
    return tuple(stations)


def way_back(
    lab: Lab, start: bytes, before: History, known: Sequence[Station], arrived: Callable[[bytes], T | None]
) -> Way[T] | None:
    """Returns the way from a moment to a goal that ends as a known way did; None if no button leads into that.

    `before` are the frames of the screen at `start`. It costs less than looking at all screens.
    """
    for begin in range(len(known), -1, -1):  # the shortest way first: a button that is not needed tells no screen
        for button in (choice for choice, _ in _CHOICES):
            buttons = [button, *(station.button for station in known[begin:])]
            stations = _gone(lab, Station(start, before, button), buttons)
            found = arrived(lab.save())
            if found is not None:
                return Way(stations, found)
    return None


def _after(lab: Lab, button: Pad) -> History:
    """Presses a button, or waits; returns the last frames, without a button."""
    if button is Pad.NONE:
        return lab.idle(_LONG)[-_SHOWS:]
    lab.play([button] * _HELD)
    return lab.idle(_SHOWS)


def arrival(lab: Lab, station: Station, wait: int, held: int = _HELD, shows: int = _SHOWS) -> History:
    """Waits so many frames on a screen; returns those from the press that leaves it, or from the wait, to the look."""
    pressed = [*[station.button] * held, *[Pad.NONE] * (_HELD - held + shows)]
    pads = pressed if station.button else [Pad.NONE] * _LONG
    return lab.replay(station.state, [*[Pad.NONE] * wait, *pads])[wait:]


def again(lab: Lab, stations: Sequence[Station], wait: int) -> list[History]:
    """Goes a way again, and waits so many frames before each press; returns the frames of each station."""
    seen = [station.frames for station in stations]
    lab.load(stations[0].state)
    for number, station in enumerate(stations):
        if station.button is Pad.NONE:
            lab.idle(_LONG)
            continue
        waited = lab.idle(wait)
        seen[number] = np.concatenate([seen[number], waited])
        lab.play([*[station.button] * _HELD, *[Pad.NONE] * _SHOWS])
    return seen


def passage(lab: Lab, stations: Sequence[Station]) -> History:
    """Returns all frames from the first of these screens to what the last one leads to."""
    pressed = [[station.button] * _HELD + [Pad.NONE] * _SHOWS for station in stations]
    waits = [Pad.NONE] * _LONG
    return lab.replay(stations[0].state, [pad for pads in pressed for pad in (pads if pads[0] else waits)])


def _next(lab: Lab, screen: _Screen) -> Iterator[tuple[float, Station, bytes, History]]:
    """Yields what each choice leads to: its cost, the station, the new moment and its last frames."""
    still = lab.replay(screen.state, [Pad.NONE] * (_HELD + _SHOWS))
    for button, cost in _CHOICES:
        if button is Pad.NONE:
            frames = lab.replay(screen.state, [Pad.NONE] * _LONG)
        else:
            frames = lab.replay(screen.state, [button] * _HELD + [Pad.NONE] * _SHOWS)
            if not _differs(still[-STEADY:], frames[-STEADY:]):
                continue
        yield cost, Station(screen.state, screen.frames, button), lab.save(), frames[-_SHOWS:]


def _differs(still: History, frames: History) -> bool:
    """Returns whether a byte stands still in both, at different numbers."""
    steady = (still == still[0]).all(0) & (frames == frames[0]).all(0)
    return bool((still[0] != frames[0])[steady].any())


def _is_new(frames: History, known: list[Look]) -> bool:
    """Returns whether a screen was not seen yet, and notes it. What a screen counts or draws does not make it new."""
    look = Look(frames)
    times = sum(look.seems(other) for other in known)
    known.append(look)
    return times < 1 or (times < _REPEATS and not look.steady.all())
