"""Families that each break one promise in what it sees, and what check_game says of it."""

from __future__ import annotations

import itertools
from collections.abc import Callable, Sequence
from dataclasses import replace
from typing import Any

import numpy as np

from emubot.games.protocol import Game
from emubot.pad import Pad
from emubot.rammap import RamMap
from emubot.snapshot import Phase, Piece, Snapshot
from tests.games.toy_family.edition import NumbersEdition


class Decoded(NumbersEdition):
    """Broken in what it makes of a snapshot."""

    def change(self, ram: bytes, snapshot: Snapshot) -> Snapshot:
        raise NotImplementedError

    def decoder(self, player: int = 0) -> Callable[[bytes], Snapshot]:
        decode = super().decoder(player)
        return lambda ram: self.change(ram, decode(ram))


class Impure(Decoded):
    def __init__(self, game: Game, ram_map: RamMap) -> None:
        super().__init__(game, ram_map)
        self.calls = itertools.count()

    def change(self, ram: bytes, snapshot: Snapshot) -> Snapshot:
        return replace(snapshot, counters={**snapshot.counters, "call": next(self.calls)})


class Writeable(Decoded):
    def change(self, ram: bytes, snapshot: Snapshot) -> Snapshot:
        return replace(snapshot, playfield=snapshot.playfield.copy())


class Reshaped(Decoded):
    def change(self, ram: bytes, snapshot: Snapshot) -> Snapshot:
        return replace(snapshot, playfield=snapshot.playfield[1:])


class FailsOnZeros(Decoded):
    def change(self, ram: bytes, snapshot: Snapshot) -> Snapshot:
        if not any(ram):
            raise ZeroDivisionError("of nothing")
        return snapshot


class ShowsTheSeed(Decoded):
    def change(self, ram: bytes, snapshot: Snapshot) -> Snapshot:
        return replace(snapshot, counters={**snapshot.counters, "seed": ram[0x20]})


class HidesTheSeedElsewhere(Decoded):
    def change(self, ram: bytes, snapshot: Snapshot) -> Snapshot:
        return replace(snapshot, counters={**snapshot.counters, "luck": ram[0x20]})


class NumpyNumbers(Decoded):
    def change(self, ram: bytes, snapshot: Snapshot) -> Snapshot:
        count: Any = np.int64(1)
        return replace(snapshot, counters={**snapshot.counters, "lines": count})


class SeesPiecesAnywhere(Decoded):
    def change(self, ram: bytes, snapshot: Snapshot) -> Snapshot:
        return replace(snapshot, current=Piece(0, 0, 0)) if snapshot.phase is Phase.UNKNOWN else snapshot


class LosesThePiece(Decoded):
    def change(self, ram: bytes, snapshot: Snapshot) -> Snapshot:
        return replace(snapshot, current=None) if snapshot.phase is Phase.LOCKED else snapshot


class NeverLocks(Decoded):
    def change(self, ram: bytes, snapshot: Snapshot) -> Snapshot:
        return replace(snapshot, phase=Phase.CLEARING) if snapshot.phase is Phase.LOCKED else snapshot


class NoPieceInPlay(Decoded):
    def change(self, ram: bytes, snapshot: Snapshot) -> Snapshot:
        return replace(snapshot, current=None) if snapshot.phase is Phase.PLAYING else snapshot


class Clairvoyant(NumbersEdition):
    def predict(self, snapshot: Snapshot, pads: Sequence[Pad]) -> Snapshot:
        return replace(super().predict(snapshot, pads), state="foreseen")


class Shortsighted(NumbersEdition):
    def predict(self, snapshot: Snapshot, pads: Sequence[Pad]) -> Snapshot:
        return snapshot


BROKEN: dict[type[NumbersEdition], str] = {
    Impure: "decoding: decoder(player=0): the same bytes gave two snapshots that differ",
    Writeable: "decoding: Snapshot.playfield must be read-only",
    Reshaped: "decoding: Snapshot.playfield must be uint8 (8, 5), not uint8 (7, 5)",
    FailsOnZeros: "decoding: raised ZeroDivisionError: of nothing",
    ShowsTheSeed: "Snapshot.counters shows seed, which the map hides from search",
    HidesTheSeedElsewhere: "play: a snapshot must not depend on what the map hides from search",
    NumpyNumbers: "Snapshot.counters must be plain integers",
    SeesPiecesAnywhere: "a snapshot of an unknown phase must show no piece",
    LosesThePiece: "play: the first frame after a lock must still show the piece",
    NeverLocks: "play: 0 of 3 pieces locked in 900 frames; the last state is ",
    NoPieceInPlay: "play: a snapshot of play must show the piece in the air (state playing)",
    Clairvoyant: "decoding: predict(snapshot, ()) must give the same snapshot",
    Shortsighted: "frames of play: predict of one pad gave Piece(",
}
