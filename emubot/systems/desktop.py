"""What a person works at: the words of a shell, a display, and where a browser can read."""

from __future__ import annotations

import os
import re
import shlex
import sys
from pathlib import Path
from typing import Final

_DISPLAYS: Final = ("DISPLAY", "WAYLAND_DISPLAY", "XDG_RUNTIME_DIR")


def quoted(word: str) -> str:
    """Returns a word as the shell of this system takes it; Windows knows double quotes only."""
    if sys.platform == "win32":
        return f'"{word}"' if re.search(r"[^\w\\/.:-]", word) else word
    return shlex.quote(word)


def python() -> str:
    """Returns the word that starts Python in a shell."""
    return "py" if sys.platform == "win32" else "python3"


def has_display() -> bool:
    """Returns False where no window can be opened for want of a display; True where that is not known."""
    return sys.platform != "linux" or any(os.environ.get(name) for name in _DISPLAYS)


def has_snaps() -> bool:
    """Returns whether browsers may be snaps, which see neither /tmp nor hidden folders (Ubuntu)."""
    return sys.platform == "linux" and Path("/snap").is_dir()
