"""A review as one HTML file that opens without a server: the ten worst moments side by side; judges nothing."""

from __future__ import annotations

from collections.abc import Sequence
from html import escape
from typing import Final

from emubot.games.variety import LOST
from emubot.judging.judge import JudgedMove, Review
from emubot.review.drawing import Drawings, style
from emubot.snapshot import Cell, Piece
from emubot.text import counted

_STYLE: Final = """
:root { color-scheme: light dark; --ground: #f4f5f8; --card: #fff; --text: #1b2330; --soft: #56617a; --line: #c9cfdb;
  --mine: #c0392b; --best: #1d7a3a; --field: #e9ecf2; --mark: rgba(0, 0, 0, 0.72); }
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
    drawings = Drawings(review.looks)
    moments = "".join(_moment(number, move, review, drawings) for number, move in enumerate(worst, start=1))
    return (
        '<!doctype html><html lang="en"><head><meta charset="utf-8">'
        '<meta name="viewport" content="width=device-width, initial-scale=1">'
        f"<title>Review of {escape(review.title)}</title><style>{_STYLE}{style(review.looks)}</style></head><body>"
        f"<h1>Review of {escape(review.title)}</h1>"
        f"<section><h2>Accuracy {accuracy}</h2><table>{rows}</table>"
        f"<p>{counted(len(review.judged), 'placement')}: {marks}.{skipped} "
        "A placement is 100 % if it is worth as much as the bot's own, "
        "and 0 % if it is no better than the median of all that can be reached.</p>"
        f'<p class="soft">A value is {escape(review.meaning)}.</p></section>'
        f"<section><h2>Loss of each placement</h2>{_chart(review.judged)}</section>"
        f"<h2>{_headline(len(worst))}</h2>{drawings.pictures}{moments or '<p>None: each placement was the best.</p>'}"
        "</body></html>\n"
    )


def _moment(number: int, judged: JudgedMove, review: Review, drawings: Drawings) -> str:
    return (
        f'<section id="moment-{number}"><h3>{number}. {review.looks.piece.capitalize()} {judged.move.number}, '
        f'a {judged.mark.value}: <span class="mine">{escape(judged.why)}</span></h3>'
        f"<p>{escape(judged.played.name)} loses {_loss(judged.loss, review.unit)} against "
        f'<span class="best">{escape(judged.best.name)}</span>. '
        f"Frame {judged.move.frame:,}, accuracy {_percent(judged.accuracy)}.{_missed(judged)}</p>"
        '<div class="boards">'
        f"<figure>{_board(drawings, review, judged, 'mine')}<figcaption>played</figcaption></figure>"
        f"<figure>{_board(drawings, review, judged, 'best')}<figcaption>better</figcaption></figure>"
        "</div></section>"
    )


def _missed(judged: JudgedMove) -> str:
    """Returns how often a person misses both placements, in words; nothing if nobody counted."""
    played, best = (None if one is None else _percent(one.misses / one.tries) for one in judged.missed)
    if played is None or best is None:
        return ""
    return f" A person misses {played} and {best} of the tries."


def _board(drawings: Drawings, review: Review, judged: JudgedMove, colour: str) -> str:
    """Returns the board before a placement, with its piece where it was played (`mine`) or would have been best."""
    snapshot, look = judged.move.snapshot, review.depiction
    rows, columns = snapshot.playfield.shape
    joins = None if look is None else look.joins(snapshot)
    stack = [
        Cell(column, row, int(snapshot.playfield[row, column]), 0 if joins is None else int(joins[row, column]))
        for row, column in zip(*(places.tolist() for places in snapshot.playfield.nonzero()), strict=True)
    ]
    place = judged.best.placement
    there = judged.move.locked if colour == "mine" else Piece(place.orientation, place.column, place.row)
    cells = [] if look is None else [cell for cell in look.cells(snapshot, there) if cell.row >= 0]
    return drawings.board(rows, columns, stack, cells, colour)


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
