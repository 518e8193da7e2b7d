"""The names of keys as people know them, from the names of the bindings file; knows no window and no binding."""

from __future__ import annotations

from typing import Final

_KNOWN: Final = {
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


def key_name(name: str) -> str:
    """Returns what people call the key that the bindings file calls `name`."""
    if name.startswith("kp"):
        place = name.removeprefix("kp").removeprefix("_")
        return f"keypad {_KEYPAD.get(place, place)}"
    return _KNOWN.get(name, name.capitalize())
