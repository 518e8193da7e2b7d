"""An explanation as JSON; decides nothing and prints nothing."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Final

from emubot.explanation import joined
from emubot.pad import Pad, describe
from emubot.snapshot import Piece

if TYPE_CHECKING:
    from collections.abc import Sequence

    from emubot.explanation import ExplainedPlacement, ExplainOptions, Explanation, FieldAfter, Misdrops, Part, Risk
    from emubot.games.edition import Depiction
    from emubot.session.positions import FoundPosition
    from emubot.snapshot import Step

_BEST: Final = "1"  # a cell of the best placement on the board
_DIGITS: Final = 6  # of the bounds of a share


def as_json(
    found: FoundPosition, look: Depiction, explained: Explanation, weights: str, options: ExplainOptions
) -> dict[str, Any]:
    """Returns the one JSON object; docs/how-to/explain.md says what the keys mean."""
    return {
        "game": found.edition.game.name,
        "map": found.edition.ram_map.name,
        "row": found.row,
        "settings": {
            **explained.settings,
            "weights": weights,
            "seed": options.seed,
            "human_error": None if options.human is None else str(options.human),
        },
        "position": {
            "board": _board(explained, look),
            "piece": explained.piece,
            "next": explained.next_piece,
            "in_air": _in_air(explained, look),
            "hidden_rows": explained.notation.hidden_rows,
            "width": 2 if explained.notation.joints else 1,
        },
        "nodes": explained.nodes,
        "unit": explained.unit,
        "meaning": explained.meaning,
        "rollouts": explained.rollouts if options.games else None,
        "fields": explained.fields,
        "placements": [
            _placement(rank, one, look, explained) for rank, one in enumerate(explained.placements, start=1)
        ],
    }


def _placement(rank: int, one: ExplainedPlacement, look: Depiction, explained: Explanation) -> dict[str, Any]:
    place = one.placement
    piece = Piece(place.orientation, place.column, place.row)
    return {
        "rank": rank,
        "name": one.name,
        "orientation": place.orientation,
        "column": place.column,
        "row": place.row,
        "cells": [[cell.column, cell.row] for cell in look.cells(explained.snapshot, piece)],
        "chosen": one.chosen,
        "value": one.value,
        "next": one.next_name,
        "depths": [{"pieces": depth.pieces, "value": depth.value} for depth in one.depths],
        "parts": _parts_of(one.parts),
        "risk": None if one.risk is None else _risk(one.risk),
        "misdrops": None if one.misdrops is None else _misdrops(one.misdrops),
        "frames": None if place.moves else len(place.timeline),
        "inputs": inputs_of(place.timeline),
        "moves": [describe(step.pad) for step in place.moves],
        "after": None if one.after is None else _after(one.after),
    }


def _parts_of(parts: Sequence[Part]) -> list[dict[str, Any]]:
    return [{"name": part.name, "value": part.value, "amount": part.amount} for part in parts]


def _after(after: FieldAfter) -> dict[str, Any]:
    """Returns the field that a placement leaves, with the chain that is built on it."""
    chain = after.chain
    return {
        "board": joined(after.lines, after.joints),
        "value": sum(part.value for part in after.parts) if after.parts else None,
        "unit": after.unit,
        "parts": _parts_of(after.parts),
        "cleared": dict(after.cleared),
        "words": list(after.words),
        "chain": None
        if chain is None
        else {
            "steps": chain.steps,
            "points": chain.points,
            "color": chain.color,
            "trigger": [list(cell) for cell in chain.trigger],
            "cells": [[*cell, step] for cell, step in zip(chain.cells, chain.popped_in, strict=True)],
        },
    }


def _risk(risk: Risk) -> dict[str, Any]:
    from emubot.trials.statistics import share

    died = risk.deaths / risk.games
    low, high = (round(bound, _DIGITS) for bound in share(died, risk.games))
    counts = {"pieces": risk.pieces, "games": risk.games, "deaths": risk.deaths}
    return {**counts, "share": died, "low95": low, "high95": high}


def _misdrops(misdrops: Misdrops) -> dict[str, Any]:
    from emubot.trials.statistics import share

    missed = misdrops.misses / misdrops.tries
    low, high = (round(bound, _DIGITS) for bound in share(missed, misdrops.tries))
    return {"tries": misdrops.tries, "misses": misdrops.misses, "share": missed, "low95": low, "high95": high}


def inputs_of(timeline: Sequence[Step]) -> list[dict[str, Any]]:
    """Returns the buttons: each run of frames with the same ones held, the next frame being 1."""
    inputs: list[dict[str, Any]] = []
    for frame, step in enumerate(timeline, start=1):
        buttons = [] if step.pad == Pad.NONE else describe(step.pad).split("+")
        if inputs and inputs[-1]["buttons"] == buttons and inputs[-1]["last"] == frame - 1:
            inputs[-1]["last"] = frame
        elif buttons:
            inputs.append({"first": frame, "last": frame, "buttons": buttons})
    return inputs


def _board(explained: Explanation, look: Depiction) -> list[str]:
    """Returns the board as text, with the best placement marked."""
    snapshot, notation = explained.snapshot, explained.notation
    above = notation.hidden_rows
    hidden = [[notation.cell(int(cell)) for cell in row] for row in snapshot.hidden[:above][::-1]]
    drawn = hidden + [[notation.cell(int(cell)) for cell in row] for row in snapshot.playfield]
    joints = [list(line) for line in notation.joints]
    marks = [] if snapshot.current is None else [(snapshot.current, "")]
    if explained.placements:
        best = explained.placements[0].placement
        marks.append((Piece(best.orientation, best.column, best.row), _BEST))
    for piece, mark in marks:
        for cell in look.cells(snapshot, piece):
            if 0 <= cell.row + above < len(drawn) and 0 <= cell.column < len(drawn[0]):
                drawn[cell.row + above][cell.column] = mark or notation.falling(cell.kind)
                if joints:
                    joints[cell.row + above][cell.column] = " " if mark else notation.air_mark
    return joined(["".join(row) for row in drawn], ["".join(row) for row in joints])


def _in_air(explained: Explanation, look: Depiction) -> str:
    """Returns the characters that draw the piece in the air."""
    piece = explained.snapshot.current
    cells = () if piece is None else look.cells(explained.snapshot, piece)
    return "".join(dict.fromkeys(explained.notation.falling(cell.kind) for cell in cells))


def risk_text(risk: dict[str, Any] | None) -> str:
    """Returns a risk with its 95 % interval, in percent."""
    if risk is None:
        return "-"
    return f"{100 * risk['share']:.1f} % ({100 * risk['low95']:.1f}-{100 * risk['high95']:.1f})"
