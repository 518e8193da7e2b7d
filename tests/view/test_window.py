"""The window on a screen: exact pictures, the placement on the playfield, keys, speeds, save states, an orderly end."""

from __future__ import annotations

import signal
import time
from collections.abc import Iterator
from functools import partial
from typing import Any

import numpy as np
import pytest
from bridges.cores import require_core
from bridges.test_simulated import Recorder
from numpy.typing import NDArray

from emubot.bridges import simulated
from emubot.bridges.libretro import LibretroBridge, connect
from emubot.demos import image
from emubot.errors import UsageError
from emubot.pad import Pad

from .stage import Stage, require_pygame, until

pygame = require_pygame()

from emubot.view.window import Controls, Window  # noqa: E402
from emubot.view.window.canvas import BAR  # noqa: E402

FIELD = (96, 40, 8, 8)  # where the demo's playfield is
SQUARE = [(4, 18, 0), (5, 18, 1), (4, 19, 2), (5, 19, 9)]
COLOURS = ((255, 255, 255), (255, 96, 96), (110, 160, 255), (190, 190, 190))


def started(name: str = "fceumm") -> LibretroBridge:
    bridge = connect(rom=image("tetris"), core=str(require_core(name)), emu_speed=None)
    for _ in range(30):
        bridge.advance()
    return bridge


@pytest.fixture
def bridge(stage: Stage) -> Iterator[LibretroBridge]:
    """The demo cartridge, some frames after power-on, at normal speed."""
    with started() as opened:
        opened.emu_speed = 1.0
        yield opened


def surface() -> NDArray[np.uint8]:
    """What the window shows: uint8 (height, width, 3)."""
    shown = pygame.display.get_surface()
    return np.ascontiguousarray(pygame.surfarray.array3d(shown).swapaxes(0, 1))


def enlarged(picture: NDArray[np.uint8], scale: int) -> NDArray[np.uint8]:
    return picture.repeat(scale, axis=0).repeat(scale, axis=1)


def key(code: int, down: bool = True) -> None:
    pygame.event.post(pygame.event.Event(pygame.KEYDOWN if down else pygame.KEYUP, key=code))


def own_id() -> str:
    """The open window's name for the X server."""
    return str(pygame.display.get_wm_info()["window"])


def after(window: Window, *codes: int) -> Controls:
    """What the window says to these keys, pressed and let go."""
    for code in codes:
        key(code)
        key(code, down=False)
    return window.frame()


def quiet(window: Window) -> Window:
    """The window without the sentence it begins with."""
    window.say("")
    return window


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
        left, top = 96 - (256 - width) // 2, 40 - (240 - height) // 2
        changed = np.zeros(plain.shape[:2], dtype=bool)
        for (column, row, _), colour in zip(SQUARE, COLOURS, strict=True):
            x, y = (left + column * 8) * 3, (top + row * 8) * 3
            assert (planned[y : y + 3, x : x + 24] == colour).all(), "a line of one picture pixel"
            assert (planned[y : y + 24, x + 21 : x + 24] == colour).all()
            assert (planned[y + 3 : y + 21, x + 3 : x + 21] != colour).any()
            changed[y : y + 24, x : x + 24] = True
        np.testing.assert_array_equal(planned[~changed], plain[~changed])
        key(pygame.K_o)
        window.frame([SQUARE])
        np.testing.assert_array_equal(surface(), plain)
        key(pygame.K_o)
        window.frame([SQUARE])
        np.testing.assert_array_equal(surface(), planned)


@pytest.mark.parametrize("cells", [[(4, -1, 0)], [(4, 60, 0)], [(-40, 3, 0)], []])
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
        window.frame([SQUARE, [(0, 0, 0)]])
        x, y = (160 - 8) * 3, (40 - 8) * 3
        assert (surface()[y : y + 3, x : x + 24] == 255).all()
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
            window.frame([[], SQUARE], ["left one", "right one"])
            planned = surface()
            np.testing.assert_array_equal(planned[:448, :480], shown[:448, :480])
            x, y = 496 + (88 + 32) * scale, (32 + 144) * scale
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


class Pressed:
    """A bridge's ports, noted."""

    def __init__(self, bridge: LibretroBridge, monkeypatch: pytest.MonkeyPatch) -> None:
        self.presses: list[tuple[int, Pad]] = []
        press = bridge.press

        def noted(port: int, pad: Pad) -> None:
            self.presses.append((port, pad))
            press(port, pad)

        monkeypatch.setattr(bridge, "press", noted)


@pytest.mark.parametrize("port", [0, 1])
def test_a_persons_keys_are_pressed_on_their_port_and_no_other(
    bridge: LibretroBridge, monkeypatch: pytest.MonkeyPatch, port: int
) -> None:
    pressed = Pressed(bridge, monkeypatch)
    with Window(bridge, "person", human=port) as window:
        script = [
            (pygame.K_x, True, Pad.A),
            (pygame.K_LEFT, True, Pad.A | Pad.LEFT),
            (pygame.K_RIGHT, True, Pad.A | Pad.RIGHT),
            (pygame.K_x, False, Pad.RIGHT),
            (pygame.K_RIGHT, False, Pad.LEFT),
            (pygame.K_LEFT, False, Pad.NONE),
            (pygame.K_F9, True, Pad.NONE),
        ]
        for code, down, expected in script:
            key(code, down)
            bridge.advance()
            assert window.frame().pad == expected
            assert bridge._core.held[port][256] == bin_mask(expected)
        assert pressed.presses == [(port, expected) for *_, expected in script]


def bin_mask(pad: Pad) -> int:
    """The buttons as libretro's bits."""
    bits = {Pad.A: 8, Pad.LEFT: 6, Pad.RIGHT: 7}
    return sum(1 << bit for button, bit in bits.items() if button in pad)


def test_without_a_person_no_port_is_written(bridge: LibretroBridge, monkeypatch: pytest.MonkeyPatch) -> None:
    pressed = Pressed(bridge, monkeypatch)
    with Window(bridge, "nobody") as window:
        key(pygame.K_x)
        assert window.frame().pad == Pad.NONE
    assert pressed.presses == []


def test_a_person_at_the_second_of_two_boards(stage: Stage, monkeypatch: pytest.MonkeyPatch) -> None:
    with started() as first, started() as second:
        presses = [Pressed(bridge, monkeypatch).presses for bridge in (first, second)]
        with Window([first, second], "boards", human=0, human_board=1) as window:
            key(pygame.K_z)
            window.frame()
    assert presses == [[], [(0, Pad.B)]]


def test_what_is_held_is_let_go_when_another_window_gets_the_keyboard(bridge: LibretroBridge) -> None:
    with Window(bridge, "focus", human=0) as window:
        key(pygame.K_x)
        assert window.frame().pad == Pad.A
        pygame.event.post(pygame.event.Event(pygame.WINDOWFOCUSLOST))
        assert window.frame().pad == Pad.NONE


def test_a_real_keyboard(bridge: LibretroBridge, stage: Stage) -> None:
    """Through the X server, as a person's."""
    with Window(bridge, "keyboard", human=0) as window:
        window.frame()
        stage.type("windowfocus", "--sync", own_id())
        stage.type("keydown", "x", "keydown", "Down")
        until(lambda: window.frame().pad == Pad.A | Pad.DOWN, "both keys down")
        stage.type("keyup", "x")
        until(lambda: window.frame().pad == Pad.DOWN, "one key up")
        stage.type("keyup", "Down", "key", "p")
        until(lambda: window.frame().paused, "paused")
        stage.type("key", "Escape")
        until(lambda: window.frame().quit, "the end")


def test_closing_the_window_and_escape_end_it(bridge: LibretroBridge) -> None:
    for event in (pygame.event.Event(pygame.QUIT), pygame.event.Event(pygame.KEYDOWN, key=pygame.K_ESCAPE)):
        with Window(bridge, "end") as window:
            assert not window.frame().quit
            pygame.event.post(event)
            assert window.frame().quit
        assert not pygame.display.get_init()


def test_paused_it_waits_draws_and_still_listens(bridge: LibretroBridge, monkeypatch: pytest.MonkeyPatch) -> None:
    slept: list[float] = []
    monkeypatch.setattr(time, "sleep", slept.append)
    with Window(bridge, "pause", human=0) as window:
        assert not quiet(window).frame().paused
        plain = surface()
        assert slept == []
        assert after(window, pygame.K_p).paused
        assert not np.array_equal(surface(), plain), "it says so"
        for _ in range(3):
            key(pygame.K_x)
            assert window.frame().paused
        assert slept == [1 / 60] * 3
        assert not after(window, pygame.K_p).paused
        window.frame()
        np.testing.assert_array_equal(surface(), plain)


def test_a_moment_is_kept_and_gone_back_to(bridge: LibretroBridge) -> None:
    with Window(bridge, "states") as window:
        assert not after(window, pygame.K_F8).loaded, "nothing is kept yet"
        after(window, pygame.K_F5)
        before = bridge.read("ram", 0, 2048)
        for _ in range(50):
            bridge.advance()
        assert bridge.read("ram", 0, 2048) != before
        assert after(window, pygame.K_F8).loaded
        assert bridge.read("ram", 0, 2048) == before
        assert not window.frame().loaded, "only once"


def test_both_of_two_boards_go_back(stage: Stage) -> None:
    with started() as first, started("nestopia") as second, Window([first, second], "states") as window:
        after(window, pygame.K_F5)
        before = [bridge.read("ram", 0, 2048) for bridge in (first, second)]
        for bridge in (first, second):
            for _ in range(50):
                bridge.advance()
        assert after(window, pygame.K_F8).loaded
        assert [bridge.read("ram", 0, 2048) for bridge in (first, second)] == before


def said_by(window: Window, monkeypatch: pytest.MonkeyPatch) -> list[str]:
    said: list[str] = []
    monkeypatch.setattr(window, "say", said.append)
    return said


def test_a_session_without_states_says_so(bridge: LibretroBridge, monkeypatch: pytest.MonkeyPatch) -> None:
    with Window(bridge, "stateless", keeps_states=False) as window:
        said = said_by(window, monkeypatch)
        assert not after(window, pygame.K_F5, pygame.K_F8).loaded
        assert said == ["no save states in this session"] * 2


def test_a_state_that_cannot_be_made_is_a_sentence(bridge: LibretroBridge, monkeypatch: pytest.MonkeyPatch) -> None:
    from emubot.errors import StateError

    def fails(*words: object) -> bytes:
        raise StateError("The core is tired.")

    with Window(bridge, "tired") as window:
        said = said_by(window, monkeypatch)
        with monkeypatch.context() as patch:
            patch.setattr(bridge, "save", fails)
            after(window, pygame.K_F5)
        after(window, pygame.K_F5)
        monkeypatch.setattr(bridge, "load", fails)
        after(window, pygame.K_F8)
        assert said == ["The core is tired.", "this moment is kept", "The core is tired."]


def test_the_consoles_speed_is_set_on_every_bridge(stage: Stage, monkeypatch: pytest.MonkeyPatch) -> None:
    with started() as first, started() as second:
        first.emu_speed = second.emu_speed = 1.0
        with Window([first, second], "speeds") as window:
            said = said_by(window, monkeypatch)

            def runs_at(speed: float | None) -> bool:
                return window.frame().emu_speed == speed

            assert runs_at(1.0)
            for code, speed in ((pygame.K_2, 2.0), (pygame.K_1, 1.0), (pygame.K_3, None)):
                key(code)
                until(partial(runs_at, speed), "the speed")
                assert (first.emu_speed, second.emu_speed) == (speed, speed)
            assert said == ["console at double speed", "console at normal speed", "console as fast as possible"]


def test_the_window_starts_with_the_bridges_speed(bridge: LibretroBridge) -> None:
    bridge.emu_speed = None
    with Window(bridge, "fast") as window:
        assert window.frame().emu_speed is None


def test_the_bots_speed_is_asked_for(bridge: LibretroBridge, monkeypatch: pytest.MonkeyPatch) -> None:
    changes: list[int] = []

    def change(by: int) -> int:
        changes.append(by)
        return 5 + sum(changes)

    with Window(bridge, "bot", on_speed=change) as window:
        said = said_by(window, monkeypatch)
        after(window, pygame.K_MINUS, pygame.K_MINUS, pygame.K_EQUALS, pygame.K_KP_PLUS)
        assert changes == [-1, -1, 1, 1]
        assert said == ["bot speed 4", "bot speed 3", "bot speed 4", "bot speed 5"]
    with Window(bridge, "bot") as window:
        said = said_by(window, monkeypatch)
        after(window, pygame.K_MINUS)
        assert said == ["the bot's speed is fixed in this session"]


def drawings(window: Window, monkeypatch: pytest.MonkeyPatch) -> list[object]:
    made: list[object] = []
    monkeypatch.setattr(window._canvas, "draw", lambda *parts: made.append(parts))
    return made


@pytest.mark.parametrize(("speed", "least", "most"), [(1.0, 1000, 1000), (None, 59, 61)])
def test_at_full_speed_it_is_drawn_sixty_times_a_second_and_else_every_frame(
    bridge: LibretroBridge, monkeypatch: pytest.MonkeyPatch, speed: float | None, least: int, most: int
) -> None:
    now = 1000.0
    monkeypatch.setattr(time, "monotonic", lambda: now)
    bridge.emu_speed = speed
    with Window(bridge, "often") as window:
        made = drawings(window, monkeypatch)
        for frame in range(1000):
            now = 1000.0 + frame / 1000
            window.frame()
    assert least <= len(made) <= most


def test_a_bridge_without_a_picture_is_refused(stage: Stage) -> None:
    with pytest.raises(UsageError) as caught:
        Window(simulated.connect(machine=Recorder()), "none")
    assert str(caught.value) == (
        "The simulated bridge has no picture: the window needs --bridge libretro; --view board draws any bridge."
    )
    assert caught.value.exit_code == 2


def test_no_display_is_one_sentence(bridge: LibretroBridge, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("DISPLAY", ":987654")
    with pytest.raises(UsageError, match=r"^No window can be opened here \(.+\): take --view board or none\.$"):
        Window(bridge, "nowhere").__enter__()
    assert not pygame.display.get_init()


def test_wrong_bindings_are_told_before_a_window_opens(bridge: LibretroBridge, user_config: Any) -> None:
    (user_config / "window").mkdir()
    (user_config / "window" / "keys.toml").write_text('[commands]\npause = "paus"\n')
    with pytest.raises(UsageError, match="there is no key 'paus'"):
        Window(bridge, "wrong")


def test_a_window_can_be_opened_again_and_an_error_inside_closes_it(bridge: LibretroBridge) -> None:
    def fails() -> None:
        with Window(bridge, "again", human=0) as window:
            window.frame()
            raise ZeroDivisionError

    for _ in range(2):
        with pytest.raises(ZeroDivisionError):
            fails()
        assert not pygame.display.get_init()
        assert not pygame.joystick.get_init()


def test_signals_stay_pythons(bridge: LibretroBridge) -> None:
    numbers = (signal.SIGINT, signal.SIGTERM)
    before = [signal.getsignal(number) for number in numbers]

    def interrupted() -> None:
        with Window(bridge, "signals") as window:
            window.frame()
            assert [signal.getsignal(number) for number in numbers] == before
            signal.raise_signal(signal.SIGINT)
            window.frame()

    with pytest.raises(KeyboardInterrupt):
        interrupted()
