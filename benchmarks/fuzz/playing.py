"""Images decoded by the thousand, and pilots that are served them: what must hold of every snapshot and every press."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from functools import cache
from typing import Any, Final

import numpy as np

from benchmarks.fuzz import memory
from benchmarks.fuzz.scripted import ScriptedBridge, Sense, check_held
from emubot import games
from emubot.games.edition import Edition, part_of
from emubot.pad import Pad
from emubot.pilot import Goal, Pilot, Skill
from emubot.snapshot import Phase, Snapshot
from emubot.tempo import parse_taps, tempo_for_speed

PER_CASE = 1000  # images of a case of decoding
_PADS: Final = (Pad.LEFT | Pad.A, Pad.NONE, Pad.DOWN)
STRETCHES: Final = 12  # of a pilot's script
_TEMPI: Final = ("10", "4", "12hz", "das")


@cache
def players() -> tuple[tuple[str, int], ...]:
    """Every map with each of its players."""
    return tuple((name, player) for name in memory.MAPS for player in range(memory.ram_map(name).players))


def decode_images(seed: int, kept: Sequence[int] | None = None) -> None:
    """Decode some images by one map. Raises AssertionError for a snapshot that cannot be, and what decoding raises."""
    name, player = players()[seed % len(players())]
    rng = np.random.default_rng((seed, 1))
    rows = memory.images(name, rng, PER_CASE)
    read = memory.ram_map(name)
    edition = games.open_edition(read)
    decode = edition.decoder(player)
    before: Snapshot | None = None
    for row in range(PER_CASE) if kept is None else kept:
        ram = rows[row].tobytes()
        snapshot = decode(ram)
        _check(edition, snapshot, before)
        before = snapshot if snapshot.phase is Phase.PLAYING else before


def _check(edition: Edition, snapshot: Snapshot, before: Snapshot | None) -> None:
    """What the rest of the house relies on, of any bytes whatever."""
    grid, piece = edition.ram_map.document.grid, snapshot.current
    assert isinstance(snapshot.phase, Phase)
    assert snapshot.playfield.shape == (grid.rows, grid.columns)
    assert not snapshot.playfield.flags.writeable
    if snapshot.phase is Phase.PLAYING and piece is not None:
        inside = 0 <= piece.column < grid.columns and piece.row < grid.rows
        assert inside, f"{piece} is in play outside the field"
    figures = edition.summary(snapshot)
    assert all(figures[name] is None or figures[name] >= 0 for name in ("lines", "score", "level")), figures
    depicted = part_of(edition, "depiction", edition.depiction, "pieces to draw")
    depicted.next_cells(snapshot)
    if piece is not None:
        assert depicted.cells(snapshot, piece)
    if before is not None and snapshot.phase is Phase.PLAYING:
        edition.advanced(before, snapshot)
        if piece is not None:
            edition.predict(snapshot, _PADS)


def step_pilot(seed: int, kept: Sequence[int] | None = None, stretches: int = STRETCHES) -> int:
    """A pilot through a script of such images and real frames; returns how many of them were no real ones.

    Raises AssertionError for a press on nonsense, and whatever the pilot raises: on this bridge nothing may be.
    """
    name, port = players()[seed % len(players())]
    rng = np.random.default_rng((seed, 2))
    script = list(_script(name, rng, stretches))
    chosen = script if kept is None else [script[index] for index in kept]
    rows = [ram for frames, _ in chosen for ram in frames]
    read = memory.ram_map(name)
    game = games.game(read.family)
    epochs = rng.integers(len(rows) + 1, size=2).tolist() if rng.random() < 0.3 else []
    bridge = ScriptedBridge(rows, read, int(rng.integers(3)), bool(rng.random() < 0.7), epochs)
    word = _TEMPI[rng.integers(len(_TEMPI))]
    tempo = tempo_for_speed(int(word)) if word.isdigit() else parse_taps(word)
    pilot = Pilot(bridge, Goal(games=None), game.open(read), Skill(tempo=tempo), port=port, leads=port == 0)
    pilot.previews = True
    sense, epoch, latest = Sense(read, game.open(read).decoder(port)), 0, read
    for ram in rows:
        pilot.step()
        if bridge.epoch != epoch:
            epoch = bridge.epoch
            sense.forget()
        if pilot.edition.ram_map is not latest:  # it has learnt: what makes sense is said by the better map
            latest = pilot.edition.ram_map
            sense = sense.by(latest, game.open(latest).decoder(port))
        check_held(bridge, port, sense.allows(ram))
    pilot.stop()
    assert not bridge.held, "a port is held after the end"
    return sum(len(frames) for frames, real in chosen if not real)


def _script(name: str, rng: np.random.Generator, stretches: int) -> Iterator[tuple[list[bytes], bool]]:
    """Stretches of frames, and whether they are real ones."""
    kept = memory.recorded(name)
    for _ in range(stretches):
        if rng.random() < 0.35:
            at = int(rng.integers(len(kept) - 100))
            yield list(kept[at : at + int(rng.integers(12, 100))]), True
            continue
        makers: tuple[Callable[[int], Any], ...] = (
            lambda number: memory.images(name, rng, number),
            lambda number: np.repeat(memory.images(name, rng, 1), number, axis=0),
            lambda number: np.repeat(memory.images(name, rng, number // 12), 12, axis=0),
        )
        rows = makers[rng.integers(len(makers))](int(rng.integers(12, 80)))
        if rng.random() < 0.8:
            memory.ticking(name, rows, int(rng.integers(0xFF00)))
        yield [row.tobytes() for row in rows], False
