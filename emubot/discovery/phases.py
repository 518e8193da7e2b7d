"""Collects the frames of every phase of a game, from power-on through its menus to its end, and tells them apart."""

from __future__ import annotations

from collections.abc import Mapping, Sequence, Set
from dataclasses import dataclass, field, replace
from typing import Final, Protocol

import numpy as np
from numpy.typing import NDArray

from emubot.discovery.drops import Dropper, GoneAstray
from emubot.discovery.lab import History, Lab
from emubot.discovery.screens import Teller, Told, late_copies
from emubot.discovery.ways import Station, again, arrival, passage, way_back, way_to
from emubot.pad import Pad

_MOST_PIECES: Final = 120  # one on the other, until the game is lost
_LAST: Final = 400  # frames in which the last piece comes to rest, or stands still
_MOSTLY: Final = 0.9  # of the frames between two pieces that a state of their own must cover
_MISREAD: Final = 0.05  # of the frames between two pieces that may show one under control
_MISREAD_BY_STATE: Final = 0.5  # the same where the game's state is known: a lock may change nothing on the board
_COMES_TO_REST: Final = 40, 100  # frames after the last lock that may still show what locked: at least, and at most
_LEFT: Final = 10  # times as many, in which further pieces come to rest
_OVER: Final = 160  # frames that are taken for its end
_SCREENS: Final = 40  # looked at on the way back to a game
_DEMO: Final = 1500  # frames at the first screen in which a demonstration must have begun
_PAUSE: Final = 150  # frames in which a piece that is not paused falls
_OTHER_WAITS: Final = (9, 26, 71)  # frames before each press on the way to a game
_BOOT: Final = 24  # frames from power-on in which no screen need be there yet
_FIRST: Final = 12  # frames of its first piece
_EVERY: Final = 3  # of a demonstration's frames one in so many is kept


class Span(Protocol):
    """A piece from the first frame in which it obeyed to the next piece's."""

    @property
    def controlled(self) -> History:
        """The frames in which it was certainly under control."""

    @property
    def between(self) -> History:
        """The frames from its lock to the next piece."""


@dataclass(frozen=True, slots=True)
class Screen:
    """A screen of the menus, or a game's end: what tells it, and the button that leads on from it."""

    told: Told
    button: Pad
    over: bool = False


@dataclass(frozen=True, slots=True)
class Phases:
    """What tells the phases apart.

    `between` is empty if no byte tells the frames between two pieces from those with a piece under control. `together`
    are screens that no byte tells apart, and the buttons that lead on from one of them each, in turn.
    """

    playing: Told
    between: Told
    paused: Told
    screens: tuple[Screen, ...]
    together: tuple[Told, tuple[Pad, ...]] | None


@dataclass(frozen=True, slots=True)
class Seen:
    """The frames of a game by what is done in them; `stations` lead from power-on to a game, `back` from its end.

    `again` is the moment of the next game; None if none came. `late` has what bytes copy that come later. `lost` are
    the frames of a game's last piece and of its end, one after the other. `over` are more frames after games.
    """

    control: History
    between: History
    paused: History
    demo: History
    stations: tuple[Station, ...]
    back: tuple[Station, ...]
    again: bytes | None = None
    late: Mapping[int, set[int]] = field(default_factory=dict)
    lost: History = field(default_factory=lambda: np.zeros((0, 0), np.uint8))
    over: History | None = None

    def menus(self, since: int = 0) -> History:
        """All frames of no game, those after power-on from the frame `since` on."""
        over = [] if self.over is None else [self.over]
        first = [station.frames[since:] for station in self.stations[:1]]
        others = [station.frames for station in (*self.stations[1:], *self.back)]
        return np.concatenate([self.demo[-(-since // _EVERY) :], *first, *others, *over])


def see(dropper: Dropper, play: bytes, stations: tuple[Station, ...], spans: Sequence[Span]) -> Seen:
    """Play on until all phases were seen. `stations` lead from power-on to `play`."""
    lab = dropper.lab
    falls = lab.replay(play, [Pad.NONE] * _PAUSE)
    end, last = _end(dropper, play, _frames_of_rest(falls[:, dropper.row.index], [span.between for span in spans]))
    over = lab.replay(end, [Pad.NONE] * _OVER)
    lost = np.concatenate([last, over])
    passages = [lost]
    way = way_back(lab, lab.save(), over, stations, lambda state: _plays(dropper, state))
    way = way or way_to(lab, end, lambda state, _: _plays(dropper, state), _SCREENS)
    passages += [passage(lab, each) for each in (stations, () if way is None else way.stations) if each]
    stations, first = _varied(dropper, stations)
    back, second = ((Station(end, over, Pad.NONE),), []) if way is None else _varied(dropper, way.stations)
    return Seen(
        np.concatenate([*(span.controlled for span in spans), *first, *second]),
        np.concatenate([span.between for span in spans]),
        _paused(dropper, play),
        lab.replay(stations[0].state, [Pad.NONE] * _DEMO)[::_EVERY] if stations else over[:0],
        stations,
        back,
        None if way is None else way.goal,
        late_copies(passages),
        lost,
    )


def _varied(dropper: Dropper, stations: tuple[Station, ...]) -> tuple[tuple[Station, ...], list[History]]:
    """Goes the way to the game again with other waits; returns the stations with these frames, and first pieces.

    What counts on one screen and stands still on the next one, a timer or a generator, shows another number each time.
    """
    control: list[History] = []
    for wait in _OTHER_WAITS if stations else ():
        frames = again(dropper.lab, stations, wait)
        here = dropper.lab.save()
        if not dropper.obeys(here):
            continue
        first = dropper.lab.replay(here, [Pad.NONE] * _FIRST)
        if not dropper.row.jumps(first).any() and dropper.obeys(dropper.lab.save()):
            control.append(first)
            stations = tuple(replace(station, frames=more) for station, more in zip(stations, frames, strict=True))
    return stations, control


def _plays(dropper: Dropper, state: bytes) -> bytes | None:
    """Returns this moment if a piece obeys and falls."""
    if not dropper.obeys(state):
        return None
    images = dropper.lab.replay(state, [Pad.NONE] * _PAUSE)
    return state if (np.diff(images[:, dropper.row.index].astype(np.int64)) != 0).any() else None


def _paused(dropper: Dropper, play: bytes) -> History:
    """Returns frames of a pause that START begins and ends; none if it does not."""
    press = [*[Pad.START] * max(dropper.hand.press, 2), *[Pad.NONE] * 8]
    begun = dropper.lab.replay(play, press)
    paused = dropper.lab.save()
    if dropper.obeys(paused):
        return begun[:0]
    frames = dropper.lab.replay(paused, [Pad.NONE] * _PAUSE)
    if (frames[0, dropper.row.index] != frames[:, dropper.row.index]).any():
        return begun[:0]
    dropper.lab.play(press)
    return frames if dropper.obeys(dropper.lab.save()) else begun[:0]


def _frames_of_rest(rows: NDArray[np.uint8], between: Sequence[History]) -> int:
    """Returns the frames in which a piece that falls by itself, in these rows, has locked, and another would be there.

    The last piece of a game may rest where it enters, and be under control without a place to go.
    """
    a_row = int(np.diff(np.flatnonzero(np.diff(rows))).max(initial=0))
    return int(np.clip(a_row + max(map(len, between), default=0), *_COMES_TO_REST))


def _end(dropper: Dropper, play: bytes, rest: int) -> tuple[bytes, History]:
    """Returns a moment soon after the last lock of a game, and the frames of the last piece until then."""
    here = play
    for _ in range(_MOST_PIECES):
        try:
            here = dropper.drop(here).next_state
        except GoneAstray:
            break
    # The last piece comes to rest, or stands still, and no other one obeys.
    lab, dropping, frames = dropper.lab, dropper.hand.dropping(), [dropper.lab.replay(here, [Pad.NONE])]
    for _ in range(_LAST):
        frames.append(lab.play([next(dropping)]))
        if dropper.row.jumps(np.concatenate(frames[-2:]))[0]:
            break
    return rested(dropper, frames, rest)


def rested(dropper: Dropper, frames: list[History], rest: int) -> tuple[bytes, History]:
    """Waits until nothing falls any more: the last piece but one may leave room. Returns the moment, and all frames."""
    for _ in range(_LEFT):
        frames.append(dropper.lab.idle(rest))
        here = dropper.lab.save()
        if not dropper.row.jumps(frames[-1]).any() and not dropper.obeys(here):
            break
        dropper.lab.load(here)
    return here, np.concatenate(frames)


def before_first_piece(lab: Lab, seen: Seen, own: Sequence[int]) -> History:
    """Returns the frames at the beginning of a game in which the bytes of the piece do not name the first one yet."""
    last = [way[-1] for way in (seen.stations, seen.back) if way]
    arrivals = [arrival(lab, station, wait) for station in last for wait in (0, *_OTHER_WAITS)]
    early = [frames[(frames[:, own] != frames[-1, own]).any(1)] for frames in arrivals]
    return np.concatenate([seen.control[:0], *early])


def tell(seen: Seen, taken: set[int], sprites: Set[int], early: History | None = None) -> Phases:
    """Returns what tells the phases apart. `taken` bytes mean something else, `sprites` are of the picture.

    `early` are frames of a game that have no piece yet, though they may look as if: some games name their first piece
    a frame or two after they have begun. No byte need tell them from others.
    """
    teller = Teller(
        [part for part in (seen.control, seen.between, seen.paused, seen.menus()) if len(part)],
        taken,
        sprites,
        seen.late,
    )
    waiting = [station.frames for station in (*seen.stations, *seen.back) if station.button]
    state = teller.state_of(seen.control, seen.between, waiting)
    # Memory that is not filled yet may show the state of a piece under control; no other byte need deny it for ever.
    menus = seen.menus(since=0 if state is None else _BOOT)
    elsewhere = np.concatenate([seen.paused, menus])
    usual = [] if state is None else [state]
    if early is not None and not teller.tell(seen.control, early, fixed=True).holds(early).any():
        elsewhere = np.concatenate([elsewhere, early])
    # A piece that locks as soon as it enters is taken for none: a few of its frames are not between two pieces.
    misread = teller.tell(seen.control, elsewhere, fixed=True, always=state).holds(seen.between)
    if misread.sum() <= (_MISREAD if state is None else _MISREAD_BY_STATE) * len(misread):
        seen = replace(seen, between=seen.between[~misread])
    playing = teller.tell(seen.control, np.concatenate([seen.between, elsewhere]), fixed=True, always=state)
    waits = seen.between[~playing.holds(seen.between)]
    usual = [*usual, *playing.numbers]
    between = teller.tell(waits, np.concatenate([seen.control, elsewhere]), first=usual)
    if not between.whole or len(waits) < _MOSTLY * len(seen.between):
        between, playing = Told({}, 0.0), teller.tell(seen.control, elsewhere, fixed=True, first=usual, always=state)
    else:  # what tells both is rather the game's state than what tells one of them
        others = np.concatenate([seen.between, elsewhere])
        usual = [*between.numbers, *usual]
        playing = teller.tell(seen.control, others, fixed=True, first=usual, always=state)
    usual = [*([] if state is None else [state]), *playing.numbers]
    paused = teller.tell(seen.paused, np.concatenate([seen.control, seen.between, menus]), first=usual)
    screens, alike = _screens(seen, teller, usual)
    together = None
    if alike:
        frames = np.concatenate([station.frames for station in alike])
        told = teller.tell(frames, np.concatenate([seen.control, seen.between, seen.paused]), first=usual)
        if told.whole:
            together = (told, tuple(dict.fromkeys(station.button for station in alike if station.button)))
    return Phases(playing, between, paused, screens, together)


def _screens(seen: Seen, teller: Teller, usual: Sequence[int]) -> tuple[tuple[Screen, ...], list[Station]]:
    """Returns the screens that bytes tell apart, and the stations that none does."""
    found: list[Screen] = []
    alike: list[Station] = []
    # While memory is filled at first, it shows what means another screen later.
    begun = [replace(station, frames=station.frames[_BOOT:]) for station in seen.stations[:1]]
    stations = [*seen.back, *begun, *seen.stations[1:]]
    game = [seen.control, seen.between, seen.paused]
    is_over = bool(seen.back)
    for group in _by_button(stations, apart=1 if seen.back and seen.back[0].button else 2):
        whole = False
        for part in [group, *([station] for station in group)] if len(group) > 1 else [group]:
            frames, button = np.concatenate([station.frames for station in part]), part[0].button
            if whole or any(screen.told.holds(frames).all() and screen.button == button for screen in found):
                continue
            others = [other.frames for other in stations if other.button != button]
            told = teller.tell(frames, np.concatenate([*game, *others]), first=usual)
            if button and not (told.whole and told.numbers.keys() <= {*usual}):
                # A press does no harm on a screen that also passes by itself.
                others = [other.frames for other in stations if other.button not in (button, Pad.NONE)]
                either = teller.tell(frames, np.concatenate([*game, *others]), first=usual)
                if either.whole and (not told.whole or either.numbers.keys() <= {*usual}):
                    told = either
            if told.whole:
                found.append(Screen(told, button, over=is_over))
                is_over, whole = False, len(part) == len(group)
            elif len(part) == 1 and button:
                alike.append(part[0])
    shown = seen.demo[~np.any([screen.told.holds(seen.demo) for screen in found], axis=0)] if found else seen.demo
    others = [station.frames for station in stations]
    told = teller.tell(shown, np.concatenate([*game, *others]), first=usual)
    if told.whole:
        found.append(Screen(told, seen.stations[0].button))
    return tuple(found), alike


def _by_button(stations: Sequence[Station], apart: int) -> list[list[Station]]:
    """Returns the stations in lists of those that one button leaves; the first `apart` ones and waits are alone.

    What is true of all screens that one button leaves is rather their own than what is true of one visit.
    """
    groups: dict[object, list[Station]] = {}
    for place, station in enumerate(stations):
        alone = place < apart or not station.button
        groups.setdefault(place if alone else station.button, []).append(station)
    return list(groups.values())
