"""What no game can have never reaches a kernel: whatever a position holds, it is decided, or refused in a sentence.

Kernels check no index, so these tests say most where bounds are checked (NUMBA_BOUNDSCHECK=1).
"""

from __future__ import annotations

import contextlib
from collections.abc import Callable
from dataclasses import replace
from functools import cache
from typing import Any, NamedTuple

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from emubot import games
from emubot.bridges.simulated import SimulatedBridge
from emubot.errors import PositionError, TraceError, UsageError
from emubot.explanation import ExplainOptions
from emubot.games.gate import counters_fault, counters_judge
from emubot.games.protocol import Game, Replayable
from emubot.games.strength import Strength
from emubot.games.tetris.anyboard.decoder import AnySnapshot
from emubot.games.tetris.decode.map_checks import OWN_ID
from emubot.games.thinking import Thinker
from emubot.machine import Machine
from emubot.pad import Pad
from emubot.pilot import Goal, Pilot, Skill
from emubot.rammap import RamMap, load_map, parse_map
from emubot.snapshot import Phase, Piece, Snapshot
from emubot.tempo import InputState, parse_taps, tempo_for_speed
from emubot.weights import load_weights
from tests.families import default_edition, whole_edition
from tests.games.colours.matching_playing import strange_map
from tests.games.colours.toy_pairs import Boxed, Wide
from tests.games.tetris.toy_blocks import PENTOMINOES, Toy

NUMBERS = (0, 1, 2, 3, 16, 40, 255, 256, 65_535, 65_536, -1)
MAPS: dict[str, Callable[[], RamMap]] = {
    "pairs": lambda: load_map("demo_pairs"),
    "pairs by two plies": lambda: load_map("demo_pairs"),
    "pairs on a wide field": lambda: parse_map(Wide.text, "wide"),
    "pairs in boxes": lambda: parse_map(Boxed.text, "boxed"),
    "capsules": lambda: load_map("demo_capsules"),
    "capsules, another layout": strange_map,
    "blocks": lambda: load_map("nes_tetris_usa"),
    "blocks by DAS": lambda: load_map("nes_tetris_usa"),
    "blocks by a map's tables": lambda: load_map("tengen_tetris"),
    "pentominoes": lambda: parse_map(Toy(boxes=PENTOMINOES).map_text(), "pentominoes"),
}
NODES = {"pairs by two plies": 0}
TAPS = {"blocks by DAS": "das"}
KINDS = pytest.mark.parametrize("kind", MAPS)


class Bench(NamedTuple):
    """A family with one map: what decides, and a position in which nothing is wrong."""

    game: Game
    ram_map: RamMap
    thinker: Thinker
    calm: Snapshot


@cache
def bench_of(kind: str) -> Bench:
    ram_map = MAPS[kind]()
    game = games.game(ram_map.family)
    weights, tempo = load_weights(game.facts.default_weights), parse_taps(TAPS.get(kind, "30hz"))
    try:
        thinker = game.open(ram_map).thinker(weights, tempo, Strength(NODES.get(kind, 200)))
    except UsageError:  # its search has no budget
        thinker = game.open(ram_map).thinker(weights, tempo)
    decoded = game.open(ram_map).decoder()(bytes(ram_map.image_size))
    counters = {**decoded.counters, "pivot": 1, "satellite": 2, "kind_1": 1, "kind_2": 2}
    known = {name: number for name, number in counters.items() if name in decoded.counters}
    if OWN_ID in known:
        known[OWN_ID] = ram_map.pieces[0].id
    orientation = 2 if ram_map.family == "tetris" else 0
    if isinstance(decoded, AnySnapshot):
        orientation = next(iter(decoded.pieces.orientations))
    playfield, hidden = np.zeros_like(decoded.playfield), np.zeros_like(decoded.hidden)
    calm = replace(
        decoded, playfield=playfield, hidden=hidden, phase=Phase.PLAYING, counters=known, next=(), fault=None
    )
    spot = Piece(orientation, calm.playfield.shape[1] // 2, 2)
    return Bench(game, ram_map, thinker, replace(calm, current=spot))


@st.composite
def positions(draw: st.DrawFn, calm: Snapshot) -> Snapshot:
    """Anything that memory, a file or a program may say: fields that rest, fields that cannot, numbers of any size."""
    rng = np.random.default_rng(draw(st.integers(0, 1 << 32)))
    rows, columns = calm.playfield.shape
    most = draw(st.sampled_from([2, 4, 6, 7, 8, 9, 16, 255]))
    field = rng.integers(1, most + 1, size=(rows + len(calm.hidden), columns)).astype(np.uint8)
    heights = rng.integers(0, len(field) + 1, size=columns)
    field[np.arange(len(field))[:, None] < len(field) - heights] = 0
    if draw(st.booleans()):
        field[rng.random(field.shape) < draw(st.sampled_from([0.02, 0.3, 0.7]))] = 0
    hidden, playfield = field[: len(calm.hidden)][::-1], field[len(calm.hidden) :]
    counters = dict(calm.counters)
    for name in draw(st.lists(st.sampled_from(sorted(counters)), max_size=3)) if counters else ():
        counters[name] = draw(st.sampled_from(NUMBERS))
    shown = st.integers(-1, 20) if draw(st.booleans()) else st.integers(1, 3)
    following = tuple(draw(st.lists(shown, min_size=2, max_size=2))) if draw(st.booleans()) else ()
    piece = Piece(draw(st.integers(-1, 20)), draw(st.integers(-2, columns + 1)), draw(st.integers(-4, rows)))
    near = Piece(draw(st.integers(0, 3)), draw(st.integers(0, columns - 1)), draw(st.integers(-1, rows - 1)))
    return replace(
        calm,
        playfield=playfield if draw(st.integers(0, 20)) else playfield[1:],
        hidden=hidden,
        current=draw(st.sampled_from([near, near, piece, calm.current])),
        next=following,
        counters=counters,
    )


@pytest.mark.few(4)
@pytest.mark.jit
@KINDS
@settings(deadline=None, max_examples=60)
@given(data=st.data())
def test_a_position_is_decided_or_refused(kind: str, data: st.DataObject) -> None:
    bench = bench_of(kind)
    snapshot, thinker = data.draw(positions(bench.calm)), bench.thinker
    state = InputState()
    try:
        decision = thinker.decide(snapshot, state)
    except PositionError:
        return
    if decision.placement is not None:
        thinker.preview(snapshot, decision.placement)
        thinker.reroute(snapshot, state, decision.placement)


@pytest.mark.jit
@pytest.mark.parametrize("kind", ["pairs", "pairs by two plies", "blocks"])
@settings(deadline=None, max_examples=15)
@given(data=st.data())
def test_a_position_is_explained_or_refused(kind: str, data: st.DataObject) -> None:
    bench = bench_of(kind)
    snapshot, game = data.draw(positions(bench.calm)), bench.game
    weights = load_weights(game.facts.default_weights)
    options = ExplainOptions(NODES.get(kind, 200), top=2, games=1)
    with contextlib.suppress(PositionError, UsageError):
        whole_edition(bench.ram_map).explainer.explain(snapshot, weights, parse_taps("30hz"), options)


@pytest.mark.jit
@KINDS
def test_what_a_game_can_have_is_decided(kind: str) -> None:
    bench = bench_of(kind)
    assert bench.thinker.decide(bench.calm, InputState()).placement is not None


@cache
def frames_of(name: str) -> tuple[bytes, ...]:
    """RAM after each frame of a simulated game with random buttons, after some way through its menus."""
    ram_map = load_map(name)
    machine, rng = whole_edition(ram_map).simulator.machine(np.random.default_rng(4)), np.random.default_rng(5)
    frames = []
    for frame in range(900):
        tapped = Pad.START if frame % 30 == 0 and frame < 300 else Pad(int(rng.choice([0, 0, 1, 2, 4, 0x80])))
        machine.step([tapped, Pad.NONE])
        frames.append(machine.ram.tobytes())
    return tuple(frames[-500:])


@pytest.mark.few(1)
@pytest.mark.jit
@pytest.mark.parametrize("name", ["demo_pairs", "demo_capsules", "nes_tetris_usa"])
@settings(deadline=None, max_examples=40)
@given(seed=st.integers(0, 1 << 32), spoilt=st.integers(0, 60), rows=st.integers(1, 20))
def test_a_recording_with_other_numbers_is_replayed_or_refused(name: str, seed: int, spoilt: int, rows: int) -> None:
    ram_map, rng = load_map(name), np.random.default_rng(seed)
    game, kept = games.game(ram_map.family), frames_of(name)
    assert isinstance(game, Replayable)
    used = np.concatenate([np.arange(at, at + length) for at, length in ram_map.used])
    recorder, at = whole_edition(ram_map).recorder.begin("nmi-game"), int(rng.integers(len(kept) - rows))
    for ram in kept[at : at + rows + 1]:
        image = np.frombuffer(ram, dtype=np.uint8).copy()
        image[rng.choice(used, spoilt)] = rng.integers(256, size=spoilt)
        recorder.add(image.tobytes())
    trace = recorder.finish({"game": ram_map.family, "map": name})
    assert game.replays(trace)
    if not spoilt:
        assert default_edition(game.name).recorder.verify(trace) == (0, -1)
    with contextlib.suppress(TraceError):
        assert default_edition(game.name).recorder.verify(trace)[0] <= rows
        default_edition(game.name).recorder.draw(trace, rows - 1)


def put(snapshot: Snapshot, row: int, column: int, kind: int) -> Snapshot:
    playfield = snapshot.playfield.copy()
    playfield[row, column] = kind
    return replace(snapshot, playfield=playfield)


FAULTS: dict[str, tuple[str, Callable[[Snapshot], Snapshot], str]] = {
    "a floating cell": ("pairs", lambda calm: put(calm, 5, 2, 1), "column 3, 8 rows from the floor, has nothing below"),
    "another kind": ("pairs", lambda calm: put(calm, -1, 2, 9), "a cell holds 0 to 8, not 0 to 9"),
    "no pair": ("pairs", lambda calm: replace(calm, next=(1, 9)), "1 and 9 are the kinds of no pair"),
    "a pair in a wall": ("pairs", lambda calm: replace(calm, current=Piece(1, 5, 2)), "outside the field"),
    "no field": ("pairs", lambda calm: replace(calm, playfield=calm.playfield[1:]), "is none of famicom-1991"),
    "a floating cell, wide": ("pairs on a wide field", lambda calm: put(calm, 2, 0, 1), "nothing below"),
    "a kind of capsules": ("capsules", lambda calm: put(calm, -1, 2, 10), "a cell cannot hold 10"),
    "no capsule": ("capsules", lambda calm: replace(calm, next=(1, 2, 3)), "a piece has 2 cells, not 3"),
    "a capsule in a wall": ("capsules", lambda calm: replace(calm, current=Piece(0, 7, 2)), "outside the field"),
    "no orientation": ("blocks", lambda calm: replace(calm, current=Piece(19, 5, 2)), "orientation 0 to 18, not 19"),
    "a level": ("blocks", lambda calm: with_counter(calm, "level", -1), "level is -1, and not from 0 to 65,535"),
    "no board": ("blocks", lambda calm: replace(calm, hidden=calm.hidden[:1]), "is none of falling blocks"),
    "no pentomino": ("pentominoes", lambda calm: replace(calm, next=(99,)), "does not have an orientation"),
    "outside": ("pentominoes", lambda calm: replace(calm, current=Piece(0, 99, 2)), "outside the board"),
}


def with_counter(snapshot: Snapshot, name: str, number: int) -> Snapshot:
    return replace(snapshot, counters={**snapshot.counters, name: number})


@pytest.mark.jit
@pytest.mark.parametrize(("kind", "change", "said"), FAULTS.values(), ids=FAULTS)
def test_what_no_game_can_have_is_refused_in_a_sentence(
    kind: str, change: Callable[[Snapshot], Snapshot], said: str
) -> None:
    bench = bench_of(kind)
    with pytest.raises(PositionError, match=said) as refused:
        bench.thinker.decide(change(bench.calm), InputState())
    assert refused.value.exit_code == 2


@pytest.mark.parametrize("kind", ["pairs", "pairs on a wide field"])
def test_a_frame_of_play_with_a_floating_cell_is_of_an_unknown_phase(kind: str) -> None:
    """So nothing is pressed in it; after the lock, cells may float, because they fall."""
    ram_map = MAPS[kind]()
    decode, image = games.open_edition(ram_map).decoder(), np.zeros(ram_map.image_size, dtype=np.uint8)
    grid = ram_map.document.grid
    field: Any = np.zeros((grid.rows, grid.columns), dtype=np.uint8)
    hidden = np.zeros((len(grid.hidden), grid.columns), dtype=np.uint8)
    floating = field.copy()
    floating[3, 1] = 1
    demo = {"game_state": 2, "play_state": 1, "spawn_delay": 0, "x": 2, "y": 0, "orientation": 0}
    states = demo if kind == "pairs" else {"game_state": 1}
    ram_map.encode(image, states, field, hidden)
    assert (decode(image.tobytes()).phase, decode(image.tobytes()).fault) == (Phase.PLAYING, None)
    ram_map.encode(image, states, floating)
    seen = decode(image.tobytes())
    assert (seen.phase, seen.current) == (Phase.UNKNOWN, None)
    assert seen.fault is not None
    assert seen.fault.startswith("the cell in column 2, ")
    ram_map.encode(image, {"game_state": 2, **({"play_state": 2} if kind == "pairs" else {})}, floating)
    assert (decode(image.tobytes()).phase, decode(image.tobytes()).fault) == (Phase.LOCKED, None)


class Poisoned(SimulatedBridge):
    """While `address` is not None, the byte there reads as a cell that floats; the game itself does not see it."""

    def __init__(self, machine: Machine) -> None:
        super().__init__(machine)
        self.game, self.address, self.pads = machine, None, []
        self.floating = self._own = 0

    game: Machine
    address: int | None
    pads: list[Pad]

    def advance(self) -> int:
        if self.address is not None:
            self.game.ram[self.address] = self._own
        number = super().advance()
        if self.address is not None:
            self._own, self.game.ram[self.address] = int(self.game.ram[self.address]), self.floating
        return number

    def press(self, port: int, pad: Pad) -> None:
        self.pads.append(pad)
        super().press(port, pad)


@pytest.mark.jit
def test_in_play_nothing_is_pressed_on_such_a_frame_and_the_game_goes_on() -> None:
    ram_map = load_map("demo_pairs")
    edition = whole_edition(ram_map)
    bridge = Poisoned(edition.simulator.machine(np.random.default_rng(1)))
    pilot = Pilot(bridge, Goal(pieces=8), edition, Skill(tempo=tempo_for_speed(3), strength=Strength(200)))
    field, image = np.zeros((13, 6), dtype=np.uint8), np.zeros(ram_map.image_size, dtype=np.uint8)
    ram_map.encode(image, {}, field)
    before, field[2, 0] = image.copy(), 1
    ram_map.encode(image, {}, field)
    (address,) = np.flatnonzero(image != before).tolist()
    phases: list[Phase] = []
    pilot.on_frame.append(lambda ram, snapshot: phases.append(snapshot.phase))
    while pilot.tally.pieces < 3 or phases[-1] is not Phase.PLAYING:
        pilot.step()
    bridge.address, bridge.floating = address, int(image[address])
    pilot.step()
    bridge.pads.clear()
    for _ in range(30):
        pilot.step()
    assert phases[-30:] == [Phase.UNKNOWN] * 30
    assert not any(bridge.pads)
    assert pilot.in_game, "such a frame ends no game"
    bridge.game.ram[address], bridge.address = before[address], None
    tally = pilot.run()
    assert (tally.pieces, tally.misplaced, pilot.result) == (8, 0, "pieces")


def test_only_counters_that_bytes_can_spoil_are_judged_in_each_frame() -> None:
    ram_map = load_map("nes_tetris_usa")
    assert counters_judge(ram_map.reader(), ("level", "lines", "das"))({"level": -1, "lines": 0, "das": 0}) is None
    text = ram_map.text.replace("  level: [0x64, 0x84]", "  level: { at: [0x64, 0x84], offset: -1 }")
    assert text != ram_map.text
    spoilt = parse_map(text, "offset")
    judge = counters_judge(spoilt.reader(), ("level", "lines"))
    assert judge({"level": -1, "lines": 0}) == "level is -1, and not from 0 to 65,535"
    assert judge({"level": 0, "lines": 0}) is None
    assert counters_fault({"held_buttons": 256}, ("held_buttons", "level")) == (
        "held_buttons is 256, and not from 0 to 255"
    )
