"""The learner finds what is open in a pairs map on cartridges nobody knows, and says nothing wrong on the way."""

from __future__ import annotations

import logging
from functools import partial
from pathlib import Path
from random import Random
from typing import Any

import numpy as np
import pytest
from hypothesis import example, given, settings
from hypothesis import strategies as st

from emubot.games.colours.decode.decode import Decoder
from emubot.games.colours.learning.learner import PuyoLearner
from emubot.games.colours.rules import BIG, CARBUNCLE, NUISANCE
from emubot.games.colours.simulator.machine import PuyoMachine
from emubot.pad import Pad
from emubot.rammap import RamMap, load_map, parse_map, write_map
from tests.games.colours.puyo_maps import STRANGE, strange_map
from tests.games.colours.random_cartridges import Hand, Looks, Stranger, check_reading, stranger

ENDLESS, TWO_PLAYERS = 0, 2


def play(looks: Looks, hands: list[Hand], pairs: int, mode: int = ENDLESS) -> None:
    """Until somebody had so many pairs."""
    looks.machine.console.mode = mode
    pads = [Pad.NONE, Pad.NONE]
    while max(hand.pairs for hand in hands) < pairs:
        looks.step(pads)
        pads = [hand.pad() for hand in hands] + [Pad.NONE] * (2 - len(hands))


def alone(made: Stranger, pairs: int, ram_map: RamMap | None = None) -> Hand:
    looks = Looks(made, np.random.default_rng(made.seed))
    looks.machine.console.items = False
    hand = Hand(looks, PuyoLearner(made.open if ram_map is None else ram_map), seed=made.seed)
    play(looks, [hand], pairs)
    return hand


def colors(ram_map: RamMap) -> int:
    return sum(name.startswith("color_") for name in ram_map.codes)


def seeds(last: int, *quick: int) -> list[Any]:
    return [pytest.param(seed, marks=() if seed in quick else pytest.mark.slow) for seed in range(1, last + 1)]


@pytest.mark.parametrize("seed", seeds(20, 14))
def test_colours_bits_orientations_and_the_spawn_are_found(seed: int, tmp_path: Path) -> None:
    made = stranger(seed)
    hand = alone(made, 45)  # every reading on the way is checked against the truth
    learnt = hand.learner.ram_map
    assert colors(learnt) == hand.looks.machine.console.colors == 5
    assert {"color_6", "nuisance"} <= set(learnt.learns) <= {"color_6", "nuisance", "popping"}
    assert hand.learner.open == ()
    assert hand.blind_pairs < 20
    spawn = learnt.rules.get("spawn", (0, 2, 0))
    assert spawn == made.spawn
    assert learnt.rules.get("death_cells", (2, 0)) == made.spawn[1:]
    halves = {code for codes in learnt.piece_codes.values() for code in codes}
    assert halves == {made.halves[f"color_{number}"] for number in range(1, 6)}

    file = tmp_path / "learnt.yaml"
    evidence = hand.learner.evidence()
    write_map(learnt.only_for(None), file, evidence)
    text = file.read_text(encoding="utf-8")
    for key in ("pieces", "mask", "color_1", "empty"):
        line = next(line for line in text.splitlines() if line.strip().startswith(f"{key}:"))
        assert "  # " in line
    again = Hand(hand.looks, PuyoLearner(load_map(file)), seed=99)
    play(hand.looks, [again], 15)
    assert again.blind_pairs == 0, "the written map plays at once"


@pytest.mark.parametrize("seed", seeds(8, 7))
def test_nuisance_is_known_after_it_fell_once(seed: int) -> None:
    made = stranger(seed)
    looks = Looks(made, np.random.default_rng(seed))
    hands = [Hand(looks, PuyoLearner(made.open, player), player, seed + player) for player in (0, 1)]
    fell = [False, False]

    def look(player: int, _: bytes) -> None:
        game = looks.machine.game
        fell[player] |= game is not None and bool((game.players[player].cells == NUISANCE).any())
        assert fell[player] == ("nuisance" in hands[player].learner.ram_map.codes)

    for player, hand in enumerate(hands):
        hand.on_spawn.append(partial(look, player))
    play(looks, hands, 120, TWO_PLAYERS)
    assert any(fell)
    for player, hand in enumerate(hands):
        if fell[player]:
            assert hand.learner.ram_map.learns == ("color_6",)
            assert "fell unlocked in" in hand.learner.evidence()["grid.cell.kinds.nuisance"]


@pytest.mark.parametrize("seed", seeds(8, 2))
def test_items_are_known_after_they_came_once(seed: int) -> None:
    made = stranger(seed)
    made.rules["item_every"] = 14
    looks = Looks(made, np.random.default_rng(seed))
    hand = Hand(looks, PuyoLearner(made.open), seed=seed)
    came: list[int] = []
    names = {BIG: "big", CARBUNCLE: "carbuncle"}

    def look(ram: bytes) -> None:
        assert {names[item] for item in came} == {"big", "carbuncle"} & set(hand.learner.ram_map.piece_codes)
        game = looks.machine.game
        assert game is not None
        item = game.players[0].piece.kinds[0]
        if item in names and item not in came:
            came.append(item)
            assert hand.learner.blind

    hand.on_spawn.append(look)
    play(looks, [hand], 60)
    assert came == [BIG, CARBUNCLE]
    assert hand.learner.ram_map.piece_codes["big"] == (made.halves["big"],)
    assert hand.learner.ram_map.piece_codes["carbuncle"] == (made.halves["carbuncle"],)


@settings(max_examples=1, deadline=None)
@given(seed=st.integers(100, 10**9), six=st.booleans())
@example(seed=714, six=False)  # two ways lead to the same account, and it must not be taken for two
def test_any_table_of_codes_is_found(seed: int, six: bool) -> None:
    made = stranger(seed)
    looks = Looks(made, np.random.default_rng(seed))
    looks.machine.console.colors = 6 if six else 4
    hand = Hand(looks, PuyoLearner(made.open), seed=seed)
    play(looks, [hand], 45)
    assert colors(hand.learner.ram_map) == looks.machine.console.colors
    assert not {"pieces", "mask", "empty", "piece_codes"} & set(hand.learner.ram_map.learns)


def test_a_game_that_is_joined_in_the_middle_is_read_as_far_as_it_was_seen() -> None:
    made = stranger(3)
    looks = Looks(made, np.random.default_rng(3))
    play(looks, [Hand(looks, PuyoLearner(made.open), seed=1)], 9)
    late = Hand(looks, PuyoLearner(made.open), seed=2)
    play(looks, [late], 60)
    assert colors(late.learner.ram_map) == 5
    assert not late.learner.blind


def test_what_contradicts_itself_is_dropped_with_one_line_and_learnt_anew(caplog: pytest.LogCaptureFixture) -> None:
    made = stranger(14)
    looks = Looks(made, np.random.default_rng(14))
    learner = PuyoLearner(made.open)
    hand = Hand(looks, learner, seed=5)
    play(looks, [hand], 30)
    first = learner.ram_map
    assert not learner.blind
    ram = bytearray(looks.ram.tobytes())
    with caplog.at_level(logging.WARNING):
        for address in range(0x300, 0x3E0):  # all cells change while a piece is in the air
            ram[address] ^= 0x5A
        better = learner.observe(bytes(ram))
        assert [record.levelname for record in caplog.records] == ["WARNING"]
    assert "contradicts itself" in caplog.text
    assert learner.blind
    assert better is not None
    assert "color_1" in better.learns
    play(looks, [Hand(looks, learner, seed=6)], 60)
    assert learner.ram_map.codes == first.codes or colors(learner.ram_map) == 5


def test_what_the_map_states_is_kept() -> None:
    """Everything known but the codes of cells, then everything but those of halves, then but the orientations."""
    made = stranger(5)
    truth = made.truth
    for left in (["cells"], ["halves"], ["pieces"], ["nuisance"]):
        text = {
            "cells": open_cells(truth),
            "halves": {**truth.data, "piece_codes": "learn"},
            "pieces": {**truth.data, "pieces": "learn"},
            "nuisance": truth.learnt(codes={"nuisance": []}).data,
        }[left[0]]
        ram_map = parse_of(text)
        hand = alone(made, 30, ram_map)
        learnt = hand.learner.ram_map
        for name, codes in ram_map.codes.items():
            assert learnt.codes[name] == codes
        if left == ["halves"]:
            assert {name: learnt.piece_codes[name] for name in list(learnt.piece_codes)[:5]} == {
                name: codes for name, codes in truth.piece_codes.items() if name in learnt.piece_codes
            }, "the colours are those of the cells"
        if left == ["pieces"]:
            assert {entry.id: entry for entry in learnt.pieces} == {entry.id: entry for entry in truth.pieces}
        if left == ["nuisance"]:
            assert hand.blind_pairs == 0


def parse_of(data: object) -> RamMap:
    from emubot.rammap.ram_map import RamMap as Made
    from emubot.rammap.strict_yaml import MapSource
    from emubot.rammap.validate import checked

    assert isinstance(data, dict)
    return Made("known", Path("known.yaml"), checked(MapSource("known.yaml", data, {})), data)


def open_cells(truth: RamMap) -> dict[str, object]:
    cell = {**truth.data["grid"]["cell"], "mask": "learn", "empty": "learn"}
    cell["kinds"] = {name: "learn" if name != "wall" else entry for name, entry in cell["kinds"].items()}
    return {**truth.data, "grid": {**truth.data["grid"], "cell": cell}}


def test_a_map_laid_out_otherwise_is_learnt_too() -> None:
    """By columns, bottom-up, pixels for places, a flag in the cell, a kind with two codes, pads the other way round."""
    text = STRANGE
    for name in ("empty: 0x0F", "nuisance: 0x00", "color_3: 0x05", "color_2: 0x06", "color_1: 0x07", "popping: 0x09"):
        assert name in text
        text = text.replace(name, f"{name.partition(':')[0]}: learn")
    text = text.replace(text[text.index("pieces:") : text.index("piece_codes:")], "pieces: learn\n")
    text = text.replace(text[text.index("piece_codes:") : text.index("phases:")], "piece_codes: learn\n")
    truth = strange_map()
    machine = PuyoMachine(truth, np.random.default_rng(4))
    learner, rng = PuyoLearner(parse_map(text, "open_strange")), Random(4)
    read = Decoder(truth)
    reader, pads, held = truth.reader(), [Pad.NONE, Pad.NONE], 0
    queue: list[Pad] = []
    was_playing, pairs = False, 0
    while pairs < 40:
        machine.step(pads)
        held += 1
        ram = machine.ram.tobytes()
        learner.observe(ram)
        playing = reader.phase(ram)[0].value == "playing"
        if playing and not was_playing:
            pairs += 1
            x = reader.value(ram, "x")
            turns, column = learner.explore(read(ram)) if learner.blind else (rng.randrange(4), rng.randrange(6))
            if not learner.blind:
                check_reading(learner.ram_map, truth, ram)
            presses = [Pad.B] * turns + [Pad.LEFT if column < x else Pad.RIGHT] * abs(column - x)
            queue = [pad for press in presses for pad in (press, Pad.NONE)]
        was_playing = playing
        pads = [queue.pop(0) if queue and playing else Pad.START if held % 8 == 0 and not playing else Pad.NONE] * 2
        if playing and not queue:
            pads = [Pad.DOWN, Pad.NONE]
    assert not learner.blind
    assert {entry.id: entry for entry in learner.ram_map.pieces} == {entry.id: entry for entry in truth.pieces}
    assert learner.ram_map.codes["color_4"] == (3, 4)
