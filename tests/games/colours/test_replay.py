"""Recorded pairs games: what is recorded, replayed without a difference, and every difference found."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest

from emubot.cli import main
from emubot.errors import TraceError
from emubot.games.colours.decode.decode import Decoder
from emubot.games.colours.puyo import GAME
from emubot.games.colours.rules import COLORS
from emubot.games.colours.simulator import replay
from emubot.games.colours.simulator.machine import PuyoMachine
from emubot.games.colours.simulator.replay import PuyoRecorder
from emubot.games.colours.simulator.simulator import PlayState
from emubot.games.recorded import edition_of, memory_of
from emubot.games.rows import page_of
from emubot.pad import Pad
from emubot.rammap import parse_map
from emubot.trace import Trace, read_trace, write_trace
from tests.games.colours.playing import mash, running, started
from tests.games.colours.puyo_maps import DEMO, demo_map, strange_map


def recorded(players: int = 1, frames: int = 1500, seed: int = 2) -> Trace:
    """A game from its first frame to its end, or to the last frame asked for."""
    ram_map = demo_map()
    machine, decode = PuyoMachine(ram_map, np.random.default_rng(seed)), Decoder(ram_map)
    recorder = PuyoRecorder(ram_map).begin("nmi-game")
    buttons = [Pad.START, *[Pad.NONE] * 3, Pad.SELECT if players == 2 else Pad.NONE, Pad.NONE, Pad.START]
    for button in buttons:
        machine.step((button, Pad.NONE))
    for _ in mash(machine, frames, seed):
        if PuyoRecorder(demo_map()).records(decode(machine.ram.tobytes())):
            recorder.add(machine.ram.tobytes())
    return recorder.finish({"game": "puyo", "map": "my_pairs"})


@pytest.fixture(scope="module")
def trace() -> Trace:
    return recorded()


@pytest.mark.few(1)
@pytest.mark.parametrize(("seed", "players"), [(2, 1), (11, 2)])
def test_a_recorded_game_is_replayed_without_a_difference(players: int, seed: int) -> None:
    trace = recorded(players, seed=seed)
    assert trace.frames > 700
    assert replay.replays_pairs(trace)
    assert PuyoRecorder(demo_map()).verify(trace) == (0, -1)


@pytest.mark.slow
def test_a_game_is_recorded_to_its_end_pauses_and_all() -> None:
    ram_map = demo_map()
    machine, decode = started(ram_map), Decoder(ram_map)
    recorder = PuyoRecorder(ram_map).begin("nmi-game")
    states = set()
    for frame in range(4000):
        pad = Pad.START if frame in (100, 140) else Pad.NONE
        machine.step((pad, Pad.NONE))
        snapshot = decode(machine.ram.tobytes())
        states.add(snapshot.state)
        assert PuyoRecorder(demo_map()).records(snapshot)
        recorder.add(machine.ram.tobytes())
    assert {"paused", "over"} <= states
    assert PuyoRecorder(ram_map).verify(recorder.finish({})) == (0, -1)


def test_menus_are_not_recorded() -> None:
    machine, decode = PuyoMachine(demo_map()), Decoder(demo_map())
    for pad in (Pad.START, Pad.NONE, Pad.NONE, Pad.START, Pad.NONE):
        assert not PuyoRecorder(demo_map()).records(decode(machine.ram.tobytes()))
        machine.step((pad, Pad.NONE))


def test_each_byte_is_a_field_once(trace: Trace) -> None:
    fields = dict(zip(trace.fields, trace.address.tolist(), strict=True))
    assert len(set(fields.values())) == len(fields)
    assert (fields["x"], fields["p2.x"], fields["score"], fields["score+2"]) == (0x669, 0x66A, 0x7A, 0x7C)
    assert "p2.mode" not in fields, "what both share is recorded once"
    assert page_of(demo_map()) == (0x302, 0x4DE - 0x302)


def test_one_wrong_row_counts_once_wherever_the_difference_is(trace: Trace) -> None:
    for name in ("x", "frame_counter", "generator", "pending"):
        state = trace.state.copy()
        state[400, trace.fields.index(name)] ^= 1
        mismatches, first = PuyoRecorder(demo_map()).verify(replace(trace, state=state))
        assert first == 400, name
        assert mismatches == 2, f"{name}: into the wrong row and out of it"
    page = trace.page.copy()
    page[400, 1] ^= 3
    mismatches, first = PuyoRecorder(demo_map()).verify(replace(trace, page=page))
    assert first == 400
    assert mismatches >= 1


def test_bytes_beside_the_kinds_are_not_compared(trace: Trace) -> None:
    page = trace.page.copy()
    page[:, 0::2] = np.arange(page[:, 0::2].size, dtype=np.uint8).reshape(page[:, 0::2].shape)
    assert PuyoRecorder(demo_map()).verify(replace(trace, page=page)) == (0, -1)


def test_another_pad_is_another_game(trace: Trace) -> None:
    pads = trace.pads.copy()
    rows = np.flatnonzero(trace.column("play_state") == PlayState.CONTROL)
    pads[rows[50], 1] ^= 0x80
    assert PuyoRecorder(demo_map()).verify(replace(trace, pads=pads))[1] == rows[50]


def test_a_trace_names_its_map(trace: Trace, tmp_path: Path, user_config: Path) -> None:
    write_trace(tmp_path / "game.npz", trace)
    read = read_trace(tmp_path / "game.npz")
    with pytest.raises(TraceError, match="recorded with the map 'my_pairs', which is not there"):
        edition_of(read, GAME)
    (user_config / "ram_maps").mkdir()
    (user_config / "ram_maps" / "my_pairs.yaml").write_text(DEMO, encoding="utf-8")
    edition = edition_of(read, GAME)
    assert (edition.ram_map.name, edition.game) == ("my_pairs", GAME)
    recorder = PuyoRecorder(edition.ram_map)
    assert recorder.verify(read) == (0, -1)
    assert len(recorder.draw(read, 3)) == 13


def test_the_commands_take_a_map_of_your_own(
    trace: Trace, tmp_path: Path, user_config: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    game, own = str(tmp_path / "game.npz"), tmp_path / "own.yaml"
    write_trace(Path(game), trace)
    own.write_text(DEMO, encoding="utf-8")
    assert main(["trace", "verify", game]) == main(["trace", "show", game]) == 2
    told = capsys.readouterr().err.splitlines()
    assert len(told) == 2
    assert all("name its file with --map" in line for line in told)
    assert main(["trace", "verify", game, "--map", str(own)]) == 0
    assert main(["trace", "show", game, "--frame", "3", "--map", str(own)]) == 0
    assert capsys.readouterr().out.splitlines()[-13:] == list(PuyoRecorder(demo_map()).draw(trace, 3))
    assert main(["trace", "verify", game, "--map", "nes_tetris_usa"]) == 2
    assert "name the map it was recorded with by --map" in capsys.readouterr().err


def test_a_trace_of_another_map_is_refused(trace: Trace) -> None:
    other = parse_map(DEMO.replace("pending: [0x20, 0x21]", "pending: [0x50, 0x51]"), "other")
    with pytest.raises(TraceError, match="does not fit the map other"):
        PuyoRecorder(other).verify(trace)


def test_rows_that_no_game_can_have_are_refused(trace: Trace) -> None:
    initial = trace.initial.copy()
    initial[trace.fields.index("next_bottom")] = 0x44
    with pytest.raises(TraceError, match="no next piece before the first row"):
        PuyoRecorder(demo_map()).verify(replace(trace, initial=initial))
    for colors in (0, COLORS + 1):  # with none of them the next pair would be drawn for ever
        initial = trace.initial.copy()
        initial[trace.fields.index("colors")] = colors
        with pytest.raises(TraceError, match=f"a game of {colors} colours before the first row"):
            PuyoRecorder(demo_map()).verify(replace(trace, initial=initial))
    state = trace.state.copy()
    state[5, trace.fields.index("play_state")] = 99
    with pytest.raises(TraceError, match="99 is not a valid PlayState in row 5"):
        PuyoRecorder(demo_map()).verify(replace(trace, state=state))


def test_a_map_without_the_values_is_recorded_as_far_as_it_goes() -> None:
    """Nothing replays such a game, but its frames come back as the family decodes them."""
    ram_map = strange_map()
    machine, recorder = started(ram_map), PuyoRecorder(ram_map).begin("nmi-game")
    images = []
    for number in range(40):
        held = Pad.LEFT if number % 3 else Pad.NONE
        machine.step((held, Pad.NONE))
        recorder.add(machine.ram.tobytes(), bytes((0, held)))
        images.append(machine.ram.tobytes())
    trace = recorder.finish({"game": "puyo"})
    assert not replay.replays_pairs(trace)
    assert trace.pads[:, 1].tolist() == [Pad.LEFT if number % 3 else Pad.NONE for number in range(1, 40)]
    for player in (0, 1):
        decode = Decoder(ram_map, player)
        for row in (0, 20, trace.frames - 1):
            shown, was = decode(memory_of(trace, row, ram_map)), decode(images[row + 1])
            assert (shown.phase, shown.current, shown.next) == (was.phase, was.current, was.next)
            assert shown.counters == was.counters
            assert np.array_equal(shown.playfield, was.playfield)


def test_traces_of_other_games_are_left_alone(trace: Trace) -> None:
    assert not replay.replays_pairs(replace(trace, fields=("x", "y")))
    assert not replay.replays_pairs(replace(trace, initial_page=np.zeros(0, dtype=np.uint8)))


def test_a_row_is_drawn_with_both_fields_and_the_pairs_in_the_air() -> None:
    ram_map = demo_map()
    machine = started(ram_map, players=2)
    player = running(machine).players[0]
    player.cells[-1] = [1, 2, 3, 7, 0, 0]
    player.piece.kinds = (4, 5)
    recorder = PuyoRecorder(ram_map).begin("nmi-game")
    for pads in ((Pad.NONE, Pad.NONE), (Pad.A, Pad.NONE)):
        machine.step(pads)
        recorder.add(machine.ram.tobytes())
    lines = PuyoRecorder(ram_map).draw(recorder.finish({}), 0)
    assert (len(lines), lines[-1]) == (13, "123o..   ......")
    assert lines[0].startswith("..de..   ")
