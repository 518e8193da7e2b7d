"""`emubot evaluate`: plays games with fixed seeds and reports figures with intervals; counts nothing itself."""

from __future__ import annotations

import argparse
import textwrap
from pathlib import Path
from typing import TYPE_CHECKING, Any, Final

from emubot.cli import common
from emubot.cli.compiling import compile_trial
from emubot.cli.game_options import add_rules, contest_of, epilog_of, parsed
from emubot.cli.progress import progress, stopped_in_good_order
from emubot.cli.result import emit_json
from emubot.errors import UsageError
from emubot.extras import PLOTS
from emubot.games import game, names
from emubot.text import counted

if TYPE_CHECKING:
    from emubot.games.trial import Trial
    from emubot.trials.evaluation.contest import Contest
    from emubot.trials.evaluation.summary import Games
    from emubot.weights import Weights

_GAMES: Final = 100
_NUMBER: Final = 9  # characters of a number in a table
_WIDTH: Final = 80  # columns of the narrowest terminal that tables are made for
_DESCRIPTION = "Play games with fixed seeds, as fast as possible, and report the results with 95 % intervals."
_EPILOG = """\
examples:
  emubot evaluate tetris --rules textbook --board 10x10 --weights dt10 --games 1000 --jobs 2
  emubot evaluate tetris --rules nes --stop-lines 230 --weights nes_tetris dt20 --games 500   both play the same games
  emubot evaluate puyo --weights famicom_puyo builder --gravity 2 --taps 12hz                 the fastest gravity
  emubot evaluate puyo --rules tsu --sequences games.txt --nodes 40000                        one large chain a game
  emubot evaluate puyo --battle famicom_puyo reference --games 1000                           two players per game
  emubot evaluate tetris --rules textbook --ladder --plot ladder.png                          hand-made players compared

Game number n of a seed is the same game for all players and with any --jobs. With several weights, the difference from
the first is measured on the same games: if its interval does not contain 0, one player is better. Ctrl-C finishes the
running games and reports all finished ones; a second Ctrl-C ends at once."""

_USUAL: Final = ("--weights", "--battle", "--games", "--seed", "--jobs", "--plot", "--rules")


def run(words: list[str]) -> int:
    """Run `emubot evaluate WORDS` and return the exit code."""
    options = parsed(words, build_parser)
    if sum(given is not None for given in (options.weights, options.battle, options.ladder)) > 1:
        build_parser(options.game).error("give one of --weights, --battle and --ladder")
    common.refuse_existing(options.plot, options.force)
    common.set_up_logging(options.verbose, options.quiet)
    if options.plot is not None:
        PLOTS.require()
    named = _players(options)
    contest = contest_of(options, 2 if options.battle else 1)
    trial = contest.trial()
    options.games = _count(trial, options.games)
    for weights in named.values():  # refuses weights of another game before any work
        trial.play([weights] * trial.sides, [])
    compile_trial(game(options.game), trial, options.quiet)
    meetings: list[tuple[str, ...]] = [tuple(named)] if options.battle else [(name,) for name in named]
    played, seconds, stopped = _play(contest, named, meetings, options)
    result = _result(trial, meetings, played, seconds, options)
    if options.json:
        emit_json(result | {"interrupted": stopped})
    else:
        for line in _text(result, trial):
            print(line)
    if options.plot is not None:  # last: the results are printed even if the picture cannot be written
        _plot(result, trial, options.plot)
    return common.INTERRUPTED if stopped else 0


def build_parser(family: str | None) -> common.Parser:
    """Returns the parser of `emubot evaluate GAME` with the options of a family, or of all (None)."""
    made = common.parser("evaluate", _DESCRIPTION, epilog_of("evaluate", family, _EPILOG), _USUAL)
    made.add_argument("game", metavar="GAME", help=", ".join(names()))
    made.add_argument(
        "--weights",
        nargs="+",
        metavar="FILE|NAME",
        help="the players; several play the same games (default: the game's own)",
    )
    made.add_argument("--battle", nargs=2, metavar=("W1", "W2"), help="these two play against each other")
    made.add_argument(
        "--ladder", action="store_true", default=None, help="play all hand-made players, from random play up"
    )
    made.add_argument(
        "--games",
        type=common.whole(1, 10_000_000),
        metavar="N",
        help="games of each player (default 100, or all of a list)",
    )
    made.add_argument(
        "--seed", type=common.whole(0), default=0, metavar="N", help="another seed gives other games (default 0)"
    )
    made.add_argument("--jobs", type=common.whole(1, 1024), default=1, metavar="N", help="processes (default 1)")
    made.add_argument(
        "--plot", type=common.new_file, metavar="FILE.png", help="draw the figures (needs the extra train)"
    )
    common.add_force(made, "--plot")
    common.add_json(made)
    add_rules(made, family, "evaluate")
    return made


def _count(trial: Trial, games: int | None) -> int:
    """Returns the number of games. Raises UsageError for more than there are in a list."""
    from emubot.games.trial import Listed

    listed = trial.listed if isinstance(trial, Listed) else None
    if listed is None:
        return games or _GAMES
    if games is not None and games > listed:
        raise UsageError(f"The list has {counted(listed, 'game')}, not {games:,}: give fewer --games.")
    return games or listed


def _players(options: argparse.Namespace) -> dict[str, Weights]:
    """Returns the players by the names that are shown; a repeated name gets its position in the list."""
    from emubot.weights import load_weights

    family = game(options.game)
    chosen = (
        options.battle or options.weights or (family.facts.ladder if options.ladder else [family.facts.default_weights])
    )
    names = [Path(name).stem for name in chosen]
    shown = [name if names.count(name) == 1 else f"{name} ({place})" for place, name in enumerate(names, 1)]
    return dict(zip(shown, map(load_weights, chosen), strict=True))


def _play(
    contest: Contest, named: dict[str, Weights], meetings: list[tuple[str, ...]], options: argparse.Namespace
) -> tuple[list[Games], list[float], bool]:
    """Returns, per meeting, the games that all meetings finished and the CPU seconds; and whether it was stopped."""
    import numpy as np

    from emubot.trials.evaluation.summary import play, units
    from emubot.trials.executors import workers

    work = [
        unit
        for each in zip(
            *(units(contest, tuple(named[name] for name in met), options.seed, options.games) for met in meetings),
            strict=True,
        )
        for unit in each
    ]
    finished: dict[int, Games] = {}
    seconds = [0.0] * len(meetings)
    place = {id(unit): index for index, unit in enumerate(work)}
    at_once = min(options.jobs, len(work))
    with (
        progress(0, options.games * len(meetings), "games", options.quiet) as advance,
        workers(at_once) as executor,
        stopped_in_good_order(options.quiet, "finishing the games under way") as stopping,
    ):
        for unit, games, spent in play(work, executor, at_once, stopping):
            index = place[id(unit)]
            finished[index] = games
            seconds[index % len(meetings)] += spent
            advance(len(games))
    whole = [
        first
        for first in range(0, len(work), len(meetings))
        if finished.keys() >= {*range(first, first + len(meetings))}
    ]
    if not whole:
        raise KeyboardInterrupt
    played = [np.concatenate([finished[first + index] for first in whole]) for index in range(len(meetings))]
    return played, seconds, len(finished) < len(work)


def _result(
    trial: Trial,
    meetings: list[tuple[str, ...]],
    played: list[Games],
    seconds: list[float],
    options: argparse.Namespace,
) -> dict[str, Any]:
    from emubot.games.trial import SUMMED
    from emubot.trials.evaluation.summary import differences, summarise

    players: list[dict[str, Any]] = []
    for met, games, spent in zip(meetings, played, seconds, strict=True):
        own: dict[str, Any] = {"weights": " against ".join(met), **summarise(games, trial.figures)}
        if players:
            own["more_than_first"] = differences(games, played[0], trial.figures)
        own["cpu_seconds"] = round(spent, 3)
        counted = SUMMED in trial.figures
        own["nodes"] = int(games[:, trial.figures.index(SUMMED)].sum()) if counted else None
        if counted and "pieces" in trial.figures:
            own["nodes_per_decision"] = round(own["nodes"] / max(games[:, trial.figures.index("pieces")].sum(), 1))
        players.append(own)
    settings = {"game": options.game, **trial.settings}
    head = {"games": len(played[0]), "seed": options.seed, "settings": settings}
    return head | players[0] | ({"players": players} if len(players) > 1 else {})


def _text(result: dict[str, Any], trial: Trial) -> list[str]:
    settings = ", ".join(f"{name} {value}" for name, value in result["settings"].items())
    lines = textwrap.wrap(f"{settings}; {counted(result['games'], 'game')} of seed {result['seed']}", _WIDTH)
    for player in result.get("players", [result]):
        lines += ["", f"{player['weights']} ({player['cpu_seconds']:,.1f} s of CPU time)"]
        lines.append(f"{'':>12}  {'mean':>9}  {'95 % interval':>22}  {'median':>9}  {'min':>9}  {'max':>9}")
        for name in (name for name in player if isinstance(player[name], dict) and "median" in player[name]):
            lines.append(_row(name, player[name]))
        if "more_than_first" in player:
            lines += [f"  more than {result['weights']}, on the same games:"]
            lines += [_row(name, figure) for name, figure in player["more_than_first"].items()]
    return lines


def _row(name: str, figure: dict[str, Any]) -> str:
    interval = "" if figure["se"] is None else f"{_number(figure['low95'])} to {_number(figure['high95'])}"
    line = f"{name:>12}  {_number(figure['mean']):>9}  {interval:>22}"
    if "median" in figure:
        line += "".join(f"  {_number(figure[what]):>9}" for what in ("median", "min", "max"))
    return line


def _number(value: float) -> str:
    """Returns at most nine characters, so that a row fits a terminal of 80 columns; M means millions."""
    whole = value == int(value) or abs(value) >= 10_000
    text = f"{value:,.0f}" if whole else f"{value:,.2f}"
    millions = (f"{value / 1e6:,.{decimals}f} M" for decimals in (3, 2, 1, 0))
    return next((shown for shown in (text, *millions) if len(shown) <= _NUMBER), f"{value / 1e6:.0f} M")


def _plot(result: dict[str, Any], trial: Trial, path: Path) -> None:
    from emubot.view.plots import draw_intervals

    figure = "win_rate" if "win_rate" in result else trial.figures[0]
    players = result.get("players", [result])
    bars = [
        (player["weights"], player[figure]["mean"], player[figure]["low95"], player[figure]["high95"])
        for player in players
    ]
    settings = ", ".join(f"{name} {value}" for name, value in result["settings"].items() if value not in (0, False))
    draw_intervals(path, bars, figure, f"{settings}\n{counted(result['games'], 'game')}, 95 % intervals")
