"""The shipped map of NES Tetris (USA): recorded games read back, both ways, and every phase of the program."""

from __future__ import annotations

import json
from functools import cache
from pathlib import Path

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from numpy.typing import NDArray

from emubot.pad import Pad
from emubot.rammap import UNKNOWN, RamMap, json_schema, load_map
from emubot.rammap.reader import Reader
from emubot.snapshot import Phase
from tests.paths import RECORDED, ROOT

GAMES = sorted(RECORDED.glob("*.npz"))
QUICK = {f"nes_tetris_{number}" for number in (0, 2, 4, 6, 8, 11)}  # the short ones
SCHEMA = ROOT / "ram_maps" / "schema.json"

# As the map must have them, because recorded games use these names; for the first player.
BYTES = {
    "x": 0x60, "y": 0x61, "piece": 0x62, "level": 0x64, "fall_timer": 0x65, "das": 0x66, "start_level": 0x67,
    "play_state": 0x68, "vram_row": 0x69, "completed_row0": 0x6A, "completed_row1": 0x6B, "completed_row2": 0x6C,
    "completed_row3": 0x6D, "autorepeat_y": 0x6E, "hold_down_points": 0x6F, "lines_lo": 0x70, "lines_hi": 0x71,
    "row_y": 0x72, "score0": 0x73, "score1": 0x74, "score2": 0x75, "completed_lines": 0x76, "line_index": 0x77,
    "curtain_row": 0x78, "start_height": 0x79, "lfsr_hi": 0x17, "lfsr_lo": 0x18, "spawn_id": 0x19,
    "spawn_count": 0x1A, "frame_lo": 0xB1, "frame_hi": 0xB2, "next_piece": 0xBF, "game_mode": 0xC0,
    "game_mode_state": 0xA7, "game_type": 0xC1, "render_mode": 0xBD, "players": 0xBE, "singles": 0xD8,
    "doubles": 0xD9, "triples": 0xDA, "tetrises": 0xDB, "new_buttons": 0xF5, "held_buttons": 0xF7, "used_new": 0xB5,
    "used_held": 0xB6,
}  # fmt: skip
GENERATOR = {"lfsr_hi", "lfsr_lo", "spawn_id", "spawn_count"}


@cache
def known(name: str) -> RamMap:
    return load_map(name)


def usa() -> RamMap:
    return known("nes_tetris_usa")


@cache
def reader() -> Reader:
    return usa().reader()


def test_names_and_addresses_are_those_of_the_recorded_games() -> None:
    ours = usa()
    assert {name: ours.addresses(name)[0] for name in BYTES} == BYTES
    assert set(ours.value_names) - set(BYTES) == {"score", "lines", "frame_counter", "choosing_height", "next_hidden"}
    for name, address in BYTES.items():
        if 0x60 <= address < 0x80:
            assert ours.addresses(name, 1) == (address + 0x20,), name
    assert ours.addresses("new_buttons", 1) == (0xF6,)
    assert ours.addresses("held_buttons", 1) == (0xF8,)
    assert ours.game_counter == "frame_counter"
    assert ours.region("page") == (0x400, 256)
    assert ours.region("page", 1) == (0x500, 256)
    assert {name for name, value in ours.document.values.items() if value.hidden_from_search} == GENERATOR


def ram_of(names: NDArray[np.str_], addresses: NDArray[np.uint16], state: NDArray[np.uint8]) -> NDArray[np.uint8]:
    ram = np.zeros(2048, dtype=np.uint8)
    ram[addresses] = state
    ram[0xBD] = 3
    return ram


def digits(*low_first: int) -> int:
    return int("".join(f"{byte:02X}" for byte in reversed(low_first)))


def test_recorded_games_are_there() -> None:
    assert len(GAMES) == 12


@pytest.mark.parametrize(
    "path",
    [pytest.param(path, id=path.stem, marks=[] if path.stem in QUICK else pytest.mark.slow) for path in GAMES],
)
def test_every_row_of_a_recorded_game_reads_as_recorded(path: Path) -> None:
    game = np.load(path, allow_pickle=False)
    names = [str(name) for name in game["fields"]]
    read = reader().select(names)
    numbers = reader().select(("score", "lines", "frame_counter"))
    kind_of = np.full(256, UNKNOWN)
    kind_of[[0xEF, 0x7B, 0x7C, 0x7D, 0x4F]] = [0, 1, 2, 3, 4]
    place = {name: number for number, name in enumerate(names)}
    phases = {1: Phase.PLAYING, 4: Phase.CLEARING, 10: Phase.OVER} | dict.fromkeys((2, 3, 5, 6, 7, 8), Phase.LOCKED)
    for state, page in zip(game["state"], game["page"], strict=True):
        array = ram_of(game["fields"], game["address"], state)
        array[0x400:0x500] = page
        ram = array.tobytes()
        row = state.tolist()
        assert read(ram) == tuple(row)
        assert [reader().value(ram, name) for name in ("x", "score1")] == [row[place["x"]], row[place["score1"]]]
        score = digits(*(row[place[f"score{k}"]] for k in range(3)))
        lines = digits(row[place["lines_lo"]]) + 100 * row[place["lines_hi"]]
        assert numbers(ram) == (score, lines, row[place["frame_lo"]] + 256 * row[place["frame_hi"]])
        assert np.array_equal(reader().playfield(ram), kind_of[page[:200]].reshape(20, 10))
        assert np.array_equal(reader().hidden(ram), kind_of[[page[246:256], page[236:246]]])
        assert reader().phase(ram)[0] is phases[row[place["play_state"]]]


def naive_state(ram: bytes) -> str:
    """The program's state, said without a map."""
    mode, mode_state, render, play_state, players = ram[0xC0], ram[0xA7], ram[0xBD], ram[0x68], ram[0xBE]
    if mode != 4:
        level_menu = "level_menu" if ram[0x67] <= 9 else "screen_change"
        screens = ["legal", "title", "type_menu", level_menu, "", "demo", "demo"]
        return screens[mode] if mode < len(screens) and players in {1, 2} else "unknown"
    if mode_state < 2:
        return "starting"
    if mode_state == 7 and render == 0:
        return "paused"
    if render in {2, 4}:
        return "high_score" if render == 2 else "ending"
    if mode_state not in {2, 3, 4, 5, 6, 8}:
        return "unknown"
    if play_state == 1:
        return "playing" if ram[0x62] <= 18 and ram[0x60] <= 9 and ram[0x61] <= 19 else "unknown"
    if play_state == 6 and ram[0xC1] == 1 and ram[0x70] == ram[0x71] == 0:
        return "goal"
    names = {0: "game_over", 4: "clearing", 10: "curtain"} | dict.fromkeys((2, 3, 5, 6, 7, 8), "locked")
    return names.get(play_state, "unknown")


PHASE_OF = {
    "legal": Phase.MENU, "title": Phase.MENU, "type_menu": Phase.MENU, "level_menu": Phase.MENU, "demo": Phase.MENU,
    "screen_change": Phase.MENU, "starting": Phase.MENU, "paused": Phase.PAUSED,
    "high_score": Phase.OVER, "ending": Phase.OVER, "goal": Phase.OVER,
    "curtain": Phase.OVER, "game_over": Phase.OVER, "playing": Phase.PLAYING, "clearing": Phase.CLEARING,
    "locked": Phase.LOCKED, "unknown": Phase.UNKNOWN,
}  # fmt: skip


def test_phases_are_those_of_a_reading_without_a_map() -> None:
    rng = np.random.default_rng(1)
    seen = set()
    for _ in range(8_000):
        ram = bytearray(2048)
        for address, top in (
            (0xC0, 8),
            (0xA7, 10),
            (0xBD, 6),
            (0x68, 13),
            (0x62, 21),
            (0x60, 12),
            (0x61, 22),
            (0xBE, 3),
            (0x67, 20),
            (0xC1, 2),
            (0x70, 2),
        ):
            ram[address] = int(rng.integers(top))
        if rng.random() < 0.5:
            ram[0xC0], ram[0xBD], ram[0xA7] = 4, 3, 2
        expected = naive_state(bytes(ram))
        assert reader().phase(bytes(ram)) == (PHASE_OF[expected], expected)
        seen.add(expected)
    assert seen == set(PHASE_OF)


@settings(max_examples=60, deadline=None)
@given(st.binary(min_size=2048, max_size=2048))
def test_any_bytes_decode_and_always_alike(ram: bytes) -> None:
    fresh = load_once_more().reader()
    for player in (0, 1):
        used = usa().reader(player)
        assert used.phase(ram)[0] in Phase
        names = usa().value_names
        assert used.select(names)(ram) == tuple(used.value(ram, name) for name in names)
        assert used.playfield(ram).shape == (20, 10)
        assert used.hidden(ram).shape == (2, 10)
    assert fresh.phase(ram) == reader().phase(ram)
    assert np.array_equal(fresh.playfield(ram), reader().playfield(ram))
    assert isinstance(reader().event("spawn", ram, ram[::-1]), bool)


def load_once_more() -> RamMap:
    return RamMap(usa().name, usa().path, usa().document, usa().data)


def test_memory_of_earlier_frames_never_shows() -> None:
    """The same frames in another order, and each frame alone, give the same answers."""
    rng = np.random.default_rng(2)
    frames = [rng.integers(0, 256, 2048, dtype=np.uint8).tobytes() for _ in range(20)]
    frames += [bytes(2048), frames[0]]
    alone = []
    for ram in frames:
        fresh = load_once_more().reader()
        alone.append((fresh.phase(ram), fresh.playfield(ram).tolist(), fresh.hidden(ram).tolist()))
    for number in rng.integers(0, len(frames), 200):
        ram = frames[number]
        assert (
            reader().phase(ram), reader().playfield(ram).tolist(), reader().hidden(ram).tolist()
        ) == alone[number]  # fmt: skip


@settings(max_examples=40, deadline=None)
@given(data=st.data(), player=st.integers(0, 1), into_array=st.booleans())
def test_what_is_encoded_decodes_to_the_same(data: st.DataObject, player: int, into_array: bool) -> None:
    noise = data.draw(st.binary(min_size=2048, max_size=2048))
    names = data.draw(st.lists(st.sampled_from(sorted(BYTES)), unique=True))
    values = {name: data.draw(st.integers(0, 255), label=name) for name in names}
    if not {"score0", "score1", "score2"} & values.keys():
        values["score"] = data.draw(st.integers(0, 999_999), label="score")
    if not {"lines_lo", "lines_hi"} & values.keys():
        values["lines"] = data.draw(st.integers(0, 25_599), label="lines")
    if not {"frame_lo", "frame_hi"} & values.keys():
        values["frame_counter"] = data.draw(st.integers(0, 65_535), label="frame_counter")
    kinds = st.integers(0, len(reader().kinds) - 1)
    playfield = np.array(data.draw(st.lists(kinds, min_size=200, max_size=200)), dtype=np.uint8).reshape(20, 10)
    hidden = np.array(data.draw(st.lists(kinds, min_size=20, max_size=20)), dtype=np.uint8).reshape(2, 10)

    ram = bytearray(noise)
    target = np.frombuffer(ram, dtype=np.uint8) if into_array else ram
    usa().encode(target, values, playfield, hidden, player)

    decoder = usa().reader(player)
    assert {name: decoder.value(bytes(ram), name) for name in values} == values
    assert np.array_equal(decoder.playfield(bytes(ram)), playfield)
    assert np.array_equal(decoder.hidden(bytes(ram)), hidden)
    page, length = usa().region("page", player)
    touched = {a for name in values for a in usa().addresses(name, player)} | set(range(page, page + length))
    assert all(ram[a] == noise[a] for a in range(2048) if a not in touched)


def test_what_cannot_be_encoded_is_refused() -> None:
    ram = bytearray(2048)
    for values, sentence in (
        ({"x": 256}, "x cannot hold 256"),
        ({"x": -1}, "x cannot hold -1"),
        ({"score": 1_000_000}, "score cannot hold 1000000"),
        ({"score": -1}, "score cannot hold -1"),
        ({"lines": 25_600}, "lines cannot hold 25600"),
        ({"score0": 0x12, "score": 100}, "score0 should become 18 and is 0: values that overlap disagree"),
    ):
        with pytest.raises(ValueError, match=sentence):
            usa().encode(ram, values)
    with pytest.raises(KeyError):
        usa().encode(ram, {"lives": 3})
    field = np.zeros((20, 10), dtype=np.uint8)
    with pytest.raises(ValueError, match=r"shape \(10, 20\), the map has \(20, 10\)"):
        usa().encode(ram, {}, field.T)
    field[3, 4] = UNKNOWN
    with pytest.raises(ValueError, match="kind 255 has no code in the map"):
        usa().encode(ram, {}, field)


def test_a_cell_blocks_when_its_code_is_below_that_of_empty() -> None:
    array = np.zeros(2048, dtype=np.uint8)
    array[0x400:0x4C8] = np.arange(200)
    low = reader().playfield(array.tobytes()).copy()
    array[0x400:0x4C8] = np.arange(56, 256)
    high = reader().playfield(array.tobytes())
    assert reader().solid[low].all()
    assert reader().solid[high].ravel().tolist() == [code < 0xEF for code in range(56, 256)]
    assert np.count_nonzero(high == 0) == 1


def test_events_of_a_game() -> None:
    def ram(play_state: int, mode_state: int = 2) -> bytes:
        array = bytearray(2048)
        array[0xC0], array[0xA7], array[0x68] = 4, mode_state, play_state
        return bytes(array)

    for before, after, expected in (
        (8, 1, {"spawn"}), (1, 1, set()), (1, 2, {"lock"}), (2, 10, {"top_out"}), (10, 10, set()), (5, 6, set()),
    ):  # fmt: skip
        found = {name for name in ("spawn", "lock", "top_out") if reader().event(name, ram(before), ram(after))}
        assert found == expected, (before, after)
    assert reader().event("start", ram(1, 1), ram(1, 2))
    assert not reader().event("start", ram(1, 2), ram(1, 2))


class Menus:
    """The menus as published: one button newly pressed alone, START let go between screens."""

    def __init__(self, mode: int, start_level: int, game_type: int, height: int = 0, choosing_height: int = 0) -> None:
        self.mode, self.start_level, self.game_type = mode, start_level, game_type
        self.height, self.choosing_height = height, choosing_height
        self.held = Pad.NONE

    def ram(self) -> bytes:
        array = bytearray(2048)
        array[0xC0], array[0x67], array[0xC1], array[0xBE] = self.mode, self.start_level, self.game_type, 1
        array[0x79], array[0xAE] = self.height, self.choosing_height
        return bytes(array)

    def frame(self, pad: Pad) -> None:
        new, self.held = pad & ~self.held, pad
        if self.mode in {0, 1, 5} and new == Pad.START:
            self.mode = 1 if self.mode in {0, 5} else 2
        elif self.mode == 2 and new in {Pad.LEFT, Pad.RIGHT}:
            self.game_type = int(new == Pad.RIGHT)
        elif self.mode == 2 and new == Pad.START:
            self.mode, self.choosing_height = 3, 0
        elif self.mode == 3 and new == Pad.B:
            self.mode = 2
        elif self.mode == 3 and new == Pad.A and self.game_type:
            self.choosing_height ^= 1
        elif self.mode == 3 and new in {Pad.LEFT, Pad.RIGHT} and self.choosing_height:
            self.height = min(5, max(0, self.height + (1 if new == Pad.RIGHT else -1)))
        elif self.mode == 3 and new in {Pad.LEFT, Pad.RIGHT}:
            self.start_level = min(9, max(0, self.start_level + (1 if new == Pad.RIGHT else -1)))
        elif self.mode == 3 and new == Pad.START:
            self.start_level += 10 * (self.held == Pad.A | Pad.START)
            self.mode = 4


@pytest.mark.parametrize("mode", [0, 1, 2, 3, 5])
@pytest.mark.parametrize(("standing", "game_type"), [(0, 0), (9, 1), (4, 1)])
@pytest.mark.parametrize("asked", [0, 4, 9, 10, 18, 19])
def test_the_menus_lead_to_the_asked_level_from_every_screen(
    mode: int, standing: int, game_type: int, asked: int
) -> None:
    menus = Menus(mode, standing, game_type)
    walk(usa(), menus, {"level": asked})
    assert (menus.start_level, menus.game_type) == (asked, 0)
    assert usa().menu_pace == 8


@pytest.mark.parametrize("mode", [1, 2, 3])
@pytest.mark.parametrize("choosing_height", [0, 1])
@pytest.mark.parametrize("standing", [(0, 0), (9, 5)])
@pytest.mark.parametrize("asked", [(0, 0), (9, 5), (18, 0), (19, 5), (4, 2)])
@pytest.mark.parametrize("name", ["nes_tetris_usa", "nes_tetris_europe"])
def test_the_menus_lead_to_a_game_of_b_type(
    name: str, mode: int, choosing_height: int, standing: tuple[int, int], asked: tuple[int, int]
) -> None:
    for game_type in (0, 1):
        menus = Menus(mode, standing[0], game_type, standing[1], choosing_height * game_type)
        walk(known(name), menus, {"type": 1, "level": asked[0], "height": asked[1]})
        assert (menus.game_type, menus.start_level, menus.height) == (1, *asked)


def walk(ram_map: RamMap, menus: Menus, choices: dict[str, int]) -> None:
    """Press what the map says until a game begins, as the pilot does: `hold` is down a frame before the tap."""
    holding, taps = Pad.NONE, 0
    while menus.mode != 4:
        step = ram_map.menu_step(menus.ram(), choices)
        assert step is not None
        if step.hold & ~holding:
            holding = step.hold
            menus.frame(holding)
            continue
        menus.frame(step.hold | step.tap)
        menus.frame(Pad.NONE)
        holding, taps = Pad.NONE, taps + 1
        assert taps < 40, "the menus lead nowhere"


def test_nothing_is_pressed_in_play_in_pause_and_where_nothing_is_known() -> None:
    for mode_state, render, play_state in ((2, 3, 1), (7, 0, 1), (0, 3, 1), (2, 3, 5), (2, 3, 9)):
        array = bytearray(2048)
        array[0xC0], array[0xA7], array[0xBD], array[0x68] = 4, mode_state, render, play_state
        assert usa().menu_step(bytes(array), {}) is None
    array[0xC0], array[0x67], array[0xBE] = 3, 18, 1
    assert usa().menu_step(bytes(array), {"level": 18}) is None, "the level of the game before still stands there"
    assert usa().menu_step(bytes(2048), {}) is None, "power-on: the program has not begun yet"
    array[0xC0], array[0x68] = 4, 10
    step = usa().menu_step(bytes(array), {})
    assert step is not None
    assert (step.tap, step.label) == (Pad.START, "curtain: START")


def test_buttons() -> None:
    buttons = usa().buttons
    assert (buttons.left, buttons.right, buttons.soft_drop, buttons.start) == (Pad.LEFT, Pad.RIGHT, Pad.DOWN, Pad.START)
    assert (buttons.rotate_clockwise, buttons.rotate_counterclockwise, buttons.hard_drop) == (Pad.A, Pad.B, None)


def test_the_json_schema_is_current() -> None:
    assert json.loads(SCHEMA.read_text(encoding="utf-8")) == json_schema(), (
        "after a change of the schema: emubot maps schema > ram_maps/schema.json"
    )


def test_an_editor_knows_how_long_a_cell_may_be() -> None:
    length = json_schema()["$defs"]["CellCoding"]["properties"]["bytes"]
    assert (length["minimum"], length["maximum"]) == (1, 4)
