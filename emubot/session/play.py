"""`emubot.play`: plays a cartridge in one call from Python and returns the figures; prints nothing."""

from __future__ import annotations

import contextlib
import logging
from collections.abc import Callable
from os import PathLike
from pathlib import Path

from emubot.errors import UsageError
from emubot.pilot import Tally, View
from emubot.session.compiling import compile_kernels
from emubot.session.request import SessionRequest
from emubot.session.session import open_session
from emubot.tempo import FULL_SPEED, tempo_for_speed

# A program that sets up no logging sees nothing on its stderr.
logging.getLogger("emubot").addHandler(logging.NullHandler())


def play(  # noqa: PLR0913 - keywords of one call that a person types
    speed: int = FULL_SPEED,
    *,
    demo: str | None = None,
    rom: str | PathLike[str] | None = None,
    against_itself: bool = False,
    pieces: int | None = None,
    core: str | None = None,
    weights: str | PathLike[str] | None = None,
    seed: int | None = None,
    on_frame: Callable[[View], object] | None = None,
) -> Tally | tuple[Tally, Tally]:
    """Play the built-in cartridge of a game, `demo`, or your own, `rom`, as fast as the emulator runs.

    `speed` is the bot's, 0 to 10. With `pieces` each player places that many, in new games as needed. Without it, one
    game is played. `against_itself` plays two bots and returns the figures of both. `core` is the name or the path
    of a libretro core, `weights` the name or the file of an evaluation. The same `seed` gives the same game; None is 0.
    `on_frame` is called after each frame of each player with a `View`: the frame's number, the decoded snapshot, the
    chosen placement, the figures so far and the player.

    A demo is played on the simulator if no core is installed. The first use of a game compiles its kernels, which takes
    ten to twenty seconds. With `on_frame` and without `seed` it begins at once: the bot thinks less far until they are
    there. Nothing is printed, no signal handler stays installed, and it works in any thread. What is worth knowing goes
    to the logger "emubot", for example that a menu of your own cartridge waits for a button its map does not know.

    Raises UsageError for invalid arguments, also if the map knows no way to the game for two; RomError, MapError or
    WeightsError for a missing or wrong file; BridgeError (such as CoreNotFound) for a core that is missing or fails.
    """
    _check(speed, demo, rom, pieces, seed)
    tempo, evaluation = tempo_for_speed(speed), None if weights is None else str(weights)
    request = SessionRequest(
        rom=None if rom is None else Path(rom),
        demo=demo,
        core=core,
        seed=seed or 0,
        tempos=(tempo, tempo),
        weights=(evaluation, evaluation),
        against_itself=against_itself,
        at_once=on_frame is not None and seed is None,
    )
    with contextlib.closing(open_session(request)) as opened:
        if opened.readiness is None:
            compile_kernels(opened.edition)
        match = opened.match(pieces, None if pieces else 1)
        if on_frame is not None:
            for pilot in match.pilots:
                pilot.watchers.append(on_frame)
        match.run()
    first, *others = (pilot.tally for pilot in match.pilots)
    return (first, others[0]) if others else first


def _check(speed: int, demo: str | None, rom: str | PathLike[str] | None, pieces: int | None, seed: int | None) -> None:
    """Raise UsageError for arguments that cannot be."""
    if bool(demo) == bool(rom):
        raise UsageError('Name either a demo, such as demo="tetris", or a cartridge of your own with rom="FILE".')
    for name, number, least in (
        ("speed", speed, 0),
        ("pieces", 1 if pieces is None else pieces, 1),
        ("seed", seed or 0, 0),
    ):
        if not isinstance(number, int) or number < least:
            raise UsageError(f"{name} must be a whole number of at least {least}, not {number!r}.")
