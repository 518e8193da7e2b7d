"""Finds out what an unknown cartridge is, drafts its map, and proves the draft by playing; writes no file."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from dataclasses import replace
from itertools import chain, islice
from typing import Final

from emubot.bridges.protocol import Bridge
from emubot.discovery.arriving import reach_play
from emubot.discovery.attempt import Attempt, Discovery, text_of, why_not
from emubot.discovery.colours.proving import colour_discovery
from emubot.discovery.colours.survey import colour_findings
from emubot.discovery.draft import draft
from emubot.discovery.finishing import finished
from emubot.discovery.lab import Lab
from emubot.discovery.proof import Proof
from emubot.discovery.survey import COLOUR_CELLS, Survey, surveys
from emubot.errors import NotDiscovered
from emubot.games.edition import Edition

_STRANGERS: Final = 6  # kinds of pieces that a proof may meet for the first time
_AGAIN: Final = 2  # other bytes that may be the piece's place, with which a draft is made if the first ones fail
_NAMES: Final = 3  # bytes that name the piece, the likeliest first, with which a draft is tried


def discover(
    bridge: Bridge, title: str, sha1: str, tell: Callable[[str], None], prepare: Callable[[Edition], None]
) -> Discovery:
    """Experiment with the cartridge that a bridge has just started; `tell` gets a line for each step.

    `prepare` is called with an edition before a pilot plays it. Raises NotDiscovered if something that a map needs was
    not found, or if no draft proved right; UsageError if the bridge has no save states.
    """
    lab = Lab(bridge)
    attempt = Attempt(lab, bridge, lab.save(), title, sha1, tell, prepare)
    way = reach_play(lab, tell)
    blocks = surveys(lab, way, tell)
    unproved: list[Survey] = []  # that may be colours
    try:
        found = _survey(next(blocks))
        if not _may_be_colours(found):
            return _blocks(attempt, found)
        unproved.append(found)
        no_blocks = None
    except NotDiscovered as error:
        no_blocks = error
    tell("looking for pieces of several colours ...")
    try:
        findings = colour_findings(lab, way.goal, way.stations, tell)
    except NotDiscovered as no_colours:
        tell("going back to falling blocks ...")
        try:
            return _any_blocks(attempt, chain(unproved, islice(blocks, _AGAIN)))
        except NotDiscovered as error:
            raise NotDiscovered(f"As falling blocks: {no_blocks or error} As colours: {no_colours}") from None
    return colour_discovery(attempt, findings)


def _survey(found: Survey | NotDiscovered) -> Survey:
    if isinstance(found, NotDiscovered):
        raise found
    return found


def _may_be_colours(found: Survey) -> bool:
    """Returns whether all pieces have as many cells as those of colours: rows that vanish need more than that."""
    shapes = found.coordinates.orientations if found.coordinates else found.shapes.orientations
    sizes = {len(one.cells) for one in shapes}
    return len(sizes) == 1 and max(sizes) in COLOUR_CELLS


def _blocks(attempt: Attempt, found: Survey) -> Discovery:
    """Returns a cartridge of falling blocks, with the first name of its piece that proves right."""
    failed: Proof | None = None
    for candidate in _candidates(found):
        tried, proof = _proved(attempt, candidate)
        if proof.holds:
            lab, power_on = attempt.lab, attempt.power_on
            whole = finished(lab, attempt.bridge, power_on, proof, attempt.prepare, attempt.tell)
            upcoming = tried.next_name.bytes if tried.next_name else ()
            return Discovery(
                rows=tried.geometry.rows,
                columns=tried.geometry.lattice.columns,
                values={
                    "x": (tried.column.index,),
                    "y": (tried.row.index,),
                    "piece": tried.piece_bytes,
                    "next_piece": upcoming,
                },
                locks=tried.locks,
                ram_map=whole.ram_map,
                text=text_of(proof, whole),
                proof=proof,
                left_open=whole.left_open,
                frames=lab.frames,
            )
        failed = failed or proof
    assert failed is not None, "a survey names the piece"
    raise NotDiscovered(f"A draft was made, but it did not prove right, so nothing is written: {why_not(failed)}")


def _any_blocks(attempt: Attempt, tried: Iterable[Survey | NotDiscovered]) -> Discovery:
    """Returns a cartridge of falling blocks by the first of these surveys that proves right."""
    failed: NotDiscovered | None = None
    for found in tried:
        try:
            return _blocks(attempt, _survey(found))
        except NotDiscovered as error:
            failed = failed or error
    raise failed or NotDiscovered("No other bytes follow the piece.")


def _proved(attempt: Attempt, tried: Survey) -> tuple[Survey, Proof]:
    """Plays by the draft of a survey; pieces that come for the first time are added to it."""
    proof = attempt.proved(draft(tried, attempt.title, attempt.sha1))
    for _ in range(_STRANGERS):
        if proof.stranger is None:
            break
        attempt.tell("a piece came that was not seen before; dropping it ...")
        tried = tried.look_at(tried, proof.stranger)
        proof = attempt.proved(draft(tried, attempt.title, attempt.sha1))
    return tried, proof


def _candidates(found: Survey) -> list[Survey]:
    """Returns the survey with each of the names that the piece may have; shapes were collected for the first one.

    Before these comes the other reading of a table of rows, if it is open which one is right.
    """
    geometry = found.geometry
    others = [replace(found, names=(name,), shapes=found.shapes.unknown()) for name in found.names[1:_NAMES]]
    if geometry.other_table is not None:
        others.insert(0, replace(found, geometry=replace(geometry, table=geometry.other_table, other_table=None)))
    return [found, *others]
