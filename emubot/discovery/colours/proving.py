"""Drafts the map of a colour game from its findings and proves it by play; writes no file."""

from __future__ import annotations

from collections.abc import Iterator

from emubot.discovery.attempt import Attempt, Discovery, text_of, why_not
from emubot.discovery.colours.draft import draft, stages_of
from emubot.discovery.colours.findings import ColourFindings
from emubot.discovery.colours.laws import PUYO
from emubot.discovery.colours.study import ColourStudy, study
from emubot.discovery.completion import Completion
from emubot.discovery.finishing import framed
from emubot.discovery.proof import PIECES
from emubot.errors import NotDiscovered


def colour_discovery(attempt: Attempt, findings: ColourFindings) -> Discovery:
    """Returns a cartridge whose field and piece are known. Raises NotDiscovered if its rules are not found, or fail."""
    lab, tell = attempt.lab, attempt.tell
    studied = study(lab, findings, tell)
    proof = attempt.proved(draft(studied, attempt.title, attempt.sha1), PIECES)
    if not proof.holds:
        raise NotDiscovered(f"A draft was made, but it did not prove right, so nothing is written: {why_not(proof)}")
    tell("looking for the board in the picture ...")
    lab.load(attempt.power_on)
    whole = framed(attempt.bridge, Completion(proof.ram_map, {}, tuple(_open(studied))), attempt.prepare)
    piece = findings.piece
    return Discovery(
        rows=findings.field.rows - studied.hidden,
        columns=findings.field.columns,
        values={
            "x": (piece.column.index,),
            "y": (piece.row.index,),
            "piece": tuple(sorted({part.index for part in piece.parts})),
            "next_piece": tuple(sorted({part.index for part in piece.next_parts})),
        },
        locks=len(studied.moves),
        ram_map=whole.ram_map,
        text=text_of(proof, whole),
        proof=proof,
        left_open=whole.left_open,
        frames=lab.frames,
    )


def _open(studied: ColourStudy) -> Iterator[str]:
    """Yields half a sentence for each thing that was not found out."""
    law, kicks = studied.law, studied.kicks
    if law.family == PUYO:
        tried = {"wall_kick": kicks.wall, "floor_kick": kicks.floor, "quick_turn": kicks.quick}
        yield from (f"the rule {name} (it was not seen)" for name, kick in tried.items() if kick is None)
    told = law.family == PUYO and len({other.hidden for other in studied.judged.laws}) == 1
    if not told and studied.findings.field.hidden is None:
        yield "which rows are hidden (the picture did not show it; it is told by where pieces enter)"
    if len({other.match for other in studied.judged.laws}) > 1:
        yield "whether diagonals vanish, too (none came; the map says that they do not)"
    if law.targets:
        yield f"the targets of the stages after stage {len(stages_of(studied))}, which were not seen"
    if not studied.findings.piece.next_parts:
        yield "the next piece (no byte told it every time)"
    yield "score, chain and the second player (nothing looks for them in games of colours yet)"
    yield "when pieces fall"
