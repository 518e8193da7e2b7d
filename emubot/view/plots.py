"""Writes curves as picture files with matplotlib (extra `train`), imported on use; decides nothing."""

from __future__ import annotations

import io
from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Final

from emubot.atomic import write_whole
from emubot.extras import PLOTS

if TYPE_CHECKING:
    from matplotlib.figure import Figure

_DOTS: Final = 150  # per inch
_FAR_APART: Final = 30  # ratio of the largest to the smallest mean above which the scale is logarithmic
BARS, CURVE, OTHER = "#8fb8de", "#1f3b5c", "#c0392b"


def picture(width: float, height: float) -> Figure:
    """Returns an empty picture; width and height are in inches. Raises UsageError without matplotlib."""
    PLOTS.require()
    from matplotlib.backends.backend_agg import FigureCanvasAgg
    from matplotlib.figure import Figure

    figure = Figure(figsize=(width, height), layout="constrained")
    FigureCanvasAgg(figure)
    return figure


def save(figure: Figure, path: Path) -> None:
    """Write the figure, completely or not at all: an SVG if the file is named so, else a PNG. Raises StorageError."""
    drawn = io.BytesIO()
    figure.savefig(drawn, format="svg" if path.suffix == ".svg" else "png", dpi=_DOTS)
    write_whole(path, drawn.getvalue())


def draw_intervals(
    path: Path, bars: Sequence[tuple[str, float, float | None, float | None]], measure: str, title: str
) -> None:
    """Write a PNG with a bar for each (name, mean, low, high) of a measure; None means no interval.

    If the means are far apart, the scale is logarithmic. Raises as `draw_distribution` does.
    """
    figure = picture(8, 1.5 + 0.45 * len(bars))
    axes = figure.subplots()
    places = range(len(bars))
    means = [mean for _, mean, _, _ in bars]
    axes.barh(places, means, color=BARS)
    for place, (_, mean, low, high) in zip(places, bars, strict=True):
        if low is not None and high is not None:
            axes.plot([low, high], [place, place], color=CURVE, linewidth=2)
        axes.annotate(f" {mean:,.4g}", (max(mean, high or mean), place), va="center")
    axes.set_yticks(places, [name for name, _, _, _ in bars])
    axes.invert_yaxis()
    axes.margins(x=0.12)
    if min(means) > 0 and max(means) > _FAR_APART * min(means):
        axes.set_xscale("log")
    axes.set_title(title)
    axes.set_xlabel(measure)
    save(figure, path)


def draw_distribution(
    path: Path,
    histogram: Sequence[int],
    curve: Sequence[tuple[float, float]],
    curve_label: str,
    measure: str,
    title: str,
    reference: tuple[str, float] | None = None,
) -> None:
    """Write a PNG: the probability of each count with a curve of (count, probability), linear above, logarithmic below.

    `reference` is a labelled value to mark, such as a published maximum. Raises UsageError without matplotlib,
    StorageError if the file cannot be written.
    """
    total = max(sum(histogram), 1)
    shares = [times / total for times in histogram]
    end = max(len(histogram), reference[1] + 1 if reference else 0)
    figure = picture(8, 7)
    upper, lower = figure.subplots(2, 1, sharex=True)
    for axes in (upper, lower):
        axes.bar(range(len(shares)), shares, width=0.9, color=BARS, label=f"{total:,} locks")
        axes.plot([x for x, _ in curve], [y for _, y in curve], color=CURVE, linewidth=1.5, label=curve_label)
        axes.set_ylabel("probability")
        axes.grid(alpha=0.3)
        if reference is not None:
            axes.axvline(reference[1], color=OTHER, linestyle="--", linewidth=1, label=reference[0])
    upper.set_title(title)
    upper.legend()
    if any(histogram):
        lower.set_yscale("log")
        lower.set_ylim(0.3 / total, 1)
    lower.set_xlim(-0.7, end - 0.3)
    lower.set_xlabel(f"{measure} after a lock")
    save(figure, path)
