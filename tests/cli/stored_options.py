"""The options that every command had once, and what they meant to the games that are measured: tests/data/options.json.

    python tests/cli/stored_options.py

stores those of today. It was last run before families declared their options.
"""

from __future__ import annotations

import argparse
import json
import re
import sys
from collections.abc import Iterator, Mapping, Sequence
from importlib import import_module
from pathlib import Path
from typing import Any

sys.path.insert(0, str(Path(__file__).resolve().parents[2]))

from emubot import games
from emubot.errors import UsageError
from emubot.games.protocol import Measurable, require_part

STORED = Path(__file__).resolve().parents[1] / "data" / "options.json"
FAMILIES = ("matching", "puyo", "tetris")
BY_FAMILY = ("evaluate", "train", "selfplay")
COMMANDS = (
    *("play", "arena", "core", "doctor", "maps", "trace", "review", "explain", "bridge-script", "selfplay", "train"),
    *("evaluate", "bench", "train plot", "train watch", "maps discover", "maps learn", "maps watch"),
    "trace record FILE",
)
# Values that are tried alone, and options that change what others mean.
ALONE: Sequence[Any] = (
    *(
        0,
        2,
        3,
        18,
        20,
        300,
        1_000_001,
        10**9,
        10**13,
        -1,
        0.5,
        2.5,
        True,
        "x",
        "10x20",
        "2x200",
        "uniform",
        "bag",
        "nes",
    ),
    *("12hz", "das", "..X....", "a", "b", "score", "lines", "survive", "chain", "battle", "aware", "unknown"),
)
TOGETHER: Sequence[dict[str, Any]] = (
    *({"type": "b"}, {"rng": "aware"}, {"foreseen": 5}, {"gravity": 2}, {"nodes": 0}, {"plies": 2}),
    *({"budget_ms": 2.5}, {"see_next": 5}, {"aim": "survive"}, {"previews": 2}),
)


class Caught(Exception):
    """Carries a parser out of its command."""


def parser_of(words: str) -> argparse.ArgumentParser:
    """The parser that a command makes for these words."""
    command, *rest = words.split()

    def caught(self: argparse.ArgumentParser, *_: object, **__: object) -> None:
        raise Caught(self)

    kept = argparse.ArgumentParser.parse_known_args, argparse.ArgumentParser.parse_known_intermixed_args
    argparse.ArgumentParser.parse_known_args = caught  # type: ignore[method-assign, assignment]
    argparse.ArgumentParser.parse_known_intermixed_args = caught  # type: ignore[method-assign, assignment]
    try:
        import_module(f"emubot.cli.{command.replace('-', '_')}").run(rest)
    except Caught as found:
        parser: argparse.ArgumentParser = found.args[0]
        return parser
    finally:
        argparse.ArgumentParser.parse_known_args = kept[0]  # type: ignore[method-assign]
        argparse.ArgumentParser.parse_known_intermixed_args = kept[1]  # type: ignore[method-assign]
    raise AssertionError(f"{words} parses nothing")


def options_of(parser: argparse.ArgumentParser) -> dict[str, dict[str, Any]]:
    """What each option of a parser takes, by its longest name; of arguments without a name, by their place."""
    return {
        max(action.option_strings, key=len, default=action.dest): {
            "names": action.option_strings,
            "dest": action.dest,
            "nargs": action.nargs,
            "default": _plain(action.default),
            "choices": None if action.choices is None else [str(choice) for choice in action.choices],
            "metavar": _plain(action.metavar),
            "required": action.required,
        }
        for action in parser._actions
    }


def _plain(value: Any) -> Any:
    return value if value is None or isinstance(value, int | float | str | list) else str(value)


def asked(family: str, sides: int, rules: str | None, names: Sequence[str]) -> Iterator[tuple[dict[str, Any], Any]]:
    """Options of these rules with what they mean: each alone with several values, then two together."""
    yield {}, meaning(family, sides, rules, {})
    read = []
    for name in names:
        first = meaning(family, sides, rules, {name: 1})
        yield {name: 1}, first
        if isinstance(first, str) and first.startswith("There is no"):
            continue
        read.append(name)
        for value in ALONE:
            yield {name: value}, meaning(family, sides, rules, {name: value})
    for company in TOGETHER:
        if company.keys() <= {*read}:
            for name, value in ((name, value) for name in read for value in (3, 0.75, "b", "lines", "12hz")):
                yield {**company, name: value}, meaning(family, sides, rules, {**company, name: value})


def meaning(
    family: str, sides: int, rules: str | None, options: Mapping[str, Any]
) -> dict[str, Any] | tuple[str, dict[str, Any]] | str:
    """The settings of such games (`sides` 0: of self-play), or what is wrong with the options."""
    game = require_part(games.game(family), Measurable, "games to be measured")
    try:
        if sides == 0:
            profile, settings = game.self_play_settings(rules, options)
            return profile, dict(settings)
        return dict(game.trial(sides, rules, options).settings)
    except UsageError as wrong:
        return str(wrong)


RULES: Mapping[str, Sequence[tuple[int, str | None]]] = {
    "tetris": [(1, None), (1, "nes"), (1, "nes-pal"), (1, "textbook"), (2, None), (1, "versus"), (2, "nes"), (0, None)],
    "puyo": [(1, None), (1, "tsu"), (2, None), (2, "tsu"), (1, "none"), (3, None), (0, None), (0, "tsu")],
    "matching": [(1, None), (1, "columns"), (2, None), (1, "none"), (0, None), (0, "columns")],
}


def meanings(names: Sequence[str]) -> Iterator[list[Any]]:
    """What sets of options mean to each family under each of its rules: family, sides, rules, options, meaning.

    A refusal names the range or the words that there are: it is told once, by its beginning, not for every wrong value.
    """
    for family in FAMILIES:
        for sides, rules in RULES[family]:
            refusals = set()
            for options, meant in asked(family, sides, rules, names):
                if isinstance(meant, str):
                    refusal = re.split(", not |: its options are|: use | takes no | cannot be ", meant)[0]
                    if refusal not in refusals:
                        yield [family, sides, rules, options, refusal]
                    refusals.add(refusal)
                else:
                    yield [family, sides, rules, options, meant]


def of_games() -> list[str]:
    """The names of the options of games, of all families."""
    known = options_of(parser_of("evaluate tetris"))
    return [option["dest"] for name, option in known.items() if name.startswith("--")]


def main() -> None:
    commands = {words: options_of(parser_of(words)) for words in COMMANDS}
    shared = {
        "help",
        "verbose",
        "quiet",
        "weights",
        "battle",
        "ladder",
        "games",
        "seed",
        "jobs",
        "plot",
        "force",
        "json",
    }
    names = [name for name in of_games() if name not in shared | {"rules"}]
    lines = [json.dumps(row) for row in meanings(names)]
    body = json.dumps({"commands": commands, "of_games": names}, indent=1)[:-2]
    STORED.write_text(body + ',\n "meanings": [\n' + ",\n".join(lines) + "\n ]\n}\n", encoding="utf-8")


if __name__ == "__main__":
    main()
