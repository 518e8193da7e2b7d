"""`emubot explain`: explains the decision of a position, from a recorded game, a drawn board or a running emulator."""

from __future__ import annotations

import argparse
import sys
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Final

from emubot.bridges import AS_SET
from emubot.cli import common
from emubot.cli.result import emit_json
from emubot.cli.session_options import add_where
from emubot.errors import UsageError
from emubot.extras import PLOTS
from emubot.text import printable

if TYPE_CHECKING:
    from emubot.session.positions import FoundPosition
    from emubot.session.request import SessionRequest

_DESCRIPTION = """\
Explain a decision: the best placements of the piece in the air, what each is worth and why, how often a game soon ends
after it, and the buttons that bring the piece there."""

_EPILOG = """\
Without FILE it reads one frame of the emulator that is running. It presses no button.

A board in text has its floor last. Of falling blocks it is up to 20 lines of 10 cells: # is filled, . is empty. The
piece in the air is named with --piece, or drawn with its four cells as o. Of pairs it is lines of 6 cells: R G B Y P O
are colours, N is nuisance, # a wall, . is empty. The pair in the air is named with --piece, the pivot first, or drawn
in small letters. Of matching games it is lines of 8 or 6 cells: r y b g p o are colours, capitals are targets. A cell
may be followed by > < ^ or v, where its other half is, or by * if it is of the piece in the air. --piece names a piece
from left to right, or downwards. Fields of pairs and matching games of other sizes are drawn for a --map.

examples:
  emubot explain game.npz --frame 500 --taps 12hz
  emubot explain board.txt --piece T --next L --level 18 --lines 40
  emubot trace show game.npz --frame 500 | tail -20 | emubot explain - --next L
  emubot explain field.txt --game puyo --piece RB --next GGYR --rules tsu
  emubot explain bottle.txt --game matching --piece rb --next yy --pace fast
  emubot explain --bridge fceux --picture decision.png
  emubot explain game.npz --json"""

_TRACES: Final = (".npz", ".part")
_LARGEST: Final = 1 << 16  # bytes of a board in text
_STDIN: Final = "-"
_TAPS: Final = "30hz"
_WAIT: Final = 60
_PICTURES: Final = (".png", ".svg")
_BOARD, _TRACE, _EMULATOR = "a board in text", "a recorded game", "a running emulator"
_OPTIONS_OF: Final = {
    _BOARD: ("game", "piece", "next", "level", "lines", "rules", "colors", "pace"),
    _TRACE: ("frame",),
    _EMULATOR: ("bridge", "host", "port", "wait"),
}

_USUAL: Final = (
    *("--frame", "--game", "--piece", "--next", "--level", "--lines", "--bridge", "--map", "--weights", "--taps"),
    *("--top", "--picture"),
)


def run(words: list[str]) -> int:
    """Run `emubot explain WORDS` and return the exit code."""
    options = build_parser().parse_intermixed_args(words)
    _check(options)
    common.set_up_logging(options.verbose, options.quiet)
    if options.picture is not None:
        common.refuse_existing(options.picture, options.force)
        PLOTS.require()
    return _explain(options)


def build_parser() -> common.Parser:
    """Returns the parser of `emubot explain`."""
    from emubot.bridges import known_bridges
    from emubot.human_error import USUAL_ERROR

    made = common.parser("explain", _DESCRIPTION, _EPILOG, _USUAL)
    made.add_argument("file", nargs="?", metavar="FILE", help="a recorded game (.npz, .part), a board in text, or -")
    recorded = made.add_argument_group(_TRACE)
    recorded.add_argument(
        "--frame", type=common.whole(0), metavar="N", help="the row (default: the last with a piece in the air)"
    )
    drawn = made.add_argument_group(_BOARD)
    drawn.add_argument("--game", metavar="GAME", help="the family (default tetris)")
    drawn.add_argument("--piece", metavar="P", help="the piece in the air: T J Z O S L I, or its cells, such as RB")
    drawn.add_argument(
        "--next", metavar="P", help="the next piece, or one to three pairs such as GGYR (default: not known)"
    )
    drawn.add_argument(
        "--level",
        type=common.whole(0),
        metavar="N",
        help="the level, of matching games the stage (default: 18 of falling blocks, else 0)",
    )
    drawn.add_argument("--lines", type=common.whole(0), metavar="N", help="the lines of the game so far (default 0)")
    drawn.add_argument("--rules", metavar="RULES", help="the rules (default: the game's first)")
    drawn.add_argument("--colors", type=common.whole(1), metavar="N", help="colours in play, except of falling blocks")
    drawn.add_argument("--pace", metavar="PACE", help="matching games: slow (default), medium or fast")
    running = made.add_argument_group(_EMULATOR)
    running.add_argument("--bridge", choices=known_bridges(), help="the emulator (default: the first that answers)")
    add_where(running)
    running.add_argument(
        "--wait",
        type=common.whole(0),
        metavar="SECONDS",
        help=f"how long to wait for an emulator, and for a piece in the air (default {_WAIT})",
    )
    how = made.add_argument_group("how")
    how.add_argument("--map", metavar="FILE|NAME", help="address map (default: that of recording, cartridge or rules)")
    how.add_argument("--weights", metavar="FILE|NAME", help="evaluation weights (default: the game's own)")
    how.add_argument("--taps", default=_TAPS, metavar="12hz|das|PATTERN", help=f"the input rate (default {_TAPS})")
    how.add_argument(
        "--nodes",
        type=common.whole(0),
        metavar="N",
        help="boards of the bot's decision, as in play (default 25000, pairs 40000, matching 2000)",
    )
    how.add_argument("--aim", metavar="AIM", help="what the bot plays for, as in play (default: its own)")
    how.add_argument(
        "--top", type=common.whole(1, 20), default=5, metavar="N", help="placements to explain (default 5)"
    )
    how.add_argument(
        "--rollouts",
        type=common.whole(0, 100_000),
        default=100,
        metavar="N",
        help="games played on after each placement, to estimate the risk (default 100)",
    )
    how.add_argument(
        "--seed", type=common.whole(0), default=0, metavar="N", help="another seed plays other games (default 0)"
    )
    how.add_argument(
        "--human-error",
        metavar="FRAMES[:SHARE]",
        help="say how often a person misses each placement: the standard deviation of a tap in frames, and the share "
        f"of missed taps; usual is {USUAL_ERROR} (falling blocks on a release of NES Tetris)",
    )
    made.add_argument(
        "--picture", type=common.new_file, metavar="FILE.png|svg", help="draw the position too (needs the extra train)"
    )
    common.add_force(made, "--picture")
    common.add_json(made)
    return made


def _check(options: argparse.Namespace) -> None:
    """Raise UsageError for options that belong to another source than the one that is given."""
    source = _source(options)
    for other, names in _OPTIONS_OF.items():
        for name in names:
            if other != source and getattr(options, name) is not None:
                raise UsageError(f"--{name} is for {other}, and this is {source}: leave it out.")
    if options.map is not None and options.rules is not None:
        raise UsageError("The map has the rules: leave out --rules or --map.")
    if options.picture is not None and options.picture.suffix not in _PICTURES:
        raise UsageError(f"--picture {options.picture} must end in {' or '.join(_PICTURES)}.")


def _source(options: argparse.Namespace) -> str:
    if options.file is None:
        return _EMULATOR
    return _TRACE if Path(options.file).suffix in _TRACES else _BOARD


def _explain(options: argparse.Namespace) -> int:
    from emubot.cli.compiling import compile_kernels
    from emubot.cli.explained_text import as_text
    from emubot.cli.progress import share_of_work
    from emubot.cli.terminal import show
    from emubot.explanation import ExplainOptions
    from emubot.games.edition import part_of
    from emubot.human_error import parse_human_error
    from emubot.session.explained import as_json, risk_text
    from emubot.session.positions import explainer_of
    from emubot.tempo import parse_taps
    from emubot.weights import load_weights

    tempo = parse_taps(options.taps)
    human = None if options.human_error is None else parse_human_error(options.human_error)
    found = _position(options)
    edition = found.edition
    look = part_of(edition, "depiction", edition.depiction, "pieces to draw")
    name = options.weights or edition.game.facts.default_weights
    weights = load_weights(name)
    compile_kernels(edition, options.quiet)
    with share_of_work("Explaining", "rollouts", options.quiet) as tell:
        wanted = ExplainOptions(
            options.nodes, options.top, options.rollouts, options.seed, options.aim, progress=tell, human=human
        )
        explained = explainer_of(edition).explain(found.snapshot, weights, tempo, wanted)
    result = as_json(found, look, explained, printable(Path(name).stem), wanted)
    if options.json:
        emit_json(result)
    else:
        show(*as_text(result))
    if options.picture is not None:  # last: the result is printed even if the picture cannot be written
        from emubot.view.explained import draw_explained

        risks = [risk_text(one["risk"]) for one in result["placements"]]
        draw_explained(options.picture, found.edition.game.looks, look, explained, risks)
    return 0


def _position(options: argparse.Namespace) -> FoundPosition:
    from emubot.cli.compiling import compile_kernels
    from emubot.session import positions

    source = _source(options)
    if source == _BOARD:
        return _drawn_position(options)
    if source == _TRACE:
        return positions.recorded_position(Path(options.file), options.frame, options.map)
    return positions.running_position(_request(options), partial(compile_kernels, quiet=options.quiet))


def _drawn_position(options: argparse.Namespace) -> FoundPosition:
    from emubot.explanation import DrawnPosition
    from emubot.games import game, names
    from emubot.games.protocol import Explainable, require_part
    from emubot.rammap import load_map
    from emubot.session.positions import FoundPosition

    ram_map = None if options.map is None else load_map(options.map)
    name = names()[0] if ram_map is None else ram_map.family
    if ram_map is not None and options.game not in (None, name):
        raise UsageError(f"The map {ram_map.name} is one of {name}, not of {options.game}: leave out --game.")
    family = require_part(game(options.game or name), Explainable, "explained decisions")
    drawn = DrawnPosition(
        tuple(line.rstrip() for line in _read(options.file).splitlines() if line.strip()),
        options.piece,
        options.next,
        options.level,
        options.lines,
        options.rules,
        options.colors,
        options.pace,
    )
    return FoundPosition(*family.position(drawn, ram_map))


def _read(file: str) -> str:
    """Returns the text of a drawn board. Raises UsageError if it is no text."""
    from emubot.files import UnsuitableFile, read_regular

    if file == _STDIN and sys.stdin.isatty():
        common.announce("draw the board here, its floor last; Ctrl-D on a line of its own ends it.")
    try:
        content = sys.stdin.buffer.read(_LARGEST) if file == _STDIN else read_regular(Path(file), _LARGEST)
        return content.decode()
    except UnsuitableFile as unsuitable:
        raise UsageError(f"{file} cannot be read as a board: {unsuitable.strerror}.") from None
    except UnicodeDecodeError:
        raise UsageError(f"{file} is no board in text; a recorded game ends in {' or '.join(_TRACES)}.") from None
    except FileNotFoundError:
        raise UsageError(f"There is no file {file}: name a recorded game or a board in text.") from None
    except OSError as failure:
        raise UsageError(f"{file} cannot be read as a board ({failure.strerror or failure}).") from None


def _request(options: argparse.Namespace) -> SessionRequest:
    from emubot.session.request import SessionRequest, say_nothing
    from emubot.tempo import parse_taps

    tempo = parse_taps(options.taps)
    return SessionRequest(
        bridge=options.bridge,
        map=options.map,
        emu_speed=AS_SET,
        host=options.host,
        port=options.port,
        wait=_WAIT if options.wait is None else options.wait,
        tempos=(tempo, tempo),
        weights=(options.weights, options.weights),
        say=say_nothing if options.quiet else common.announce,
    )
