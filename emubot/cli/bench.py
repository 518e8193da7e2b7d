"""`emubot bench`: measures how fast this machine simulates, searches and runs a core; decides nothing."""

from __future__ import annotations

import argparse
import contextlib
import statistics
import time
from collections.abc import Callable
from typing import TYPE_CHECKING, Any, Final, cast

from emubot import games
from emubot.cli import common
from emubot.cli.compiling import compile_purpose
from emubot.cli.progress import progress
from emubot.cli.result import emit_json, reach
from emubot.errors import UsageError
from emubot.games.trial import Compared
from emubot.session import session
from emubot.session.request import SessionRequest
from emubot.text import counted, did_you_mean

if TYPE_CHECKING:
    from pathlib import Path

    from emubot.bridges.libretro.bridge import LibretroBridge
    from emubot.games.protocol import Game
    from emubot.games.trial import Comparison
    from emubot.pilot.tally import Tally
    from emubot.trials.evaluation.contest import Contest

_BRIDGE: Final = "bridge"
_ROWS: Final = "rows"
_DESCRIPTION = (
    "Measure speed on this machine: the simulator, the search, and the bot's cost per frame of a core. "
    "With --games also strength: the games that a family is compared by."
)
_EPILOG = """\
a game  frames per second of its simulator, pieces per second of self-play, milliseconds per decision of play, and what
        its kernels do in a second
bridge  for each core found: a bare frame of the core, and a frame with reading, decoding and steering (without search)

examples:
  emubot bench tetris --json
  emubot bench tetris --games 100 --row "12 Hz" --json   rows of docs/measurements/tetris.md with 12 Hz in their name
  emubot bench puyo --games 100 --row battle             the battles of docs/measurements/puyo.md

All times are CPU times; those of battles are of both players. Machines are noisy, so compare ratios of the same run.
100 games of every row take hours."""

_DECISIONS: Final = 300
_BATCHES: Final = 15
_BATCH: Final = 400  # frames


def run(words: list[str]) -> int:
    """Run `emubot bench WORDS` and return the exit code."""
    made, known = build_parser(), _subjects()
    options = made.parse_intermixed_args(words)
    unknown = [subject for subject in options.subjects if subject not in known]
    if unknown:
        near = did_you_mean(unknown[0], known)
        made.error(f"there is no subject {unknown[0]!r}{near}; known: {', '.join(known)}")
    if options.row and not options.games:
        made.error("--row chooses among the rows that --games plays: say how many games")
    comparisons = _chosen(options) if options.games else {}
    result: dict[str, Any] = {}
    reach(result)
    for subject in options.subjects or [*_measured(), _BRIDGE]:
        result[subject] = _measure(subject, options, comparisons.get(subject, []))
    if options.json:
        emit_json(result)
    return 0


def build_parser() -> common.Parser:
    """Returns the parser of `emubot bench`."""
    made = common.parser("bench", _DESCRIPTION, _EPILOG)
    made.add_argument("subjects", nargs="*", metavar="GAME|bridge", help=f"{', '.join(_subjects())} (default: all)")
    made.add_argument("--seed", type=common.whole(0), default=0, metavar="N", help="seed of the games (default 0)")
    made.add_argument(
        "--games", type=common.whole(0, 10_000_000), default=0, metavar="N", help="games of each row (default: no rows)"
    )
    made.add_argument("--row", default="", metavar="TEXT", help="with --games: only rows with this text in their name")
    common.add_json(made)
    return made


def _subjects() -> list[str]:
    return [*games.names(), _BRIDGE]


def _measured() -> list[str]:
    """Returns the families that play games to be measured."""
    from emubot.games.protocol import Measurable

    return [name for name in games.names() if isinstance(games.game(name), Measurable)]


def _measure(subject: str, options: argparse.Namespace, comparisons: list[Comparison]) -> Any:
    measured = _bridges(options) if subject == _BRIDGE else _family(subject, options, comparisons)
    if not options.json and not options.quiet:
        for line in _lines(measured):
            print(f"{subject}: {line}")
    return measured


def _lines(measured: Any) -> list[str]:
    rows = measured if isinstance(measured, list) else [measured]
    lines = [", ".join(f"{name} {value}" for name, value in row.items() if name != _ROWS) for row in rows]
    lines += [_row_line(row) for measured in rows for row in measured.get(_ROWS, ())]
    return lines or ["no core found"]


def _row_line(row: dict[str, Any]) -> str:
    from emubot.games.trial import SHARES

    name = row["figure"]
    found = row["figures"][name]
    scale, form = (100, ",.1f") if name in SHARES else (1, ",.0f")
    words = f"{row['row']}: {name} {scale * found['mean']:{form}}"
    if found["se"] is not None:
        words += f" ({scale * found['low95']:{form}} to {scale * found['high95']:{form}})"
    return (
        f"{words}{' %' if name in SHARES else ''}, {counted(row['games'], 'game')}, "
        f"{row['cpu_ms_per_decision']:,} ms and {row['nodes_per_decision']:,} boards a decision"
    )


def _family(name: str, options: argparse.Namespace, comparisons: list[Comparison]) -> dict[str, Any]:
    from emubot.games import game
    from emubot.games.protocol import Measurable, require_part
    from emubot.pilot.tally import percentiles
    from emubot.rammap import load_map
    from emubot.session.purposes import self_play
    from emubot.weights import load_weights

    family = game(name)
    compile_purpose(self_play(family), options.quiet)  # and nothing in the background, which would be measured too
    edition = family.open(load_map(family.facts.default_map))
    measured: dict[str, Any] = {}
    if edition.simulator is not None:
        frames = family.options.bench.frames
        measured["simulator_frames_per_second"] = round(frames / edition.simulator.time(frames))
    pieces, started = family.options.bench.pieces, time.process_time()
    weights = load_weights(family.facts.default_weights)
    require_part(family, Measurable, "self-play").self_play(options.seed, pieces, weights, None, {})
    measured["pieces_per_second"] = round(pieces / (time.process_time() - started))
    if edition.simulator is not None:
        tally = _played(family, options.seed)
        measured["decision_ms"] = percentiles(tally.decision_ms)
        measured["nodes_per_decision"] = round(tally.nodes / len(tally.decision_ms))
    if isinstance(family, Compared):
        measured |= {key: round(value) for key, value in family.speeds().items()}
    return measured | ({_ROWS: _rows(name, comparisons, options)} if comparisons else {})


def _chosen(options: argparse.Namespace) -> dict[str, list[Comparison]]:
    """Returns the rows to play of each family. Raises UsageError if there are none."""
    from emubot.games import game

    families = {name: game(name) for name in options.subjects or _measured() if name != _BRIDGE}
    rows = {name: family.comparisons() for name, family in families.items() if isinstance(family, Compared)}
    if not rows:
        raise UsageError(f"There is no table of strength for {', '.join(options.subjects)}: leave out --games.")
    chosen = {name: [one for one in own if options.row.lower() in one.name.lower()] for name, own in rows.items()}
    if not any(chosen.values()):
        known = ", ".join(one.name for own in rows.values() for one in own)
        raise UsageError(f"No row has {options.row!r} in its name; known: {known}.")
    return chosen


def _rows(name: str, comparisons: list[Comparison], options: argparse.Namespace) -> list[dict[str, Any]]:
    """Play these games, row by row; returns what each row came to."""
    from emubot.trials.evaluation.contest import Contest

    with progress(0, options.games * len(comparisons), "games", options.quiet) as advance:
        return [_row(one, Contest(name, one.sides, one.rules, one.options), options, advance) for one in comparisons]


def _row(
    comparison: Comparison, contest: Contest, options: argparse.Namespace, advance: Callable[[int], None]
) -> dict[str, Any]:
    import numpy as np

    from emubot.games import game
    from emubot.games.trial import SUMMED
    from emubot.trials.evaluation.summary import summarise, units
    from emubot.trials.work import play_unit
    from emubot.weights import load_weights

    trial = contest.trial()
    player = comparison.weights or game(contest.game).facts.default_weights
    players = [load_weights(player)]
    if comparison.against is not None:
        players.append(load_weights(comparison.against).model_copy(update={"sets": ()}))
    trial.warm_up()
    parts, started = [], time.process_time()
    for unit in units(contest, tuple(players), options.seed, options.games):
        parts.append(play_unit(unit))
        advance(len(parts[-1]))
    seconds, played = time.process_time() - started, np.concatenate(parts)
    decisions, nodes = (int(played[:, trial.figures.index(figure)].sum()) for figure in ("pieces", SUMMED))
    figures = summarise(played, trial.figures)
    against = {} if comparison.against is None else {"against": comparison.against}
    return {
        "row": comparison.name,
        "settings": {**trial.settings, "weights": player, **against},
        "games": len(played),
        "seed": options.seed,
        "figure": comparison.figure or next(iter(figures)),
        "figures": figures,
        "cpu_ms_per_decision": round(1000 * seconds / decisions, 4),
        "nodes_per_decision": round(nodes / decisions),
    }


def _played(family: Game, seed: int) -> Tally:
    """Play one piece per timed decision on the simulated bridge, and return the tally."""
    request = SessionRequest(
        map=family.facts.default_map, bridge="simulated", seed=seed, menu_choices=family.options.bench.menus
    )
    with contextlib.closing(session.open_session(request)) as opened:
        return opened.pilot(opened.seats[0], opened.goal(_DECISIONS, None)).run()


def _bridges(options: argparse.Namespace) -> list[dict[str, Any]]:
    from emubot.bridges.libretro.finding import found_cores

    return [_bridge(path, options) for path in found_cores()]


def _bridge(path: Path, options: argparse.Namespace) -> dict[str, Any]:
    """Time batches of bare and of whole frames in turn, so that a drift of the machine affects both."""
    from emubot.demos import FIRST
    from emubot.games.declared import demo_family
    from emubot.session.compiling import play_by

    menus = demo_family(FIRST).options.bench.menus
    request = SessionRequest(demo=FIRST, bridge="libretro", core=str(path), menu_choices=menus, core_process=False)
    opened = session.open_session(request)
    compile_purpose(play_by(opened.edition), options.quiet)
    pilot = opened.pilot(opened.seats[0], opened.goal(None, None))
    bridge = cast("LibretroBridge", pilot.bridge)
    decisions = pilot.tally.decision_ms
    _timed(pilot.step, _BATCH, decisions)
    ratios, bare_times, whole_times = [], [], []
    for _ in range(_BATCHES):
        whole = _timed(pilot.step, _BATCH, decisions)
        state = bridge.save()
        alone = _timed(bridge.bare_frame, _BATCH, decisions)
        bridge.load(state)
        ratios.append(whole / alone)
        bare_times.append(alone)
        whole_times.append(whole)
    opened.close()
    return {
        "core": bridge.facts.emulator,
        "bare_us": round(statistics.median(bare_times), 1),
        "whole_us": round(statistics.median(whole_times), 1),
        "ratio": round(statistics.median(ratios), 3),
        "ratio_low": round(min(ratios), 3),
        "ratio_high": round(max(ratios), 3),
    }


def _timed(step: Callable[[], object], times: int, decisions: list[float]) -> float:
    """Returns microseconds of CPU time per call, without the calls that made a decision."""
    spent, counted = 0, 0
    clock = time.process_time_ns
    for _ in range(times):
        made = len(decisions)
        started = clock()
        step()
        ended = clock()
        if len(decisions) == made:
            spent += ended - started
            counted += 1
    return spent / counted / 1000
