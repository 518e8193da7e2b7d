"""The checks of `check_game` for the optional parts of a family, one function each; knows no family."""

from __future__ import annotations

import json
import math
import re
from collections.abc import Iterator
from typing import Final

import numpy as np

from emubot.errors import UsageError
from emubot.explanation import ExplainOptions
from emubot.games.checked_play import SMALLEST_BUDGET, CheckedFamily, Played
from emubot.games.counts import Counts
from emubot.games.edition import Depiction, GameRecorder, Simulator
from emubot.games.explainer import Explainer
from emubot.games.options import STRENGTH, GameOptions
from emubot.games.protocol import Compiled, Game, Measurable, Replayable
from emubot.games.trial import Compared
from emubot.machine import FRAME_RATE_NTSC, FRAME_RATE_PAL
from emubot.pad import Pad
from emubot.snapshot import Snapshot
from emubot.tempo import parse_taps
from emubot.weights import load_weights

SELF_PLAYED: Final = 40  # pieces
_BUSY: Final = 80  # frames with random pads
_EXPLAINED: Final = ExplainOptions(nodes=1, top=2, games=2)
_SLACK: Final = 1e-6  # of a sum, as a share of its value
Faults = Iterator[str]


def machine_faults(bench: CheckedFamily, simulator: Simulator) -> Faults:
    """Check that the simulator is a Machine, and that the same seed and pads give the same frames."""
    ram_map = bench.edition.ram_map
    pads = [Pad(int(pad)) for pad in np.random.default_rng(bench.seed).choice([0, 0x10, 0x80, 1, 2, 4], size=_BUSY)]
    for even in (False, True):
        machines = [simulator.machine(np.random.default_rng(bench.seed), even) for _ in range(2)]
        for pad in pads:
            for machine in machines:
                machine.step([pad, Pad.NONE])
            if machines[0].ram.tobytes() != machines[1].ram.tobytes():
                yield f"machine(even={even}): two of one seed with the same pads went apart"
                break
    machine = simulator.machine(None)
    ram = machine.ram
    if ram.dtype != np.uint8 or ram.shape != (ram_map.image_size,):
        yield f"machine: ram must be uint8 ({ram_map.image_size},), not {ram.dtype} {ram.shape}"
    if not isinstance(machine.identity, str) or not machine.identity:
        yield "machine: identity must be a text that stands for the cartridge's hash"
    if machine.frame_rate not in (FRAME_RATE_NTSC, FRAME_RATE_PAL):
        yield f"machine: frame_rate {machine.frame_rate!r} must be FRAME_RATE_NTSC or FRAME_RATE_PAL"
    machine.step([Pad.NONE, Pad.NONE])
    if machine.ram is not ram:
        yield "machine: ram must stay one array, for a bridge shows it without copying"
    if simulator.time(100) < 0:
        yield "time must be seconds"


def drawing_faults(depiction: Depiction, snapshot: Snapshot) -> Faults:
    """Check the cells of the piece in the air and of the next piece."""
    if snapshot.current is None:
        return
    cells = depiction.cells(snapshot, snapshot.current)
    columns = snapshot.playfield.shape[1]
    if not cells or any(not 0 <= cell.column < columns or cell.row >= len(snapshot.playfield) for cell in cells):
        yield f"cells must lie in the playfield where the piece is, not {list(cells)} for {snapshot.current}"
    if bool(depiction.next_cells(snapshot)) != bool(snapshot.next):
        yield "next_cells must be given where the next piece is known, and only there"


def trace_faults(bench: CheckedFamily, recorder: GameRecorder, played: Played) -> Faults:
    """Check that a recorded game is replayed without a difference, and can be drawn."""
    edition, decode, recording = bench.edition, bench.edition.decoder(), recorder.begin("nmi-game")
    for ram in played.frames:
        if recorder.records(decode(ram)):
            recording.add(ram)
        elif recording.running:
            break
    if recording.rows < 2:
        yield "records must be true of the frames of a game"
        return
    trace = recording.finish({"game": edition.game.name, "map": edition.ram_map.name})
    if not isinstance(edition.game, Replayable) or not edition.game.replays(trace):
        yield "replays must be true of what the family's own recorder recorded"
    differing, first = recorder.verify(trace)
    if differing:
        yield f"verify: {differing} of {trace.frames} rows differ when a simulated game is replayed, first row {first}"
    if not all(isinstance(line, str) for line in recorder.draw(trace, trace.frames - 1)):
        yield "draw must give lines of text"


def explanation_faults(bench: CheckedFamily, explainer: Explainer, played: Played) -> Faults:
    """Check that a piece in the air is explained: the parts add up, and one placement is what the bot plays."""
    snapshot = next((shown for shown in played.snapshots if shown.current is not None), None)
    if snapshot is None:
        yield "there was no piece in the air to explain"
        return
    tempo = parse_taps("30hz")
    explained, again = (explainer.explain(snapshot, bench.weights, tempo, _EXPLAINED) for _ in range(2))
    if explained.placements != again.placements:
        yield "explain: one position with one seed was explained in two ways"
    if sum(one.chosen for one in explained.placements) != 1:
        yield "explain: exactly one placement must be what the bot plays"
    for one in explained.placements:
        total = math.fsum(part.value for part in one.parts)
        if not math.isclose(total, one.value, rel_tol=_SLACK, abs_tol=_SLACK):
            yield f"explain: the parts of {one.name} add up to {total}, not to its value {one.value}"
        if not one.depths or one.depths[-1].value != one.value:
            yield f"explain: the last depth of {one.name} must be its value"
        if one.risk is None or one.risk.games != _EXPLAINED.games or not 0 <= one.risk.deaths <= one.risk.games:
            yield f"explain: the risk of {one.name} must be of the games that were wanted"


def self_play_faults(bench: CheckedFamily, game: Measurable) -> Faults:
    """Check that self-play depends only on its seed and counts its pieces."""
    runs = [game.self_play(seed, SELF_PLAYED, bench.weights, None, {}) for seed in (1, 1, 2)]
    if not all(isinstance(run, Counts) and run.pieces == SELF_PLAYED for run in runs):
        yield f"self_play(pieces={SELF_PLAYED}) must count that many pieces"
    if runs[0] != runs[1]:
        yield "self_play: one seed gave two results"
    if runs[0] == runs[2]:
        yield "self_play: two seeds gave one result"
    ended = game.self_play(1, SELF_PLAYED, bench.weights, None, {}, lambda placed: False)
    if ended.pieces >= SELF_PLAYED:
        yield "self_play must call its watch from the first piece on, and end when it says so"
    if not re.fullmatch(r"[a-z]+", game.self_play_measure):
        yield f"self_play_measure {game.self_play_measure!r} must be a word"


def trial_faults(bench: CheckedFamily, game: Measurable) -> Faults:
    """Check that the games of a trial depend only on their seeds, and that unknown options are refused."""
    trial = game.trial(1, None, {})
    if "nodes" in trial.settings:  # a check asks for no strength
        trial = game.trial(1, None, {"nodes": SMALLEST_BUDGET})
    seeds = [3, 2**64 - 1, 3]
    played = trial.play([bench.weights], seeds)
    if played.dtype != np.int64 or played.shape != (len(seeds), len(trial.figures)):
        yield f"trial.play must give int64, a row for each seed and a column for each of {trial.figures}"
    elif (played[0] != played[2]).any() or (played[1] != trial.play([bench.weights], seeds[1:2])[0]).any():
        yield "trial.play: one seed gave two games"
    if trial.play([bench.weights], []).shape != (0, len(trial.figures)):
        yield "trial.play must give no row for no seed"
    if next(iter(trial.settings), None) != "rules":
        yield "trial.settings must begin with rules"
    json.dumps(trial.settings)
    if trial.sides != 1 or not trial.figures or len(set(trial.figures)) != len(trial.figures):
        yield "trial: for one side, with figures each once"
    try:
        game.trial(1, None, {"no_such_option": 1})
        yield "trial must raise UsageError for an option that it does not have"
    except UsageError:
        pass
    family = bench.edition.game
    for name in family.facts.ladder:
        if load_weights(name).game != family.name:
            yield f"ladder: {name!r} must be weights for {family.name!r}"


def option_faults(game: Measurable, options: GameOptions) -> Faults:
    """Check that the rules that are declared are played, and that `play` knows what is declared for it."""
    for one in options.strength:
        if one.name not in STRENGTH:
            yield f"options: strength has {one.name!r}, and play tells a bot only {', '.join(STRENGTH)}"
    if not any(one.sides == 1 for one in options.rule_sets) or not options.self_play:
        yield "options must declare rule_sets for one player and self_play"
    for rules in options.rule_sets:
        for name in rules.names:
            try:
                game.trial(rules.sides, name, {})
            except UsageError as wrong:
                yield f"options: the rules {name} for {rules.sides} are declared, and trial refuses them: {wrong}"
    for name in (name for rules in options.self_play for name in rules.names):
        try:
            game.self_play_settings(name, {})
        except UsageError as wrong:
            yield f"options: the rules {name} of self_play are declared, and refused: {wrong}"


def comparison_faults(game: Measurable, compared: Compared) -> Faults:
    """Check that every game which the family is compared by can be played under the name it has."""
    rows = compared.comparisons()
    if not rows or len({row.name for row in rows}) != len(rows):
        yield "comparisons must have distinct names"
    for row in rows:
        trial = game.trial(row.sides, row.rules, row.options)
        if any(trial.settings.get(name) != value for name, value in row.options.items()):
            yield f"comparisons: the trial of {row.name!r} is played with other settings than it says"
        if row.figure is not None and row.figure not in trial.figures:
            yield f"comparisons: the trial of {row.name!r} has no figure {row.figure!r}"
        for name in (row.weights, row.against):
            if name is not None:
                load_weights(name)


def kernel_faults(bench: CheckedFamily, game: Game) -> Faults:
    """Check that kernels are named jobs, for any map and for the bench's."""
    for jobs in (game.kernels() if isinstance(game, Compiled) else (), bench.edition.kernels()):
        if not all(isinstance(name, str) and callable(job) for name, job, *_ in jobs):
            yield "kernels must be pairs of a name and something to call, or Jobs"
