"""Curves as picture files, with matplotlib (extra `train`), imported on use; draws, decides nothing."""

from __future__ import annotations

from collections.abc import Sequence
from importlib.util import find_spec
from pathlib import Path
from typing import Final

from emubot.errors import StorageError, UsageError

_DOTS: Final = 150  # per inch
_BARS, _CURVE, _OTHER = "#8fb8de", "#1f3b5c", "#c0392b"


def require_matplotlib() -> None:
    """Raises UsageError, with the remedy, where matplotlib is not installed."""
    if find_spec("matplotlib") is None:
        raise UsageError('Plots need matplotlib, which is not installed: pip install "emubot[train]".')


def draw_distribution(
    path: Path,
    histogram: Sequence[int],
    curve: Sequence[tuple[float, float]],
    curve_label: str,
    measure: str,
    title: str,
    reference: tuple[str, float] | None = None,
) -> None:
    """Write a PNG: the probability of each count, and a curve of (count, probability) over it; below, by decades.

    `reference` is a labelled value to mark, such as a published maximum. Raises UsageError without matplotlib,
    StorageError where the file cannot be written.
    """
    require_matplotlib()
    from matplotlib.backends.backend_agg import FigureCanvasAgg
    from matplotlib.figure import Figure

    total = max(sum(histogram), 1)
    shares = [times / total for times in histogram]
    end = max(len(histogram), reference[1] + 1 if reference else 0)
    figure = Figure(figsize=(8, 7), layout="constrained")
    FigureCanvasAgg(figure)
    upper, lower = figure.subplots(2, 1, sharex=True)
    for axes in (upper, lower):
        axes.bar(range(len(shares)), shares, width=0.9, color=_BARS, label=f"{total:,} locks")
        axes.plot([x for x, _ in curve], [y for _, y in curve], color=_CURVE, linewidth=1.5, label=curve_label)
        axes.set_ylabel("probability")
        axes.grid(alpha=0.3)
        if reference is not None:
            axes.axvline(reference[1], color=_OTHER, linestyle="--", linewidth=1, label=reference[0])
    upper.set_title(title)
    upper.legend()
    if any(histogram):
        lower.set_yscale("log")
        lower.set_ylim(0.3 / total, 1)
    lower.set_xlim(-0.7, end - 0.3)
    lower.set_xlabel(f"{measure} after a lock")
    try:
        figure.savefig(path, format="png", dpi=_DOTS)
    except OSError as failure:
        raise StorageError(f"{path} cannot be written: {failure.strerror}.") from failure
