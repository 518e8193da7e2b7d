"""The command line: picks the command, reports errors in one sentence; imports nothing heavy until a command runs."""

from __future__ import annotations

import sys
from importlib import import_module

from emubot import __version__
from emubot.errors import EmubotError

COMMANDS = {
    "play": "play a cartridge, or the built-in demo, with the bot",
    "core": "install or list emulator cores",
    "doctor": "check what this machine has and say how to mend the rest",
    "maps": "list and check address maps",
    "trace": "record, verify and show games frame by frame",
    "bench": "measure speed on this machine",
}

_EXIT_INTERRUPTED = 130


def usage() -> str:
    """The text of `emubot --help`."""
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
            '"emubot COMMAND --help" tells about one command; "emubot --version" names the version.',
            "Exit codes: 0 ok, 1 a check failed, 2 usage or a bad file, 3 no core or emulator, 4 I/O, 130 interrupted.",
        ]
    )


def main(argv: list[str] | None = None) -> int:
    """Run one command and return its exit code."""
    words = sys.argv[1:] if argv is None else argv
    if not words or words[0] in {"-h", "--help", "help"}:
        print(usage())
        return 0 if words else 2
    if words[0] in {"-V", "--version"}:
        print(f"emubot {__version__}")
        return 0
    if words[0] not in COMMANDS:
        print(f"emubot: there is no command {words[0]!r}{_nearest(words[0])}", file=sys.stderr)
        return 2
    return _guarded(words[0], words[1:])


def _nearest(word: str) -> str:
    from difflib import get_close_matches

    near = get_close_matches(word, COMMANDS, n=1)
    known = f'did you mean "{near[0]}"?' if near else f"known: {', '.join(COMMANDS)}."
    return f"; {known}"


def _guarded(command: str, words: list[str]) -> int:
    """Run a command's `run(words)`, turning our own errors into one sentence and the documented exit code."""
    verbose = any(word in {"-v", "--verbose", "-vv"} for word in words)
    try:
        code: int = import_module(f"emubot.cli.{command}").run(words)
    except EmubotError as error:
        if verbose:
            raise
        print(f"emubot: {error}", file=sys.stderr)
        return error.exit_code
    except KeyboardInterrupt:
        print("emubot: interrupted.", file=sys.stderr)
        return _EXIT_INTERRUPTED
    except BrokenPipeError:
        sys.stderr.close()
        return 4
    except OSError as error:
        if verbose:
            raise
        print(f"emubot: {error.strerror or error}: {error.filename or 'input or output'}.", file=sys.stderr)
        return 4
    return code
