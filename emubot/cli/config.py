"""`emubot config`: shows and changes a person's own defaults of options; knows no option."""

from __future__ import annotations

import argparse
import re
from pathlib import Path
from typing import Final

from emubot.cli import common
from emubot.cli.fitting import fitted
from emubot.cli.parsers import parser_of
from emubot.cli.result import emit_json
from emubot.cli.settings import (
    NAMES,
    SETTINGS,
    VARIABLE,
    Config,
    checked,
    config_file,
    literal,
    parse_config,
    place_of,
    read_config,
    refusal,
)
from emubot.errors import UsageError
from emubot.text import did_you_mean, is_one_line, printable

_DESCRIPTION = "Show and change your own defaults of options. What the command line says goes before them."
_EPILOG = f"""\
examples:
  emubot config                       what can be set, and what you have set
  emubot config set play.speed 5      from now on "emubot play" plays at speed 5 unless told otherwise
  emubot config get play.speed        exit code 1 if it is not set
  emubot config unset play.speed
  emubot config path                  where the file is

A command takes a default from the first of these that has one: the command line, your settings, emubot. A setting that
does not go together with what the command line says is passed over: play.speed beside --taps, or play.bridge fceux
beside --demo. Scripts that want none of them add --no-config, or set {VARIABLE} to nothing; {VARIABLE}=FILE names
another file. "emubot COMMAND --help" ends with what you have set."""
_ACTIONS: Final = ("list", "get", "set", "unset", "path")
_VALUE: Final = re.compile(r"""(=\s*)("(?:[^"\\]|\\.)*"|'[^']*'|[^\s#]+)""")
_UNSET: Final = 1


def run(words: list[str]) -> int:
    """Run `emubot config WORDS` and return the exit code."""
    made = build_parser()
    options = made.parse_intermixed_args(words)
    takes = {"get": 1, "unset": 1, "set": 2}.get(options.action, 0)
    if len(options.words) != takes:
        made.error(f"{options.action} takes {('nothing more', 'a NAME', 'a NAME and a VALUE')[takes]}")
    file = config_file()
    if file is None:
        raise UsageError(f"{VARIABLE} is set to nothing, so there are no settings: unset it.")
    if options.action == "path":
        _print(str(file), {"file": str(file)}, options)
        return 0
    config = read_config(file)
    if options.action == "list":
        return _list(config, options)
    command, name = _named(options.words[0])
    if options.action == "get":
        return _get(config, command, name, options)
    value = _value(command, name, options.words[1]) if options.action == "set" else None
    text = changed(config, command, name, value)
    if text != config.text:
        _write(file, text)
    said = f"{command}.{name} is {'no longer set' if value is None else literal(value)}"
    _print(f"{said} in {file}", {"file": str(file), "name": f"{command}.{name}", "value": value}, options)
    return 0


def build_parser() -> common.Parser:
    """Returns the parser of `emubot config`."""
    made = common.parser("config", _DESCRIPTION, _EPILOG)
    made.add_argument("action", nargs="?", choices=_ACTIONS, default=_ACTIONS[0], help="what to do (default list)")
    made.add_argument("words", nargs="*", default=[], metavar="NAME [VALUE]", help="a setting, such as play.speed")
    common.add_json(made)
    return made


def changed(config: Config, command: str, name: str, value: object) -> str:
    """Returns the file's text with a setting changed, or without it (None); all other lines stay as they are.

    Raises UsageError if the file says it in a way that only a person can change.
    """
    lines = config.text.splitlines(keepends=True)
    place = place_of(config.text, command, name)
    if value is None:
        if place is not None:
            del lines[place]
    elif place is not None:
        lines[place] = _VALUE.sub(lambda found: found[1] + literal(value), lines[place], count=1)
    else:
        _insert(lines, command, f"{name} = {literal(value)}\n")
    text = "".join(lines)
    wanted = {key: dict(values) for key, values in config.values.items()}
    wanted.setdefault(command, {}).pop(name, None)
    if value is not None:
        wanted[command][name] = value
    try:
        found = {key: dict(values) for key, values in parse_config(text, config.file).values.items()}
    except UsageError:
        found = {}
    if _filled(found) != _filled(wanted):
        raise UsageError(f"{config.file} says {command}.{name} in a way of its own: change it there by hand.")
    return text


def _filled(tables: dict[str, dict[str, object]]) -> dict[str, dict[str, object]]:
    return {command: values for command, values in tables.items() if values}


def _insert(lines: list[str], command: str, line: str) -> None:
    """Put a line at the beginning of a command's table, or a table with it at the end."""
    if lines and not lines[-1].endswith("\n"):
        lines[-1] += "\n"
    header = next((number for number, one in enumerate(lines) if re.match(rf"\s*\[\s*{command}\s*\]", one)), None)
    if header is not None:
        lines.insert(header + 1, line)
    else:
        lines += ["\n"] * bool(lines) + [f"[{command}]\n", line]


def _named(word: str) -> tuple[str, str]:
    """Returns the command and the name of a setting. Raises UsageError if there is none of this name."""
    command, _, name = word.partition(".")
    if command in SETTINGS and name and word not in NAMES:
        raise UsageError(f"{printable(word)}: {refusal(command, name)}.")
    if word not in NAMES:
        owned = next((one for one in NAMES if one.endswith(f".{word}")), None)
        near = f" (did you mean {owned}?)" if owned else did_you_mean(word, NAMES)
        raise UsageError(f"There is no setting {printable(word)!r}{near}; there are {', '.join(NAMES)}.")
    return command, name


def _value(command: str, name: str, word: str) -> object:
    """Returns what is written for a word. Raises UsageError for a value that the command does not take."""
    value: object = {"true": True, "false": False}.get(word, word)
    if re.fullmatch(r"\d{1,18}", word):
        value = int(word)
    if not is_one_line(word):
        raise UsageError(f"{command}.{name} is one line without control characters, not {printable(word)!r}.")
    try:
        checked(parser_of(command), name, value)
    except argparse.ArgumentError as wrong:
        raise UsageError(f"{command}.{name}: {wrong.message}.") from None
    return value


def _get(config: Config, command: str, name: str, options: argparse.Namespace) -> int:
    value = config.values.get(command, {}).get(name)
    if value is None:
        common.say(f"emubot: {command}.{name} is not set in {config.file}.")
    if value is not None or options.json:
        shown = printable(str(value).lower() if isinstance(value, bool) else value)
        _print(shown, {"file": str(config.file), "name": f"{command}.{name}", "value": value}, options)
    return _UNSET if value is None else 0


def _list(config: Config, options: argparse.Namespace) -> int:
    """Print all settings; those that are set are checked."""
    rows, width = [], max(map(len, NAMES))
    for command, names in SETTINGS.items():
        made = parser_of(command)
        for name in names:
            action, value = made.setting(name), config.values.get(command, {}).get(name)
            place = place_of(config.text, command, name)
            if value is not None:
                try:
                    checked(made, name, value)
                except argparse.ArgumentError as wrong:
                    raise config.error(command, name, wrong.message) from None
            rows.append(
                {
                    "name": f"{command}.{name}",
                    "value": value,
                    "line": None if value is None or place is None else place + 1,
                    "about": (action.help or "").replace("%%", "%"),
                }
            )
    if options.json:
        emit_json({"file": str(config.file), "settings": rows})
        return 0
    print(config.file if config.text else f"{config.file} (not there yet)")
    for row in rows:
        what = "not set" if row["value"] is None else printable(literal(row["value"]))
        where = f", line {row['line']}" if row["line"] else ""
        print(fitted(f"  {row['name']:<{width}}  {what}{where}: {row['about']}", width + 4))
    return 0


def _write(file: Path, text: str) -> None:
    """Write the file; where it is a link, as managers of such files make them, what it leads to."""
    from emubot.atomic import cannot_be_written, write_whole

    file = file.resolve() if file.is_symlink() else file

    try:
        file.parent.mkdir(parents=True, exist_ok=True)
    except OSError as failure:
        raise cannot_be_written(file.parent, failure) from failure
    write_whole(file, text.encode("utf-8"))


def _print(text: str, told: dict[str, object], options: argparse.Namespace) -> None:
    if options.json:
        emit_json(told)
    else:
        print(text)
