"""The request for a session: what to play, where and how; opens nothing, knows no command line."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from pathlib import Path

from emubot.bridges import EmuSpeed
from emubot.games.strength import OWN, Strength
from emubot.human_error import HumanError
from emubot.tempo import FULL_SPEED, Tempo, tempo_for_speed


def say_nothing(text: str) -> None:
    """Drop a message: the default for programs that call emubot."""


@dataclass(frozen=True, slots=True)
class SessionRequest:
    """What to play, where and how.

    `rom` is a cartridge's file and `demo` the name of a built-in one; with neither, emubot looks for a running
    emulator. `menu_choices` are the values to choose in the menus, by the names of the map: numbers, or words that the
    family declares. `human` is the port (0 or
    1) that a person plays, or None. `host` and `port` are where an emulator listens; None is its usual place. `wait` is
    the time in seconds to wait for one. `by_hand` is true if a person can use the menus. `core_process` runs an
    emulator that emubot starts in a child process. `at_once` begins before the kernels are compiled, if these keep up
    uncompiled; `in_own_process` then leaves them so in the whole process. `say` is called with each line for the person
    who waits. `human_error` is that of a person whose hands the bots have.
    """

    rom: Path | None = None
    demo: str | None = None
    bridge: str | None = None
    core: str | None = None
    map: str | None = None
    emu_speed: EmuSpeed = None
    host: str | None = None
    port: int | None = None
    wait: float = 0.0
    seed: int = 0
    tempos: tuple[Tempo, Tempo] = (tempo_for_speed(FULL_SPEED), tempo_for_speed(FULL_SPEED))
    weights: tuple[str | None, str | None] = (None, None)
    strengths: tuple[Strength, Strength] = (OWN, OWN)
    aware: bool = False
    human_error: HumanError | None = None
    menu_choices: Mapping[str, int | str] = field(default_factory=dict)
    mode: str | None = None
    against_itself: bool = False
    human: int | None = None
    by_hand: bool = False
    core_process: bool = True
    at_once: bool = False
    in_own_process: bool = False
    say: Callable[[str], None] = say_nothing
