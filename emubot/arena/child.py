"""How this program starts itself as a child, from a checkout, an installation or the stand-alone program."""

from __future__ import annotations

import sys


def program() -> list[str]:
    """Returns the words that start emubot; a subcommand follows them."""
    if getattr(sys, "frozen", False):  # the stand-alone program is its own interpreter
        return [sys.executable]
    return [sys.executable, "-P", "-m", "emubot"]
