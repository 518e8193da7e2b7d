"""check_game: checks that a family keeps the promises of the Game protocol; knows no family.

It is for authors of a family, like Gymnasium's check_env: run it in your tests, with the map and weights you ship. It
plays on the family's own simulator and needs no bridge and no pilot. It checks the optional parts that the family has;
without a simulator it plays nothing.
"""

from __future__ import annotations

import re
from collections.abc import Callable
from dataclasses import dataclass
from itertools import islice
from typing import Final, TypeVar

import numpy as np

from emubot.errors import EmubotError, UsageError, WeightsError
from emubot.games.checked_parts import (
    Faults,
    comparison_faults,
    drawing_faults,
    explanation_faults,
    kernel_faults,
    machine_faults,
    option_faults,
    self_play_faults,
    trace_faults,
    trial_faults,
)
from emubot.games.checked_play import CheckedFamily, Played, play, same
from emubot.games.edition import FIGURES
from emubot.games.protocol import Game, Measurable
from emubot.games.strength import Strength
from emubot.games.trial import Compared
from emubot.pad import Pad
from emubot.rammap import RamMap, load_map
from emubot.snapshot import Phase, Snapshot
from emubot.tempo import InputState, parse_taps
from emubot.weight_parts import FeatureSet
from emubot.weights import Weights, load_weights

MEMORIES: Final = 150  # random memories to decode
DISTURBED: Final = 60  # frames of play to decode with a few bytes changed
_SPOKEN: Final = 4  # most faults reported of each kind
_T = TypeVar("_T")


class GameCheckError(EmubotError):
    """A family breaks the protocol; the message has one line for each fault."""


@dataclass(frozen=True, slots=True)
class _Kind:
    """A kind of check, and the function that yields its faults."""

    name: str
    faults: Callable[[], Faults]


def check_game(
    game: Game, ram_map: RamMap | None = None, weights: Weights | None = None, pieces: int = 30, seed: int = 0
) -> None:
    """Check a family, by default with its own map and weights. Raises GameCheckError that lists the faults.

    The check plays `pieces` pieces at full speed, a third as many slowly, and a third as many by DAS. Raises UsageError
    if the map leaves something to learn.
    """
    faults = [*_spoken(_Kind("names", lambda: _names(game)))]
    if faults:
        raise GameCheckError("\n".join(faults))
    ram_map = ram_map or load_map(game.facts.default_map)
    if ram_map.learns:
        raise UsageError(f"{ram_map.path} leaves {', '.join(ram_map.learns)} to learn: check the game by a whole map.")
    bench = CheckedFamily(game.open(ram_map), weights or load_weights(game.facts.default_weights), pieces, seed)
    kinds = [
        _Kind("decoding", lambda: _memories(bench)),
        _Kind("weights", lambda: _weights(bench)),
        _Kind("learner", lambda: _learner(bench)),
        *_of_edition(bench),
        *_of_game(bench),
    ]
    for kind in kinds:
        faults += _spoken(kind)
    if faults:
        raise GameCheckError("\n".join(faults))


def _of_edition(bench: CheckedFamily) -> list[_Kind]:
    """Returns the checks of the parts that the edition has; without a simulator nothing is played."""
    edition, pieces, played = bench.edition, bench.pieces, Played()
    simulator, recorder, explainer = edition.simulator, edition.recorder, edition.explainer
    if simulator is None:
        return []
    a_few = max(pieces // 3, 1)
    kinds = [
        _Kind("the simulator", lambda: machine_faults(bench, simulator)),
        _Kind("play", lambda: play(bench, parse_taps("30hz"), pieces, played)),
        _Kind("slow play", lambda: play(bench, parse_taps("..X.........."), a_few, Played())),
        _Kind("play by DAS", lambda: play(bench, parse_taps("das"), a_few, Played())),
        _Kind("frames of play", lambda: _frames(bench, played)),
        _Kind("disturbed memory", lambda: _disturbed(bench, played)),
    ]
    if recorder is not None:
        kinds.append(_Kind("traces", lambda: trace_faults(bench, recorder, played)))
    if explainer is not None:
        kinds.append(_Kind("explanations", lambda: explanation_faults(bench, explainer, played)))
    return kinds


def _of_game(bench: CheckedFamily) -> list[_Kind]:
    """Returns the checks of the parts that the family has."""
    game, kinds = bench.edition.game, [_Kind("kernels", lambda: kernel_faults(bench, bench.edition.game))]
    if isinstance(game, Measurable):
        kinds.append(_Kind("self-play", lambda: self_play_faults(bench, game)))
        kinds.append(_Kind("trials", lambda: trial_faults(bench, game)))
        kinds.append(_Kind("options", lambda: option_faults(game, bench.edition.game.options)))
    if isinstance(game, Measurable) and isinstance(game, Compared):
        kinds.append(_Kind("comparisons", lambda: comparison_faults(game, game)))
    return kinds


def _spoken(kind: _Kind) -> list[str]:
    """Returns the first faults of a kind; an exception counts as a fault."""
    found: list[str] = []
    try:
        found += islice(kind.faults(), _SPOKEN)
    except Exception as failure:  # third-party code: anything that it raises is a fault
        found.append(f"raised {type(failure).__name__}: {failure}")
    return [f"{kind.name}: {fault.rstrip('.')}." for fault in dict.fromkeys(found)]


def _names(game: Game) -> Faults:
    """Check the family's name, facts and modes."""
    if not re.fullmatch(r"[a-z0-9][a-z0-9-]{0,39}", str(game.name)):
        yield f"name {game.name!r} must be a word of small letters, digits and -, as a map's `family`"
    if not game.facts.title or "\n" in game.facts.title:
        yield f"title {game.facts.title!r} must be a line of text"
    names = tuple(game.facts.feature_names)
    if not names or len(set(names)) != len(names):
        yield "feature_names must be some names, each once"
    family = load_map(game.facts.default_map).family
    if family != game.name:
        yield f"default_map {game.facts.default_map!r} is for the family {family!r}, not {game.name!r}"
    trained = load_weights(game.facts.default_weights)
    if trained.game != game.name or not set(trained.features.names) <= set(names):
        yield f"default_weights {game.facts.default_weights!r} must be for {game.name!r} and name its features"
    if any(not isinstance(number, int) for number in game.modes.values()):
        yield "modes must map words to the numbers that menus are asked for"


def _memories(bench: CheckedFamily) -> Faults:
    """Check that any bytes decode, always to the same snapshot, and that its arrays are read-only."""
    rng = np.random.default_rng([bench.seed, 1])
    edition, ram_map = bench.edition, bench.edition.ram_map
    size = ram_map.image_size
    memories = [bytes(size), b"\xff" * size, *(rng.bytes(size) for _ in range(MEMORIES))]
    for player in range(ram_map.players):
        decode, again = (edition.decoder(player) for _ in range(2))
        for ram in memories:
            snapshot = decode(ram)
            if not same(snapshot, decode(ram)) or not same(snapshot, again(ram)):
                yield f"decoder(player={player}): the same bytes gave two snapshots that differ"
            yield from _sane(bench, snapshot)


def _sane(bench: CheckedFamily, snapshot: Snapshot) -> Faults:
    document = bench.edition.ram_map.document
    grid = document.grid
    for name, cells, rows in (("playfield", snapshot.playfield, grid.rows), ("hidden", snapshot.hidden, None)):
        if cells.flags.writeable:
            yield f"Snapshot.{name} must be read-only"
        if cells.dtype != np.uint8 or cells.shape[1] != grid.columns or rows not in (None, cells.shape[0]):
            shape = f"({rows or 'hidden rows'}, {grid.columns})"
            yield f"Snapshot.{name} must be uint8 {shape}, not {cells.dtype} {cells.shape}"
    secret = {name for name, value in document.values.items() if value.hidden_from_search}
    if shown := secret & set(snapshot.counters):
        yield f"Snapshot.counters shows {', '.join(sorted(shown))}, which the map hides from search"
    if not all(type(value) is int for value in snapshot.counters.values()):
        yield "Snapshot.counters must be plain integers"
    if snapshot.phase is Phase.UNKNOWN and snapshot.current is not None:
        yield "a snapshot of an unknown phase must show no piece, so that nothing is pressed"
    if not same(bench.edition.predict(snapshot, ()), snapshot):
        yield "predict(snapshot, ()) must give the same snapshot: no pad is in flight"


def _weights(bench: CheckedFamily) -> Faults:
    """Check that weights of another game, of unknown features and of another version are refused."""
    game, version = bench.edition.game, bench.weights.features.version
    names = tuple(game.facts.feature_names)
    wrong = {
        "of another game": Weights(
            game="another-game", features=FeatureSet(version=version, names=names[:1]), values=(1.0,)
        ),
        "for a feature it does not have": Weights(
            game=game.name, features=FeatureSet(version=version, names=("no-such-feature",)), values=(1.0,)
        ),
        "for another version of the features": Weights(
            game=game.name, features=FeatureSet(version=version + 1, names=names[:1]), values=(1.0,)
        ),
    }
    for what, weights in wrong.items():
        try:
            bench.edition.thinker(weights, parse_taps("30hz"), Strength())
        except WeightsError:
            continue
        yield f"thinker must refuse weights {what} with a WeightsError"


def _frames(bench: CheckedFamily, played: Played) -> Faults:
    """Check predictions, progress, drawing and summaries on the frames of a game."""
    edition, decode, depiction = bench.edition, bench.edition.decoder(), bench.edition.depiction
    for before, pad, after in played.successive:
        one, other = decode(before), decode(after)
        ahead = edition.predict(one, (pad,))
        if (ahead.phase, ahead.current) != (other.phase, other.current):
            yield f"predict of one pad gave {ahead.current}, and the simulator then had {other.current}"
        if not edition.advanced(one, other):
            yield "advanced must be true of two successive frames of play on the simulator"
        if edition.advanced(one, one):
            yield "advanced must be false of a frame in which nothing moved"
        if depiction is not None:
            yield from drawing_faults(depiction, one)
    for snapshot in played.snapshots:
        summary = edition.summary(snapshot)
        missing = set(FIGURES) - set(summary)
        if missing or not all(value is None or isinstance(value, int) for value in summary.values()):
            yield f"summary must be whole numbers, or None, with lines, score and level, not {dict(summary)}"


def _disturbed(bench: CheckedFamily, played: Played) -> Faults:
    """Check that frames with a few wrong bytes are decoded, predicted and decided without an exception."""
    rng = np.random.default_rng([bench.seed, 2])
    decode = bench.edition.decoder()
    thinker = bench.thinker(parse_taps("30hz"))
    for before, _, _ in played.successive[:DISTURBED]:
        ram = np.frombuffer(before, dtype=np.uint8).copy()
        used = np.flatnonzero(ram)
        ram[rng.choice(used, size=3)] = rng.integers(256, size=3)
        snapshot = decode(ram.tobytes())
        yield from _sane(bench, snapshot)
        bench.edition.predict(snapshot, (Pad.LEFT, Pad.A))
        if snapshot.phase is Phase.PLAYING and snapshot.current is not None:
            thinker.decide(snapshot, InputState())


def _learner(bench: CheckedFamily) -> Faults:
    if bench.edition.learner() is not None:
        yield "learner must be None where the map leaves nothing open"
