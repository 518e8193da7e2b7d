"""check_game: whether a family keeps what the Game protocol promises, told in clear sentences; knows no family.

For authors of a family, in the way of Gymnasium's check_env: run it in your tests, with the map and weights you ship.
It plays on the family's own simulator; a bridge or a pilot is not needed.
"""

from __future__ import annotations

import json
import re
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from itertools import islice
from typing import Final, TypeVar

import numpy as np

from emubot.errors import EmubotError, UsageError, WeightsError
from emubot.games.checked_play import Bench, Played, play, same
from emubot.games.counts import Counts
from emubot.games.protocol import FIGURES, Game
from emubot.pad import Pad
from emubot.rammap import RamMap, load_map
from emubot.snapshot import Phase, Snapshot
from emubot.tempo import InputState, parse_taps
from emubot.weights import FeatureSet, Weights, load_weights

MEMORIES: Final = 150  # random ones that are decoded
DISTURBED: Final = 60  # frames of play of which a few bytes are changed
SELF_PLAYED: Final = 40  # pieces
_SPOKEN: Final = 4  # faults told of each kind
_BUSY: Final = 80  # frames of mashed keys
_T = TypeVar("_T")
Faults = Iterator[str]


class GameCheckError(EmubotError):
    """A family breaks the protocol: one line for each fault."""


@dataclass(frozen=True, slots=True)
class _Kind:
    """A kind of check and what it looks at."""

    name: str
    faults: Callable[[], Faults]


def check_game(
    game: Game, ram_map: RamMap | None = None, weights: Weights | None = None, pieces: int = 30, seed: int = 0
) -> None:
    """Check a family; by its default map and weights where none are given. Raises GameCheckError with all faults.

    `pieces` are played at full speed, a third of them again slowly and by DAS. Raises UsageError for a map that leaves
    something to learn.
    """
    faults = [*_spoken(_Kind("names", lambda: _names(game)))]
    if faults:
        raise GameCheckError("\n".join(faults))
    ram_map = ram_map or load_map(game.default_map)
    if ram_map.learns:
        raise UsageError(f"{ram_map.path} leaves {', '.join(ram_map.learns)} to learn: check the game by a whole map.")
    bench = Bench(game, ram_map, weights or load_weights(game.default_weights), pieces, seed)
    played = Played()
    a_few = max(pieces // 3, 1)
    kinds = [
        _Kind("decoding", lambda: _memories(bench)),
        _Kind("weights", lambda: _weights(bench)),
        _Kind("the simulator", lambda: _machine(bench)),
        _Kind("play", lambda: play(bench, parse_taps("30hz"), pieces, played)),
        _Kind("slow play", lambda: play(bench, parse_taps("..X.........."), a_few, Played())),
        _Kind("play by DAS", lambda: play(bench, parse_taps("das"), a_few, Played())),
        _Kind("frames of play", lambda: _frames(bench, played)),
        _Kind("disturbed memory", lambda: _disturbed(bench, played)),
        _Kind("traces", lambda: _traces(bench, played)),
        _Kind("self-play", lambda: _self_play(bench)),
        _Kind("trials", lambda: _trials(bench)),
        _Kind("services", lambda: _services(bench)),
    ]
    for kind in kinds:
        faults += _spoken(kind)
    if faults:
        raise GameCheckError("\n".join(faults))


def _spoken(kind: _Kind) -> list[str]:
    """The first faults of a kind; an exception is one."""
    found: list[str] = []
    try:
        found += islice(kind.faults(), _SPOKEN)
    except Exception as failure:  # somebody else's code: whatever it raises is the fault
        found.append(f"raised {type(failure).__name__}: {failure}")
    return [f"{kind.name}: {fault.rstrip('.')}." for fault in dict.fromkeys(found)]


def _names(game: Game) -> Faults:
    """What a family says of itself."""
    if not re.fullmatch(r"[a-z0-9][a-z0-9-]{0,39}", str(game.name)):
        yield f"name {game.name!r} must be a word of small letters, digits and -, as a map's `family`"
    if not game.title or "\n" in game.title:
        yield f"title {game.title!r} must be a line of text"
    names = tuple(game.feature_names)
    if not names or len(set(names)) != len(names):
        yield "feature_names must be some names, each once"
    family = load_map(game.default_map).family
    if family != game.name:
        yield f"default_map {game.default_map!r} is for the family {family!r}, not {game.name!r}"
    trained = load_weights(game.default_weights)
    if trained.game != game.name or not set(trained.features.names) <= set(names):
        yield f"default_weights {game.default_weights!r} must be for {game.name!r} and name its features"
    if any(not isinstance(number, int) for number in game.modes.values()):
        yield "modes must map words to the numbers that menus are asked for"


def _memories(bench: Bench) -> Faults:
    """Any bytes decode, always to the same, and what is decoded cannot be changed."""
    rng = np.random.default_rng([bench.seed, 1])
    size = bench.ram_map.space_range[1]
    memories = [bytes(size), b"\xff" * size, *(rng.bytes(size) for _ in range(MEMORIES))]
    for player in range(bench.ram_map.players):
        decode, again = (bench.game.decoder(bench.ram_map, player) for _ in range(2))
        for ram in memories:
            snapshot = decode(ram)
            if not same(snapshot, decode(ram)) or not same(snapshot, again(ram)):
                yield f"decoder(player={player}): the same bytes gave two snapshots that differ"
            yield from _sane(bench, snapshot)


def _sane(bench: Bench, snapshot: Snapshot) -> Faults:
    grid = bench.ram_map.document.grid
    for name, cells, rows in (("playfield", snapshot.playfield, grid.rows), ("hidden", snapshot.hidden, None)):
        if cells.flags.writeable:
            yield f"Snapshot.{name} must be read-only"
        if cells.dtype != np.uint8 or cells.shape[1] != grid.columns or rows not in (None, cells.shape[0]):
            shape = f"({rows or 'hidden rows'}, {grid.columns})"
            yield f"Snapshot.{name} must be uint8 {shape}, not {cells.dtype} {cells.shape}"
    secret = {name for name, value in bench.ram_map.document.values.items() if value.hidden_from_search}
    if shown := secret & set(snapshot.counters):
        yield f"Snapshot.counters shows {', '.join(sorted(shown))}, which the map hides from search"
    if not all(type(value) is int for value in snapshot.counters.values()):
        yield "Snapshot.counters must be plain integers"
    if snapshot.phase is Phase.UNKNOWN and snapshot.current is not None:
        yield "a snapshot of an unknown phase must show no piece, so that nothing is pressed"
    if not same(bench.game.predict(bench.ram_map, snapshot, ()), snapshot):
        yield "predict(snapshot, ()) must give the same snapshot: no pad is in flight"


def _weights(bench: Bench) -> Faults:
    """Weights of another game, of unknown features and of another version are refused."""
    names, version = tuple(bench.game.feature_names), bench.weights.features.version
    wrong = {
        "of another game": Weights(
            game="another-game", features=FeatureSet(version=version, names=names[:1]), values=(1.0,)
        ),
        "for a feature it does not have": Weights(
            game=bench.game.name, features=FeatureSet(version=version, names=("no-such-feature",)), values=(1.0,)
        ),
        "for another version of the features": Weights(
            game=bench.game.name, features=FeatureSet(version=version + 1, names=names[:1]), values=(1.0,)
        ),
    }
    for what, weights in wrong.items():
        try:
            bench.game.thinker(bench.ram_map, weights, parse_taps("30hz"))
        except WeightsError:
            continue
        yield f"thinker must refuse weights {what} with a WeightsError"


def _machine(bench: Bench) -> Faults:
    """A Machine, from any power-on, and the same from the same seed."""
    game, ram_map = bench.game, bench.ram_map
    pads = [Pad(int(pad)) for pad in np.random.default_rng(bench.seed).choice([0, 0x10, 0x80, 1, 2, 4], size=_BUSY)]
    for even in (False, True):
        machines = [game.simulator(ram_map, np.random.default_rng(bench.seed), even) for _ in range(2)]
        for pad in pads:
            for machine in machines:
                machine.step([pad, Pad.NONE])
            if machines[0].ram.tobytes() != machines[1].ram.tobytes():
                yield f"simulator(even={even}): two of one seed with the same pads went apart"
                break
    machine = game.simulator(ram_map, None)
    ram = machine.ram
    if ram.dtype != np.uint8 or ram.shape != (2048,):
        yield f"simulator: ram must be uint8 (2048,), not {ram.dtype} {ram.shape}"
    if not isinstance(machine.identity, str) or not machine.identity:
        yield "simulator: identity must be a text that stands for the cartridge's hash"
    machine.step([Pad.NONE, Pad.NONE])
    if machine.ram is not ram:
        yield "simulator: ram must stay one array, for a bridge shows it without copying"


def _frames(bench: Bench, played: Played) -> Faults:
    """What is said of the frames of a game."""
    game, decode = bench.game, bench.game.decoder(bench.ram_map)
    for before, pad, after in played.successive:
        one, other = decode(before), decode(after)
        ahead = game.predict(bench.ram_map, one, (pad,))
        if (ahead.phase, ahead.current) != (other.phase, other.current):
            yield f"predict of one pad gave {ahead.current}, and the simulator then had {other.current}"
        if not game.advanced(one, other):
            yield "advanced must be true of two successive frames of play on the simulator"
        if game.advanced(one, one):
            yield "advanced must be false of a frame in which nothing moved"
        yield from _drawn(game, one)
    for snapshot in played.snapshots:
        summary = game.summary(snapshot)
        missing = set(FIGURES) - set(summary)
        if missing or not all(value is None or isinstance(value, int) for value in summary.values()):
            yield f"summary must be whole numbers, or None, with lines, score and level, not {dict(summary)}"


def _drawn(game: Game, snapshot: Snapshot) -> Faults:
    """The cells of the piece in the air and of the next one."""
    if snapshot.current is None:
        return
    cells = game.cells(snapshot, snapshot.current)
    columns = snapshot.playfield.shape[1]
    if not cells or any(not 0 <= cell.column < columns or cell.row >= len(snapshot.playfield) for cell in cells):
        yield f"cells must lie in the playfield where the piece is, not {list(cells)} for {snapshot.current}"
    if bool(game.next_cells(snapshot)) != bool(snapshot.next):
        yield "next_cells must be given where the next piece is known, and only there"


def _disturbed(bench: Bench, played: Played) -> Faults:
    """Play with a few wrong bytes: decoded, predicted and decided without an exception."""
    rng = np.random.default_rng([bench.seed, 2])
    decode = bench.game.decoder(bench.ram_map)
    thinker = bench.game.thinker(bench.ram_map, bench.weights, parse_taps("30hz"))
    for before, _, _ in played.successive[:DISTURBED]:
        ram = np.frombuffer(before, dtype=np.uint8).copy()
        used = np.flatnonzero(ram)
        ram[rng.choice(used, size=3)] = rng.integers(256, size=3)
        snapshot = decode(ram.tobytes())
        yield from _sane(bench, snapshot)
        bench.game.predict(bench.ram_map, snapshot, (Pad.LEFT, Pad.A))
        if snapshot.phase is Phase.PLAYING and snapshot.current is not None:
            thinker.decide(snapshot, InputState())


def _traces(bench: Bench, played: Played) -> Faults:
    """A recorded game is replayed without a difference, and can be drawn."""
    game = bench.game
    decode, recorder = game.decoder(bench.ram_map), game.recorder(bench.ram_map, "nmi-game")
    for ram in played.frames:
        if game.records(decode(ram)):
            recorder.add(ram)
        elif recorder.running:
            break
    if recorder.rows < 2:
        yield "records must be true of the frames of a game"
        return
    trace = recorder.finish({"game": game.name, "map": bench.ram_map.name})
    if not game.replays(trace):
        yield "replays must be true of what the family's own recorder recorded"
    differing, first = game.verify(trace)
    if differing:
        yield f"verify: {differing} of {trace.frames} rows differ when a simulated game is replayed, first row {first}"
    if not all(isinstance(line, str) for line in game.draw(trace, trace.frames - 1)):
        yield "draw must give lines of text"


def _self_play(bench: Bench) -> Faults:
    game = bench.game
    runs = [game.self_play(seed, SELF_PLAYED, bench.weights, None, None) for seed in (1, 1, 2)]
    if not all(isinstance(run, Counts) and run.pieces == SELF_PLAYED for run in runs):
        yield f"self_play(pieces={SELF_PLAYED}) must count so many pieces"
    if runs[0] != runs[1]:
        yield "self_play: one seed gave two results"
    if runs[0] == runs[2]:
        yield "self_play: two seeds gave one result"
    if not re.fullmatch(r"[a-z]+", game.self_play_measure):
        yield f"self_play_measure {game.self_play_measure!r} must be a word"


def _trials(bench: Bench) -> Faults:
    """Games to be measured: decided by their seeds, and nothing asked for in vain."""
    game = bench.game
    trial = game.trial(1, None, {})
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
    for name in game.ladder:
        if load_weights(name).game != game.name:
            yield f"ladder: {name!r} must be weights for {game.name!r}"


def _services(bench: Bench) -> Faults:
    game = bench.game
    if game.learner(bench.ram_map) is not None:
        yield "learner must be None where the map leaves nothing open"
    for self_play in (False, True):
        if not all(isinstance(name, str) and callable(job) for name, job in game.kernels(self_play)):
            yield "kernels must be pairs of a name and something to call"
    if game.time_simulator(100) < 0:
        yield "time_simulator must be seconds"
