"""Wraps the lines of a list to the terminal; if stdout is not a terminal, an entry stays one line for programs."""

from __future__ import annotations

import shutil
import sys
import textwrap


def fitted(text: str, indent: int) -> str:
    """Returns the text wrapped to the width of the terminal; all lines but the first are indented by `indent`."""
    if sys.stdout is None or not sys.stdout.isatty():  # None: started with a closed stdout
        return text
    width = max(shutil.get_terminal_size().columns, indent + 20)
    lines = textwrap.wrap(text, width, subsequent_indent=" " * indent, break_long_words=False, break_on_hyphens=False)
    return "\n".join(lines)
