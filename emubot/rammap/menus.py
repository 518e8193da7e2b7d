"""Which button leads on through a game's menus, as its map says; knows no emulator and presses nothing."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

from emubot.errors import UsageError
from emubot.pad import Pad, describe
from emubot.rammap.reader import Reader
from emubot.rammap.schema import Menu, MenuChoice, Step


@dataclass(frozen=True, slots=True)
class MenuStep:
    """What to press in a menu now: hold `hold` for at least one frame, then tap `tap` for one frame while holding it.

    After the tap, release both until `menu_pace` frames have passed since the last tap.
    """

    tap: Pad
    hold: Pad
    label: str


def menu_step(menu: Menu | None, title: str, reader: Reader, ram: bytes, choices: Mapping[str, int]) -> MenuStep | None:
    """Returns what to press next on the way to a game with these choices, as `RamMap.menu_step`."""
    offered = menu.asked if menu is not None else {}
    made = _checked(choices, offered, title)
    if menu is None:
        return None
    _, state = reader.phase(ram)
    for step in menu.steps:
        here = state in step.state and (step.when is None or reader.holds(step.when, ram, made))
        if here and (step.until is None or not reader.holds(step.until, ram, made)):
            return MenuStep(step.tap, step.hold or Pad.NONE, _label(state, step))
    return None


def _checked(choices: Mapping[str, int], offered: Mapping[str, MenuChoice], title: str) -> dict[str, int]:
    for name, number in choices.items():
        known = offered.get(name)
        if known is None:
            names = ", ".join(offered) or "nothing"
            raise UsageError(f"{title} has no choice of {name} in its menus; it can be asked for: {names}.")
        if not known.low <= number <= known.high:
            low, high = known.named(known.low), known.named(known.high)
            offers = f"{low} to {high}" if low != high else f"{low} only"
            raise UsageError(f"{title} has {name} {offers}, not {known.named(number)}.")
    return {name: choices.get(name, known.default) for name, known in offered.items()}


def _label(state: str, step: Step) -> str:
    held = f" while holding {describe(step.hold)}" if step.hold else ""
    return f"{state}: {describe(step.tap)}{held}"
