"""A review as one HTML file that opens without a server: the ten worst moments side by side; judges nothing."""

from __future__ import annotations

from collections.abc import Sequence
from html import escape
from typing import Final

from emubot.games.variety import LOST
from emubot.judging.judge import Cells, JudgedMove, Review
from emubot.looks import Looks
from emubot.snapshot import Snapshot
from emubot.text import counted

_CELL: Final = 16  # units of a drawing
_STYLE: Final = """
:root { color-scheme: light dark; --ground: #f4f5f8; --card: #fff; --text: #1b2330; --soft: #56617a; --line: #c9cfdb;
  --mine: #c0392b; --best: #1d7a3a; --field: #e9ecf2; }
@media (prefers-color-scheme: dark) { :root { --ground: #12161d; --card: #1b212b; --text: #e8ecf4; --soft: #a3adc0;
  --line: #394255; --mine: #ff8d80; --best: #6fdc93; --field: #0d1117; } }
body { margin: 0 auto; padding: 1rem; max-width: 64rem; background: var(--ground); color: var(--text);
  font: 1rem/1.5 system-ui, sans-serif; }
section { margin: 1rem 0; padding: 0.8rem 1.2rem; border: 1px solid var(--line); border-radius: 0.7rem;
  background: var(--card); }
.boards { display: flex; flex-wrap: wrap; gap: 2rem; }
figure { margin: 0; } figcaption { color: var(--soft); } svg { height: 20rem; max-width: 100%; }
.mine { color: var(--mine); } .best { color: var(--best); }
table { border-collapse: collapse; font-variant-numeric: tabular-nums; } td, th { padding: 0.1rem 1rem 0.1rem 0;
  text-align: left; }
.bar { height: 4rem; width: 100%; } .soft { color: var(--soft); }
"""


def page(review: Review, count: int = 10) -> str:
    """Returns the page as text: accuracy by phase, the loss of each placement, and the worst moments."""
    worst = review.worst(count)
    accuracy = _percent(review.accuracy)
    rows = "".join(
        f"<tr><th scope=row>{name}</th><td>{_percent(value)}</td></tr>" for name, value in review.by_phase.items()
    )
    marks = ", ".join(f"{mark.value} {count:,}" for mark, count in review.marks.items())
    were = "was" if review.skipped == 1 else "were"
    skipped = f" {review.skipped:,} {were} not judged: the search knows no way there." if review.skipped else ""
    moments = "".join(_moment(number, move, review) for number, move in enumerate(worst, start=1))
    return (
        '<!doctype html><html lang="en"><head><meta charset="utf-8">'
        '<meta name="viewport" content="width=device-width, initial-scale=1">'
        f"<title>Review of {escape(review.title)}</title><style>{_STYLE}</style></head><body>"
        f"<h1>Review of {escape(review.title)}</h1>"
        f"<section><h2>Accuracy {accuracy}</h2><table>{rows}</table>"
        f"<p>{counted(len(review.judged), 'placement')}: {marks}.{skipped} "
        "A placement is 100 % if it is worth as much as the bot's own, "
        "and 0 % if it is no better than the median of all that can be reached.</p>"
        f'<p class="soft">A value is {escape(review.meaning)}.</p></section>'
        f"<section><h2>Loss of each placement</h2>{_chart(review.judged)}</section>"
        f"<h2>{_headline(len(worst))}</h2>{moments or '<p>None: each placement was the best.</p>'}"
        "</body></html>\n"
    )


def _moment(number: int, judged: JudgedMove, review: Review) -> str:
    snapshot = judged.move.snapshot
    return (
        f'<section id="moment-{number}"><h3>{number}. {review.looks.piece.capitalize()} {judged.move.number}, '
        f'a {judged.mark.value}: <span class="mine">{escape(judged.why)}</span></h3>'
        f"<p>{escape(judged.played.name)} loses {_loss(judged.loss, review.unit)} against "
        f'<span class="best">{escape(judged.best.name)}</span>. '
        f"Frame {judged.move.frame:,}, accuracy {_percent(judged.accuracy)}.{_missed(judged)}</p>"
        '<div class="boards">'
        f"<figure>{_board(snapshot, judged.cells, 'mine', review.looks)}<figcaption>played</figcaption></figure>"
        f"<figure>{_board(snapshot, judged.best_cells, 'best', review.looks)}<figcaption>better</figcaption></figure>"
        "</div></section>"
    )


def _missed(judged: JudgedMove) -> str:
    """Returns how often a person misses both placements, in words; nothing if nobody counted."""
    played, best = (None if one is None else _percent(one.misses / one.tries) for one in judged.missed)
    if played is None or best is None:
        return ""
    return f" A person misses {played} and {best} of the tries."


def _board(snapshot: Snapshot, cells: Cells, kind: str, looks: Looks) -> str:
    rows, columns = snapshot.playfield.shape
    radius = _CELL // 2 if looks.is_round else 2

    def square(column: int, row: int, value: int, more: str = "") -> str:
        x, y, size = column * _CELL + 1.5, row * _CELL + 1.5, _CELL - 3
        fill = looks.kind(value).colour or "none"
        return f'<rect x="{x}" y="{y}" width="{size}" height="{size}" rx="{radius}" fill="{fill}"{more}/>'

    drawn = [f'<rect width="{columns * _CELL}" height="{rows * _CELL}" fill="var(--field)"/>']
    for row in range(rows):
        for column in range(columns):
            value = int(snapshot.playfield[row, column])
            if value:
                drawn.append(square(column, row, value))
    outline = f' stroke="var(--{kind})" stroke-width="3"'
    drawn += [square(column, row, value, outline) for column, row, value in cells if row >= 0]
    words = ", ".join(f"column {column + 1} row {rows - row}" for column, row, _ in cells)
    box = f"0 0 {columns * _CELL} {rows * _CELL}"
    return f'<svg viewBox="{box}" role="img" aria-label="{words}">{"".join(drawn)}</svg>'


def _chart(judged: Sequence[JudgedMove]) -> str:
    """Returns bars: the lower the accuracy of a placement, the higher its bar."""
    width = max(len(judged), 1)
    bars = "".join(
        f'<rect x="{at}" y="{top:.1f}" width="0.8" height="{100 - top:.1f}" fill="var(--mine)"/>'
        for at, top in enumerate(100 * move.accuracy for move in judged)
        if top < 100
    )
    return (
        f'<svg class="bar" viewBox="0 0 {width} 100" preserveAspectRatio="none" role="img" '
        f'aria-label="the higher a bar, the worse the placement">{bars}</svg>'
    )


def _headline(count: int) -> str:
    return "The worst moment" if count == 1 else f"The {count} worst moments"


def _loss(value: float, unit: str) -> str:
    if value >= -LOST:
        return "all that a game or a stage is worth"
    number = f"{value:,.0f}" if value >= 100 else f"{value:,.2f}"
    return escape(f"{number} {unit}".strip())


def _percent(value: float | None) -> str:
    return "-" if value is None else f"{100 * value:.0f} %"
