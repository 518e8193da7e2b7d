"""`emubot bench`: measures how fast this machine simulates, searches and runs a core; decides nothing."""

from __future__ import annotations

import argparse
import contextlib
import statistics
import time
from collections.abc import Callable
from typing import TYPE_CHECKING, Any, Final, cast

from emubot.cli import common
from emubot.cli.compiling import compile_kernels
from emubot.session import session
from emubot.session.request import SessionRequest

if TYPE_CHECKING:
    from pathlib import Path

    from emubot.bridges.libretro.bridge import LibretroBridge
    from emubot.pilot.tally import Tally

_FRAMES: Final = {"tetris": 5_000_000, "puyo": 50_000}  # frames to simulate, in a second or less per game
_LEVELS: Final = {"tetris": 18, "puyo": 9}
_PLAYED: Final = 20_000  # pieces of self-play
_BRIDGE: Final = "bridge"
_DESCRIPTION = "Measure speed on this machine: the simulator, the search, and the bot's cost per frame of a core."
_EPILOG = """\
tetris  frames per second of the simulator, pieces per second of self-play, milliseconds per decision at level 18
puyo    the same for pairs, at level 9
bridge  for each core found: a bare frame of the core, and a frame with reading, decoding and steering (without search)

All times are CPU times. Machines are noisy, so compare ratios of the same run."""

_DECISIONS: Final = 300
_BATCHES: Final = 15
_BATCH: Final = 400  # frames


def run(words: list[str]) -> int:
    """Run `emubot bench WORDS` and return the exit code."""
    made = common.parser("bench", _DESCRIPTION, _EPILOG)
    made.add_argument("subjects", nargs="*", metavar="tetris|puyo|bridge", help="default: all")
    made.add_argument("--seed", type=common.whole(0), default=0, metavar="N", help="seed of the games (default 0)")
    common.add_json(made)
    options = made.parse_intermixed_args(words)
    known = [*_FRAMES, _BRIDGE]
    unknown = [subject for subject in options.subjects if subject not in known]
    if unknown:
        made.error(f"there is no subject {unknown[0]!r}; known: {', '.join(known)}")
    result = {subject: _measure(subject, options) for subject in options.subjects or known}
    if options.json:
        common.emit_json(result)
    return 0


def _measure(subject: str, options: argparse.Namespace) -> Any:
    measured = _bridges(options) if subject == _BRIDGE else _family(subject, options)
    if not options.json and not options.quiet:
        for line in _lines(measured):
            print(f"{subject}: {line}")
    return measured


def _lines(measured: Any) -> list[str]:
    rows = measured if isinstance(measured, list) else [measured]
    return [", ".join(f"{name} {value}" for name, value in row.items()) for row in rows] or ["no core found"]


def _family(name: str, options: argparse.Namespace) -> dict[str, Any]:
    from emubot.games import game
    from emubot.games.protocol import Measurable, Simulated, require_part
    from emubot.pilot.tally import percentiles
    from emubot.weights import load_weights

    family = game(name)
    compile_kernels(family, options.quiet, self_play=True)
    frames = _FRAMES[name]
    seconds = require_part(family, Simulated, "a simulator").time_simulator(frames)
    started = time.process_time()
    weights = load_weights(family.facts.default_weights)
    require_part(family, Measurable, "self-play").self_play(options.seed, _PLAYED, weights, None, None)
    untimed = time.process_time() - started
    tally = _played(name, options.seed)
    return {
        "simulator_frames_per_second": round(frames / seconds),
        "pieces_per_second": round(_PLAYED / untimed),
        "decision_ms": percentiles(tally.decision_ms),
        "nodes_per_decision": round(tally.nodes / len(tally.decision_ms)),
    }


def _played(name: str, seed: int) -> Tally:
    """Play one piece per timed decision on the simulated bridge, and return the tally."""
    request = SessionRequest(demo=name, bridge="simulated", seed=seed, menu_choices={"level": _LEVELS[name]})
    with contextlib.closing(session.open_session(request)) as opened:
        return opened.pilot(opened.seats[0], opened.goal(_DECISIONS, None)).run()


def _bridges(options: argparse.Namespace) -> list[dict[str, Any]]:
    from emubot.bridges.libretro.finding import found_cores

    return [_bridge(path, options) for path in found_cores()]


def _bridge(path: Path, options: argparse.Namespace) -> dict[str, Any]:
    """Time batches of bare and of whole frames in turn, so that a drift of the machine affects both."""
    request = SessionRequest(
        demo="tetris", bridge="libretro", core=str(path), menu_choices={"level": 18}, core_process=False
    )
    opened = session.open_session(request)
    compile_kernels(opened.game, quiet=options.quiet)
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
