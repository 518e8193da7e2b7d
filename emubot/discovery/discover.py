"""Finds out what an unknown cartridge is, drafts its map, and proves the draft by playing; writes no file."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, replace
from typing import Final

from emubot.bridges.protocol import Bridge
from emubot.discovery.completion import Completion
from emubot.discovery.draft import draft
from emubot.discovery.finishing import finished
from emubot.discovery.lab import Lab
from emubot.discovery.proof import PIECES, Proof, prove
from emubot.discovery.survey import Survey, survey
from emubot.errors import MapError, NotDiscovered
from emubot.games.edition import Edition
from emubot.rammap import RamMap, parse_map
from emubot.rammap.writing import map_text
from emubot.text import counted

_NAMES: Final = 3  # bytes that name the piece, the likeliest first, with which a draft is tried


@dataclass(frozen=True, slots=True)
class Discovery:
    """An unknown cartridge that was found out: its map with what was learnt, as text too, and how it was proved.

    `left_open` has half a sentence for each thing that was looked for and is not in the map.
    """

    survey: Survey
    ram_map: RamMap
    text: str
    proof: Proof
    left_open: tuple[str, ...]
    frames: int  # of all experiments


def discover(
    bridge: Bridge, title: str, sha1: str, tell: Callable[[str], None], prepare: Callable[[Edition], None]
) -> Discovery:
    """Experiment with the cartridge that a bridge has just started; `tell` gets a line for each step.

    `prepare` is called with an edition before a pilot plays it. Raises NotDiscovered if something that a map needs was
    not found, or if no draft proved right; UsageError if the bridge has no save states.
    """
    lab = Lab(bridge)
    power_on = lab.save()
    found = survey(lab, tell)
    failed: Proof | None = None
    for tried in _candidates(found):
        ram_map = _parsed(draft(tried, title, sha1), title)
        tell(f"proving the draft: {counted(PIECES, 'piece')} must lock where they were meant to ...")
        lab.load(power_on)
        proof = prove(bridge, ram_map, prepare)
        if proof.holds:
            whole = finished(lab, bridge, power_on, proof, prepare, tell)
            return Discovery(tried, whole.ram_map, _text(proof, whole), proof, whole.left_open, lab.frames)
        failed = failed or proof
    assert failed is not None, "a survey names the piece"
    raise NotDiscovered(f"A draft was made, but it did not prove right, so nothing is written: {_why(failed)}")


def _candidates(found: Survey) -> list[Survey]:
    """Returns the survey with each of the names that the piece may have; shapes were collected for the first one."""
    others = [replace(found, names=(name,), shapes=found.shapes.unknown()) for name in found.names[1:_NAMES]]
    return [found, *others]


def _parsed(text: str, title: str) -> RamMap:
    try:
        return parse_map(text, title)
    except MapError as wrong:
        raise NotDiscovered(f"What the experiments found makes no valid map, so nothing is written: {wrong}") from None


def _text(proof: Proof, whole: Completion) -> str:
    planned = counted(proof.pieces, "piece")
    return map_text(
        whole.ram_map,
        proof.evidence | whole.evidence,
        f"Proved by emubot: {planned} planned by this map locked where they were meant to.",
    )


def _why(proof: Proof) -> str:
    """Returns half a sentence on what did not come true."""
    if proof.doubts:
        return proof.doubts[0]
    if proof.misplaced:
        return f"of {counted(proof.pieces, 'piece')} {proof.misplaced} locked elsewhere than planned."
    if proof.pieces or proof.learnt:
        played = counted(proof.pieces + proof.learnt, "piece")
        return f"{played} were played, then none came: the map showed {proof.state}."
    return f"no piece was played: the map showed {proof.state}."
