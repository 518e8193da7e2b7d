"""The frames of a game before its first piece is named are no frames of play, if a byte tells them."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import replace
from typing import cast

import numpy as np
import pytest

from emubot.discovery import phases
from emubot.discovery.axes import Axis
from emubot.discovery.drops import Dropper
from emubot.discovery.lab import History, Lab
from emubot.discovery.ways import Station
from emubot.pad import Pad

STATE, DRAWN, PIECE, COUNT = range(4)
TITLE, GAME, LOCKED = 0, 4, 5
WAITS = ((7, Pad.NONE), (9, Pad.START))  # a byte of chance, and the button that leaves a screen
NAMED = 3  # frames after START


def rows(*frames: tuple[int, int, int]) -> History:
    return np.array([(*frame, number) for number, frame in enumerate(frames)], np.uint8)


def seen(state: bytes = b"") -> phases.Seen:
    none = rows()[:0].reshape(0, 4)
    title = Station(state, rows((TITLE, 0, 0), (TITLE, 0, 0)), Pad.START)
    control = rows((GAME, 1, 32), (GAME, 1, 16), (GAME, 1, 48))
    return phases.Seen(control, rows((LOCKED, 1, 32), (LOCKED, 1, 16)), none, none, (title,), ())


class Starting:
    """A game whose first piece is named some frames after START, and drawn in the same frame."""

    def replay(self, state: bytes, pads: Iterable[Pad]) -> History:
        """Plays from the title on."""
        images, since = [], -1
        for pad in pads:
            since += since >= 0 or pad is Pad.START
            images.append((GAME if since >= 0 else TITLE, since >= NAMED, 32 * (since >= NAMED)))
        return rows(*images)


def test_frames_before_the_first_piece_are_seen() -> None:
    early = phases.before_first_piece(cast(Lab, Starting()), seen(), [PIECE])
    assert len(early)
    assert (early[:, STATE] == GAME).any()
    assert not early[:, PIECE].any()


@pytest.mark.parametrize(("drawn", "expected"), [(0, {STATE: (GAME,), DRAWN: (1,)}), (1, {STATE: (GAME,)})])
def test_a_byte_that_tells_them_is_asked_for(drawn: int, expected: dict[int, tuple[int, ...]]) -> None:
    early = rows((GAME, drawn, 0), (GAME, drawn, 0))
    told = phases.tell(seen(), {PIECE, COUNT}, set(), early)
    assert told.playing.numbers == expected
    assert phases.tell(seen(), {PIECE, COUNT}, set()).playing.numbers == {STATE: (GAME,)}


def test_a_byte_that_tells_play_from_locks_and_menus_is_the_state() -> None:
    """A scratch byte with fewer numbers in all tells play as well, but nothing else."""
    none = np.zeros((0, 3), np.uint8)
    state, scratch, chance = range(3)
    control, between = ([[number, other, 0]] * 6 for number, other in ((4, 1), (5, 0)))
    menu = [[number, 0, 9] for number in (3, 3, 3, *[6] * 12)]  # the end goes over to the title by itself
    station = Station(b"", np.array(menu, np.uint8), Pad.START)
    seen = phases.Seen(np.array(control, np.uint8), np.array(between, np.uint8), none, none, (), (station,))
    told = phases.tell(seen, set(), set())
    assert told.playing.numbers == {state: (4,)}, f"not {scratch}, which has fewer numbers in all"
    assert told.between.numbers == {state: (5,)}
    assert [screen.told.numbers for screen in told.screens] == [{state: (3, 6)}], f"not {chance}, the same all the time"


class _Ending:
    """The last pieces of a game: each frame has the row, and a state is how many frames of them have passed."""

    row = Axis(0, 1)

    def __init__(self, rows: list[int]) -> None:
        self.lab, self._rows, self._at = self, rows, 0

    def idle(self, frames: int) -> History:
        self._at += frames
        rows = [*self._rows, *self._rows[-1:] * self._at]
        return np.array(rows[self._at - frames : self._at], np.uint8)[:, None]

    def save(self) -> bytes:
        return self._at.to_bytes(2, "little")

    def load(self, state: bytes) -> None:
        self._at = int.from_bytes(state, "little")

    def obeys(self, state: bytes) -> bool:
        return 60 <= int.from_bytes(state, "little") < 100


@pytest.mark.parametrize(
    ("rows", "end"),
    [
        ([240] * 30, 40),
        ([240] * 30 + [2] * 50, 120),  # another piece comes, obeys until frame 100, and rests
    ],
)
def test_a_game_is_over_where_no_further_piece_comes_or_obeys(rows: list[int], end: int) -> None:
    dropper = _Ending(rows)
    here, frames = phases.rested(cast(Dropper, dropper), [], 40)
    assert int.from_bytes(here, "little") == len(frames) == end


@pytest.mark.parametrize(
    ("still", "between", "expected"),
    [
        (30, 34, 64),  # the last piece may rest so long where it enters, and then be locked so long
        (4, 3, 40),
        (60, 70, 100),  # a screen of its end may pass by itself
    ],
)
def test_a_last_piece_that_rests_where_it_enters_is_waited_for(still: int, between: int, expected: int) -> None:
    rows = np.repeat(np.arange(9, dtype=np.uint8), still)[:150]
    nothing = np.zeros((between, 1), np.uint8)
    assert phases._frames_of_rest(rows, [nothing[:2], nothing]) == expected


def test_a_press_that_does_no_harm_on_a_screen_that_passes_needs_no_byte_of_chance() -> None:
    none, state, chance = np.zeros((0, 2), np.uint8), 0, 1
    wait, title = (Station(b"", np.array([[0, number]] * 4, np.uint8), button) for number, button in WAITS)
    control, between = (np.array([[number, 0]] * 4, np.uint8) for number in (4, 5))
    seen = phases.Seen(control, between, none, none, (wait, title), ())
    screens = phases.tell(seen, set(), set()).screens
    assert {state: (0,)} in [screen.told.numbers for screen in screens if screen.button is Pad.START], chance


def test_frames_before_a_lock_that_nothing_shows_are_not_between_two_pieces_if_the_state_tells_them() -> None:
    none, state = np.zeros((0, 1), np.uint8), 0
    title, over = (Station(b"", np.full((12, 1), number, np.uint8), Pad.START) for number in (0, 6))
    between = np.array([[4]] * 3 + [[5]] * 9, np.uint8)
    seen = phases.Seen(np.full((12, 1), 4, np.uint8), between, none, none, (title,), (over,))
    told = phases.tell(seen, set(), set())
    assert (told.playing.numbers, told.between.numbers) == ({state: (4,)}, {state: (5,)})


def test_memory_that_is_filled_at_first_is_no_screen() -> None:
    none, state = np.zeros((0, 1), np.uint8), 0
    title, level, over = (Station(b"", np.full((60, 1), number, np.uint8), Pad.SELECT) for number in (7, 0, 2))
    title.frames[:3] = 0
    level = replace(level, button=Pad.START)
    seen = phases.Seen(np.full((12, 1), 4, np.uint8), none, none, none, (title, level), (over,))
    screens = phases.tell(seen, set(), set()).screens
    assert [(screen.told.numbers, screen.button) for screen in screens] == [
        ({state: (2,)}, Pad.SELECT),
        ({state: (7,)}, Pad.SELECT),
        ({state: (0,)}, Pad.START),
    ]


def test_memory_that_is_filled_at_first_and_looks_like_play_needs_no_byte_that_may_change_later() -> None:
    none, state, level = np.zeros((0, 2), np.uint8), 0, 1
    filled = np.array([[0, 0]] * 8 + [[7, 1]] * 60, np.uint8)
    title, over = Station(b"", filled, Pad.START), Station(b"", np.array([[2, 1]] * 60, np.uint8), Pad.START)
    demo = filled[:: phases._EVERY]
    seen = phases.Seen(np.array([[0, 1]] * 12, np.uint8), none, none, demo, (title,), (over,))
    playing = phases.tell(seen, set(), set()).playing
    assert playing.whole
    assert playing.numbers == {state: (0,)}, f"not {level}, which is 1 in all games that were seen"
