"""What emubot does with a file of each kind, as far as it goes without an emulator; damages nothing."""

from __future__ import annotations

import contextlib
import io
import zlib
from collections.abc import Callable, Mapping, Sequence
from functools import cache, partial
from pathlib import Path
from typing import Final
from unittest import mock

from benchmarks.fuzz.memory import recorded
from benchmarks.fuzz.originals import File, plan
from benchmarks.fuzz.scripted import ScriptedBridge
from emubot import games
from emubot.cartridge import load_cartridge
from emubot.cli import trace as trace_command
from emubot.errors import EmubotError, MapError, TraceError
from emubot.explanation import ExplainOptions
from emubot.games import recorded as recorded_games
from emubot.games.edition import part_of
from emubot.games.protocol import Replayable
from emubot.judging import judge
from emubot.judging.moves import moves_of
from emubot.pilot import Goal, Pilot, Skill
from emubot.rammap import RamMap, all_maps, load_map, map_for, map_named
from emubot.rammap.writing import map_text
from emubot.review.sources import source_of
from emubot.session import positions
from emubot.session.request import SessionRequest
from emubot.snapshot import Phase
from emubot.steering import Steering
from emubot.tempo import FULL_SPEED, tempo_for_speed
from emubot.trace import Trace, read_trace
from emubot.training.folder import latest, open_run
from emubot.training.history import read_history
from emubot.training.plan import TrainingPlan
from emubot.view.window.bindings import load_bindings
from emubot.weights import Weights, load_weights

_MOVIES: Final = ("fm2", "bk2", "r08")
_ROWS: Final = 60  # of a recorded game
_BEAM: Final = 200  # nodes: the kernels of the search of play, as little of it as there is
_FRAMES: Final = 40  # of memory that a map which loads is tried on
Reader = Callable[[Path, Sequence[File]], object]


def read_cartridge(folder: Path, files: Sequence[File]) -> None:
    cartridge = load_cartridge(folder / files[0].name)
    assert len(cartridge.body) == cartridge.size
    map_for(cartridge, _known())


def read_map(folder: Path, files: Sequence[File]) -> None:
    """Loads it, says it again, and plays some frames by it."""
    ram_map = load_map(folder / files[0].name)
    map_text(ram_map, {})
    for identity in ram_map.identities:
        ram_map.for_identity(identity.sha1)
    game = games.game(ram_map.family)
    images = recorded(files[0].name.removesuffix(".yaml"))[::20][:_FRAMES]
    for port in range(ram_map.players):
        bridge = ScriptedBridge(images, ram_map)
        pilot = Pilot(bridge, Goal(games=None), game.open(ram_map), Skill(tempo=tempo_for_speed(FULL_SPEED)), port=port)
        for _ in images:
            pilot.step()


def read_weights(folder: Path, files: Sequence[File]) -> None:
    """Loads them, and decides by them where they are of a game."""
    weights = load_weights(str(folder / files[0].name))
    refusals = []
    for family in ("tetris", "puyo"):
        try:
            _decide(weights, family)
        except EmubotError as refused:
            refusals.append(refused)
    if len(refusals) == 2:
        raise refusals[0]


def _decide(weights: Weights, family: str) -> None:
    game = games.game(family)
    ram_map = _map(game.facts.default_map)
    tempo = tempo_for_speed(FULL_SPEED)
    thinker = game.open(ram_map).thinker(weights, tempo)
    decode = game.open(ram_map).decoder()
    input_state = Steering(tempo, 0, ram_map.buttons).input_state()
    playing = [snapshot for ram in recorded(ram_map.name)[::50] if (snapshot := decode(ram)).phase is Phase.PLAYING]
    for snapshot in [each for each in playing if each.current is not None][:2]:
        thinker.decide(snapshot, input_state)


@cache
def _known() -> tuple[RamMap, ...]:
    return tuple(all_maps())


@cache
def _map(name: str) -> RamMap:
    return load_map(name)


def read_trace_file(folder: Path, files: Sequence[File]) -> None:
    """What `emubot trace` does with it: replays it, shows a row, makes a movie of it."""
    path = folder / files[0].name
    words = (
        ["verify", str(path)],
        ["show", str(path), "--frame", "0", "--json"],
        ["show", str(path)],
        ["export", str(path), *(word for name in _MOVIES for word in (f"--{name}", str(folder / f"game.{name}")))],
    )

    def act(command: list[str]) -> None:
        for name in _MOVIES:
            (folder / f"game.{name}").unlink(missing_ok=True)
        with contextlib.redirect_stdout(io.StringIO()) as told:
            trace_command.run(command)
        _check_shown(told.getvalue())

    _try_all([partial(act, command) for command in words])


def _try_all(acts: Sequence[Callable[[], object]]) -> None:
    """Does each of them, whatever the one before it said; raises the first refusal."""
    refusals = []
    for act in acts:
        try:
            act()
        except EmubotError as refused:
            refusals.append(refused)
    if refusals:
        raise refusals[0]


def read_game(folder: Path, files: Sequence[File]) -> None:
    """What `explain`, `review` and `trace verify` do with a recorded game, without their words and their printing.

    Two of its decisions are explained, the whole game is judged and replayed. Maps are read once: what is in them is
    another kind's.
    """
    path, chance = folder / files[0].name, zlib.crc32(files[0].content)
    nodes = _BEAM if chance % 4 == 0 else 0  # the search of play takes a hundred times as long as two plies
    with mock.patch.object(recorded_games, "map_of", _map_of):
        _try_all(
            (
                partial(_explain, path, None, nodes),
                partial(_explain, path, chance % _ROWS, nodes),
                partial(_review, path, nodes),
                partial(_verify, path),
            )
        )


def _explain(path: Path, row: int | None, nodes: int) -> None:
    found = positions.recorded_position(path, row, None)
    weights = _weights(found.edition.game.facts.default_weights)
    tempo = tempo_for_speed(FULL_SPEED)
    positions.explainer_of(found.edition).explain(found.snapshot, weights, tempo, ExplainOptions(nodes, 3, 1, 0, None))


def _review(path: Path, nodes: int) -> None:
    source = source_of(path, 0, None, SessionRequest())
    weights = _weights(source.edition.game.facts.default_weights)
    judge.review(source.edition, weights, moves_of(source.snapshots), source.title, None, nodes)


def _verify(path: Path) -> None:
    trace = read_trace(path)
    game = recorded_games.game_of(trace)
    if game is not None and isinstance(game, Replayable) and game.replays(trace):
        edition = recorded_games.edition_of(trace, game)
        part_of(edition, "recorder", edition.recorder, "recorded games").verify(trace)


def _map_of(trace: Trace) -> RamMap:
    """`recorded.map_of`, with each map read once."""
    return _map_of_cartridge(str(trace.about.get("map", "")), str(trace.about.get("rom")))


@cache
def _map_of_cartridge(name: str, rom: str) -> RamMap:
    try:
        return map_named(name).for_identity(rom)
    except MapError as missing:
        raise TraceError("the map is not there") from missing


@cache
def _weights(name: str) -> Weights:
    return load_weights(name)


def _check_shown(text: str) -> None:
    odd = [sign for sign in text if not sign.isprintable() and sign != "\n"]
    assert not odd, f"shown: {odd[0]!r}"


def read_folder(folder: Path, files: Sequence[File]) -> None:
    """Goes on with the run, shows its history, and lets an individual of it be watched."""
    made = plan()
    tries: tuple[Callable[[], object], ...] = (
        lambda: _resume(folder, made),
        lambda: read_history(folder),
        lambda: _watch(folder),
    )
    refusals = []
    for attempt in tries:
        try:
            attempt()
        except EmubotError as refused:
            refusals.append(refused)
    if refusals:
        raise refusals[0]


def _resume(folder: Path, made: TrainingPlan) -> None:
    said: list[str] = []
    try:
        with open_run(folder, made.settings(), said.append, must_exist=True) as run:
            assert run.checkpoint is not None
            made.trainer(run.checkpoint.state)
            run.outcome()
    finally:
        _check_shown("\n".join(said))


def _watch(folder: Path) -> None:
    checkpoint = latest(folder)
    if checkpoint is not None:
        TrainingPlan.of(checkpoint.settings).trainer(checkpoint.state).individuals()


def read_keys(folder: Path, files: Sequence[File]) -> None:
    bindings = load_bindings(folder / files[0].name)
    for port in (0, 1):
        bindings.keys(port)
    bindings.commands()
    bindings.gamepad()


READERS: Final[Mapping[str, Reader]] = {
    "cartridges": read_cartridge,
    "maps": read_map,
    "weights": read_weights,
    "traces": read_trace_file,
    "games": read_game,
    "folders": read_folder,
    "keys": read_keys,
}
