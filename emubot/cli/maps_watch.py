"""`emubot maps watch`: shows live what a map reads in a running cartridge; sends no input and writes no memory."""

from __future__ import annotations

import argparse
import contextlib
import sys
from collections.abc import Callable, Iterator, Sequence
from typing import TYPE_CHECKING, Any

from emubot.cli import common
from emubot.cli.result import emit_json
from emubot.cli.session_options import add_emulator, add_source, place_by
from emubot.cli.terminal import NowAndThen, can_redraw, show
from emubot.session.watching import Stand, open_stand
from emubot.snapshot import Cell

if TYPE_CHECKING:
    from emubot.rammap.sight import Sight

_DESCRIPTION = """\
Show live what an address map reads: the board, every value, the phase, and why each phase above it does not hold;
and the emulator's picture, if the bridge has one and the terminal has the colours and the width (154) for it.
It presses nothing: play yourself in a running emulator, or look at what the cartridge does alone."""

_EPILOG = """\
examples:
  emubot maps watch --map my_map.yaml                       in the emulator that is running, while you play there
  emubot maps watch --rom FILE --map my_map.yaml            its title and its demonstration
  emubot maps watch --demo tetris --frames 300 --json       the last of 300 frames as one JSON object

A value that changed within the last 60 frames is marked. `??` is a cell whose code the map does not have. Without a
terminal the last frame is printed."""

_WIDTH, _HEIGHT = 120, 200  # characters and lines of a picture that is printed: everything has room


def run(words: Sequence[str]) -> int:
    """Run `emubot maps watch WORDS` and return the exit code."""
    options = build_parser().parse_intermixed_args(list(words))
    common.set_up_logging(options.verbose, options.quiet)
    stand = open_stand(place_by(options))
    with contextlib.closing(stand.bridge):
        return _watch(stand, options)


def build_parser() -> common.Parser:
    """Returns the parser of `emubot maps watch`."""
    made = common.parser("maps watch", _DESCRIPTION, _EPILOG)
    made.add_argument("action", choices=("watch",), help=argparse.SUPPRESS)
    add_source(made, "what to watch")
    add_emulator(made)
    made.add_argument("--frames", type=common.whole(1), metavar="N", help="end after N frames (default: at Ctrl-C)")
    common.add_json(made)
    return made


def _watch(stand: Stand, options: argparse.Namespace) -> int:
    decoders, frames, code = _Decoders(stand), 0, 0
    facts = stand.bridge.facts
    title = f"{stand.ram_map.cartridge} · {stand.ram_map.name} · {facts.emulator}"
    with _shown(title, stand, options) as show:
        try:
            while options.frames is None or frames < options.frames:
                stand.bridge.advance()
                frames += 1
                show(decoders, frames)
        except KeyboardInterrupt:
            if not frames:
                raise
            code = common.INTERRUPTED
    if options.json:
        emit_json(_result(stand, decoders.sights(), frames))
    elif not can_redraw():
        _print(title, decoders.sights(), frames)
    return code


class _Decoders:
    """Decodes the frame that the bridge is at, for every player of the map."""

    def __init__(self, stand: Stand) -> None:
        self._stand = stand
        self._pieces = [_piece_reader(stand, player) for player in range(stand.ram_map.players)]

    def sights(self) -> list[Sight]:
        """Returns what the map reads now."""
        from emubot.rammap.sight import sight

        ram = self._stand.memory()
        return [sight(self._stand.ram_map, ram, player, *read(ram)) for player, read in enumerate(self._pieces)]


def _piece_reader(stand: Stand, player: int) -> Callable[[bytes], tuple[Sequence[Cell], str]]:
    """Returns a function that finds the cells of the piece in the air, and what the family cannot do with the map."""
    edition, note = stand.edition, stand.refusal
    look = None if edition is None else edition.depiction
    if edition is None or look is None:
        return lambda ram: ((), note)
    decode = edition.decoder(player)

    def read(ram: bytes) -> tuple[Sequence[Cell], str]:
        snapshot = decode(ram)
        return (() if snapshot.current is None else look.cells(snapshot, snapshot.current)), ""

    return read


@contextlib.contextmanager
def _shown(title: str, stand: Stand, options: argparse.Namespace) -> Iterator[Callable[[_Decoders, int], None]]:
    """Yields a function that shows a frame: on a terminal the live board, elsewhere a line now and then."""
    if options.quiet:
        yield lambda decoders, frame: None
        return
    if options.json or not can_redraw():
        lines = NowAndThen()
        yield lambda decoders, frame: lines.say(lambda: _line(decoders.sights(), frame))
        return
    from emubot.view.framing import framed_picture
    from emubot.view.watch import WatchBoard

    ram_map = stand.ram_map
    with WatchBoard(title, picture=framed_picture(stand.bridge, ram_map, range(ram_map.players))) as board:
        yield lambda decoders, frame: board.show(decoders.sights(), frame)


def _line(sights: Sequence[Sight], frame: int) -> str:
    states = (f"player {sight.player + 1} {sight.phase.value}, {sight.state}" for sight in sights)
    return f"frame {frame:,}: {'; '.join(states)}"


def _print(title: str, sights: Sequence[Sight], frame: int) -> None:
    from rich.console import Console

    from emubot.view.watch import WatchBoard

    console = Console(width=None if sys.stdout.isatty() else _WIDTH, height=_HEIGHT)
    board = WatchBoard(title, console)
    board.note(sights, frame)
    show(board.picture(sights), console=console)


def _result(stand: Stand, sights: Sequence[Sight], frames: int) -> dict[str, Any]:
    facts, ram_map = stand.bridge.facts, stand.ram_map
    return {
        "map": ram_map.name,
        "title": ram_map.cartridge,
        "family": ram_map.family,
        "bridge": facts.name,
        "core": facts.emulator,
        "frames": frames,
        "players": [sight.as_dict() for sight in sights],
    }
