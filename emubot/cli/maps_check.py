"""`emubot maps check FILE --rom FILE`: plays ten pieces by a map, and says what did not come true."""

from __future__ import annotations

import argparse
import contextlib
from typing import TYPE_CHECKING, Any

from emubot.cli import common
from emubot.cli.compiling import compile_kernels

if TYPE_CHECKING:
    from emubot.games.findings import KeyPath


def play_by(name: str, options: argparse.Namespace) -> tuple[list[tuple[KeyPath, str]], dict[str, Any]]:
    """Returns what did not come true, (key path, sentence) each, and the figures of the pieces played.

    Raises RomError, MapError or BridgeError.
    """
    from emubot.pilot.inspection import PIECES, Inspection
    from emubot.session import session
    from emubot.session.request import SessionRequest, say_nothing

    tell = say_nothing if options.quiet else common.announce
    request = SessionRequest(
        rom=options.rom, bridge=options.bridge, core=options.core, map=name, emu_speed=None, say=tell
    )
    with contextlib.closing(session.open_session(request)) as opened:
        compile_kernels(opened.edition, options.quiet)
        pilot = opened.pilot(opened.seats[0], opened.goal(PIECES, None))
        inspection = Inspection(pilot)
        inspection.run()
    tally = pilot.tally
    figures = {"frames": pilot.frames, "pieces": tally.pieces, "misplaced": tally.misplaced, "replans": tally.replans}
    return [(one.key, one.text) for one in inspection.findings()], figures
