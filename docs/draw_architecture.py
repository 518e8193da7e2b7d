"""Draws docs/pictures/architecture.svg, the floors and what each room imports, and fills the page's tables.

    python docs/draw_architecture.py

Lines lead from a room to those that it imports, but for the imports that follow from others. A test compares.
"""

from __future__ import annotations

import ast
import sys
from html import escape
from pathlib import Path

ROOT = Path(__file__).resolve().parents[1]
sys.path.insert(0, str(ROOT))

from tests.floors import FAMILY_FLOORS, FLOORS, FOLDERS, PACKAGE, edges, family_edges  # noqa: E402

PICTURE = ROOT / "docs" / "pictures" / "architecture.svg"
PAGE = ROOT / "docs" / "explanation" / "architecture.md"
WIDTH, BAND, BOX, LEFT, ASIDE = 900, 52, 26, 20, 130
HIDDEN = {"__init__", "__main__"}
Edges = set[tuple[str, str]]


def reduced(given: Edges) -> Edges:
    """The edges that do not follow from others: the transitive reduction."""
    below: dict[str, set[str]] = {}

    def reach(room: str) -> set[str]:
        if room not in below:
            below[room] = set()
            for own, other in given:
                if own == room:
                    below[room] |= {other} | reach(other)
        return below[room]

    direct = {own: {other for one, other in given if one == own} for own, _ in given}
    return {
        (own, other) for own, other in given if not any(other in reach(between) for between in direct[own] - {other})
    }


def drawing(floors: list[set[str]], given: Edges, top: int, title: str) -> tuple[list[str], int]:
    """Lines of SVG, and the height that they take."""
    shown = [sorted(rooms - HIDDEN) for rooms in reversed(floors) if rooms - HIDDEN]
    lines = [f'<text class="title" x="{LEFT}" y="{top + 16}">{escape(title)}</text>']
    places: dict[str, tuple[float, float, float]] = {}
    for number, rooms in enumerate(shown):
        above = top + 30 + number * BAND
        lines.append(f'<rect class="band" x="{LEFT}" y="{above}" width="{WIDTH - 2 * LEFT}" height="{BAND - 10}"/>')
        space = (WIDTH - 2 * LEFT) / len(rooms)
        aside = (number % 3 - 1) * ASIDE if len(rooms) == 1 else 0  # so that lines do not run through other rooms
        for place, room in enumerate(rooms):
            wide = 24.0 + 8 * len(room)
            places[room] = (LEFT + space * (place + 0.5) + aside, above + (BAND - 10) / 2, wide)
    for own, other in sorted(reduced({(a, b) for a, b in given if a not in HIDDEN and b not in HIDDEN})):
        (x1, y1, _), (x2, y2, _) = places[own], places[other]
        lines.append(f'<path d="M{x1:.0f} {y1 + BOX / 2:.0f} L{x2:.0f} {y2 - BOX / 2:.0f}"/>')
    for room, (x, middle, width) in places.items():
        corner = f'x="{x - width / 2:.0f}" y="{middle - BOX / 2:.0f}"'
        lines.append(f'<rect class="room" {corner} width="{width:.0f}" height="{BOX}"/>')
        lines.append(f'<text x="{x:.0f}" y="{middle + 5:.0f}">{escape(room)}</text>')
    return lines, 30 + len(shown) * BAND


def picture() -> str:
    """The whole picture as SVG."""
    house, height = drawing(FLOORS, edges(), 10, "emubot/")
    family_parts = {edge for family in FOLDERS for edge in family_edges(family)}
    family, more = drawing(FAMILY_FLOORS, family_parts, height + 40, "inside a family: emubot/games/colours, tetris")
    total = height + more + 60
    style = (
        "text{font:14px sans-serif;text-anchor:middle;fill:#222}.title{text-anchor:start;font-weight:bold}"
        ".band{fill:#f2f4f7}.room{fill:#fff;stroke:#51606f;rx:5}path{stroke:#b3bdc9;fill:none}"
        "rect.page{fill:#fff}"
    )
    head = f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {WIDTH} {total}" width="{WIDTH}" height="{total}">'
    page = f'<rect class="page" width="{WIDTH}" height="{total}"/>'
    return "\n".join([head, f"<style>{style}</style>", page, *house, *family, "</svg>", ""])


def first_line(path: Path) -> str:
    """The first sentence of a module's or a room's docstring."""
    text = ast.get_docstring(ast.parse(path.read_text(encoding="utf-8"))) or ""
    return text.splitlines()[0].rstrip(".")


def table(floors: list[set[str]], folder: Path) -> list[str]:
    """The rooms of a folder from the top floor down, each with its first line."""
    rows = ["| room | what it is for |", "|---|---|"]
    for rooms in reversed(floors):
        for room in sorted(rooms - HIDDEN):
            path = folder / room / "__init__.py"
            file = path if path.exists() else folder / f"{room}.py"
            if file.exists():
                name = f"{room}/" if path.exists() else f"{room}.py"
                rows.append(f"| `{name}` | {first_line(file).replace('|', '/')} |")
    return rows


def page(text: str) -> str:
    """The page with its tables filled in between their marks."""
    for mark, rows in (
        ("rooms", table(FLOORS, PACKAGE)),
        ("family", table(FAMILY_FLOORS, PACKAGE / "games" / "colours")),
    ):
        begin, end = f"<!-- {mark} -->", f"<!-- end of {mark} -->"
        before, _, rest = text.partition(begin)
        _, _, after = rest.partition(end)
        text = "\n".join([before + begin, *rows, end]) + after
    return text


if __name__ == "__main__":
    PICTURE.write_text(picture(), encoding="utf-8")
    PAGE.write_text(page(PAGE.read_text(encoding="utf-8")), encoding="utf-8")
