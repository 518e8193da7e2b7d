"""The tables of options in the pages are those that the games and the methods declare."""

from __future__ import annotations

from docs.draw_options import pages


def test_the_tables_are_what_is_declared() -> None:
    for path, text in pages().items():
        assert path.read_text(encoding="utf-8") == text, f"{path.name}: python docs/draw_options.py"
