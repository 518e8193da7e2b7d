"""Phases, buttons and menus in the address map of a stranger of colours, as plain data; knows no cell."""

from __future__ import annotations

from typing import Any

from tests.toys.strangers.colours.stranger import ABOVE, KINDS, PAIRS, PARKED, STATE, Stranger


def phases(stranger: Stranger) -> list[dict[str, Any]]:
    """Returns the phases, tried from the first."""
    menus = stranger.menus
    play, over, won = menus.modes[len(menus.screens) :][:3]
    found = [
        {"state": f"screen_{number + 1}", "phase": "menu", "when": {"screen": menus.modes[number]}}
        for number in range(len(menus.screens))
    ]
    if menus.demo_after:
        found.append({"state": "demo", "phase": "menu", "when": {"demo": {"not": 0}}})
    if menus.pause:
        found.append({"state": "paused", "phase": "paused", "when": {"paused": {"not": 0}}})
    found.append({"state": "over", "phase": "over", "when": {"screen": over}})
    if stranger.play.targets:
        found.append({"state": "won", "phase": "clearing", "when": {"screen": won}})
    found.append({"state": "playing", "phase": "playing", "when": {"screen": play, **_control(stranger)}})
    if stranger.between == STATE:
        found.append({"state": "clearing", "phase": "clearing", "when": {"screen": play, "state": stranger.states[2]}})
    found.append({"state": "locked", "phase": "locked", "when": {"screen": play}})
    return found


def _control(stranger: Stranger) -> dict[str, Any]:
    """Returns what holds while a piece is under control, and never otherwise."""
    play = stranger.play
    row = "y_1" if stranger.piece.by_cells else "y"
    if stranger.between == STATE:
        return {"state": stranger.states[0]}
    if stranger.between == PARKED:
        return {row: {"from": -ABOVE - play.hidden, "to": play.rows - 1}}
    if stranger.between == KINDS:
        return {("current_bottom" if play.kind == PAIRS else "current_1"): {"not": 0}}
    return {"wait": 0}


def buttons(stranger: Stranger) -> dict[str, str]:
    """Returns which button does what."""
    pads = stranger.pads
    found = {"left": "LEFT", "right": "RIGHT", "start": stranger.menus.pause or "START"}
    names = {"rotate_clockwise": pads.clockwise, "rotate_counterclockwise": pads.counterclockwise}
    names["soft_drop"] = "DOWN" if pads.down == "held" else ""
    names["step_down"] = "DOWN" if pads.down == "press" else ""
    names["hard_drop"] = "DOWN" if pads.down == "drop" else pads.hard_drop
    return found | {name: button for name, button in names.items() if button}


def menu(stranger: Stranger) -> dict[str, Any]:
    """Returns the way to a game."""
    menus = stranger.menus
    steps: list[dict[str, Any]] = []
    for number, screen in enumerate(menus.screens, start=1):
        state = f"screen_{number}"
        if screen.items:
            steps.append({"state": state, "tap": menus.cursor_down, "until": {"cursor": screen.target}})
        if menus.versus_key and number == len(menus.screens):
            steps.append({"state": state, "tap": menus.versus_key, "until": {"mode": {"asked": "mode"}}})
        steps.append({"state": state, "tap": screen.button})
    if menus.over_button:
        steps.append({"state": "over", "tap": menus.over_button})
    if menus.demo_after:
        steps.append({"state": "demo", "tap": "START"})
    asked = {}
    if menus.versus_key:
        asked = {"asked": {"mode": {"from": 0, "to": 2, "default": 0}}}
    return {"pace": 7, **asked, "steps": steps}
