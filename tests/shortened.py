"""Runs `emubot WORDS` as a page says it, but shorter: few pieces, games, rollouts and generations, and no browser."""

from __future__ import annotations

import os
import signal
import subprocess
import sys

EMUBOT = [sys.executable, "-m", "emubot"]
MOST_PIECES = 30


def value(words: list[str], option: str) -> str | None:
    """The value of an option, or None."""
    return words[words.index(option) + 1] if option in words else None


def shortened(words: list[str]) -> list[str]:
    """The words, with options behind them that replace those before or end the command soon."""
    command = words[0]
    if command == "play" or words[:2] in (["trace", "record"], ["train", "watch"]):
        pieces = min(int(value(words, "--pieces") or 3), MOST_PIECES)
        return [*words, "--pieces", str(pieces), "--emu-speed", "max"]
    if command == "selfplay" and "--sum" not in words:
        units = value(words, "--units")
        if units is None:
            return [*words, "--pieces", "1000", "--unit", "500"]
        number = 0 if units.startswith("0:") else 1
        return [*words, "--units", f"{number}:{number + 1}", "--unit", "500"]
    if command == "explain":
        return [*words, "--rollouts", "2"]
    if command == "evaluate":
        plain = value(words, "--rules") in ("textbook", "versus")
        games = "1" if "--sequences" in words else "2"
        stop = ["--stop-lines", "10"] if "--stop-lines" in words else []
        return [*words, "--games", games, *stop, *([] if plain else ["--nodes", "500"])]
    if command == "train" and words[1] != "plot":
        method = value(words, "--method")
        few = ["--set", "pieces=2000"] if method == "td" else ["--games", "1", "--race", "0"]
        if "--stop-lines" in words:
            few += ["--stop-lines", "10"]
        return [*words, "--generations", "1", "--final-games", "4", *few]
    return words


def serve(words: list[str]) -> int:
    """Run a command that serves until Ctrl-C, and press it once it is ready."""
    with subprocess.Popen([*EMUBOT, *words, "--no-open"], stderr=subprocess.PIPE, text=True) as process:
        assert process.stderr is not None
        for line in process.stderr:
            sys.stderr.write(line)
            if "Ctrl-C ends it" in line:
                process.send_signal(signal.SIGINT)
    return 0 if process.returncode == 130 else process.returncode or 1


if __name__ == "__main__":
    given = sys.argv[1:]
    if given[:1] == ["arena"]:
        sys.exit(serve(given))
    os.execv(sys.executable, [*EMUBOT, *shortened(given)])
