"""Recorded matching games: what is recorded, replayed without a difference, and every difference found."""

from __future__ import annotations

from contextlib import suppress
from dataclasses import replace

import numpy as np
import pytest

from emubot.errors import TraceError
from emubot.games.colours.decode.matching_decode import Decoder
from emubot.games.colours.simulator import replay
from emubot.games.colours.simulator.machine import MatchingMachine
from emubot.games.colours.simulator.matching_simulator import PlayState
from emubot.games.colours.simulator.replay import MatchingRecorder
from emubot.games.rows import page_of
from emubot.pad import Pad
from emubot.rammap import parse_map
from emubot.trace import Trace
from tests.games.colours.matching_playing import DEMO, demo_map, mash, running, started


def recorded(players: int = 1, frames: int = 500, seed: int = 2) -> Trace:
    """A game from its first frames to its end, or to the last frame asked for."""
    machine, decode = started(demo_map(), players, stage=3, seed=seed), Decoder(demo_map())
    recorder = MatchingRecorder(demo_map()).begin("nmi-game")
    for _ in mash(machine, frames, seed):
        if MatchingRecorder(demo_map()).records(decode(machine.ram.tobytes())):
            recorder.add(machine.ram.tobytes())
    return recorder.finish({"game": "matching", "map": "demo_capsules"})


@pytest.fixture(scope="module")
def trace() -> Trace:
    return recorded()


@pytest.mark.parametrize(("seed", "players"), [pytest.param(2, 1, marks=pytest.mark.slow), (11, 2)])
def test_a_recorded_game_is_replayed_without_a_difference(players: int, seed: int) -> None:
    trace = recorded(players, seed=seed)
    assert trace.frames > 300
    assert replay.replays_matching(trace)
    assert MatchingRecorder(demo_map()).verify(trace) == (0, -1)


def test_menus_are_not_recorded() -> None:
    machine, decode = MatchingMachine(demo_map()), Decoder(demo_map())
    for pad in (Pad.START, Pad.NONE, Pad.NONE, Pad.START, Pad.NONE):
        assert not MatchingRecorder(demo_map()).records(decode(machine.ram.tobytes()))
        machine.step((pad, Pad.NONE))


@pytest.mark.slow
def test_each_byte_is_a_field_once(trace: Trace) -> None:
    fields = dict(zip(trace.fields, trace.address.tolist(), strict=True))
    assert len(set(fields.values())) == len(fields)
    assert (fields["x"], fields["p2.x"], fields["score+1"], fields["pending_4"]) == (0x3A, 0x3B, 0x33, 0x5B)
    assert page_of(demo_map()) == (0x0400, 0x0100)


def test_one_wrong_row_counts_once_wherever_the_difference_is(trace: Trace) -> None:
    for name in ("x", "frame_counter", "generator", "score"):
        state = trace.state.copy()
        state[200, trace.fields.index(name)] ^= 1
        mismatches, first = MatchingRecorder(demo_map()).verify(replace(trace, state=state))
        assert (first, mismatches) == (200, 2), f"{name}: into the wrong row and out of it"


def test_a_link_alone_is_a_difference(trace: Trace) -> None:
    page = trace.page.copy()
    row, cell = next(zip(*np.nonzero(page & 0x70), strict=True))
    page[row, cell] &= 0x0F
    assert MatchingRecorder(demo_map()).verify(replace(trace, page=page))[1] == row


def test_another_pad_is_another_game(trace: Trace) -> None:
    pads = trace.pads.copy()
    rows = np.flatnonzero(trace.column("play_state") == PlayState.CONTROL)
    pads[rows[5], 1] ^= 0x80
    assert MatchingRecorder(demo_map()).verify(replace(trace, pads=pads))[1] == rows[5]


def test_a_trace_of_another_map_is_refused(trace: Trace) -> None:
    other = parse_map(DEMO.replace("lines: [0x24, 0x25]", "lines: [0x70, 0x71]"), "other")
    with pytest.raises(TraceError, match="does not fit the map other"):
        MatchingRecorder(other).verify(trace)


@pytest.mark.parametrize(
    ("name", "byte", "sentence"),
    [
        ("next_1", 0x44, "no next piece before the first row"),
        ("play_state", 99, "99 is not a valid PlayState"),
        ("game_state", 9, "9 is not a valid GameState"),
    ],
)
def test_rows_that_no_game_can_have_are_refused(trace: Trace, name: str, byte: int, sentence: str) -> None:
    initial = trace.initial.copy()
    initial[trace.fields.index(name)] = byte
    with pytest.raises(TraceError, match=sentence):
        MatchingRecorder(demo_map()).verify(replace(trace, initial=initial))


def test_too_many_targets_and_pieces_outside_are_refused(trace: Trace) -> None:
    for changes, sentence in (
        ({"play_state": 6, "targets": 200}, "200 targets at the beginning of stage 3"),
        ({"play_state": 1, "current_1": 1, "current_2": 1, "x": 7, "orientation": 0}, "a piece at column 7"),
    ):
        initial = trace.initial.copy()
        for name, byte in changes.items():
            initial[trace.fields.index(name)] = byte
        with pytest.raises(TraceError, match=sentence):
            MatchingRecorder(demo_map()).verify(replace(trace, initial=initial))
    initial, page = trace.initial.copy(), trace.initial_page.copy()
    for name, byte in {"play_state": 6, "targets": 0}.items():
        initial[trace.fields.index(name)] = byte
    page[: len(page) // 2] = 0x01  # a colour in every cell
    with pytest.raises(TraceError, match="room for 0 of the 16 targets that stage 3 still gets"):
        MatchingRecorder(demo_map()).verify(replace(trace, initial=initial, initial_page=page))
    page = trace.initial_page.copy()
    page[3] = 0x07
    with pytest.raises(TraceError, match="a cell of no known kind"):
        MatchingRecorder(demo_map()).verify(replace(trace, initial_page=page))


def test_random_bytes_end_in_a_sentence_or_a_count(trace: Trace) -> None:
    rng = np.random.default_rng(1)
    for _ in range(30):
        state, page = trace.state[:40].copy(), trace.page[:40].copy()
        state[rng.integers(40), rng.integers(state.shape[1])] = rng.integers(256)
        page[rng.integers(40), rng.integers(page.shape[1])] = rng.integers(256)
        damaged = replace(trace, state=state, page=page, pads=trace.pads[:40])
        with suppress(TraceError):
            assert MatchingRecorder(demo_map()).verify(damaged)[0] >= 0


def test_a_map_without_the_values_is_recorded_but_not_replayed() -> None:
    poor = parse_map(DEMO.replace("  generator: {", "  other: {"), "poor")
    recorder = MatchingRecorder(poor).begin("nmi-game")
    for _ in range(3):
        recorder.add(bytes(2048))
    trace = recorder.finish({})
    assert "other" in trace.fields
    assert not replay.replays_matching(trace)


def test_traces_of_other_games_are_left_alone(trace: Trace) -> None:
    assert not replay.replays_matching(replace(trace, fields=("x", "y")))
    assert not replay.replays_matching(replace(trace, initial_page=np.zeros(0, dtype=np.uint8)))


def test_a_row_is_drawn_with_both_fields_and_the_pieces_in_the_air() -> None:
    machine = started(demo_map(), players=2)
    game = running(machine)
    for _ in range(40):
        machine.step((Pad.NONE, Pad.NONE))
    player = game.players[0]
    player.cells[-1] = [1, 2, 3, 11, 12, 13, 0, 8]
    player.piece.kinds = (3, 1)
    recorder = MatchingRecorder(demo_map()).begin("nmi-game")
    for _ in range(2):
        machine.step((Pad.NONE, Pad.NONE))
        recorder.add(machine.ram.tobytes())
    lines = MatchingRecorder(demo_map()).draw(recorder.finish({}), 0)
    assert len(lines) == 16
    assert lines[-1].startswith("123ABC.*   ")
    assert lines[0].startswith("...ca...   ...")
