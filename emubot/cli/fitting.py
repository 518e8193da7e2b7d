"""Wraps text to the terminal; where there is none, a text stays one line for programs."""

from __future__ import annotations

import shutil
import sys
import textwrap
from typing import Final, TextIO

_NARROWEST: Final = 20  # columns; a terminal that has fewer wraps by itself


def fitted(text: str, indent: int, stream: TextIO | None = None) -> str:
    """Returns the text wrapped to the width of the terminal; all lines but the first are indented by `indent`.

    `stream` is where it is going to be printed; None is stdout.
    """
    stream = stream or sys.stdout
    if not stream.isatty():
        return text
    width = max(shutil.get_terminal_size().columns, _NARROWEST)
    indent = min(indent, width - _NARROWEST)
    lines = textwrap.wrap(text, width, subsequent_indent=" " * indent, break_long_words=False, break_on_hyphens=False)
    return "\n".join(lines)
