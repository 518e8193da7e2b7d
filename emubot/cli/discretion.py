"""Takes out of a text what names a person: folders, users, machines, files, and words that emubot does not know."""

from __future__ import annotations

import errno
import os
import re
import sys
import tempfile
from collections.abc import Iterable, Mapping
from contextlib import suppress
from functools import cache
from pathlib import Path
from typing import Final

from emubot.datafiles import is_standalone, shipped, user_cache, user_config, user_data
from emubot.systems import about

UNKNOWN: Final = "<...>"
_OWN: Final = ("ram_maps", "weights")  # folders with a person's own files
_OF_CORES: Final = ("git", "svn", "FCEUmm", "Nestopia", "UE", "Mesen", "QuickNES")  # words of their names and versions
_PATH: Final = re.compile(r"""(?<![\w<>~])(?:[A-Za-z]:)?[\\/](?:<\.\.\.>|[^\s,;:()"'<>])+""")
_WORD: Final = re.compile(r"<[^<>\n]*>|~|[^\W_]+")  # a placeholder, or letters and digits
_WORDS: Final = re.compile(rb"[A-Za-z0-9]+")
_NUMBER: Final = re.compile(r"(?=\D*\d)[0-9A-Fa-f]{8,}|[0-9]+(?:ms|s|us|Hz|bit|x|k|M)?")  # a checksum, or a figure


class Discretion:
    """Replaces what it is told, longest first; then paths, and words that are in none of emubot's own files."""

    def __init__(self, names: Mapping[str, str], known: Iterable[str]) -> None:
        """`names` are texts with what stands for them; `known` are words in small letters that may stay."""
        self._names = dict(sorted(names.items(), key=lambda item: -len(item[0])))
        self._known = frozenset(known)

    @classmethod
    def of_this_machine(cls, more: Iterable[str] = ()) -> Discretion:
        """Returns that for this user on this machine; `more` are words that are left out too."""
        found = dict.fromkeys([*more, *_own_files()], UNKNOWN)
        found |= dict.fromkeys(about.names(), UNKNOWN)
        for folder, name in _folders():
            for path in {str(folder), str(folder.resolve())}:
                if len(Path(path).parts) > 1:  # else each path would begin with it
                    found[path] = name
        return cls(found, _vocabulary())

    def __call__(self, text: str) -> str:
        """Returns the text without them."""
        for name, instead in self._names.items():
            pattern = re.escape(name) if os.sep in name else rf"(?<!\w){re.escape(name)}(?!\w)"
            text = re.sub(pattern, instead, text, flags=re.IGNORECASE)  # what stands for it has no backslash
        text = _PATH.sub(UNKNOWN, text)
        return _WORD.sub(lambda found: self._word(found[0]), text)

    def _word(self, word: str) -> str:
        is_plain = len(word) == 1 or word.startswith("<") or _NUMBER.fullmatch(word)
        return word if is_plain or word.lower() in self._known else UNKNOWN


def _folders() -> list[tuple[Path, str]]:
    """Returns folders with what stands for them, a later one in place of an earlier one that is the same."""
    found = [(Path(tempfile.gettempdir()), "<temporary>")]
    with suppress(OSError):  # the folder was removed
        found.append((Path.cwd(), "<here>"))
    with suppress(RuntimeError):  # a user without a home
        found.append((Path.home(), "~"))
    found += [(Path(prefix), "<python>") for prefix in (sys.base_prefix, sys.prefix)]
    found.append((shipped("ram_maps").parent, "<emubot>"))
    found += [(user_config("."), "<config>"), (user_data("."), "<data>"), (user_cache(), "<cache>")]
    for name in ("EMUBOT_CORES", "EMUBOT_ROMS"):
        found += [(Path(word), f"<{name}>") for word in os.environ.get(name, "").split(os.pathsep) if word]
    return found


def _own_files() -> set[str]:
    """Returns the names of the person's own maps, weights and cartridges."""
    folders = [user_config(name) for name in _OWN]
    folders += [Path(os.environ["EMUBOT_ROMS"])] if os.environ.get("EMUBOT_ROMS") else []
    files = [path for folder in folders if folder.is_dir() for path in folder.iterdir()]
    return {name for path in files for name in (path.name, path.stem) if name}


@cache
def _vocabulary() -> frozenset[str]:
    """Returns the words of emubot's sources, maps and weights' names and of the system's errors.

    The stand-alone program has no sources, and knows none.
    """
    if is_standalone():
        return frozenset()
    package = Path(__file__).resolve().parents[1]
    files = [*package.rglob("*.py"), *shipped("ram_maps").glob("*.yaml")]
    words = {word.decode().lower() for file in files for word in _WORDS.findall(file.read_bytes())}
    others = [*_OF_CORES, *(path.name for path in shipped("weights").iterdir()), *map(os.strerror, errno.errorcode)]
    return frozenset(words | {word.decode().lower() for word in _WORDS.findall(" ".join(others).encode())})
