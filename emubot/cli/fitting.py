"""Lines of a list that fit the terminal; where stdout is none, each entry stays one line for other programs to read."""

from __future__ import annotations

import shutil
import sys
import textwrap


def fitted(text: str, indent: int) -> str:
    """The text in lines as wide as the terminal, all but the first indented by so much."""
    if sys.stdout is None or not sys.stdout.isatty():  # None: started with a closed stdout
        return text
    width = max(shutil.get_terminal_size().columns, indent + 20)
    lines = textwrap.wrap(text, width, subsequent_indent=" " * indent, break_long_words=False, break_on_hyphens=False)
    return "\n".join(lines)
