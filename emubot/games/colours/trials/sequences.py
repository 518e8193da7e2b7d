"""Files of given games: a line of letters each, two letters a pair, the pivot first; knows no search and no rules."""

from __future__ import annotations

from pathlib import Path
from typing import Final

import numpy as np

from emubot.errors import StorageError, UsageError
from emubot.files import UnsuitableFile, read_regular
from emubot.games.colours.rules import LETTERS
from emubot.games.colours.trials.untimed import Pairs
from emubot.text import printable

_MOST_BYTES: Final = 16 * 1024 * 1024


def read_sequences(path: str) -> list[Pairs]:
    """Returns the games of a file, each uint8 (pairs, 2). Raises UsageError for a file without such games."""
    try:
        text = read_regular(Path(path), _MOST_BYTES).decode("ascii")
    except UnsuitableFile as wrong:
        raise UsageError(f"{path} is no file of games: {wrong.strerror}; choose another one.") from None
    except UnicodeDecodeError:
        raise UsageError(f"{path} is no file of games: a line is letters of {LETTERS}; choose another one.") from None
    except FileNotFoundError:
        raise UsageError(f"There is no file {path}: give one with a line of letters for each game.") from None
    except OSError as failure:
        raise StorageError(f"{path} cannot be read: {failure.strerror}.") from failure
    games = []
    for number, line in enumerate(text.splitlines(), 1):
        letters = line.strip()
        if not letters or len(letters) % 2 or set(letters) - set(LETTERS):
            raise UsageError(
                f"{path}, line {number}: a game is pairs of the letters {LETTERS}, not {printable(letters[:40])!r}; "
                "correct it."
            )
        games.append(np.array([LETTERS.index(letter) + 1 for letter in letters], dtype=np.uint8).reshape(-1, 2))
    if not games:
        raise UsageError(f"{path} is empty: give a file with a line of letters for each game.")
    return games
