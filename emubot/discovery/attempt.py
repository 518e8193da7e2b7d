"""What the experiments with one cartridge share: how a draft is proved, and what a discovery says; writes no file."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass

from emubot import games
from emubot.bridges.protocol import Bridge
from emubot.discovery.completion import Completion
from emubot.discovery.lab import Lab
from emubot.discovery.proof import MOST_PIECES, PIECES, Proof, prove
from emubot.errors import MapError, NotDiscovered
from emubot.games.edition import Edition
from emubot.rammap import RamMap, parse_map
from emubot.rammap.writing import map_text
from emubot.text import counted


@dataclass(frozen=True, slots=True)
class Discovery:
    """An unknown cartridge that was found out: its map with what was learnt, as text too, and how it was proved.

    `values` has the bytes of the piece's values by their names, `locks` counts the pieces that were watched.
    `left_open` has half a sentence for each thing that was looked for and is not in the map.
    """

    rows: int
    columns: int
    values: Mapping[str, tuple[int, ...]]
    locks: int
    ram_map: RamMap
    text: str
    proof: Proof
    left_open: tuple[str, ...]
    frames: int  # of all experiments


@dataclass(frozen=True, slots=True)
class Attempt:
    """What experiments and proofs of one cartridge share."""

    lab: Lab
    bridge: Bridge
    power_on: bytes
    title: str
    sha1: str
    tell: Callable[[str], None]
    prepare: Callable[[Edition], None]

    def proved(self, text: str, most: int = MOST_PIECES) -> Proof:
        """Plays up to `most` pieces by a draft from power-on. Raises NotDiscovered if no family can play it."""
        try:
            ram_map = parse_map(text, self.title)
            games.open_edition(ram_map)
        except MapError as wrong:
            raise NotDiscovered(
                f"What the experiments found makes no valid map, so nothing is written: {wrong}"
            ) from None
        self.tell(f"proving the draft: {counted(PIECES, 'piece')} must lock where they were meant to ...")
        self.lab.load(self.power_on)
        return prove(self.bridge, ram_map, self.prepare, most)


def text_of(proof: Proof, whole: Completion) -> str:
    """Returns the text of a whole map that was proved."""
    planned = counted(proof.pieces, "piece")
    return map_text(
        whole.ram_map,
        proof.evidence | whole.evidence,
        f"Proved by emubot: {planned} planned by this map locked where they were meant to.",
    )


def why_not(proof: Proof) -> str:
    """Returns half a sentence on what did not come true."""
    if proof.doubts:
        return proof.doubts[0]
    if proof.misplaced:
        return f"of {counted(proof.pieces, 'piece')} {proof.misplaced} locked elsewhere than planned."
    if proof.pieces or proof.learnt:
        played = counted(proof.pieces + proof.learnt, "piece")
        return f"{played} were played, then none came: the map showed {proof.state}."
    return f"no piece was played: the map showed {proof.state}."
