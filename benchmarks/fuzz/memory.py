"""RAM images, by a seed: real ones of simulated games, and what nobody's game would leave behind; decodes nothing."""

from __future__ import annotations

import contextlib
from collections.abc import Callable
from functools import cache
from itertools import count
from typing import Any, Final

import numpy as np
from numpy.typing import NDArray

from benchmarks.fuzz.originals import random_machine, random_map
from emubot import games
from emubot.bridges.simulated import SimulatedBridge
from emubot.datafiles import shipped
from emubot.games.edition import part_of
from emubot.machine import Machine
from emubot.pilot import Goal, Pilot, Skill
from emubot.rammap import RamMap, load_map, parse_map
from emubot.tempo import tempo_for_speed

SIZE: Final = 2048
FRAMES = 600  # of a recorded game
MAPS: Final = (*sorted(path.stem for path in shipped("ram_maps").glob("*.yaml")), "stranger")
# Whose games leave RAM that a map without a simulator reads: many of their addresses are the same.
_PLAYED: Final = {"famicom_puyo": "demo_pairs", "tengen_tetris": "nes_tetris_usa", "tetris_gym": "nes_tetris_usa"}
Images = NDArray[Any]  # (images, SIZE) uint8


@cache
def ram_map(name: str) -> RamMap:
    """One of MAPS."""
    return parse_map(random_map(), name) if name == "stranger" else load_map(name)


@cache
def recorded(name: str) -> tuple[bytes, ...]:
    """RAM after each frame of a game that a bot with slow hands plays, menus, ends and new games included."""
    name = _PLAYED.get(name, name if name in MAPS else "nes_tetris_usa")
    played = ram_map(name)
    edition = games.open_edition(played)
    rng = np.random.default_rng(11)
    machine: Machine = (
        random_machine(played)
        if name == "stranger"
        else part_of(edition, "simulator", edition.simulator, "a simulator").machine(rng)
    )
    bridge = SimulatedBridge(machine)
    asked = {wish: number for wish, number in (("mode", 2), ("level", 18)) if _can(played, wish, number)}
    ports = range(played.players if played.menu_choices.get("mode") else 1)
    pilots = [
        Pilot(
            bridge,
            Goal(None, None, asked),
            edition,
            Skill(tempo=tempo_for_speed(1 + 6 * port)),
            port=port,
            leads=not port,
        )
        for port in ports
    ]
    kept = []
    for _ in range(FRAMES):
        number = bridge.advance()
        for pilot in pilots:
            pilot.see(number)
        kept.append(bridge.read("ram", 0, SIZE))
    return tuple(kept)


def _can(played: RamMap, wish: str, number: int) -> bool:
    known = played.menu_choices.get(wish)
    return known is not None and known.low <= number <= known.high


def images(name: str, rng: np.random.Generator, number: int) -> Images:
    """Random and half-random images, mixed; half of them keep the bytes by which the map knows a game in play."""
    return np.stack([_KINDS[kind](name, rng) for kind in rng.integers(len(_KINDS), size=number)])


def _real(name: str, rng: np.random.Generator) -> NDArray[Any]:
    kept = recorded(name)
    return np.frombuffer(kept[rng.integers(len(kept))], dtype=np.uint8).copy()


def _random(name: str, rng: np.random.Generator) -> NDArray[Any]:
    return np.frombuffer(rng.bytes(SIZE), dtype=np.uint8).copy()


def _flipped(name: str, rng: np.random.Generator) -> NDArray[Any]:
    """Some bytes others, most of them where the map looks."""
    ram, used = _real(name, rng), _used(name)
    many = int(rng.choice([1, 2, 5, 20, 100]))
    ram[rng.choice(used, many)] = rng.integers(256, size=many)
    ram[rng.integers(SIZE, size=many)] ^= np.uint8(1) << rng.integers(8, size=many, dtype=np.uint8)
    return ram


def _shifted(name: str, rng: np.random.Generator) -> NDArray[Any]:
    """All of it, or a block, one or some bytes further: the right game by the wrong map."""
    ram, by = _real(name, rng), int(rng.choice([1, -1, 2, 16, int(rng.integers(1, SIZE))]))
    if rng.random() < 0.5:
        return np.roll(ram, by)
    at, end = sorted(rng.integers(SIZE + 1, size=2))
    ram[at:end] = np.roll(ram[at:end], by)
    return ram


def _mixed(name: str, rng: np.random.Generator) -> NDArray[Any]:
    """Of two games: one's memory here, the other's there."""
    ram, other = _real(name, rng), _real(MAPS[rng.integers(len(MAPS))], rng)
    at, end = sorted(rng.integers(SIZE + 1, size=2))
    ram[at:end] = other[at:end]
    return ram


def _impossible(name: str, rng: np.random.Generator) -> NDArray[Any]:
    """In play by its state, and anything in the field and in all values that are not asked for by the phase."""
    ram, noise = _real(name, rng), _random(name, rng)
    kept = _by_phase(name)
    noise[kept] = ram[kept]
    return noise


def _garbled(name: str, rng: np.random.Generator) -> NDArray[Any]:
    """A real field under values that are anything."""
    ram, used = _real(name, rng), _scalars(name)
    ram[used] = rng.integers(256, size=len(used))
    return ram


def _filled(name: str, rng: np.random.Generator) -> NDArray[Any]:
    """Memory after power-on, but for what tells the phase."""
    ram, filled = _real(name, rng), np.full(SIZE, rng.choice([0x00, 0xFF, 0xEF, 0x55]), dtype=np.uint8)
    kept = _by_phase(name)
    if rng.random() < 0.5:
        filled[kept] = ram[kept]
    return filled


def _stacked(name: str, rng: np.random.Generator) -> NDArray[Any]:
    """A real image with another field: stacks of any height and of any kinds, now and then with gaps in them."""
    ram, read = _real(name, rng), ram_map(name)
    player = int(rng.integers(read.players))
    grid = read.reader(player)
    known = [number for number, kind in enumerate(grid.kinds) if kind in read.codes]
    rows, columns = read.document.grid.rows, read.document.grid.columns
    stored = rows + len(read.document.grid.hidden)
    if len(known) < 2:  # a map that does not know its codes yet
        return ram
    field = rng.choice(known[1:], size=(stored, columns)).astype(np.uint8)
    heights = rng.integers(stored + 1, size=columns)
    field[np.arange(stored)[:, None] < stored - heights] = 0
    if rng.random() < 0.3:
        field[rng.random(field.shape) < rng.choice([0.02, 0.3])] = 0
    hidden = stored - rows
    with contextlib.suppress(ValueError):  # a cell may hold less than its kind has
        read.encode(ram, {}, field[hidden:], field[:hidden][::-1], player)
    return ram


_KINDS: Final[tuple[Callable[[str, np.random.Generator], NDArray[Any]], ...]] = (
    _random,
    _flipped,
    _shifted,
    _mixed,
    _impossible,
    _impossible,
    _stacked,
    _stacked,
    _garbled,
    _filled,
)


@cache
def _used(name: str) -> NDArray[Any]:
    runs = ram_map(name).used
    return np.concatenate([np.arange(at, at + length) for at, length in runs])


@cache
def _scalars(name: str) -> NDArray[Any]:
    """The bytes of every value of every player."""
    read = ram_map(name)
    readers = [read.reader(player) for player in range(read.players)]
    return np.array(sorted({index for reader in readers for s in reader.scalars.values() for index in s.indices}))


@cache
def _by_phase(name: str) -> NDArray[Any]:
    """The bytes of the values that the map's phases name."""
    read = ram_map(name)
    named = {key for rule in read.document.phases for key in _names(rule.when)}
    readers = [read.reader(player) for player in range(read.players)]
    scalars = [s for reader in readers for key, s in reader.scalars.items() if key in named]
    return np.array(sorted({index for scalar in scalars for index in scalar.indices}))


def _names(condition: Any) -> set[str]:
    """Every word in a condition; only those that are values' names matter."""
    if isinstance(condition, dict):
        return {str(key) for key in condition} | {name for value in condition.values() for name in _names(value)}
    if isinstance(condition, list | tuple):
        return {name for value in condition for name in _names(value)}
    return {condition} if isinstance(condition, str) else set()


def ticking(name: str, rows: Images, start: int) -> None:
    """Have the map's game counter count on through the images, from `start`."""
    read = ram_map(name)
    if read.game_counter is None:
        return
    scalar = read.reader(0).scalars[read.game_counter]
    for row, number in zip(rows, count(start), strict=False):
        scalar.encode(row, number % 256 ** len(scalar.indices))
