"""How this program starts itself as a child, from a checkout, an installation or the stand-alone program."""

from __future__ import annotations

import sys

from emubot.datafiles import is_standalone


def program() -> list[str]:
    """Returns the words that start emubot; a subcommand follows them."""
    if is_standalone():
        return [sys.executable]
    return [sys.executable, "-P", "-m", "emubot"]
