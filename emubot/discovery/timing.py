"""Measures how pieces fall, and states it in a map if the map then foretells where they are to the frame."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Any, Final

import numpy as np

from emubot import games
from emubot.discovery.clocks import Falling, Timer, speeds_of, timers_of
from emubot.discovery.lab import History, Lab
from emubot.discovery.recording import Bits, Marks, Recorder
from emubot.discovery.sharing import free_in, with_values
from emubot.games.edition import Edition
from emubot.games.tetris.anyboard.checks import has_own_board
from emubot.games.tetris.decode.value_names import TIMER
from emubot.pad import Pad
from emubot.rammap import RamMap
from emubot.rammap.spaces import address_of, index_of
from emubot.rammap.strict_yaml import Hex
from emubot.snapshot import Phase, Snapshot

SPEED: Final = "speed"
_LONG: Final = 240  # frames in which a piece falls by itself
_DROP: Final = 60  # the same with a button held
_MOMENTS: Final = 8  # from which pieces fall
_LATEST: Final = 4  # levels that must have been seen at one speed before that counts as the only one
_LINES: Final = 20  # the same in lines, where no level was found
_PADS: Final = 48  # frames that are foretold
_EVERY: Final = 6  # frames from one that is compared to the next


@dataclass(frozen=True, slots=True)
class Timing:
    """A map that says when pieces fall, and how that is known; or why it does not."""

    ram_map: RamMap | None
    evidence: dict[str, str]
    why: str


def timing_of(lab: Lab, ram_map: RamMap, seen: Recorder) -> Timing:
    """Returns the map with the fall stated, if it foretells pieces under any pads."""
    if not ram_map.document.plans_frames:
        return Timing(None, {}, "its pad is not read in every frame, or a press moves a piece down by one row")
    marks, edition = seen.marks(), games.open_edition(ram_map)
    free = free_in(ram_map, marks.images.shape[1])
    moments = _moments(marks, ram_map, len(seen.states))
    states = [seen.states[place] for place in moments]
    pieces = [_falling(edition, lab.replay(state, [Pad.NONE] * _LONG)) for state in states]
    whole = [place for place, piece in enumerate(pieces) if piece.frames_per_row is not None]
    if not whole:
        return Timing(None, {}, "no piece fell a row at a time, always after as many frames")
    moments, pieces = [moments[place] for place in whole], [pieces[place] for place in whole]
    near = index_of(ram_map.addresses("y")[0]) if "y" in ram_map.value_names else 0
    timers = timers_of(pieces, free, near)
    if not timers:
        return Timing(None, {}, "no byte counts to the fall")
    stated = _stated(ram_map, marks, moments, pieces, timers[0], free)
    if isinstance(stated, str):
        return Timing(None, {}, stated)
    values, timing, evidence = stated
    drops = ram_map.buttons.soft_drop
    if drops:
        sped = [_falling(edition, lab.replay(state, [drops] * _DROP)).frames_per_row for state in states]
        soft = {frames for frames in sped if frames is not None}
        if len(soft) != 1:
            return Timing(None, {}, "with DOWN held a piece does not fall a row at a time, always after as many frames")
        timing["soft_drop"] = soft.pop()
        evidence["timing.soft_drop"] = f"{len(states)} pieces with DOWN held"
    better = with_values(ram_map, values, timing)
    if not _foretells(lab, games.open_edition(better), states):
        return Timing(None, {}, "what a byte that counts to the fall foretells is not where pieces are")
    return Timing(better, evidence, "")


def _moments(marks: Marks, ram_map: RamMap, states: int) -> list[int]:
    """Returns marks at all levels, and spread over the games."""
    chosen = [int(place) for place in np.linspace(0, states - 1, min(_MOMENTS, states))]
    if "level" in ram_map.value_names:
        codes = _codes(marks, ram_map)
        for code in np.unique(codes):
            chosen += [int(place) for place in np.flatnonzero(codes == code)[:2]]
    return sorted({place for place in chosen if place < states})


def _codes(marks: Marks, ram_map: RamMap) -> History:
    """Returns the byte of the level at each mark."""
    return np.asarray(marks.images[:, index_of(ram_map.addresses("level")[0])], np.uint8)


def _falling(edition: Edition, images: History) -> Falling:
    """Returns the frames up to the lock."""
    rows: list[int] = []
    for snapshot in _snapshots(edition, images):
        if snapshot.phase is not Phase.PLAYING or snapshot.current is None:
            break
        if rows and snapshot.current.row < rows[-1]:
            break
        rows.append(snapshot.current.row)
    return Falling(images[: len(rows)], np.array(rows, np.int64))


def _snapshots(edition: Edition, images: History) -> Iterator[Snapshot]:
    decode, size = edition.decoder(0), edition.ram_map.image_size
    for image in images:
        yield decode(image[:size].tobytes())


def _stated(
    ram_map: RamMap, marks: Marks, moments: Sequence[int], pieces: Sequence[Falling], timer: Timer, free: Bits
) -> tuple[dict[str, Any], dict[str, Any], dict[str, str]] | str:
    """Returns values, timing and evidence of the fall; or half a sentence on what stands against stating it."""
    speeds = [piece.frames_per_row or 0 for piece in pieces]
    told = f"in {len(pieces)} pieces that fell by themselves"
    count = {f"values.{TIMER}": f"counted the frames to each fall {told}"}
    if len(set(speeds)) == 1 and _is_only_one(ram_map, marks):
        (speed,) = set(speeds)
        evidence = count | {"timing.gravity": f"{told}, up to {int(marks.lines.max())} lines"}
        return {TIMER: _value(timer, [{}], speed)}, {"gravity": [speed]}, evidence
    listed = ", ".join(map(str, dict.fromkeys(speeds)))
    if not has_own_board(ram_map):
        return f"frames per row: {listed}, and a table of the usual board must have all levels"
    byte = speeds_of(pieces, free)
    if byte and not timer.up:
        values = {SPEED: {"at": Hex(address_of(byte[0]))}, TIMER: _value(timer, [{}], 0)}
        return values, {"gravity_value": SPEED}, count | {f"values.{SPEED}": f"held the frames per row {told}"}
    if "level" not in ram_map.value_names:
        return f"frames per row: {listed}, and no level was found"
    codes = _codes(marks, ram_map)[moments]
    table = dict(zip(map(int, codes), speeds, strict=True))
    if any(table[int(code)] != speed for code, speed in zip(codes, speeds, strict=True)):
        return f"frames per row: {listed}, at the same level"
    at = Hex(ram_map.addresses("level")[0])
    speed_value = {"at": at, "table": _listed(table), "otherwise": 0}
    parts = [
        {"at": at, "table": _listed({code: speed + timer.ahead for code, speed in table.items()}), "otherwise": 255}
    ]
    values = {SPEED: speed_value, TIMER: _value(timer, parts, 0)}
    remark = f"the frames per row at the levels that were seen, {told}; at others nothing is planned ahead"
    return values, {"gravity_value": SPEED}, count | {f"values.{SPEED}": remark}


def _is_only_one(ram_map: RamMap, marks: Marks) -> bool:
    """Returns whether so much was played at one speed that no other is expected."""
    if "level" in ram_map.value_names:
        return len(np.unique(_codes(marks, ram_map))) >= _LATEST
    return bool(marks.lines.max(initial=0) >= _LINES)


def _value(timer: Timer, parts: list[dict[str, Any]], speed: int) -> dict[str, Any]:
    """Returns the value of the frames to the fall; upwards the frames per row, `speed` or `parts`, less the byte."""
    at = {"at": Hex(address_of(timer.index))}
    if not timer.up:
        return at | ({"offset": -timer.ahead} if timer.ahead else {})
    if speed:
        return at | {"offset": -speed - timer.ahead, "scale": -1}
    return {"parts": [*parts, at | {"times": -1}]}


def _listed(table: dict[int, int]) -> dict[str, int]:
    return {repr(Hex(code)): number for code, number in sorted(table.items())}


def _foretells(lab: Lab, edition: Edition, states: Sequence[bytes]) -> bool:
    """Returns whether a map tells from one frame where pieces are in the next ones, under any pads."""
    rng, compared = np.random.default_rng(0), 0
    for state in states:
        lab.load(state)
        pads = _random_pads(edition, rng)
        first, *real = _snapshots(edition, lab.play([Pad.NONE, *pads]))
        if first.phase is not Phase.PLAYING or first.current is None:
            continue
        for frames in range(_EVERY, _PADS + 1, _EVERY):
            foretold = edition.predict(first, pads[:frames])
            if foretold.phase is not Phase.PLAYING:
                break
            if real[frames - 1].phase is not Phase.PLAYING or real[frames - 1].current != foretold.current:
                return False
            compared += 1
    return compared >= len(states)


def _random_pads(edition: Edition, rng: np.random.Generator) -> list[Pad]:
    """Returns taps in every second frame at most, and drops that last."""
    buttons = edition.ram_map.buttons
    taps = [buttons.left, buttons.right, buttons.rotate_clockwise, buttons.rotate_counterclockwise]
    pads: list[Pad] = []
    while len(pads) < _PADS:
        tap = taps[int(rng.integers(len(taps)))]
        if rng.random() < 0.3 and buttons.soft_drop:
            pads += [buttons.soft_drop] * int(rng.integers(2, 9)) + [Pad.NONE]
        else:
            pads += [tap or Pad.NONE] + [Pad.NONE] * int(rng.integers(1, 6))
    return pads[:_PADS]
