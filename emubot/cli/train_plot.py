"""`emubot train plot`: chooses the pictures of training runs; draws and trains nothing itself."""

from __future__ import annotations

import math
from pathlib import Path
from typing import TYPE_CHECKING

from emubot.cli import common
from emubot.extras import PLOTS
from emubot.training.stops import most_lines, stop_of

if TYPE_CHECKING:
    from emubot.training.checkpoint import Checkpoint
    from emubot.training.trainer import Report

_DESCRIPTION = "Draw pictures of training runs into their folders, and a comparison of several runs."
_EPILOG = """\
in each folder:
  fitness.png     the fitness of every individual by generation, mean and best
  weights.png     how each weight of the favourite changed
  games.png       moves and score of the games, in means of 10 games (dqn)
  learning.png    what the games of each generation brought, and the mean size of the differences (td)
in the first folder, for several runs:
  comparison.png  mean fitness over the games played

You can draw a run while it is running, and draw it again with --force."""
_FITNESS, _WEIGHTS, _GAMES, _LEARNING, _COMPARISON = _PICTURES = (
    "fitness.png",
    "weights.png",
    "games.png",
    "learning.png",
    "comparison.png",
)
_SHOWN = {  # figures of td
    "lines": "lines",
    "reached": "share to the last line",
    "share_of_tetrises_from_0": "share of Tetrises, lines 0 to 99",
    "loss": "difference",
}


def run(words: list[str]) -> int:
    """Run `emubot train plot WORDS` and return the exit code."""
    options = build_parser().parse_intermixed_args(words)
    PLOTS.require()
    from emubot.errors import CheckpointError, UsageError
    from emubot.training.folder import latest
    from emubot.training.history import read_history

    runs = []
    for folder in options.folders:
        reports = read_history(folder)
        checkpoint = latest(folder)
        if checkpoint is None or not reports:
            raise UsageError(f"The run in {folder} has not finished a generation yet: draw it later.")
        runs.append((folder, checkpoint, reports))
    for folder in options.folders:
        for name in _PICTURES:
            common.refuse_existing(folder / name, options.force)
    try:
        written = [path for folder, checkpoint, reports in runs for path in _draw(folder, checkpoint, reports)]
        if len(runs) > 1:
            written.append(_compare(runs))
    except (KeyError, TypeError) as damage:
        raise CheckpointError(
            f"A setting or a figure of a run is missing or none ({damage}), so it cannot be drawn."
        ) from damage
    if not options.quiet:
        for path in written:
            print(path)
        stops = (stop_of(checkpoint.settings) for _, checkpoint, _ in runs)
        for stop in dict.fromkeys(filter(None, stops)):  # in the order of the folders
            common.say(f"emubot: {stop}.")
    return 0


def build_parser() -> common.Parser:
    """Returns the parser of `emubot train plot`."""
    made = common.parser("train plot", _DESCRIPTION, _EPILOG)
    made.add_argument("folders", nargs="+", type=Path, metavar="DIR", help="folders of runs (--out of train)")
    made.add_argument("--force", action="store_true", help="replace existing pictures")
    return made


def _draw(folder: Path, checkpoint: Checkpoint, reports: list[Report]) -> list[Path]:
    from emubot.training.methods import TD, TD_POINTS
    from emubot.view.training_plots import draw_fitness, draw_games, draw_learning, draw_weights

    settings = checkpoint.settings
    title, measure = _title(checkpoint), _measure(checkpoint)
    written = [folder / _FITNESS]
    mean, best = ([report.figures[name] for report in reports] for name in ("mean", "best"))
    draw_fitness(written[0], [report.fitness for report in reports], mean, best, measure, title, _most(checkpoint))
    names = settings["features"]
    if all(len(report.weights) == len(names) for report in reports):
        columns = zip(*(report.weights for report in reports), strict=True)
        written.append(folder / _WEIGHTS)
        draw_weights(written[-1], dict(zip(names, columns, strict=True)), title)
    if settings["method"] == "dqn":  # only its reports have moves, and a fixed number of games per generation
        moves, scores = ([report.figures[name] for report in reports] for name in ("moves", "mean"))
        written.append(folder / _GAMES)
        draw_games(written[-1], moves, scores, settings["hyper"]["games"], measure, title)
    if settings["method"] in (TD, TD_POINTS):
        named = {name: _SHOWN.get(name, measure) for name in ("mean", *_SHOWN) if name in reports[0].figures}
        curves = {shown: [report.figures[name] for report in reports] for name, shown in named.items()}
        written.append(folder / _LEARNING)
        draw_learning(written[-1], curves, title)
    return written


def _compare(runs: list[tuple[Path, Checkpoint, list[Report]]]) -> Path:
    from itertools import accumulate

    from emubot.view.training_plots import draw_comparison

    drawn = {}
    for folder, _, reports in runs:
        games = accumulate(report.games for report in reports)
        drawn[str(folder)] = list(zip(games, (report.figures["mean"] for report in reports), strict=True))
    measures = sorted({_measure(checkpoint) for _, checkpoint, _ in runs})
    path = runs[0][0] / _COMPARISON
    draw_comparison(path, drawn, " / ".join(measures), "mean fitness of a generation")
    return path


def _title(checkpoint: Checkpoint) -> str:
    settings = checkpoint.settings
    title = f"{settings['game']}, {settings['method']}, seed {settings['seed']}, {settings['contest']['rules']}"
    return "\n".join(filter(None, (title, stop_of(settings))))


def _most(checkpoint: Checkpoint) -> float | None:
    """Returns the fitness of a game that is stopped, if the run counts lines and its games are stopped."""
    most = most_lines(checkpoint.settings)
    if most is None or stop_of(checkpoint.settings) is None:
        return None
    return {"lines": float(most), "log of lines": math.log1p(most)}.get(_measure(checkpoint))


def _measure(checkpoint: Checkpoint) -> str:
    from emubot.training.methods import LEARNERS

    recipe, figure = checkpoint.settings["recipe"], str(checkpoint.settings["figure"])
    logarithm = recipe["shape"] == "log" and checkpoint.settings["method"] not in LEARNERS
    return f"log of {figure}" if logarithm else figure
