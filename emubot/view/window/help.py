"""What the window tells about its keys: the list of F1, and the line for the person who plays."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Final

from emubot.pad import Pad, describe
from emubot.view.window.bindings import BUTTONS, Bindings, WindowCommand, port_table

Uses = Mapping[Pad, str]  # what a button of the controller, or several held together, does in the game at hand

_KEYS: Final = {
    "return": "Enter", "escape": "Escape", "backspace": "Backspace", "space": "Space", "tab": "Tab",
    "up": "Arrow up", "down": "Arrow down", "left": "Arrow left", "right": "Arrow right",
    "lshift": "Left Shift", "rshift": "Right Shift", "lctrl": "Left Ctrl", "rctrl": "Right Ctrl", "lalt": "Left Alt",
    "ralt": "Right Alt", "lgui": "Left Windows key", "rgui": "Right Windows key", "pageup": "Page up",
    "pagedown": "Page down", "capslock": "Caps Lock", "numlock": "Num Lock", "scrolllock": "Scroll Lock",
    "print": "Print Screen", "break": "Pause key", "menu": "Menu key", "mode": "Alt Gr", "sysreq": "Sys Rq",
    "ac_back": "Back key", "power": "Power key", "help": "Help key", "clear": "Clear key",
    "plus": "+", "minus": "-", "equals": "=", "less": "<", "greater": ">", "comma": ",", "period": ".", "colon": ":",
    "semicolon": ";", "slash": "/", "backslash": "\\", "quote": "'", "quotedbl": '"', "backquote": "`",
    "ampersand": "&", "asterisk": "*", "at": "@", "caret": "^", "dollar": "$", "exclaim": "!", "hash": "#",
    "percent": "%", "question": "?", "underscore": "_", "leftparen": "(", "rightparen": ")", "leftbracket": "[",
    "rightbracket": "]",
    "currencyunit": "Currency key", "currencysubunit": "Small currency key",
}  # fmt: skip
_KEYPAD: Final = {
    "divide": "/", "multiply": "*", "minus": "-", "plus": "+", "period": ".", "equals": "=", "enter": "Enter",
}  # fmt: skip
MEANINGS: Final = {
    WindowCommand.HELP: "this list",
    WindowCommand.PAUSE: "stop everything, and go on",
    WindowCommand.SAVE: "keep this moment",
    WindowCommand.LOAD: "go back to the moment kept",
    WindowCommand.SPEED_1: "console at normal speed",
    WindowCommand.SPEED_2: "console at double speed",
    WindowCommand.SPEED_MAX: "console as fast as possible",
    WindowCommand.SLOWER: "bot slower",
    WindowCommand.FASTER: "bot faster",
    WindowCommand.OVERLAY: "planned placement on and off",
    WindowCommand.FIGURES: "figures on and off",
    WindowCommand.MUTE: "sound off and on",
    WindowCommand.FULLSCREEN: "whole screen, and window",
    WindowCommand.QUIT: "end",
}


def help_lines(bindings: Bindings, human: int | None, uses: Uses) -> list[tuple[str, str]]:
    """Returns (keys, meaning) of every command, and of the controller's buttons and chords if a person plays."""
    tables = bindings.tables
    lines = [(_keys(tables["commands"][command]), MEANINGS[command]) for command in WindowCommand]
    if human is not None:
        names = tables[port_table(human)]
        lines += [(_keys(names[entry]), _meaning(button, uses)) for entry, button in BUTTONS.items()]
        chords = [button for button in uses if button not in BUTTONS.values()]
        lines += [(_together(names, chord) or "no key", _meaning(chord, uses)) for chord in chords]
    return lines


def keys_line(bindings: Bindings, human: int, uses: Uses) -> str:
    """Returns what a person needs to play, in a line: the first key of each button that the game uses."""
    names = bindings.tables[port_table(human)]
    entries = [(_together(names, button), use) for button, use in uses.items()]
    entries.append((command_key(bindings, WindowCommand.HELP), "all keys"))
    return " · ".join(f"{keys}: {use}" for keys, use in entries if keys)


def button_key(bindings: Bindings, human: int, button: Pad) -> str:
    """Returns a button as the person finds it on the keyboard: `Enter (START)`; without a key its own name."""
    keys = _together(bindings.tables[port_table(human)], button)
    return f"{keys} ({describe(button)})" if keys else f"{describe(button)} of your gamepad"


def command_key(bindings: Bindings, command: WindowCommand) -> str:
    """Returns the first key of a command; "" if it has none."""
    keys = bindings.tables["commands"][command]
    return key_name(keys[0]) if keys else ""


def _together(names: Mapping[str, tuple[str, ...]], button: Pad) -> str:
    """Returns the first key of each button of a chord, A first as in `describe`; "" if one of them has no key."""
    keys = [names[entry] for entry, bit in BUTTONS.items() if bit in button]
    return " + ".join(key_name(own[0]) for own in reversed(keys)) if all(keys) else ""


def _meaning(button: Pad, uses: Uses) -> str:
    if not uses:
        return f"button {button.name}"
    return f"{uses.get(button, 'for menus')} ({describe(button)})"


def _keys(names: tuple[str, ...]) -> str:
    return ", ".join(map(key_name, names)) or "no key"


def key_name(name: str) -> str:
    """Returns what people call the key that the bindings file calls `name`."""
    if name.startswith("kp"):
        place = name.removeprefix("kp").removeprefix("_")
        return f"keypad {_KEYPAD.get(place, place)}"
    return _KEYS.get(name, name.capitalize())
