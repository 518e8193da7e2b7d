"""What is drawn over an emulator's picture: where the piece will lock, where the next one goes, the figures."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import pairwise

import numpy as np
import pytest

from emubot import Goal, Pilot
from emubot.bridges import Mark
from emubot.bridges.simulated import SimulatedBridge
from emubot.cli import main
from emubot.cli.overlay import _figures, draw_over
from emubot.games.strength import Strength
from emubot.pilot import Match, Skill, Tally, View
from emubot.rammap import load_map
from emubot.session.request import SessionRequest
from emubot.session.session import open_session
from emubot.snapshot import Phase, Piece, Placement
from emubot.view.overlay import DARK, NEXT, PLANNED, Screen, marks
from tests.families import whole_edition


class Canvas(SimulatedBridge):
    """A bridge that keeps what it is told to draw."""

    shown: Sequence[Mark] = ()

    def draw(self, marks: Sequence[Mark]) -> None:
        self.shown = list(marks)


def canvas(map_name: str) -> Canvas:
    ram_map = load_map(map_name)
    return Canvas(whole_edition(ram_map).simulator.machine(np.random.default_rng(5), False))


def inside(mark: Mark, field: Screen | None) -> bool:
    """Whether a mark is in one cell of a field of six columns and thirteen rows."""
    assert field is not None
    left, top, width, height = field
    column, row = (mark.x - left) // width, (mark.y - top) // height
    last = (mark.x + mark.width - 1 - left) // width, (mark.y + mark.height - 1 - top) // height
    return not mark.text and column in range(6) and row in range(13) and last == (column, row)


def framed(found: Sequence[Mark], screen: Screen, rgb: int) -> set[tuple[int, int]]:
    """The cells, (column, row), with an outline of this colour inside a dark one."""
    left, top, width, height = screen
    areas = {(mark.x, mark.y, mark.width, mark.height) for mark in found if mark.rgb == DARK and not mark.text}
    light = [mark for mark in found if mark.rgb == rgb and not mark.text]
    assert all((mark.x - 1, mark.y - 1, mark.width + 2, mark.height + 2) in areas for mark in light)
    return {((mark.x - left) // width, (mark.y - top) // height) for mark in light}


@pytest.mark.few(1)
@pytest.mark.parametrize(("map_name", "cells"), [("nes_tetris_usa", 4), ("demo_pairs", 2), ("demo_capsules", 2)])
def test_what_is_framed_is_where_the_piece_locks_and_then_the_next(map_name: str, cells: int) -> None:
    """The frames of a plan are where the piece is on its last frame; those of the next plan mostly come true too."""
    bridge = canvas(map_name)
    edition, ram_map = whole_edition(load_map(map_name)), load_map(map_name)
    skill = Skill(strength=Strength(500 if ram_map.family == "tetris" else None))
    look, pilot = edition.depiction, Pilot(bridge, Goal(pieces=40), edition, skill)
    pilot.previews = True
    views: list[View] = []
    pilot.watchers.append(views.append)
    pilot.run()
    screen = ram_map.screen(0)
    assert screen is not None
    foreseen: set[Piece] = set()
    kept = asked = 0
    plans: list[tuple[Placement, Piece | None]] = []
    for view in views:
        if view.chosen is not None and view.snapshot.phase is Phase.PLAYING:
            if not plans or plans[-1][0] is not view.chosen:
                plans.append((view.chosen, view.preview))
            found = marks(look, view.snapshot, screen, view.chosen, view.preview, "figures")
            there = look.cells(view.snapshot, Piece(view.chosen.orientation, view.chosen.column, view.chosen.row))
            field = view.snapshot.playfield
            planned, following = (framed(found, screen, rgb) for rgb in (PLANNED, NEXT))
            assert planned == {(cell.column, cell.row) for cell in there if cell.row >= 0}
            assert len(following) <= cells
            assert not any(field[row, column] for column, row in following), "never on a cell that is taken"
            assert not planned & following
            foreseen.update([view.preview] if view.preview else [])
    for (_, next_one), (chosen, _) in pairwise(plans):
        if next_one is not None:
            asked += 1
            kept += (next_one.orientation, next_one.column) == (chosen.orientation, chosen.column)
    assert asked >= 30
    assert kept >= asked // 4, f"{kept} of {asked}: the piece after next changes many a mind, but not nearly all"
    assert foreseen


def test_a_place_that_is_free_only_after_the_clears_is_not_framed_yet() -> None:
    ram_map = load_map("demo_capsules")
    edition = whole_edition(ram_map)
    ram = np.zeros(2048, dtype=np.uint8)
    ram_map.encode(ram, {"game_state": 2, "play_state": 1, "x": 3, "current_1": 1, "current_2": 2, "next_1": 1})
    ram_map.encode(ram, {"next_2": 3})
    ram[0x0400 + 8 * 15 + 2] = 1  # column 2, row 15, as the map's grid says
    snapshot = edition.decoder()(ram.tobytes())
    screen, chosen = ram_map.screen(0), Placement(0, 4, 15)
    assert screen is not None
    assert snapshot.phase is Phase.PLAYING
    assert snapshot.playfield[15, 2]
    for column, seen in ((0, 2), (1, 0), (2, 0), (3, 0), (5, 0), (6, 2)):  # column 2 is taken, 4 and 5 are planned
        found = marks(edition.depiction, snapshot, screen, chosen, Piece(0, column, 15), "")
        assert len(framed(found, screen, NEXT)) == seen, column
        assert len(framed(found, screen, PLANNED)) == 2


def test_out_of_play_or_without_a_place_on_the_screen_there_is_only_the_line() -> None:
    bridge, ram_map = canvas("demo_pairs"), load_map("demo_pairs")
    edition = whole_edition(ram_map)
    pilot = Pilot(bridge, Goal(pieces=1), edition)
    views: list[View] = []
    pilot.watchers.append(views.append)
    pilot.run()
    menu = next(view for view in views if view.snapshot.phase is Phase.MENU)
    chosen = next(view.chosen for view in views if view.chosen)
    line = marks(edition.depiction, menu.snapshot, ram_map.screen(0), chosen, None, "2 PIECES")
    assert [(mark.x, mark.y, mark.text) for mark in line] == [(116, 9, "2 PIECES")]
    playing = next(view for view in views if view.chosen)
    assert len(marks(edition.depiction, playing.snapshot, None, chosen, None, "2 PIECES")) == 1


def test_the_line_counts_in_the_words_of_its_family() -> None:
    tally = Tally(pieces=1200, decision_ms=[2.5])
    assert [_figures(piece, tally) for piece in ("pair", "piece")] == ["1,200 PAIRS  2.5 MS", "1,200 PIECES  2.5 MS"]


def test_two_bots_share_one_picture_and_cover_nothing_but_their_fields(monkeypatch: pytest.MonkeyPatch) -> None:
    opened = open_session(SessionRequest(demo="puyo", bridge="simulated", against_itself=True))
    bridge = canvas("demo_pairs")
    opened.bridges[:] = [bridge]
    pilots = [
        Pilot(
            bridge,
            opened.goal(None, 1),
            opened.edition.game.open(opened.edition.ram_map),
            port=seat.port,
            leads=seat.leads,
        )
        for seat in opened.seats
    ]
    match = Match(pilots, 3)
    draw_over(opened, match)
    fields = [opened.edition.ram_map.screen(0), opened.edition.ram_map.screen(1)]
    most = 0
    while not match.finished:
        match.step()
        most = max(most, sum(mark.rgb == PLANNED for mark in bridge.shown))
        assert all(any(inside(mark, field) for field in fields) for mark in bridge.shown)
    assert most == 4, "two pairs"


def test_an_emulator_that_cannot_draw_says_so(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["play", "--demo", "tetris", "--bridge", "simulated", "--overlay"]) == 2
    assert "cannot draw over its emulator's picture: leave out --overlay" in capsys.readouterr().err
