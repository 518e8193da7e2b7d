"""The learner on memory that is noise, now and then or always: it forgets, says so once, and goes on."""

from __future__ import annotations

import logging
from random import Random

import numpy as np
import pytest

from emubot.games.colours.decode.decode import Decoder
from emubot.games.colours.learning.learner import PuyoLearner
from emubot.games.colours.simulator.machine import PuyoMachine
from emubot.pad import Pad
from emubot.rammap import RamMap, load_map
from emubot.snapshot import Phase
from tests.games.colours.puyo_maps import demo_map
from tests.games.colours.random_cartridges import Hand, Looks, Stranger, open_with_menus, stranger

FRAMES = 150
CELLS = slice(0x300, 0x4F0)
PADS = (Pad.NONE, Pad.NONE, Pad.A, Pad.LEFT, Pad.RIGHT, Pad.DOWN, Pad.DOWN)


class Noise:
    """Frames of which some show other bytes than the game has."""

    def __init__(self, seed: int, share: float, often: float, only_cells: bool) -> None:
        self._rng, self._random = np.random.default_rng(seed), Random(seed)
        self._share, self._often, self._where = share, often, CELLS if only_cells else slice(None)

    def on(self, ram: bytes) -> bytes:
        if self._random.random() >= self._often:
            return ram
        noisy = np.frombuffer(ram, dtype=np.uint8).copy()
        hit = np.zeros(len(ram), dtype=np.bool_)
        hit[self._where] = self._rng.random(len(hit[self._where])) < self._share
        noisy[hit] = self._rng.integers(0, 256, int(hit.sum()))
        return noisy.tobytes()


def frames_of(machine: PuyoMachine | Looks, truth: RamMap, seed: int, frames: int) -> list[tuple[bytes, Pad]]:
    """A game by a hand that does anything, with the pad used in each frame."""
    rng, reader, pad = Random(seed), truth.reader(0), Pad.NONE
    seen: list[tuple[bytes, Pad]] = []
    for number in range(frames):
        machine.step([pad, Pad.NONE])
        ram = machine.ram.tobytes()
        seen.append((ram, pad))
        phase = reader.phase(ram)[0]
        if phase in (Phase.MENU, Phase.OVER):
            pad = Pad.START if number % 8 == 0 else Pad.NONE
        else:
            pad = rng.choice(PADS) if phase is Phase.PLAYING else Pad.NONE
    return seen


def game_for(made: Stranger, base: str) -> tuple[RamMap, list[tuple[bytes, Pad]]]:
    """A map that leaves something open, and a game of a cartridge it is for."""
    rng = np.random.default_rng(made.seed)
    if base == "shipped":
        return load_map("famicom_puyo"), frames_of(PuyoMachine(demo_map(), rng), demo_map(), made.seed, FRAMES)
    ram_map = made.open if base == "open" else open_with_menus(made, known=True)
    return ram_map, frames_of(Looks(made, rng), made.truth, made.seed, FRAMES)


@pytest.mark.few(4)
@pytest.mark.parametrize("base", ["open", "shipped", "without a clock"])
@pytest.mark.parametrize(
    ("share", "often", "only_cells"), [(0.002, 0.3, False), (0.05, 0.1, True), (0.3, 1.0, True), (1.0, 1.0, False)]
)
def test_noise_is_forgotten_and_no_map_is_blamed(share: float, often: float, only_cells: bool, base: str) -> None:
    seed = int(1000 * share + 10 * often + only_cells)
    noise = Noise(seed, share, often, only_cells)
    ram_map, frames = game_for(stranger(seed), base)
    learner, read = PuyoLearner(ram_map), Decoder(ram_map)
    for ram, pad in frames:
        seen = noise.on(ram)
        if (better := learner.observe(seen, pad)) is not None:
            read = Decoder(better)  # what it gives can be read by
        snapshot = read(seen)
        if learner.blind and snapshot.phase is Phase.PLAYING and snapshot.current is not None:
            turns, column = learner.explore(snapshot)
            assert 0 <= turns <= 4
            assert 0 <= column < 6


def test_images_of_nothing_but_noise_are_learnt_nothing_wrong_from(caplog: pytest.LogCaptureFixture) -> None:
    """The bytes that say the phase hold still, all others are random: the shipped map's `mask` becomes no bits."""
    ram_map = load_map("famicom_puyo")
    frames, reader = game_for(stranger(1), "shipped")[1], ram_map.reader(0)
    playing = next(ram for ram, _ in frames if reader.phase(ram)[0] is Phase.PLAYING)
    learner, noise = PuyoLearner(ram_map), Noise(7, 1.0, 1.0, only_cells=True)
    with caplog.at_level(logging.WARNING):
        for _ in range(80):
            learner.observe(noise.on(playing))
    said = [record.getMessage() for record in caplog.records]
    assert said
    assert len(said) <= 8, "noise in every frame is not told in every frame"
    assert all("contradicts itself" in line for line in said)


def test_a_pair_that_is_put_aside_when_it_locks_contradicts_nothing(caplog: pytest.LogCaptureFixture) -> None:
    made, rng = demo_map(), np.random.default_rng(4)
    values = {**made.data["values"], "y": {**made.data["values"]["y"], "format": "signed"}}
    ram_map = made.with_data({**made.data, "values": values}, made.sha1)
    (at,), reader = ram_map.addresses("y"), ram_map.reader(0)
    learner = PuyoLearner(ram_map)
    with caplog.at_level(logging.WARNING):
        for ram, pad in frames_of(PuyoMachine(made, rng), made, 4, 2500):
            changed = bytearray(ram)
            if reader.phase(ram)[0].between_pieces:
                changed[at] = 0xC8
            learner.observe(bytes(changed), pad)
    assert not caplog.records


def test_after_noise_all_is_learnt_again() -> None:
    made = stranger(3)
    looks = Looks(made, np.random.default_rng(3))
    learner, noise = PuyoLearner(made.open), Noise(3, 0.5, 1.0, only_cells=True)
    for ram, pad in frames_of(looks, made.truth, 3, 120):
        learner.observe(noise.on(ram), pad)
    hand, pad = Hand(looks, learner, seed=3), Pad.NONE  # it checks what the learner says at every spawn
    while hand.pairs < 25:
        looks.step([pad, Pad.NONE])
        pad = hand.pad()
    assert not learner.blind
    assert sum(name.startswith("color_") for name in learner.ram_map.codes) == 5
