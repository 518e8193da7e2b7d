"""`emubot train watch`: shows how an individual of a run's current generation plays; trains nothing."""

from __future__ import annotations

import tempfile
from pathlib import Path

from emubot.cli import common

_DESCRIPTION = """\
Watch one individual of the current generation play; its number is above the board.
All other words are passed to "emubot play": a speed, --level, --view window, --rom and so on."""
_EPILOG = """\
examples:
  emubot train watch runs/pso                       individual 0, on the simulator
  emubot train watch runs/pso --individual 12 3     number 12, at speed 3"""
_PLACES = ("--rom", "--demo", "--bridge")  # options of `play` that choose where to play


def run(words: list[str]) -> int:
    """Run `emubot train watch WORDS` and return the exit code."""
    options, rest = build_parser().parse_known_args(words)
    from emubot.cli.play import run as play
    from emubot.errors import UsageError
    from emubot.games import game
    from emubot.training.folder import latest
    from emubot.training.plan import TrainingPlan
    from emubot.weights import save_weights

    checkpoint = latest(options.folder)
    if checkpoint is None:
        raise UsageError(f"There is no training run in {options.folder}: name the folder given to --out.")
    found = TrainingPlan.of(checkpoint.settings).trainer(checkpoint.state).individuals()
    if options.individual >= len(found):
        raise UsageError(
            f"Generation {checkpoint.generation + 1} has individuals 0 to {len(found) - 1}, none {options.individual}."
        )
    caption = f"individual {options.individual} of generation {checkpoint.generation + 1}"
    where = []
    if not any(word.partition("=")[0] in _PLACES for word in rest):
        where = ["--map", game(checkpoint.settings["game"]).facts.default_map, "--bridge", "simulated"]
    with tempfile.TemporaryDirectory(prefix="emubot-") as folder:
        weights = Path(folder) / f"individual-{options.individual}.json"
        save_weights(found[options.individual], weights)
        return play([*rest, *where, "--weights", str(weights)], caption)


def build_parser() -> common.Parser:
    """Returns the parser of `emubot train watch`, which knows no options of `play`."""
    made = common.parser("train watch", _DESCRIPTION, _EPILOG)
    made.add_argument("folder", type=Path, metavar="DIR", help="the folder of a run (--out of train)")
    made.add_argument(
        "--individual", type=common.whole(0), default=0, metavar="K", help="number of the individual (default 0)"
    )
    return made
