"""The command line: picks the command, reports errors in one sentence; imports nothing heavy until a command runs."""

from __future__ import annotations

import os
import sys

from emubot import interrupts
from emubot.cli import streams
from emubot.errors import EmubotError
from emubot.text import printable
from emubot.version import __version__

TYPE_CHECKING = False  # as in typing, which takes time to load
if TYPE_CHECKING:
    from typing import TextIO

COMMANDS = {
    "play": "let the bot play a cartridge or a built-in demo",
    "arena": "play in the browser: alone, against the bot, or watch two bots",
    "core": "install or list emulator cores",
    "doctor": "check this machine and say how to fix what is missing",
    "maps": "list, check, learn and watch address maps",
    "trace": "record, verify, show and export games frame by frame",
    "review": "go through a person's game: what each placement lost, and why",
    "explain": "explain a decision: values, their parts, risks and buttons",
    "bridge-script": "print the script or settings that an emulator needs for the bot",
    "selfplay": "play millions of pieces without an emulator and report statistics",
    "train": "train weights by self-play, with one of several methods",
    "evaluate": "play many games and report how strong a player is, with intervals",
    "bench": "measure speed on this machine",
}

_EXIT_FAILED, _EXIT_STORAGE = 1, 4
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
            '"emubot COMMAND --help" explains one command; "emubot --version" prints the version.',
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
    try:
        try:
            return _run(words)
        finally:
            _flush()
    except EmubotError as error:
        if verbose:
            _show_traceback()
        return _say_and_end(str(error), error.exit_code)
    except KeyboardInterrupt:
        return _interrupted()
    except BrokenPipeError:  # the reader of our output has closed the pipe
        return _EXIT_STORAGE
    except OSError as error:
        if interrupts.came():  # for example because the terminal was closed
            return _interrupted()
        if verbose:
            _show_traceback()
        return _say_and_end(f"{error.filename or 'input or output'}: {error.strerror or error}.", _EXIT_STORAGE)
    except Exception as mistake:
        if interrupts.came():  # compiled code may report an interrupt as a failure
            return _interrupted()
        if verbose:
            _show_traceback()
        package = mistake.name if isinstance(mistake, ModuleNotFoundError) else None
        if package and not package.startswith("emubot"):
            from emubot.extras import command_for

            return _say_and_end(
                f"the package {package} is missing; run: {command_for([_PACKAGES.get(package, package)])}", _EXIT_FAILED
            )
        what = f"{type(mistake).__name__}: {mistake}".rstrip(". ")
        return _say_and_end(f"this is a mistake in emubot ({what}); run it again with -v and report it.", _EXIT_FAILED)


def _run(words: list[str]) -> int:
    if not words or words[0] in {"-h", "--help", "help"}:
        print(usage(), file=sys.stdout if words else sys.stderr)
        return 0 if words else 2
    if words[0] in {"-V", "--version"}:
        print(f"emubot {__version__}")
        return 0
    if words[0] not in COMMANDS:
        what = "option" if words[0].startswith("-") else "command"
        return _say_and_end(f"there is no {what} {words[0]!r}{_nearest(words[0])}", 2)
    from importlib import import_module

    code: int = import_module(f"emubot.cli.{words[0].replace('-', '_')}").run(words[1:])
    return code


def _say_and_end(sentence: str, code: int) -> int:
    shown = " ".join(sentence.splitlines())  # it may quote an untrusted file or another program
    try:
        print(f"emubot: {printable(shown, len(shown))}", file=sys.stderr)
    except OSError:  # the terminal was closed
        _give_up(sys.stderr)
    return code


def _interrupted() -> int:
    return _say_and_end(_INTERRUPTED, interrupts.EXIT_CODE)


def _show_traceback() -> None:
    import traceback

    traceback.print_exc()


def _nearest(word: str) -> str:
    from difflib import get_close_matches

    near = get_close_matches(word.lower(), COMMANDS, n=1)
    return f'; did you mean "emubot {near[0]}"?' if near else f"; commands are {', '.join(COMMANDS)}."


def _flush() -> None:
    """Flush stdout while an error can still be reported; if that fails, discard the rest."""
    if sys.stdout is None:  # started with a closed stdout
        return
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
