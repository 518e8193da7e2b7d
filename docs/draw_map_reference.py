"""Writes the reference in docs/reference/maps.md: every key of a map file, and every word of each family.

    python docs/draw_map_reference.py

Keys, ranges and meanings come from the schema, the words from the families themselves. A test compares.
"""

from __future__ import annotations

import re
import sys
import textwrap
from collections.abc import Iterable, Iterator, Mapping, Sequence
from pathlib import Path
from types import NoneType, UnionType
from typing import Annotated, Any, ForwardRef, Literal, NamedTuple, Union, get_args, get_origin

from annotated_types import Ge, Le
from pydantic import BeforeValidator
from pydantic.fields import FieldInfo
from pydantic_core import PydanticUndefined

ROOT = Path(__file__).resolve().parents[1]
sys.path.insert(0, str(ROOT))

from emubot import games  # noqa: E402
from emubot.games.map_words import REPLAYED, DescribesMaps, MapWords, TimingWord  # noqa: E402
from emubot.games.protocol import Game  # noqa: E402
from emubot.rammap import condition, grid_layout, layout, schema  # noqa: E402
from emubot.rammap.fields import Form, MapModel  # noqa: E402

PAGE = ROOT / "docs" / "reference" / "maps.md"
HEADING = "## Reference: every key"
BEGIN, END = "<!-- reference: made by docs/draw_map_reference.py -->", "<!-- end of reference -->"
WIDTH = 120
_MOST_SHOWN = 12  # entries of a list that a table shows whole
_MOST_WORDS = 30  # characters of what a mapping leads to; what is longer has a table of its own
_BILLION = 999_999_999  # the range of a decimal without a range

# The sections after that of the whole file, in the order in which a map is written, each with the key of the file.
SECTIONS: tuple[tuple[str, type[MapModel]], ...] = (
    ("identities[]", schema.Identity),
    ("refuses[]", schema.LookAlike),
    ("timing", schema.GameTiming),
    ("values.NAME", layout.Value),
    ("regions.NAME", layout.Region),
    ("grid", grid_layout.GridLayout),
    ("pieces[]", layout.Orientation),
    ("place", layout.CellsPlace),
    ("kicks[]", schema.Kicks),
    ("phases[]", schema.PhaseRule),
    ("events.NAME", schema.FrameChange),
    ("buttons", schema.Buttons),
    ("menu", schema.Menu),
    ("Conditions", condition.Criterion),
)
_OWN = {model: key for key, model in SECTIONS if model is not condition.Criterion}
_TEXTS = {
    "values.NAME": "An address alone, or a list of addresses, is short for `{at: ...}`. A value is "
    "(the number, or the sum of its parts, + `offset`) * `scale` // `divide`. A part has its own "
    f"{', '.join(f'`{name}`' for name in layout.Layout.model_fields)}.",
    "Conditions": "A condition is a mapping from names of values, in menus also `asked.NAME`, to what they must be: a "
    "number, a list of numbers, or one of these forms. All entries must hold.",
    "menu": "The choices of an identity, `asked.NAME`, have the same keys as those of the menu.",
}


class Row(NamedTuple):
    """A key: its path, what may stand there, its default or `needed`, its meaning."""

    key: str
    may_be: str
    default: str
    meaning: str


def form(annotation: Any, extras: Sequence[Any] = ()) -> str:
    """The words for what may stand in a file in place of an annotated type."""
    if get_origin(annotation) is Annotated:
        inner, *more = get_args(annotation)
        return form(inner, [*more, *extras])
    bounds: dict[type, int] = {}
    flat = [*_flat(extras)]
    if words := [extra.words for extra in flat if isinstance(extra, Form)]:
        return words[-1]
    for extra in flat:
        if isinstance(extra, BeforeValidator) and extra.json_schema_input_type is not PydanticUndefined:
            return form(extra.json_schema_input_type)
        if isinstance(extra, Ge):
            bounds[Ge] = int(str(extra.ge))
        if isinstance(extra, Le):
            bounds[Le] = int(str(extra.le))
    return _plain(annotation, bounds)


def _plain(annotation: Any, bounds: Mapping[type, int]) -> str:
    origin, parts = get_origin(annotation), [part for part in get_args(annotation) if part is not Ellipsis]
    if origin in (Union, UnionType):
        forms = [form(part) for part in parts if part is not NoneType]
        return " or ".join(dict.fromkeys(forms))
    if origin is Literal:
        return ", ".join(f"`{word}`" for word in parts)
    if origin in (tuple, list):
        inner = [form(part) for part in parts]
        return _pair(inner) if origin is tuple and Ellipsis not in get_args(annotation) else _list(inner[0])
    if origin is dict:
        entry = form(parts[1])
        return f"mapping from {form(parts[0])} to {entry}" if len(entry) < _MOST_WORDS else "mapping of names"
    if isinstance(annotation, type) and issubclass(annotation, MapModel):
        return "mapping"
    if isinstance(annotation, ForwardRef):  # a condition in a condition
        return "one of these"
    if annotation is bool:
        return "`true` or `false`"
    return _decimal(bounds) if annotation is int else "text"


def _pair(inner: Sequence[str]) -> str:
    """The words for a list of a fixed length, with the range of its numbers once."""
    head, _, spread = inner[0].partition(", ")
    return f"[{', '.join([head] * len(inner))}]{f', {spread}' if spread else ''}"


def _list(inner: str) -> str:
    """The words for a list."""
    if " or " in inner:
        return f"list, each {inner}"
    word = re.match(r"\w*", inner)
    ending = {"": "", "address": "es", "codes": ""}.get(word.group() if word else "", "s")
    return re.sub(r"^\w*", lambda found: f"list of {found.group()}{ending}", inner, count=1)


def _decimal(bounds: Mapping[type, int]) -> str:
    low, high = bounds.get(Ge, -_BILLION), bounds.get(Le, _BILLION)
    if high == _BILLION:
        return "decimal" if low == -_BILLION else f"decimal from {low}"
    return f"decimal, {low} to {high}"


def _flat(extras: Iterable[Any]) -> Iterator[Any]:
    for extra in extras:
        if isinstance(extra, FieldInfo):
            yield from extra.metadata
        else:
            yield extra


def nested(annotation: Any) -> Iterator[tuple[str, type[MapModel]]]:
    """The mappings inside an annotated type, each with what a path adds for it: nothing, `[]` or `.NAME`."""
    if isinstance(annotation, type) and issubclass(annotation, MapModel):
        yield "", annotation
    else:
        step = {tuple: "[]", dict: ".NAME"}.get(get_origin(annotation), "")
        for part in get_args(annotation):
            yield from ((step + rest, model) for rest, model in nested(part))


def rows(model: type[MapModel], path: str = "", seen: set[type[MapModel]] | None = None) -> Iterator[Row]:
    """The keys of a mapping and of the mappings in it that have no section of their own, each mapping once."""
    seen = {*_OWN, condition.Criterion, grid_layout.CodeRange} if seen is None else seen
    for name, field in sorted(model.model_fields.items(), key=lambda entry: entry[0] != "at"):
        if model is layout.Term and name in layout.Layout.model_fields:
            continue
        key = path + (field.alias or name)
        yield Row(key, form(field.annotation, field.metadata), _default(field), field.description or "")
        for step, inner in nested(field.annotation):
            if inner not in seen and (model, inner) != (schema.Identity, schema.MenuChoice):
                seen.add(inner)
                yield from rows(inner, f"{key}{step}.", seen)


def _default(field: FieldInfo) -> str:
    if field.is_required():
        return "needed"
    value = field.default
    if value is None or value in ((), {}) or isinstance(value, MapModel):
        return ""
    return f"`{str(value).lower() if isinstance(value, bool) else value}`"


def table(head: Sequence[str], lines: Iterable[Sequence[str]]) -> Iterator[str]:
    """The lines of a table."""
    yield f"| {' | '.join(head)} |"
    yield "|---" * len(head) + "|"
    for line in lines:
        yield f"| {' | '.join(cell.replace('|', '/') for cell in line)} |"


def key_table(model: type[MapModel]) -> Iterator[str]:
    """The table of a section."""
    lines = ((f"`{row.key}`", row.may_be, row.default, row.meaning) for row in rows(model))
    return table(("key", "may be", "default", "meaning"), lines)


def _paragraph(text: str) -> Iterator[str]:
    yield from textwrap.wrap(text, WIDTH, break_long_words=False, break_on_hyphens=False)


def file_part() -> Iterator[str]:
    """The sections of the file's keys."""
    yield HEADING
    yield ""
    yield from _paragraph(
        "`NAME` in a key stands for a name of yours, `[]` for each entry of a list. An address, a code and a mask are "
        "hex (`0x60`), and a decimal is a whole number. Codes are a code, `{from: CODE, to: CODE}`, a list of these, "
        "or `learn`. A name has small letters, digits and `_`; a word has `-` in place of `_`. A button is A, B, "
        "SELECT, START, UP, DOWN, LEFT or RIGHT, or several joined by `+`. A rule is a number, a list of numbers, "
        "`true`, `false` or text. The hex digits of a hash stand in quotes."
    )
    yield ""
    yield "### The whole file"
    yield ""
    whole = [Row(name, *rest) for name, *rest in rows(schema.Document)]
    lines = ((f"`{row.key}`", row.may_be, row.default, row.meaning) for row in whole)
    yield from table(("key", "may be", "default", "meaning"), lines)
    for key, model in SECTIONS:
        yield ""
        yield f"### {key if model is condition.Criterion else f'`{key}`'}"
        yield ""
        if key in _TEXTS:
            yield from _paragraph(_TEXTS[key])
            yield ""
        yield from key_table(model)


def grouped(words: Mapping[str, Sequence[str]]) -> Iterator[Sequence[str]]:
    """The rows of words, those that stand together and say the same in one."""
    names: list[str] = []
    entries = [*words.items(), ("", ())]
    for number, (name, rest) in enumerate(entries[:-1]):
        names.append(name)
        if entries[number + 1][1] != rest:
            shown = f"`{names[0]}` to `{names[-1]}`" if len(names) > 3 and _numbered(names) else _ticked(names)
            yield shown, *rest
            names = []


def _numbered(names: Sequence[str]) -> bool:
    return len({name.rstrip("0123456789") for name in names}) == 1


def _ticked(names: Iterable[str]) -> str:
    return ", ".join(f"`{name}`" for name in names)


def shown(value: object) -> str:
    """A value as a map has it; of a long list the beginning and the end."""
    if isinstance(value, bool):
        return str(value).lower()
    if not isinstance(value, list):
        return str(value)
    entries = value if len(value) <= _MOST_SHOWN else [*value[: _MOST_SHOWN // 2], "...", value[-1]]
    return f"[{', '.join(map(str, entries))}]"


def family_part(game: Game, words: MapWords) -> Iterator[str]:
    """The tables of one family."""
    yield ""
    yield f"### Family `{game.name}`"
    yield ""
    yield from table(("profile", "the game"), ((f"`{name}`", text) for name, text in words.profiles.items()))
    yield ""
    modes = ", ".join(f"`{word}` {number}" for word, number in game.modes.items())
    yield from _paragraph(
        f"Modes, numbers of `menu.asked.mode`: {modes or 'none of its own'}. A choice `mode` with `names` has those. "
        + " ".join(words.notes)
    )
    yield ""
    values = {name: (word.needed, word.meaning) for name, word in words.values.items()}
    yield from table(("value", "needed", "meaning"), grouped(values))
    if words.rules:
        yield ""
        profiles = list(dict.fromkeys(name for rule in words.rules.values() for name in rule.defaults))
        lines = [
            (f"`{name}`", rule.may_be, *(shown(rule.defaults[one]) for one in profiles), rule.meaning)
            for name, rule in words.rules.items()
        ]
        yield from table(("rule", "may be", *(f"in `{name}`" for name in profiles), "meaning"), lines)
    places = (
        ("grid.cell.kinds", words.kinds),
        ("piece_codes", words.piece_codes),
        ("timing", {name: _time(word) for name, word in words.timing.items()}),
        ("regions", words.regions),
        ("menu.asked", words.choices),
    )
    yield ""
    lines = [(f"`{place}`", *row) for place, found in places for row in grouped({n: (m,) for n, m in found.items()})]
    yield from table(("in", "word", "meaning"), lines)


def _time(word: TimingWord) -> str:
    return word.meaning if word.default is None else f"without it {shown(word.default)}"


def reference() -> str:
    """The reference, without its marks."""
    lines = [*file_part()]
    lines.append("")
    lines += _paragraph(
        f"In the tables of values *{REPLAYED}* means: the simulator needs the value, and so does a recording that is "
        "replayed. Without it a game is played and recorded all the same."
    )
    for name in games.names():
        family = games.game(name)
        if isinstance(family, DescribesMaps):
            lines += family_part(family, family.map_words)
    return "\n".join(lines) + "\n"


def page(text: str) -> str:
    """The page with its reference filled in between the marks; at its end if it has none yet."""
    before, _, rest = text.partition(BEGIN)
    _, _, after = rest.partition(END)
    return f"{before.rstrip()}\n\n{BEGIN}\n\n{reference()}\n{END}{after or chr(10)}"


if __name__ == "__main__":
    PAGE.write_text(page(PAGE.read_text(encoding="utf-8")), encoding="utf-8")
