"""`emubot completion`: prints the script that completes commands, options and values in a shell; made by shtab."""

from __future__ import annotations

import argparse
import re
from typing import TYPE_CHECKING, Final

from emubot.cli import COMMANDS, common
from emubot.cli.result import emit_json

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping

_DESCRIPTION = "Print a script for your shell that completes commands, options, games, maps, weights and files by TAB."
_EPILOG = """\
in bash, for this terminal and for all to come:
  eval "$(emubot completion bash)"
  emubot completion bash > ~/.local/share/bash-completion/completions/emubot

in zsh, for this terminal, and for all to come (the folder is one of $fpath):
  eval "$(emubot completion zsh)"
  emubot completion zsh > ~/.zsh/completions/_emubot

The script holds the names of today: print it again after you have added maps or weights of your own."""
_SHELLS: Final = ("bash", "zsh")
_FOLDERS: Final = ("DIR",)  # metavars of options that take a folder,
_FILES: Final = ("FILE", "OUT", "MAP")  # and of those that take a file
# Functions of the script, for options that take one of these names or a file.
_MAPS, _WEIGHTS, _CARTRIDGES = "_emubot_maps", "_emubot_weights", "_emubot_cartridges"
_NAMED: Final = {"map": _MAPS, **dict.fromkeys(("weights", "weights2", "battle", "start", "against"), _WEIGHTS)}
_PLAIN: Final = re.compile(r"[A-Za-z0-9._-]+")  # a name that no shell takes for anything else


def run(words: list[str]) -> int:
    """Run `emubot completion WORDS` and return the exit code."""
    options = build_parser().parse_intermixed_args(words)
    script = script_for(options.shell)
    if options.json:
        emit_json({"shell": options.shell, "script": script})
    else:
        print(script)
    return 0


def build_parser() -> common.Parser:
    """Returns the parser of `emubot completion`."""
    made = common.parser("completion", _DESCRIPTION, _EPILOG)
    made.add_argument("shell", choices=_SHELLS, help="the shell")
    common.add_json(made)
    return made


def script_for(shell: str) -> str:
    """Returns the script for bash or zsh."""
    import shtab

    from emubot.rammap.loader import map_names
    from emubot.weights import known_weights

    found = {_MAPS: map_names(), _WEIGHTS: known_weights(), _CARTRIDGES: ["AIvsAI"]}
    names = {function: [*filter(_PLAIN.fullmatch, known)] for function, known in found.items()}
    script = shtab.complete(_tree(), shell, preamble={"bash": _bash, "zsh": _zsh}[shell](names))
    return str(script).rstrip("\n")


def _bash(names: Mapping[str, Iterable[str]]) -> str:
    """Returns functions that complete one of these names, or a file."""
    return "\n".join(
        f'{function}() {{\n  compgen -W "{" ".join(known)}" -- "$1"\n  compgen -f -- "$1"\n}}'
        for function, known in names.items()
    )


def _zsh(names: Mapping[str, Iterable[str]]) -> str:
    return "\n".join(
        f"{function}() {{\n  _alternative 'names:name:({' '.join(known)})' 'files:file:_files'\n}}"
        for function, known in names.items()
    )


def _tree() -> argparse.ArgumentParser:
    """Returns a parser that has all commands as subcommands."""
    from emubot.cli.parsers import followed_by, parser_of

    root = argparse.ArgumentParser(prog="emubot")
    root.add_argument("-V", "--version", action="store_true", help="print the version")
    branches = {}
    for command in COMMANDS:
        words = followed_by(command)
        if not words:
            branches[command] = parser_of(command)
            continue
        branches[command] = branch = common.Parser(prog=f"emubot {command}")
        _add(branch, {word: _without_word(parser_of(command, word)) for word in words}, {})
    branches["help"] = common.Parser(prog="emubot help", add_help=False)
    branches["help"].add_argument("command", choices=tuple(COMMANDS), help="the command to explain")
    _add(root, branches, {**COMMANDS, "help": "explain a command"})
    return root


def _add(
    parser: argparse.ArgumentParser, branches: Mapping[str, argparse.ArgumentParser], texts: Mapping[str, str]
) -> None:
    made = parser.add_subparsers()
    for word, branch in branches.items():
        made.add_parser(word, help=texts.get(word, word))
        made.choices[word] = branch
        listed = {
            action.option_strings[0]: action
            for group in branch._action_groups
            for action in group._group_actions
            if action.option_strings
        }
        for action in branch._actions:
            if action.help == argparse.SUPPRESS and action.option_strings[:1] and action.option_strings[0] in listed:
                action.help = listed[action.option_strings[0]].help  # of the rules of a game, whose groups list it
            _mark(action)


def _without_word(parser: common.Parser) -> common.Parser:
    """Returns the parser without its first word, the action or game that has led to it."""
    first = next((one for one in parser._actions if not one.option_strings and one.dest in ("action", "game")), None)
    if first is not None:
        parser._remove_action(first)
        for group in parser._action_groups:
            if first in group._group_actions:
                group._group_actions.remove(first)
    return parser


def _mark(action: argparse.Action) -> None:
    """Say what completes an option's value, for shtab; its choices need nothing."""
    import shtab

    metavar = action.metavar if isinstance(action.metavar, str) else ""
    function = _NAMED.get(action.dest)
    what: Mapping[str, object] | None = None
    if function and ("NAME" in metavar or action.nargs == 2):
        what = dict.fromkeys(_SHELLS, function)
    elif "AIvsAI" in metavar:
        what = dict.fromkeys(_SHELLS, _CARTRIDGES)
    elif metavar.startswith(_FILES):
        what = shtab.FILE
    elif metavar.startswith(_FOLDERS):
        what = shtab.DIRECTORY
    if what is not None:
        action.complete = what  # type: ignore[attr-defined]
