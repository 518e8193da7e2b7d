"""What tells a colour game's phases apart, where only the piece's own bytes do, and when a lost game is over."""

from __future__ import annotations

from dataclasses import replace

import numpy as np

from emubot.discovery import phases
from emubot.discovery.axes import Axis
from emubot.discovery.colours import study
from emubot.discovery.colours.findings import ColourFindings, ColourPiece, Part, Ruler
from emubot.discovery.lab import History
from emubot.discovery.pads import Hand, _falls_and_stays
from emubot.discovery.ways import Station
from emubot.pad import Pad
from tests.discovery.colours.drawn import field

SCRATCH, SCREEN, Y, COUNTER, COPY = 49, 50, 51, 52, 57  # the field is in the bytes before
GAME, LOST, MENU, ASIDE = 3, 4, 1, 0xF0


def frames(screen: int, rows: list[int]) -> History:
    found = np.zeros((len(rows), 64), np.uint8)
    found[:, SCREEN], found[:, Y], found[:, COUNTER] = screen, rows, np.arange(len(rows)) % 7
    return found


def findings() -> ColourFindings:
    row = Ruler(Y, 0, 1, signed=True)
    parts = (Part(53), Part(54))
    piece = ColourPiece(Ruler(55, 0, 1, signed=False), row, Part(56), (), (), parts, {}, (), (0, 0, 0))
    return ColourFindings(Hand(1), field(8, 6), piece, b"", (), frozenset())


def seen() -> phases.Seen:
    over = np.concatenate([frames(GAME, [ASIDE] * 9), frames(LOST, [ASIDE] * 40)])
    menu = frames(MENU, [ASIDE] * 40)
    stations = (Station(b"", menu, Pad.START),)
    control, between = frames(GAME, [1, 2, 3, 4, 5, 6] * 10), frames(GAME, [ASIDE] * 30)
    return phases.Seen(control, between, control[:0], menu, stations, (Station(b"", over, Pad.A), *stations))


def test_a_lost_game_is_over_when_something_changes_for_good() -> None:
    last = study._without_last_fall(seen(), {*range(48)}).back[0]
    assert {*last.frames[:, SCREEN].tolist()} == {LOST}
    assert len(last.frames) == 40
    whole = replace(seen(), back=(Station(b"", last.frames, Pad.A),))
    assert study._without_last_fall(whole, set()).back[0].frames is last.frames


def test_a_piece_that_is_put_aside_tells_that_none_is_under_control() -> None:
    told = study._phases(findings(), study._without_last_fall(seen(), {*range(48)}), [frames(GAME, [ASIDE] * 5)])
    assert told.between.numbers[Y] == (ASIDE,)
    assert told.between.holds(frames(GAME, [ASIDE])).all()
    assert not told.between.holds(frames(MENU, [ASIDE])).any()
    assert told.playing.holds(frames(GAME, [4])).all()
    assert not told.playing.whole, "so it comes after what says that none is under control"


def test_one_number_between_two_pieces_tells_more_than_several_bytes_that_happen_to_be_the_same_under_control() -> None:
    parts = study._without_last_fall(seen(), {*range(48)})
    parts.control[:, [SCRATCH, COPY]] = 32, 189
    screens = [parts.demo, *(station.frames for station in (*parts.stations, *parts.back))]
    for images in screens:
        images[:, Y] = 7
    for images in (parts.between, *screens):
        images[:, [SCRATCH, COPY]] = [(32, 7), (9, 189)] * (len(images) // 2) + [(9, 7)] * (len(images) % 2)
    told = study._phases(findings(), parts, [frames(GAME, [ASIDE] * 5)])
    assert told.playing.holds(frames(GAME, [4])).all(), told.playing
    assert not told.between.holds(frames(GAME, [4])).any()
    assert told.between.holds(frames(GAME, [ASIDE])).all()


def test_what_holds_in_a_game_does_not_hold_in_other_ends_of_games() -> None:
    """A scratch byte may have a number of the game's in the one end, and not in others."""
    parts = seen()
    for images in (parts.control, parts.between):
        images[:, SCRATCH] = 3
    other = frames(LOST, [ASIDE] * 9)
    other[:, SCRATCH], other[:, SCREEN] = 3, LOST
    taken = study._without_last_fall(parts, {*range(48)})
    told = study._phases(findings(), replace(taken, over=other), [other])
    assert not told.between.holds(other).any()
    assert told.between.holds(parts.between).all()


def test_play_is_within_a_game_though_an_end_may_leave_the_state_of_the_piece() -> None:
    """The state of the piece alone tells play from all that was seen, and another end leaves it as in play."""
    parts = seen()
    parts.control[:, SCRATCH] = 9
    told = study._phases(findings(), study._without_last_fall(parts, {*range(48)}), [frames(GAME, [4] * 5)])
    assert told.playing.holds(parts.control).all()
    other = frames(LOST, [4])
    other[:, SCRATCH] = 9
    assert not told.playing.holds(other).any()


def test_a_short_drop_at_once_is_no_soft_drop() -> None:
    row = Axis(Y, 1)
    assert _falls_and_stays(row, frames(GAME, [4, 4, 6, 6, 6, 6]))
    assert not _falls_and_stays(row, frames(GAME, [4, 4, 5, 6, 6, 6]))
    assert not _falls_and_stays(row, frames(GAME, [4, 4, 5, 5, 5, 5]))
