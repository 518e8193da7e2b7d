"""What the window shows: exact enlargement on the real screen, the plan on the playfield, figures, messages, help."""

from __future__ import annotations

import time
from typing import Any

import numpy as np
import pytest

from emubot.bridges.libretro import LibretroBridge, connect
from emubot.cartridge import load_cartridge
from emubot.demos import image
from emubot.games import game
from emubot.pad import Pad
from emubot.rammap import map_for
from emubot.snapshot import Phase
from tests.bridges.cores import require_core
from tests.view.stage import Stage, require_pygame, until

pygame = require_pygame()

from emubot.view.window import Window  # noqa: E402
from emubot.view.window.canvas import BAR  # noqa: E402
from emubot.view.window.layout import cell_rectangle  # noqa: E402
from tests.view.staged import after, enlarged, key, own_id, quiet, started, surface  # noqa: E402

FIELD = (96, 48, 8, 8)  # where the demo's playfield is
BRIGHT = 128
SQUARE = [(4, 18, ""), (5, 18, "#e8615c"), (4, 19, "#e3b520"), (5, 19, "#5b95e6")]
COLOURS = ((255, 255, 255), (0xE8, 0x61, 0x5C), (0xE3, 0xB5, 0x20), (0x5B, 0x95, 0xE6))


@pytest.mark.parametrize("core", ["fceumm", "nestopia"])
def test_the_picture_is_enlarged_exactly_and_centred_on_the_real_screen(stage: Stage, core: str) -> None:
    with started(core) as bridge, quiet(Window(bridge, "exact")) as window:
        quiet(window).frame()
        picture = bridge.picture()
        height, width = picture.shape[:2]
        shown = surface()
        assert shown.shape == (height * 3 + BAR, width * 3, 3)
        np.testing.assert_array_equal(shown[: height * 3], enlarged(picture, 3))
        assert (shown[height * 3 :] == shown[-1, 0]).all()
        left, top = pygame.display.get_window_position()
        area = np.s_[top : top + shown.shape[0], left : left + shown.shape[1]]
        until(lambda: np.array_equal(stage.screen()[area], shown), "the screen shows what was drawn")


@pytest.mark.parametrize(
    ("size", "scale", "left", "top"),
    [
        ((1000, 700), 3, 140, 1),
        ((1000, 680), 3, 140, 4),  # no room for the bar: the figures lie over the picture
        ((250, 230), 1, 5, 3),
        ((960, 1000), 4, 0, (1000 - BAR - 896) // 2),
    ],
)
def test_a_resized_window_keeps_whole_scales_and_the_middle(
    bridge: LibretroBridge, stage: Stage, size: tuple[int, int], scale: int, left: int, top: int
) -> None:
    with Window(bridge, "resized") as window:
        quiet(window).frame()
        stage.type("windowsize", "--sync", own_id(), *map(str, size))
        until(lambda: window.frame() is not None and pygame.display.get_window_size() == size, "the new size")
        picture = enlarged(bridge.picture(), scale)
        expected = np.full((size[1], size[0], 3), (16, 16, 20), dtype=np.uint8)
        expected[top : top + picture.shape[0], left : left + picture.shape[1]] = picture
        np.testing.assert_array_equal(surface(), expected)


def test_a_window_too_small_shows_the_middle_and_does_not_fail(bridge: LibretroBridge, stage: Stage) -> None:
    with Window(bridge, "tiny") as window:
        quiet(window).frame()
        stage.type("windowsize", "--sync", own_id(), "100", "100")
        until(lambda: window.frame() is not None and pygame.display.get_window_size() == (100, 100), "the new size")
        np.testing.assert_array_equal(surface(), bridge.picture()[62:162, 70:170])


def test_whole_screen_and_back(bridge: LibretroBridge, stage: Stage) -> None:
    with Window(bridge, "whole") as window:
        quiet(window).frame()
        small = surface()
        after(window, pygame.K_F11)
        window.frame()
        assert pygame.display.get_window_size() == (1280, 1024)
        np.testing.assert_array_equal(surface()[51 : 51 + 896, 160 : 160 + 960], enlarged(bridge.picture(), 4))
        after(window, pygame.K_F11)
        window.frame()
        np.testing.assert_array_equal(surface(), small)


@pytest.mark.parametrize("core", ["fceumm", "nestopia"])
def test_the_plan_is_outlined_on_the_playfield(stage: Stage, core: str) -> None:
    with started(core) as bridge, Window(bridge, "plan", screens=[FIELD]) as window:
        quiet(window).frame()
        plain = surface()
        window.frame([SQUARE])
        planned = surface()
        height, width = bridge.picture().shape[:2]
        left, top = FIELD[0] - (256 - width) // 2, FIELD[1] - (240 - height) // 2
        changed = np.zeros(plain.shape[:2], dtype=bool)
        for (column, row, _), colour in zip(SQUARE, COLOURS, strict=True):
            x, y = (left + column * 8) * 3, (top + row * 8) * 3
            cell = (planned[y : y + 24, x : x + 24] == colour).all(axis=2)
            upper, left_one = row == 18, column == 4
            assert (cell[:2].all(), cell[-2:].all()) == (upper, not upper), "one outline around all four"
            assert (cell[:, :2].all(), cell[:, -2:].all()) == (left_one, not left_one)
            assert not cell[3:21, 3:21].any()
            changed[y : y + 24, x : x + 24] = True
        np.testing.assert_array_equal(planned[~changed], plain[~changed])
        key(pygame.K_o)
        window.frame([SQUARE])
        np.testing.assert_array_equal(surface(), plain)
        key(pygame.K_o)
        window.frame([SQUARE])
        np.testing.assert_array_equal(surface(), planned)


@pytest.mark.parametrize(
    ("core", "player"),
    [
        ("fceumm", 0),
        ("nestopia", 1),
        pytest.param("fceumm", 1, marks=pytest.mark.slow),
        pytest.param("nestopia", 0, marks=pytest.mark.slow),
    ],
)
def test_cells_lie_on_the_playfield_that_the_map_places(core: str, player: int) -> None:
    """What the game has in a cell is on the picture in that cell; where it has nothing there is at most a dim dot."""
    ram_map = map_for(load_cartridge(image("puyo")))
    screen = ram_map.screen(player)
    assert screen is not None
    family = game(ram_map.family)
    decode = family.open(ram_map).decoder(player)
    compared, same_for, seen = 0, 0, b""
    with connect(rom=image("puyo"), core=str(require_core(core)), emu_speed=None) as bridge:
        for frame in range(900):
            step = ram_map.menu_step(bridge.read("ram", 0, 2048), {"mode": family.modes["versus"]})
            bridge.press(0, Pad.DOWN if step is None else step.tap if frame % 8 == 0 else Pad.NONE)
            bridge.press(1, Pad.DOWN if step is None else Pad.NONE)
            bridge.advance()
            shot = decode(bridge.read("ram", 0, 2048))
            same_for = same_for + 1 if shot.playfield.tobytes() == seen else 0
            seen = shot.playfield.tobytes()
            # The cartridge draws a change over several frames, and before the first lock it may draw a screen.
            if shot.phase is not Phase.LOCKED or same_for < 10 or not shot.playfield.any():
                continue
            picture = bridge.picture()
            height, width = picture.shape[:2]
            for (row, column), kind in np.ndenumerate(shot.playfield):
                left, top, wide, high = cell_rectangle(screen, column, row, (width, height), 1)
                lit = picture[top : top + high, left : left + wide].max() >= BRIGHT
                assert lit == bool(kind), (row, column)
                compared += int(kind > 0)
    assert compared > 100


@pytest.mark.parametrize("cells", [[(4, -1, "")], [(4, 60, "")], [(-40, 3, "")], []])
def test_cells_that_are_not_on_the_picture_are_not_drawn(bridge: LibretroBridge, cells: list[Any]) -> None:
    with Window(bridge, "outside", screens=[FIELD]) as window:
        quiet(window).frame()
        plain = surface()
        window.frame([cells])
        np.testing.assert_array_equal(surface(), plain)


def test_a_player_whose_playfield_the_map_does_not_place_has_no_outline(bridge: LibretroBridge) -> None:
    with Window(bridge, "unplaced", screens=[None, (160, 40, 8, 8)]) as window:
        quiet(window).frame()
        plain = surface()
        window.frame([SQUARE])
        np.testing.assert_array_equal(surface(), plain)
        window.frame([SQUARE, [(0, 0, "")]])
        x, y = (160 - 8) * 3, (40 - 8) * 3
        assert (surface()[y : y + 2, x : x + 24] == 255).all()
        window.frame([[], [], SQUARE])
        np.testing.assert_array_equal(surface(), plain)


def test_two_bridges_stand_side_by_side_with_a_plan_and_figures_each(stage: Stage) -> None:
    with started() as first, started() as second:
        for _ in range(30):
            second.advance()
        with Window([first, second], "two", screens=[FIELD]) as window:
            quiet(window).frame()
            scale = 2
            shown = surface()
            assert shown.shape == (224 * scale + BAR, 488 * scale, 3)
            np.testing.assert_array_equal(shown[:448, :480], enlarged(first.picture(), scale))
            np.testing.assert_array_equal(shown[:448, 496:], enlarged(second.picture(), scale))
            window.frame([[], [(-15, 5, "")], SQUARE])
            np.testing.assert_array_equal(surface(), shown)  # neither over the other picture nor for a third player
            window.frame([[], SQUARE], ["left one", "right one"])
            planned = surface()
            np.testing.assert_array_equal(planned[:448, :480], shown[:448, :480])
            x, y = 496 + (88 + 32) * scale, (40 + 144) * scale
            assert (planned[y : y + scale, x : x + 16] == 255).all()
            assert (planned[450:, :480] > 150).any()
            assert (planned[450:, 496:] > 150).any()


def test_figures_messages_and_help_are_shown_and_hidden(bridge: LibretroBridge, stage: Stage) -> None:
    with Window(bridge, "texts") as window:
        window.frame()
        greeting = surface()
        quiet(window).frame()
        plain = surface()
        assert not np.array_equal(greeting, plain), "which key lists the keys"
        window.frame((), ["speed 10", "pieces 3"])
        with_figures = surface()
        assert (with_figures[-BAR:] != plain[-BAR:]).any()
        np.testing.assert_array_equal(with_figures[:-BAR], plain[:-BAR])
        key(pygame.K_i)
        window.frame((), ["speed 10", "pieces 3"])
        np.testing.assert_array_equal(surface(), plain)
        after(window, pygame.K_F1)
        assert (surface() != plain).sum() > 50_000
        after(window, pygame.K_F1)
        np.testing.assert_array_equal(surface(), plain)


def test_a_sentence_stays_two_seconds(bridge: LibretroBridge, monkeypatch: pytest.MonkeyPatch) -> None:
    now = 1000.0
    monkeypatch.setattr(time, "monotonic", lambda: now)
    with Window(bridge, "sentence") as window:
        now += 10
        window.frame()
        plain = surface()
        window.say("a sentence")
        for wait, shown in ((0.0, True), (1.9, True), (0.2, False)):
            now += wait
            window.frame()
            assert np.array_equal(surface(), plain) is not shown


def test_before_the_first_frame_the_window_is_empty_and_has_its_size(stage: Stage) -> None:
    core = str(require_core("fceumm"))
    with connect(rom=image("tetris"), core=core, emu_speed=None) as bridge, Window(bridge, "empty") as window:
        quiet(window).frame()
        assert (surface() == (16, 16, 20)).all()
        assert surface().shape == (224 * 3 + BAR, 720, 3)
