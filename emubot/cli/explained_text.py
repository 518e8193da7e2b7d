"""An explanation as text for a terminal, from its JSON object; decides nothing and prints nothing."""

from __future__ import annotations

from textwrap import fill
from typing import TYPE_CHECKING, Any, Final

from emubot.session.explained import risk_text
from emubot.text import counted

if TYPE_CHECKING:
    from rich.console import RenderableType
    from rich.table import Table

_WIDTH: Final = 78  # characters of a line
_COLUMNS: Final = 5  # placements whose parts stand side by side
_TRIGGER: Final = "*"
_STEPS: Final = "0123456789abcdefghijklmnopqrstuvwxyz"  # of a chain on a field


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
    afters = [one["after"] for one in result["placements"][:_COLUMNS] if one["after"] is not None]
    if afters and afters[0]["parts"]:
        unit = afters[0]["unit"]
        shown += [Text(f" the field after it{', in ' * bool(unit)}{unit}"), _field_parts(afters)]
    if afters:
        fields = [_field(after, result["position"]) for after in afters]
        shown += [Text(f" {fill(result['fields'], _WIDTH, subsequent_indent=' ')}"), *_fields(afters, fields)]
    timed = result["placements"][0]["frames"] is not None
    shown += [Text(f" {'buttons by frame (1 is the next one)' if timed else 'buttons'}, and then the next piece")]
    inputs = (f"  {one['rank']}: {_inputs_text(one)}" for one in result["placements"])
    shown += [Text(fill(line, _WIDTH, subsequent_indent=" " * 5)) for line in inputs]
    return shown


def _head(result: dict[str, Any]) -> str:
    settings, position = result["settings"], result["position"]
    row = "" if result["row"] is None else f", row {result['row']}"
    lines = [
        f"{result['game']}, {settings['rules']}{_more(settings)}{row}",
        f"in the air ({position['in_air']}): {position['piece']}, next: {position['next'] or 'not known'}",
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
    error = settings["human_error"]
    if result["placements"] and result["placements"][0]["misdrops"] is not None:
        tries = result["placements"][0]["misdrops"]["tries"]
        lines += ["", f"missed: how many of {tries:,} drops by a person whose taps err by {error} go elsewhere"]
    return "\n".join(lines)


def _more(settings: dict[str, Any]) -> str:
    """Returns the settings that only some families have."""
    known = {name: settings.get(name) for name in ("lines", "colors", "pace", "aim", "pending", "garbage")}
    words = (
        "" if settings.get("level") is None else f"level {settings['level']}",
        f"{known['pace']} pace" if known["pace"] else "",
        counted(known["lines"], "line") if known["lines"] else "",
        counted(known["colors"], "colour") if known["colors"] else "",
        f"for {known['aim']}" if known["aim"] else "",
        f"{known['pending']:,} nuisance to come" if known["pending"] else "",
        f"{counted(known['garbage'], 'cell')} of garbage to come" if known["garbage"] else "",
    )
    return "".join(f", {word}" for word in words if word)


def _ranking(result: dict[str, Any]) -> RenderableType:
    from rich.table import Table

    table = Table(box=None, padding=(0, 1))
    for name in ("", "placement"):
        table.add_column(name)
    has_misdrops = any(one["misdrops"] is not None for one in result["placements"])
    for name in ("value", "dies", *(["missed"] if has_misdrops else []), "frames"):
        table.add_column(name, justify="right")
    for one in result["placements"]:
        rank = f"{one['rank']}{'*' if one['chosen'] else ' '}"
        value = _number(one["value"], result["unit"])
        frames = "-" if one["frames"] is None else str(one["frames"])
        missed = [risk_text(one["misdrops"])] if has_misdrops else []
        table.add_row(rank, one["name"], value, risk_text(one["risk"]), *missed, frames)
    return table


def _parts(result: dict[str, Any]) -> RenderableType:
    """Returns what values are made of: of the first placement as they are, of the others the difference from it."""
    shown, unit = result["placements"][:_COLUMNS], result["unit"]
    table = _compared([one["parts"] for one in shown], unit)
    depths = [{depth["pieces"]: depth["value"] for depth in one["depths"]} for one in shown]
    for pieces in sorted({pieces for one in depths for pieces in one}):
        cells = ["-" if pieces not in one else _number(one[pieces], unit) for one in depths]
        table.add_row(f"value by {counted(pieces, 'piece')}", *cells)
    return table


def _field_parts(afters: list[dict[str, Any]]) -> RenderableType:
    """Returns what the values of the fields after the placements are made of, as `_parts` does."""
    unit = afters[0]["unit"]
    table = _compared([after["parts"] for after in afters], unit)
    table.add_row("value of the field", *(_number(after["value"], unit) for after in afters))
    return table


def _compared(columns: list[list[dict[str, Any]]], unit: str) -> Table:
    """Returns a table of parts: the first column as it is, of the others the difference from it.

    Features that add nothing in any column are left out.
    """
    from rich.table import Table

    table = Table(box=None, padding=(0, 1))
    table.add_column("")
    for rank in range(1, len(columns) + 1):
        table.add_column(str(rank), justify="right")
    named = [{part["name"]: part["value"] for part in parts} for parts in columns]
    amounts = {part["name"]: part["amount"] for part in columns[0]}
    for name in dict.fromkeys(name for parts in named for name in parts):
        first, *others = (parts.get(name, 0.0) for parts in named)
        if amounts.get(name) is not None and not any((first, *others)):
            continue
        amount = "" if amounts.get(name) is None else f" ({round(amounts[name], 2):g})"
        more = (_number(value - first, unit, sign="+") for value in others)
        table.add_row(f"{name}{amount}", _number(first, unit), *more)
    return table


def _fields(afters: list[dict[str, Any]], fields: list[list[str]]) -> list[RenderableType]:
    """Returns the fields side by side, as many in a row as the terminal holds, with their words below."""
    from rich.panel import Panel
    from rich.table import Table
    from rich.text import Text

    empty = min(next((row for row, line in enumerate(field) if line.strip(" .")), len(field) - 1) for field in fields)
    wide = max(1, (_WIDTH + 1) // (len(fields[0][0]) + 3))
    rows: list[RenderableType] = []
    for first in range(0, len(fields), wide):
        table = Table.grid(padding=(0, 1))
        shown = range(first, min(first + wide, len(fields)))
        said = [afters[place]["words"] for place in shown]
        table.add_row(
            *(
                Panel(
                    Text("\n".join(fields[place][empty:])),
                    padding=0,
                    expand=False,
                    title=str(place + 1),
                    subtitle=words[0],
                )
                for place, words in zip(shown, said, strict=True)
            )
        )
        table.add_row(*("\n".join(f" {word}" for word in words[1:]) for words in said))
        rows.append(table)
    return rows


def _field(after: dict[str, Any], position: dict[str, Any]) -> list[str]:
    """Returns the lines of a field, two characters a cell, with the chain on it."""
    chain, width, above = after["chain"], position["width"], position["hidden_rows"]
    if width > 1:
        return list(after["board"])
    cells = [[f"{letter} " for letter in line] for line in after["board"]]
    if chain is None:
        return ["".join(line) for line in cells]
    for column, row, step in chain["cells"]:
        cells[row + above][column] = cells[row + above][column][0] + _STEPS[min(step, len(_STEPS) - 1)]
    for column, row in chain["trigger"]:
        cells[row + above][column] = chain["color"] + _TRIGGER
    return ["".join(line) for line in cells]


def _number(value: float, unit: str, sign: str = "-") -> str:
    """Returns a value or a difference; values without a unit are small and need digits."""
    digits = 0 if unit else 2
    return f"{round(value, digits) + 0.0:{sign},.{digits}f}"  # + 0.0 makes -0.0 a plain 0


def _inputs_text(one: dict[str, Any]) -> str:
    words = []
    for run in one["inputs"]:
        frames = str(run["first"]) if run["first"] == run["last"] else f"{run['first']}-{run['last']}"
        words.append(f"{frames} {'+'.join(run['buttons'])}")
    words += one["moves"]
    following = "" if one["next"] is None else f"; then {one['next']}"
    return f"{', '.join(words) or 'nothing'}{following}"
