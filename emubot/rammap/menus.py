"""Which button leads on through a game's menus, as its map says; presses nothing."""

from __future__ import annotations

from collections import Counter
from collections.abc import Container, Mapping
from dataclasses import dataclass

from emubot.errors import UsageError
from emubot.pad import Pad, describe
from emubot.rammap.condition import ASKED
from emubot.rammap.reader import Reader
from emubot.rammap.schema import Menu, MenuChoice, MenuTap
from emubot.text import counted


@dataclass(frozen=True, slots=True)
class MenuStep:
    """What to press in a menu now: hold `hold` for at least one frame, then tap `tap` for one frame while holding it.

    After the tap, release both until `menu_pace` frames have passed since the last tap. Without a `tap` press nothing,
    for `wait` frames at most if that is not 0. `port` is the pad (0 or 1), `number` the step's place in the map, and
    `in_turn` are all buttons that the step taps.
    """

    tap: Pad
    hold: Pad
    label: str
    port: int = 0
    wait: int = 0
    number: int = 0
    in_turn: tuple[Pad, ...] = ()


class MenuTaps:
    """How often each step was tapped in this visit to a state of the map: some steps tap several buttons in turn."""

    def __init__(self) -> None:
        self._state = ""
        self._taps: Counter[int] = Counter()

    def count(self, state: str, number: int) -> int:
        """Returns the taps of a step while the map is in this state; another state than before is a new visit."""
        if state != self._state:
            self._state = state
            self._taps.clear()
        return self._taps[number]

    def tapped(self, step: MenuStep) -> None:
        """Note a tap of this step."""
        self._taps[step.number] += 1


def menu_step(
    menu: Menu | None,
    title: str,
    reader: Reader,
    ram: bytes,
    choices: Mapping[str, int],
    taps: MenuTaps,
    waited: Container[int] | None = None,
) -> MenuStep | None:
    """Returns what to press next on the way to a game with these choices, as `RamMap.menu_step`.

    `taps` are those of this visit. `waited` holds the numbers of the waits that are over; None: all are, for a caller
    that does not count frames.
    """
    offered = menu.asked if menu is not None else {}
    answers = _checked(choices, offered, title)
    if menu is None:
        return None
    _, state = reader.phase(ram)
    for number, step in enumerate(menu.steps):
        here = state in step.state and (step.when is None or reader.holds(step.when, ram, answers))
        over = step.wait is not None and (waited is None or number in waited)
        if here and not over and (step.until is None or not reader.holds(step.until, ram, answers)):
            tap = step.tap[taps.count(state, number) % len(step.tap)] if step.tap else Pad.NONE
            return MenuStep(
                tap,
                step.hold or Pad.NONE,
                _label(state, step, tap),
                step.port - 1,
                step.wait or 0,
                number,
                step.tap or (),
            )
    return None


def menu_sight(menu: Menu, reader: Reader, ram: bytes) -> tuple[str, tuple[int, ...]]:
    """Returns what a tap can change: the map's state, and the values that the steps of this state test."""
    _, state = reader.phase(ram)
    tested = dict.fromkeys(
        name
        for step in menu.steps
        if state in step.state
        for condition in (step.when, step.until)
        for name in condition or ()
        if not name.startswith(ASKED) and name in reader.names
    )
    return state, tuple(reader.value(ram, name) for name in tested)


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


def _label(state: str, step: MenuTap, tap: Pad) -> str:
    if not tap:
        return f"{state}: wait {counted(step.wait, 'frame')}" if step.wait else f"{state}: press nothing"
    held = f" while holding {describe(step.hold)}" if step.hold else ""
    return f"{state}: {describe(tap)}{held}" + (" on pad 2" if step.port > 1 else "")
