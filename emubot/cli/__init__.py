"""The command line: picks the command, reports errors in one sentence; imports nothing heavy until a command runs."""

from __future__ import annotations

import errno
import os
import sys

from emubot import interrupts
from emubot.cli import result, streams
from emubot.errors import EmubotError, UsageError
from emubot.text import did_you_mean, printable
from emubot.version import __version__

TYPE_CHECKING = False  # as in typing, which takes time to load
if TYPE_CHECKING:
    from typing import TextIO

COMMANDS = {
    "play": "let the bot play a cartridge or a built-in demo",
    "arena": "play in the browser: alone, against the bot, or watch two bots",
    "core": "install or list emulator cores",
    "compile": "compile now what the first use of a game would compile",
    "doctor": "check this machine and say how to fix what is missing",
    "maps": "list, check, learn and watch address maps",
    "trace": "record, verify, show and export games frame by frame",
    "serve": "answer over HTTP what the bot would play, for other programs",
    "review": "go through a person's game: what each placement lost, and why",
    "explain": "explain a decision: values, their parts, risks and buttons",
    "bridge-script": "print the script or settings that an emulator needs for the bot",
    "selfplay": "play millions of pieces without an emulator and report statistics",
    "train": "train weights by self-play, with one of several methods",
    "evaluate": "play many games and report how strong a player is, with intervals",
    "bench": "measure speed on this machine",
    "config": "show and change your own defaults of options",
    "clean": "show what emubot keeps on this machine, and remove what you name",
    "completion": "print a script for your shell that completes commands and options by TAB",
}

_INNER = ("think",)  # that emubot itself starts
OF_GAMES = ("evaluate", "selfplay", "train")  # their first word is a game, which has options of its own
_EXIT_FAILED, _EXIT_USAGE, _EXIT_STORAGE = 1, 2, 4
_ALL = "--help-all"
_INTERRUPTED = "interrupted."
_PACKAGES = {"yaml": "PyYAML"}  # of modules that are named otherwise


def usage() -> str:
    """Returns the text of `emubot --help`."""
    width = max(map(len, COMMANDS))
    lines = [f"  {name:<{width}}  {text}" for name, text in COMMANDS.items()]
    return "\n".join(
        [
            "usage: emubot COMMAND ...",
            "",
            "A bot that plays puzzle cartridges of the NES/Famicom by pressing the controller.",
            "",
            "commands:",
            *lines,
            "",
            'First steps: "emubot core install", then "emubot play --demo tetris".',
            '"emubot help COMMAND" explains one command; "emubot --version" prints the version.',
            "Exit codes: 0 ok, 1 a check failed, 2 usage or a bad file, 3 no core, emulator or cluster, 4 I/O, "
            "130 interrupted.",
        ]
    )


def main(argv: list[str] | None = None) -> int:
    """Run one command and return its exit code; errors of emubot become one sentence on stderr.

    With `argv` None it runs the words of the command line, as the main program of the process.
    """
    streams.prepare()
    if argv is None:
        return interrupts.program(lambda: _main(sys.argv[1:]), _interrupted, f"emubot: {_INTERRUPTED}\n")
    with interrupts.handled():
        return _main(argv)


def _main(words: list[str]) -> int:
    verbose = any(word == "--verbose" or (word[:2] == "-v" and not word.strip("-v")) for word in words)
    as_json = "--json" in words
    result.begin()
    try:
        try:
            return _run(words)
        finally:
            _flush()
    except BrokenPipeError:  # the reader of our output has closed the pipe
        return _EXIT_STORAGE
    except (Exception, KeyboardInterrupt) as error:
        sentence, code = _said_of(error)
        if verbose and code != interrupts.EXIT_CODE:
            _show_traceback()
        return _say_and_end(sentence, code, as_json)


def _said_of(error: BaseException) -> tuple[str, int]:
    """Returns what is said of an error that ended a command, and the exit code."""
    if isinstance(error, EmubotError):
        return str(error), error.exit_code
    # An OSError may come because the terminal was closed, and compiled code may report an interrupt as a failure.
    if isinstance(error, KeyboardInterrupt) or interrupts.came():
        return _INTERRUPTED, interrupts.EXIT_CODE
    if isinstance(error, OSError):
        if error.errno == errno.ENOENT and not error.filename and not _is_somewhere():
            return "the folder in which emubot was started is no longer there: go to another one.", _EXIT_STORAGE
        return f"{error.filename or 'input or output'}: {error.strerror or error}.", _EXIT_STORAGE
    package = error.name if isinstance(error, ModuleNotFoundError) else None
    if package and not package.startswith("emubot"):
        from emubot.extras import command_for

        return f"the package {package} is missing; run: {command_for([_PACKAGES.get(package, package)])}", _EXIT_FAILED
    what = f"{type(error).__name__}: {error}".rstrip(". ")
    return f"this is a mistake in emubot ({what}); run it again with -v and report it.", _EXIT_FAILED


def _is_somewhere() -> bool:
    """Returns whether the folder that this process is in still exists."""
    from pathlib import Path

    try:
        return bool(Path.cwd())
    except OSError:
        return False


def _run(words: list[str]) -> int:
    if words[:1] == ["help"] and words[1:]:
        words = _helped(words[1:])
    if not words or words[0] in {"-h", "--help", "help"}:
        print(usage(), file=sys.stdout if words else sys.stderr)
        return 0 if words else _EXIT_USAGE
    if words[0] in {"-V", "--version"}:
        print(f"emubot {__version__}")
        return 0
    command, *rest = words
    if command not in COMMANDS and command not in _INNER:
        raise UsageError(_unknown(words))
    if not rest:
        from emubot.cli import actions

        if command in actions.ACTIONS:
            print(actions.usage(command), file=sys.stderr)
            return _EXIT_USAGE
    from importlib import import_module

    code: int = import_module(f"emubot.cli.{command.replace('-', '_')}").run(rest)
    return code


def _helped(words: list[str]) -> list[str]:
    """Returns the words that show the help of a command, or of one of its actions. Raises UsageError."""
    from emubot.cli import actions

    if _ALL in words and words != [_ALL]:
        return [*_helped([word for word in words if word != _ALL])[:-1], _ALL]
    command, *rest = words
    known = actions.names(command) if command in actions.ACTIONS else ()
    if command in OF_GAMES and rest and rest[0] not in known:
        return [command, rest[0], "--help"]
    if command not in COMMANDS or not rest or command not in actions.ACTIONS:
        return [command, "--help"]
    if rest[0] not in known:
        raise UsageError(
            f"{command} has no action {rest[0]!r}{did_you_mean(rest[0], known)}; it has {', '.join(known)}."
        )
    return [command, rest[0], "--help"]


def _unknown(words: list[str]) -> str:
    """Returns a sentence about a first word that is no command, with what was most likely meant."""
    from emubot.cli.meant import meant

    word = words[0]
    what = "option" if word.startswith("-") else "command"
    line = meant(words)
    hint = f'did you mean "emubot {line}"?' if line else f"commands are {', '.join(COMMANDS)}."
    return f"there is no {what} {printable(word)!r}; {hint}"


def _say_and_end(sentence: str, code: int, as_json: bool = False) -> int:
    shown = " ".join(sentence.splitlines())  # it may quote an untrusted file or another program
    shown = printable(shown, len(shown))
    try:
        from emubot.cli.fitting import fitted

        print(fitted(f"emubot: {shown}", 0, sys.stderr), file=sys.stderr)
    except OSError:  # the terminal was closed
        _give_up(sys.stderr)
    if as_json:
        try:
            result.emit_failure(shown, code)
            _flush()
        except OSError:  # stdout itself is what failed
            _give_up(sys.stdout)
    return code


def _interrupted() -> int:
    return _say_and_end(_INTERRUPTED, interrupts.EXIT_CODE)


def _show_traceback() -> None:
    import traceback

    traceback.print_exc()


def _flush() -> None:
    """Flush stdout while an error can still be reported; if that fails, discard the rest."""
    try:
        sys.stdout.flush()
    except OSError:
        _give_up(sys.stdout)
        raise


def _give_up(stream: TextIO) -> None:
    """Discard what a stream still holds; otherwise the interpreter tries again at exit, and prints an error."""
    try:
        os.dup2(os.open(os.devnull, os.O_WRONLY), stream.fileno())
    except (OSError, ValueError):  # not a file
        return
