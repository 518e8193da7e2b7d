"""The window opens, is drawn as often as it should, ends in good order, and says in one sentence why it cannot open."""

from __future__ import annotations

import signal
import time
from pathlib import Path
from typing import Any

import pytest

from emubot.bridges import simulated
from emubot.bridges.libretro import LibretroBridge
from emubot.cli import main
from emubot.errors import UsageError
from tests.bridges.cores import child, require_core
from tests.bridges.test_simulated import Recorder
from tests.paths import ROOT
from tests.view.stage import Stage, require_pygame

pygame = require_pygame()

from emubot.view.window import Controls, Window  # noqa: E402
from emubot.view.window.sdl import check_display  # noqa: E402


def test_closing_the_window_and_escape_end_it(bridge: LibretroBridge) -> None:
    for event in (pygame.event.Event(pygame.QUIT), pygame.event.Event(pygame.KEYDOWN, key=pygame.K_ESCAPE)):
        with Window(bridge, "end") as window:
            assert not window.frame().quit
            pygame.event.post(event)
            assert window.frame().quit
        assert not pygame.display.get_init()


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
        "The simulated bridge has no picture: the window needs --bridge libretro or cynes; "
        "--view board draws any bridge."
    )
    assert caught.value.exit_code == 2


def test_no_display_is_one_sentence(bridge: LibretroBridge, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("DISPLAY", ":987654")
    with pytest.raises(UsageError, match=r"^No window can be opened here \(.+\): take --view board or --view web\.$"):
        Window(bridge, "nowhere").__enter__()
    assert not pygame.display.get_init()


@pytest.fixture
def displayless(monkeypatch: pytest.MonkeyPatch) -> pytest.MonkeyPatch:
    """No display, and no driver that the user chose."""
    for name in ("DISPLAY", "WAYLAND_DISPLAY", "XDG_RUNTIME_DIR", "SDL_VIDEODRIVER", "SDL_VIDEO_DRIVER"):
        monkeypatch.delenv(name, raising=False)
    return monkeypatch


@pytest.mark.parametrize("folder", [False, True], ids=["nothing", "SDL finds a driver that nobody sees"])
def test_play_in_a_window_without_a_display_ends_before_anything_is_opened(
    folder: bool, displayless: pytest.MonkeyPatch, tmp_path: Path, capfd: pytest.CaptureFixture[str]
) -> None:
    if folder:
        displayless.setenv("XDG_RUNTIME_DIR", str(tmp_path))
    displayless.setattr("emubot.session.session.open_session", lambda *_: pytest.fail("it was opened"))
    assert main(["play", "--demo", "tetris", "--view", "window"]) == 2
    assert capfd.readouterr() == (
        "", "emubot: No window can be opened here (there is no display): take --view board or --view web.\n"
    )  # fmt: skip
    assert not pygame.display.get_init()


def test_a_driver_without_a_display_is_taken_if_the_user_chose_it(displayless: pytest.MonkeyPatch) -> None:
    displayless.setenv("SDL_VIDEODRIVER", "dummy")
    check_display()
    assert not pygame.display.get_init()


def test_what_the_window_cannot_show_is_told_before_anything_compiles(
    stage: Stage, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setattr("emubot.cli.compiling.compile_kernels", lambda *_, **__: pytest.fail("it was compiled"))
    assert main(["play", "--demo", "tetris", "--bridge", "simulated", "--view", "window"]) == 2
    assert "The simulated bridge has no picture" in capsys.readouterr().err


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


@pytest.mark.xdist_group("signals")
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


@pytest.mark.xdist_group("signals")
def test_sigterm_stays_the_systems(stage: Stage) -> None:
    done = child(
        "import os, signal\n"
        "from emubot.view.window.sdl import pygame\n"
        "pygame.display.init()\n"
        "pygame.display.set_mode((64, 64))\n"
        "os.kill(os.getpid(), signal.SIGTERM)\n"
        "print('still alive')\n"
    )
    assert (done.returncode, done.stdout) == (-signal.SIGTERM, "")


def test_the_documented_example_runs(stage: Stage, monkeypatch: pytest.MonkeyPatch) -> None:
    require_core("fceumm")
    page = (ROOT / "docs" / "how-to" / "window.md").read_text(encoding="utf-8")
    example = page.split("```python\n")[1].split("```")[0]
    frame = Window.frame
    answers: list[Controls] = []

    def three(window: Window, *words: Any, **named: Any) -> Controls:
        if len(answers) == 2:
            pygame.event.post(pygame.event.Event(pygame.QUIT))
        answers.append(frame(window, *words, **named))
        return answers[-1]

    monkeypatch.setattr(Window, "frame", three)
    exec(example, {})
    assert [controls.quit for controls in answers] == [False, False, True]
