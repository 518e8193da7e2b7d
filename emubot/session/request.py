"""What to play, where and how; opens nothing, knows no command line."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field
from pathlib import Path

from emubot.bridges import EmuSpeed
from emubot.tempo import FULL_SPEED, Tempo, tempo_for_speed


def say_nothing(text: str) -> None:
    """Leave a message unsaid: what a program that calls emubot hears, unless it wants to."""


@dataclass(frozen=True, slots=True)
class SessionRequest:
    """What to play, where and how.

    `rom` is a cartridge's file and `demo` the name of a built-in one; with neither, a running emulator is looked for.
    `menu_choices` are what the menus are asked for, by the names of the map. `human` is the port (0 or 1) that a person
    plays. `host` and `port` are where an emulator listens, None for where it usually does; `wait` is for how many
    seconds one is waited for. `by_hand` says that a person can reach the menus, `core_process` that an emulator which
    emubot starts runs in a child process. `say` takes each line for the person who waits.
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
    menu_choices: dict[str, int] = field(default_factory=dict)
    mode: str | None = None
    against_itself: bool = False
    human: int | None = None
    by_hand: bool = False
    core_process: bool = True
    say: Callable[[str], None] = say_nothing
