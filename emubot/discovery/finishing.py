"""Finishes a map that was proved: the board in the picture, counters, and when pieces fall; writes no file."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from typing import Final

from emubot.bridges.protocol import Bridge
from emubot.discovery.completion import Completion, completed
from emubot.discovery.lab import Lab
from emubot.discovery.picture import board_in_picture
from emubot.discovery.proof import PIECES, Proof, prove
from emubot.discovery.timing import timing_of
from emubot.games.edition import Edition
from emubot.rammap.rewriting import with_screen

_SLOWER: Final = 1.1  # times as many frames for each piece

Prepare = Callable[[Edition], None]


def finished(
    lab: Lab, bridge: Bridge, power_on: bytes, proof: Proof, prepare: Prepare, tell: Callable[[str], None]
) -> Completion:
    """Returns the map of a proof that holds, with all that its play and further experiments show.

    `power_on` is the moment from which it is proved again where it states more than counters.
    """
    tell("looking for the board in the picture ...")
    lab.load(power_on)
    whole = framed(bridge, completed(proof.ram_map, proof.seen.marks()), prepare)
    timing = timing_of(lab, whole.ram_map, proof.seen)
    why = timing.why
    if timing.ram_map is not None:
        tell("proving the draft again, planned to the frame ...")
        lab.load(power_on)
        again = prove(bridge, timing.ram_map, prepare, PIECES)
        if again.holds and again.replans <= proof.replans and again.pace <= _SLOWER * proof.pace:
            return replace(whole, ram_map=timing.ram_map, evidence=whole.evidence | timing.evidence)
        why = "what was planned to the frame came true less often, or later"
    return replace(whole, left_open=(*whole.left_open, f"when pieces fall ({why})"))


def framed(bridge: Bridge, whole: Completion, prepare: Prepare) -> Completion:
    """Returns the map with the place of the board in the picture, if that is found; plays from here on."""
    ram_map = whole.ram_map
    screen = board_in_picture(bridge, ram_map, prepare)
    if screen is None:
        why = "the board in the picture (no place explains what changes there when a piece locks)"
        return replace(whole, left_open=(*whole.left_open, why))
    remark = "the picture changes there when a piece locks"
    better = ram_map.with_data(with_screen(ram_map.data, screen), ram_map.sha1)
    return Completion(better, {**whole.evidence, "grid.screen": remark}, whole.left_open)
