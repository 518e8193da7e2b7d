"""What the window tells a person who plays the bot, in the names of their keys."""

from __future__ import annotations

import contextlib
from types import SimpleNamespace
from typing import Any

from emubot.pad import Pad
from emubot.session.request import SessionRequest
from emubot.session.session import open_session
from tests.view.stage import require_pygame

pygame = require_pygame()

from emubot.cli.window_person import WindowPerson  # noqa: E402
from emubot.view.window.bindings import DEFAULTS, Bindings  # noqa: E402


def test_the_line_names_the_keys_in_play_and_otherwise_what_is_waited_for() -> None:
    keys = "Arrow left: left · Arrow right: right · X: turn right · Z: turn left · Arrow down: down · Enter: pause"
    window: Any = SimpleNamespace()
    with contextlib.closing(open_session(SessionRequest(bridge="simulated", map="demo_pairs", human=0))) as opened:
        match = opened.match(None, None)
        person = WindowPerson(window, Bindings(DEFAULTS), opened, match, 0)
        lines: list[str] = []
        pad = Pad.NONE
        for frame in range(6000):
            match.step()
            person.tell()
            if window.status not in lines[-1:]:
                lines.append(window.status)
                pad = Pad.START if len(lines) in (2, 3, 5) else Pad.DOWN  # pause, go on, next game
            window.on_pad(Pad.NONE if pad is Pad.START and frame % 2 else pad)
            if len(lines) == 6:
                break
    assert lines == [
        "the bot is on its way to the game for two",
        f"{keys} · F1: all keys",
        "the game is paused; Enter (START) goes on",
        f"{keys} · F1: all keys",
        "Enter (START): next game · Escape: end",
        "the bot is on its way to the game for two",
    ]


def test_where_the_map_does_not_know_the_way_the_keys_of_the_menus_are_named() -> None:
    window: Any = SimpleNamespace()
    tables = {**DEFAULTS, "port1": {**DEFAULTS["port1"], "up": ("w",), "start": ()}}
    with contextlib.closing(open_session(SessionRequest(bridge="simulated", map="demo_pairs", human=0))) as opened:
        match = opened.match(None, None)
        match.pilots[0].outside.leads = False
        person = WindowPerson(window, Bindings(tables), opened, match, 0)
        match.step()
        person.tell()
    assert window.status == (
        "choose the game for two: Right Shift (SELECT), W (UP), Arrow down (DOWN), START of your gamepad"
    )
