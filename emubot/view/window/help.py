"""The list of keys that the window shows; knows no window."""

from __future__ import annotations

from typing import Final

from emubot.view.window.bindings import BUTTONS, Bindings, Command, port_table

MEANINGS: Final = {
    Command.HELP: "this list",
    Command.PAUSE: "pause, and go on",
    Command.SAVE: "keep this moment",
    Command.LOAD: "go back to the moment kept",
    Command.SPEED_1: "console at normal speed",
    Command.SPEED_2: "console at double speed",
    Command.SPEED_MAX: "console as fast as possible",
    Command.SLOWER: "bot slower",
    Command.FASTER: "bot faster",
    Command.OVERLAY: "planned placement on and off",
    Command.FIGURES: "figures on and off",
    Command.MUTE: "sound off and on",
    Command.FULLSCREEN: "whole screen, and window",
    Command.QUIT: "end",
}


def help_lines(bindings: Bindings, human: int | None) -> list[tuple[str, str]]:
    """Returns (keys, meaning) of every command, and of the controller's buttons if a person plays."""
    tables = bindings.tables
    lines = [(_keys(tables["commands"][command]), MEANINGS[command]) for command in Command]
    if human is not None:
        lines += [(_keys(tables[port_table(human)][button]), f"button {button.upper()}") for button in BUTTONS]
    return lines


def _keys(names: tuple[str, ...]) -> str:
    return ", ".join(name.upper() for name in names) or "no key"
