"""An explanation as JSON and as text for a terminal; decides nothing and prints nothing."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Final

from emubot.pad import Pad, describe
from emubot.snapshot import Piece

if TYPE_CHECKING:
    from collections.abc import Sequence

    from rich.console import RenderableType

    from emubot.explanation import ExplainedPlacement, ExplainOptions, Explanation, Risk
    from emubot.games.protocol import Depictable
    from emubot.session.positions import FoundPosition
    from emubot.snapshot import Snapshot, Step

_FILLED, _EMPTY, _IN_AIR, _BEST = "#.o1"
_DIGITS: Final = 6  # of the bounds of a share
_COLUMNS: Final = 5  # placements whose parts stand side by side in the text


def as_json(
    found: FoundPosition, look: Depictable, explained: Explanation, weights: str, options: ExplainOptions
) -> dict[str, Any]:
    """Returns the one JSON object; docs/explain.md says what the keys mean."""
    return {
        "game": found.game.name,
        "map": found.ram_map.name,
        "row": found.row,
        "settings": {**explained.settings, "weights": weights, "seed": options.seed},
        "position": {
            "board": _board(explained.snapshot, look, explained.placements),
            "piece": explained.piece,
            "next": explained.next_piece,
        },
        "nodes": explained.nodes,
        "unit": explained.unit,
        "meaning": explained.meaning,
        "rollouts": explained.rollouts if options.games else None,
        "placements": [
            _placement(rank, one, look, explained.snapshot) for rank, one in enumerate(explained.placements, start=1)
        ],
    }


def _placement(rank: int, one: ExplainedPlacement, look: Depictable, snapshot: Snapshot) -> dict[str, Any]:
    place = one.placement
    piece = Piece(place.orientation, place.column, place.row)
    return {
        "rank": rank,
        "name": one.name,
        "orientation": place.orientation,
        "column": place.column,
        "row": place.row,
        "cells": [[cell.column, cell.row] for cell in look.cells(snapshot, piece)],
        "chosen": one.chosen,
        "value": one.value,
        "next": one.next_name,
        "depths": [{"pieces": depth.pieces, "value": depth.value} for depth in one.depths],
        "parts": [{"name": part.name, "value": part.value, "amount": part.amount} for part in one.parts],
        "risk": None if one.risk is None else _risk(one.risk),
        "frames": len(place.timeline),
        "inputs": _inputs(place.timeline),
    }


def _risk(risk: Risk) -> dict[str, Any]:
    from emubot.trials.statistics import share

    died = risk.deaths / risk.games
    low, high = (round(bound, _DIGITS) for bound in share(died, risk.games))
    counts = {"pieces": risk.pieces, "games": risk.games, "deaths": risk.deaths}
    return {**counts, "share": died, "low95": low, "high95": high}


def _inputs(timeline: Sequence[Step]) -> list[dict[str, Any]]:
    """Returns the buttons: each run of frames with the same ones held, the next frame being 1."""
    inputs: list[dict[str, Any]] = []
    for frame, step in enumerate(timeline, start=1):
        buttons = [] if step.pad == Pad.NONE else describe(step.pad).split("+")
        if inputs and inputs[-1]["buttons"] == buttons and inputs[-1]["last"] == frame - 1:
            inputs[-1]["last"] = frame
        elif buttons:
            inputs.append({"first": frame, "last": frame, "buttons": buttons})
    return inputs


def _board(snapshot: Snapshot, look: Depictable, placements: Sequence[ExplainedPlacement]) -> list[str]:
    """Returns the board as text, with the best placement marked."""
    drawn = [[_FILLED if cell else _EMPTY for cell in row] for row in snapshot.playfield]
    marks = [] if snapshot.current is None else [(snapshot.current, _IN_AIR)]
    if placements:
        best = placements[0].placement
        marks.append((Piece(best.orientation, best.column, best.row), _BEST))
    for piece, mark in marks:
        for cell in look.cells(snapshot, piece):
            if 0 <= cell.row < len(drawn) and 0 <= cell.column < len(drawn[0]):
                drawn[cell.row][cell.column] = mark
    return ["".join(row) for row in drawn]


def risk_text(risk: dict[str, Any] | None) -> str:
    """Returns a risk with its 95 % interval, in percent."""
    if risk is None:
        return "-"
    return f"{100 * risk['share']:.1f} % ({100 * risk['low95']:.1f}-{100 * risk['high95']:.1f})"


def as_text(result: dict[str, Any]) -> list[RenderableType]:
    """Returns what is shown in a terminal, from the JSON object."""
    from rich.panel import Panel
    from rich.table import Table
    from rich.text import Text

    head = Table.grid(padding=(0, 2))
    head.add_row(Panel(Text("\n".join(result["position"]["board"])), padding=0, expand=False), Text(_head(result)))
    shown: list[RenderableType] = [head]
    if not result["placements"]:
        return [*shown, Text("The piece can lock nowhere within reach: the game ends.")]
    shown += [_ranking(result), Text(" made of (1: as it is; the others: more or less than 1)"), _parts(result)]
    shown += [Text(" buttons by frame (1 is the next one), and then the next piece")]
    shown += [Text(f"  {one['rank']}: {_inputs_text(one)}") for one in result["placements"]]
    return shown


def _head(result: dict[str, Any]) -> str:
    settings, position = result["settings"], result["position"]
    row = "" if result["row"] is None else f", row {result['row']}"
    lines = [
        f"{result['game']}, {settings['rules']}, level {settings['level']}, {settings['lines']} lines{row}",
        f"in the air (o): {position['piece']}, next: {position['next'] or 'not known'}",
        f"taps {settings['taps']}, weights {settings['weights']}",
        "",
        f"value: {result['meaning']}",
        "",
        f"*: the bot plays this one, after {result['nodes']:,} boards",
    ]
    risk = result["placements"][0]["risk"] if result["placements"] else None
    if risk is not None:
        lines += [
            "",
            f"dies: how many of {risk['games']:,} {result['rollouts']} (95 % interval; seed {settings['seed']})",
        ]
    return "\n".join(lines)


def _ranking(result: dict[str, Any]) -> RenderableType:
    from rich.table import Table

    table = Table(box=None, padding=(0, 1))
    for name in ("", "placement"):
        table.add_column(name)
    for name in ("value", "dies", "frames"):
        table.add_column(name, justify="right")
    for one in result["placements"]:
        rank = f"{one['rank']}{'*' if one['chosen'] else ' '}"
        value = _number(one["value"], result["unit"])
        table.add_row(rank, one["name"], value, risk_text(one["risk"]), str(one["frames"]))
    return table


def _parts(result: dict[str, Any]) -> RenderableType:
    """Returns what values are made of: of the first placement as they are, of the others the difference from it."""
    from rich.table import Table

    shown, unit = result["placements"][:_COLUMNS], result["unit"]
    table = Table(box=None, padding=(0, 1))
    table.add_column("")
    for one in shown:
        table.add_column(str(one["rank"]), justify="right")
    named = [{part["name"]: part["value"] for part in one["parts"]} for one in shown]
    amounts = {part["name"]: part["amount"] for part in shown[0]["parts"]}
    for name in dict.fromkeys(name for parts in named for name in parts):
        first, *others = (parts.get(name, 0.0) for parts in named)
        amount = "" if amounts.get(name) is None else f" ({amounts[name]:g})"
        more = (_number(value - first, unit, sign="+") for value in others)
        table.add_row(f"{name}{amount}", _number(first, unit), *more)
    depths = [{depth["pieces"]: depth["value"] for depth in one["depths"]} for one in shown]
    for pieces in sorted({pieces for one in depths for pieces in one}):
        cells = ["-" if pieces not in one else _number(one[pieces], unit) for one in depths]
        table.add_row(f"value by {pieces} piece{'s' if pieces > 1 else ''}", *cells)
    return table


def _number(value: float, unit: str, sign: str = "-") -> str:
    """Returns a value or a difference; values without a unit are small and need digits."""
    digits = 0 if unit else 2
    return f"{round(value, digits) + 0.0:{sign},.{digits}f}"  # + 0.0 makes -0.0 a plain 0


def _inputs_text(one: dict[str, Any]) -> str:
    words = []
    for run in one["inputs"]:
        frames = str(run["first"]) if run["first"] == run["last"] else f"{run['first']}-{run['last']}"
        words.append(f"{frames} {'+'.join(run['buttons'])}")
    following = "" if one["next"] is None else f"; then {one['next']}"
    return f"{', '.join(words) or 'nothing'}{following}"
