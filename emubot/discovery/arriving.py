"""Reaches a moment of play from power-on, and says what was seen where there is none; knows no board."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Sequence
from dataclasses import replace
from typing import Final, NamedTuple

from emubot.discovery.axes import Axis, follows
from emubot.discovery.lab import Lab
from emubot.discovery.ways import Station, Way, arrival, way_to
from emubot.errors import NotDiscovered
from emubot.pad import Pad, describe
from emubot.rammap.spaces import address_of
from emubot.text import counted

_SCREENS: Final = 90  # looked at on the way to a game
_SOONER: Final = 24  # frames from the last press to another look
_SHORT: Final = 2  # frames of a press that is over before a piece enters
TURNING: Final = (Pad.A, Pad.B, Pad.UP)  # buttons that may turn a piece


class Play(NamedTuple):
    """A moment of play, and the bytes that follow the piece."""

    state: bytes
    columns: tuple[Axis, ...]
    rows: tuple[Axis, ...]


def reach_play(lab: Lab, tell: Callable[[str], None]) -> Way[Play]:
    """Returns the way from power-on to a piece that follows the pad. Raises NotDiscovered if there is none."""
    tell("looking for a screen on which a piece follows the pad ...")
    lab.idle(1)
    looks: list[Sequence[Axis]] = []  # what follows LEFT and RIGHT on each screen where nothing falls

    def arrived(state: bytes, _: Station | None) -> Play | None:
        columns, rows = follows(lab, state)
        looks.append(columns)
        return Play(state, columns, rows) if rows else None

    way = way_to(lab, lab.save(), arrived, _SCREENS)
    if way is None:
        raise NotDiscovered(_no_piece(looks))
    pressed = ", ".join(describe(station.button) if station.button else "a wait" for station in way.stations)
    tell(f"{f'after {pressed}' if pressed else 'from power-on'}: a piece follows the pad.")
    return replace(way, goal=_unturned(lab, way) or _sooner(lab, way) or way.goal)


def _unturned(lab: Lab, way: Way[Play]) -> Play | None:
    """Returns the play to which a shorter press leads, if the usual one may have turned the first piece, too."""
    if not way.stations or not any(way.stations[-1].button & button for button in TURNING):
        return None
    arrival(lab, way.stations[-1], 0, _SHORT)
    state = lab.save()
    columns, rows = follows(lab, state)
    return Play(state, columns, rows) if rows else None


def _sooner(lab: Lab, way: Way[Play]) -> Play | None:
    """Returns the play some frames before, if more falls there: a piece near the floor locks while it is looked at."""
    if not way.stations or not way.stations[-1].button:
        return None
    arrival(lab, way.stations[-1], 0, shows=_SOONER)
    state = lab.save()
    columns, rows = follows(lab, state)
    return Play(state, columns, rows) if {*columns} >= {*way.goal.columns} and {*rows} > {*way.goal.rows} else None


def _no_piece(looks: Sequence[Sequence[Axis]]) -> str:
    """Returns what is said where no piece falls: `looks` are the columns that were found on each screen."""
    screens = counted(len(looks), "screen")
    seen = Counter(axis.index for columns in looks for axis in columns)
    if not seen:
        return f"Nothing moves with LEFT and RIGHT as a falling piece does, on {screens} that were looked at."
    index, times = seen.most_common(1)[0]
    return (
        f"Nothing moves with LEFT, RIGHT and DOWN as a falling piece does, on {screens} that were looked at: "
        f"on {times} of them 0x{address_of(index):02X} follows LEFT and RIGHT, as a cursor does, but nothing falls "
        "with it."
    )
