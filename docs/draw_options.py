"""Fills the tables of options and settings in the pages of docs, from where they are declared.

    python docs/draw_options.py

A test compares.
"""

from __future__ import annotations

import sys
from collections.abc import Iterable, Mapping
from dataclasses import fields
from pathlib import Path

ROOT = Path(__file__).resolve().parents[1]
sys.path.insert(0, str(ROOT))

from emubot import games  # noqa: E402
from emubot.cli.parsers import parser_of  # noqa: E402
from emubot.cli.settings import NAMES  # noqa: E402
from emubot.games.kinds import Choice  # noqa: E402
from emubot.games.options import GameOptions, Option, RuleSet, options_of  # noqa: E402
from emubot.training.methods import LEARNERS, POPULATIONS, settings_of  # noqa: E402

OPTIONS = ROOT / "docs" / "reference" / "options.md"
TRAINING = ROOT / "docs" / "how-to" / "training.md"
COMMAND_LINE = ROOT / "docs" / "how-to" / "command-line.md"
ENVIRONMENTS = ROOT / "docs" / "reference" / "environments.md"
SHIPPED = ("tetris", "puyo", "matching")
_GIVEN = ("start", "scales")  # what a plan gives to its method


def option_rows(options: Iterable[Option]) -> list[str]:
    """A row for each option: its name and value, what it means, its range and default."""
    rows = ["| option | meaning | values, default |", "|---|---|---|"]
    for one in options:
        value = f" {one.kind.metavar}" if one.kind.metavar else ""
        cells = (f"`{one.flag}{value}`".replace("|", "\\|"), one.help, one.notes or "-")
        rows.append(f"| {' | '.join(cells)} |")
    return rows


def rule_tables(rule_sets: Iterable[RuleSet]) -> list[str]:
    """A table for each rule set that reads options."""
    lines: list[str] = []
    for rules in rule_sets:
        names = ", ".join(f"`{name}`" for name in rules.names)
        note = f" with `{rules.note.removeprefix('with ')}`" if rules.note else ""
        lines += ["", f"{names}{note}: {rules.about}.{'' if rules.options else ' They read no option.'}"]
        if rules.options:
            lines += ["", *option_rows(rules.options)]
    return lines


def game_tables(family: str, options: GameOptions) -> list[str]:
    """Everything that commands read of a family."""
    return [
        f"## {family}",
        "",
        f"`emubot play`, with a cartridge of this family ({games.game(family).facts.title}):",
        "",
        *option_rows([*options.menus, *options.strength]),
        "",
        f"`emubot evaluate {family}` and `emubot train {family}`, by `--rules`:",
        *rule_tables(options.rule_sets),
        "",
        f"`emubot selfplay {family}`:",
        *rule_tables(options.self_play),
    ]


def games_tables(families: Iterable[str]) -> list[str]:
    """The tables of these families."""
    return [line for family in families for line in ["", *game_tables(family, games.game(family).options)]][1:]


def method_table() -> list[str]:
    """The settings of each training method with their defaults."""
    rows = ["| `--method` | settings and their defaults |", "|---|---|"]
    for method in (*POPULATIONS, *LEARNERS):
        shown = [f"`{one.name}` {_plain(one.default)}" for one in fields(settings_of(method)) if one.name not in _GIVEN]
        rows.append(f"| `{method}` | {', '.join(shown)} |")
    return rows


def environment_tables(families: Iterable[str]) -> list[str]:
    """A table of keywords for each environment of these families."""
    lines: list[str] = []
    for offer in (offer for family in families for offer in games.game(family).offers.environments):
        made = "" if offer.seats == 1 else f", for {offer.seats} players"
        lines += ["", f"`emubot/{offer.name}-v0`{made}: {offer.about}.", "", "| keyword | meaning | values, default |"]
        lines += ["|---|---|---|"]
        for one in options_of(offer.values):
            values = " or ".join(f"`{word}`" for word in one.kind.words) if isinstance(one.kind, Choice) else ""
            notes = "; ".join(part for part in (values, one.notes) if part)
            lines.append(f"| `{one.name}` | {one.help} | {notes} |")
    return lines[1:]


def settings_table() -> list[str]:
    """What `emubot config set` takes, in the words of the options."""
    rows = ["| setting | what it is |", "|---|---|"]
    for name in NAMES:
        command, _, option = name.partition(".")
        rows.append(f"| `{name}` | {(parser_of(command).setting(option).help or '').replace('%%', '%')} |")
    return rows


def _plain(value: object) -> str:
    if isinstance(value, tuple):
        return ",".join(map(_plain, value))
    return f"{value:g}" if isinstance(value, float) else str(value)


def filled(text: str, tables: Mapping[str, list[str]]) -> str:
    """The page with each table between its marks."""
    for mark, rows in tables.items():
        begin, end = f"<!-- {mark} -->", f"<!-- end of {mark} -->"
        before, _, rest = text.partition(begin)
        _, _, after = rest.partition(end)
        text = "\n".join([before + begin, *rows, end]) + after
    return text


def pages() -> dict[Path, str]:
    """Each page as it should be."""
    tables = {
        OPTIONS: {"games": games_tables(SHIPPED)},
        TRAINING: {"methods": method_table()},
        COMMAND_LINE: {"settings": settings_table()},
        ENVIRONMENTS: {"environments": environment_tables(SHIPPED)},
    }
    return {path: filled(path.read_text(encoding="utf-8"), rows) for path, rows in tables.items()}


if __name__ == "__main__":
    for path, text in pages().items():
        path.write_text(text, encoding="utf-8")
