"""Writes the parts of a draft that all families share: phases, buttons, menu; plays nothing."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Final

from emubot.discovery.pads import DropKind, Hand
from emubot.discovery.phases import Phases
from emubot.discovery.screens import Told
from emubot.pad import Pad, describe
from emubot.rammap.spaces import address_of

_STATE: Final = "state"
_PACE: Final = 30  # frames from tap to tap


def phases_of(phases: Phases, names: Mapping[int, str]) -> Iterator[str]:
    """Yields the phases; `names` are those of the bytes of the conditions."""
    yield "phases: # the first one that holds"
    apart = (
        ""
        if phases.playing.whole
        else f" # it holds in {100 * (1 - phases.playing.apart):.1f} % of the other frames, too"
    )
    rules = [
        _rule("playing", "playing", phases.playing, names) + apart,
        *(_rule(state, state, told, names) for state, told in _between(phases).items() if told.numbers),
    ]
    rules += [
        _rule(state, "over" if screen.over else "menu", screen.told, names)
        for state, screen in zip(_states(phases), phases.screens, strict=True)
    ]
    if phases.together:
        rules.append(_rule("menus", "menu", phases.together[0], names))
    if not phases.playing.whole:  # what is told apart comes first
        rules = [*rules[1:], rules[0]]
    yield from rules
    yield "  # On all other screens nothing is pressed."


def _between(phases: Phases) -> Mapping[str, Told]:
    return {"locked": phases.between, "paused": phases.paused}


def _states(phases: Phases) -> list[str]:
    """Returns a name for each screen."""
    menus = 0
    names = []
    for screen in phases.screens:
        menus += not screen.over
        names.append("over" if screen.over else f"menu_{menus}")
    return names


def _rule(state: str, phase: str, told: Told, names: Mapping[int, str]) -> str:
    return f"  - {{ state: {state}, phase: {phase}, when: {_when(told, names)} }}"


def controls_of(hand: Hand, turns: Mapping[str, Pad], phases: Phases) -> Iterator[str]:
    """Yields the buttons and the menu; `turns` has the button of each turn by its name in a map."""
    yield "buttons:"
    yield "  left: LEFT"
    yield "  right: RIGHT"
    for move, button in turns.items():
        yield f"  {move}: {describe(button)}"
    word = {DropKind.HELD: "soft_drop", DropKind.STEPS: "step_down", DropKind.AT_ONCE: "hard_drop"}.get(hand.kind)
    if word is not None:
        yield f"  {word}: {describe(hand.drop)}"
    if hand.at_once:
        yield f"  hard_drop: {describe(hand.at_once)}"
    yield "  start: START"
    steps = list(_steps(phases))
    if steps:
        yield "menu:"
        yield f"  pace: {_PACE}"
        yield "  steps:"
        yield from steps


def _steps(phases: Phases) -> Iterator[str]:
    for state, screen in zip(_states(phases), phases.screens, strict=True):
        if screen.button:
            yield f"    - {{ state: {state}, tap: {describe(screen.button)} }}"
    if phases.together:
        buttons = [describe(button) for button in phases.together[1]]
        tap = buttons[0] if len(buttons) == 1 else f"[{', '.join(buttons)}]"
        yield f"    - {{ state: menus, tap: {tap} }}"


def names_of(phases: Phases) -> dict[int, str]:
    """Returns a name for each byte of the conditions."""
    told = [phases.playing, phases.between, phases.paused, *(screen.told for screen in phases.screens)]
    told += [phases.together[0]] if phases.together else []
    indices = dict.fromkeys(index for each in told for index in each.numbers)
    return {index: _STATE if not number else f"{_STATE}_{number + 1}" for number, index in enumerate(indices)}


def _when(told: Told, names: Mapping[int, str]) -> str:
    parts = [
        f"{names[index]}: {numbers[0] if len(numbers) == 1 else list(numbers)}"
        for index, numbers in told.numbers.items()
    ]
    return "{ " + ", ".join(parts) + " }"


def hexed(index: int, digits: int = 2) -> str:
    """Returns the address of a byte as a map has it."""
    address = address_of(index)
    return f"0x{address:0{max(digits, 4 if address > 0xFF else 2)}X}"


def quoted(text: str) -> str:
    """Returns a line of text as YAML."""
    return '"' + text.replace("\\", "\\\\").replace('"', '\\"') + '"'
