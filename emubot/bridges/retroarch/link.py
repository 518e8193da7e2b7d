"""The connection to one RetroArch: repeats lost requests, notices another game."""

from __future__ import annotations

import time
from collections.abc import Sequence
from typing import Final

from emubot.bridges import notices
from emubot.bridges.retroarch.commands import STATUS, VERSION, Commands, Status, parse_status
from emubot.errors import BridgeError, EmulatorNotFound
from emubot.text import printable

SCRIPT: Final = 'the file that "emubot bridge-script retroarch" writes'

_FIRST_TIMEOUT: Final = 0.05  # seconds, three frames; doubled after every unanswered request
_LONGEST_TIMEOUT: Final = 1.0
_LOST: Final = 1.0  # seconds of silence after which the machine's state counts as unknown
_SHOWN: Final = 60  # characters of an unknown peer's text in a message
_PAUSE: Final = 0.1  # seconds between two attempts if no one listens


class RetroArchLink:
    """Requests to the RetroArch that ran `status` when the link was made."""

    def __init__(self, commands: Commands, status: Status, patience: float) -> None:
        self.status = status
        self._commands, self._patience = commands, patience

    def ask(self, lines: Sequence[str]) -> tuple[list[str], bool]:
        """Returns the answers, and whether RetroArch was lost and found again before they came.

        Raises BridgeError if RetroArch is silent for longer than `patience` seconds or runs another game now.
        """
        begun = time.monotonic()
        timeout, lost, warned = _FIRST_TIMEOUT, False, False
        trouble = "does not answer any more"
        while True:
            try:
                answers = self._commands.ask([STATUS, *lines], timeout)
            except TimeoutError:
                timeout = min(2 * timeout, _LONGEST_TIMEOUT)
            except ConnectionError:
                lost = True
                time.sleep(_PAUSE)
            else:
                status = parse_status(answers[0])
                if status.running:
                    self._check_same(status)
                    self.status = status
                    if warned:
                        notices.back("RetroArch")
                    return answers[1:], lost
                trouble, lost = "runs no game any more", True
                time.sleep(_PAUSE)
            silent = time.monotonic() - begun
            lost = lost or silent > _LOST
            if lost and not warned:
                notices.lost(f"RetroArch {trouble}.")
                warned = True
            if silent > self._patience:
                where = f"{self._commands.host}:{self._commands.port}"
                raise BridgeError(f"RetroArch at {where} {trouble}: start it with the game again, then emubot.")

    def _check_same(self, status: Status) -> None:
        was = self.status
        if (status.core, status.content, status.crc32) != (was.core, was.content, was.crc32):
            raise BridgeError(
                f"RetroArch now runs {status.content} ({status.core}) instead of {was.content} ({was.core}): "
                "start emubot again for this game."
            )


def find_game(commands: Commands, wait: float) -> tuple[str, Status]:
    """Returns RetroArch's version and status. Raises EmulatorNotFound if it runs no game after `wait` seconds."""
    due = time.monotonic() + wait
    while True:
        problem = _problem(commands)
        if isinstance(problem, tuple):
            return problem
        if time.monotonic() >= due:
            raise EmulatorNotFound(problem)
        time.sleep(_PAUSE)


def _problem(commands: Commands) -> tuple[str, Status] | str:
    """Returns version and status, or a sentence that says why there is no game."""
    where = f"{commands.host}:{commands.port}"
    try:
        version, answer = commands.ask([VERSION, STATUS], _LONGEST_TIMEOUT)
    except (TimeoutError, ConnectionError):
        if commands.heard:
            return (
                f'What answers at {where} says "{printable(commands.heard, _SHOWN)}" and does not answer all of '
                "RetroArch's commands: check the port, or try again."
            )
        return (
            f"No RetroArch answers at {where}: start it, and turn on Settings > Network > Network Commands, "
            f"or start it with --appendconfig and {SCRIPT}."
        )
    version, status = printable(version, _SHOWN), parse_status(answer)
    if not status.running:
        return f"RetroArch {version} at {where} runs no game: load the cartridge with the core FCEUmm or Nestopia."
    return version, status
