"""The figures of self-play, from its counts: as a dictionary under documented names, and as lines of text."""

from __future__ import annotations

import math
from collections.abc import Iterable, Mapping, Sequence
from typing import Any, Final

from emubot.games.counts import Counts, Published
from emubot.trials.selfplay.ledger import Ledger, Settings
from emubot.trials.selfplay.units import ranges
from emubot.trials.statistics import Z95, Estimate, density, log10_tail, moments, odds_text

_STEPS: Final = 400  # points of a smooth curve


def published(settings: Settings, runs: Iterable[Published]) -> Published | None:
    """Returns the run of exactly these weights under these rules, whatever the file's name, or None."""
    asked = settings.weights_sha256, settings.rules, dict(settings.options)
    return next((run for run in runs if (run.weights_sha256, run.rules, dict(run.options)) == asked), None)


def figures(
    ledger: Ledger, rest: Counts, measure: str, marks: Sequence[int] = (), theirs: Published | None = None
) -> dict[str, Any]:
    """Returns everything counted and what follows from it. `rest` is from a last unit that is not whole.

    Errors come from the differences between whole units, and are None for fewer than two. Odds are log10 of the
    probability of so many as in `marks` or more, by the Gaussian with the histogram's mean and standard deviation; None
    for 0. `theirs` is a run to compare with.
    """
    counts = ledger.counts + rest
    results = counts.as_dict()
    mean, deviation = moments(results["heights"])
    odds = {str(mark): _finite(log10_tail(mark, mean, deviation)) for mark in marks}
    result = {
        **ledger.settings.as_dict(),
        "units": {str(seed): ranges(list(indices)) for seed, indices in sorted(ledger.units.items())},
        "pieces": counts.pieces,
        "deaths": counts.deaths,
        "all_clears": counts.all_clears,
        f"mean_{measure}": mean,
        f"sd_{measure}": deviation,
        f"max_{measure}": counts.highest,
        f"{measure}_by_unit": _as_dict(ledger.mean_height),
        "odds_log10": odds,
        "score": counts.score,
        "score_per_piece": counts.score / counts.pieces if counts.pieces else 0.0,
        "score_by_unit": _as_dict(ledger.score_per_piece),
        "lines": counts.lines,
        "longest_chain": counts.longest,
        "chains": results["chains"],
        "measure": measure,
        "histogram": results["heights"],
    }
    if theirs is not None:
        result["published"] = theirs.as_dict()
    return result


def text(results: Mapping[str, Any]) -> list[str]:
    """Returns the figures as lines for a person: a table, with any published figures, and distributions."""
    measure, pieces, other = results["measure"], results["pieces"], results.get("published")
    rows = [
        ("pieces", f"{pieces:,}", other and f"{other['pieces']:,}"),
        ("deaths", f"{results['deaths']:,}", other and str(other["deaths"])),
        ("all-clears", _per(results["all_clears"], pieces), other and _per(other["all_clears"], other["pieces"])),
        (f"mean {measure} after a lock", _mean(results), other and f"about {other['mean']:g}"),
        (f"maximum {measure}", str(results[f"max_{measure}"]), other and str(other["highest"])),
    ]
    for mark, log10 in results["odds_log10"].items():
        theirs = other and odds_text(other["odds"][mark]).replace("1.0e", "1e")
        rows.append((f"odds of {mark} or more, by the fit", odds_text(-math.inf if log10 is None else log10), theirs))
    rows.append(("score", f"{results['score']:,}, {results['score_per_piece']:,.1f} a piece", other and "not reported"))
    if results["lines"]:
        rows.append(("lines", f"{results['lines']:,}", None))
    wide, middle = max(len(row[0]) for row in rows), max(len(row[1]) for row in rows)
    lines = [f"{name:<{wide}}  {ours:<{middle}}  {theirs or ''}".rstrip() for name, ours, theirs in rows]
    if other:
        lines.insert(0, f"{'':<{wide}}  {'this run':<{middle}}  published")
        lines.append(f"published: {other['source']}")
    return [*lines, "", *_distribution(results), "", *_chains(results)]


def curve(results: Mapping[str, Any]) -> list[tuple[float, float]]:
    """Returns the Gaussian of these figures as (count, probability), for a plot."""
    mean, deviation = results[f"mean_{results['measure']}"], results[f"sd_{results['measure']}"]
    end = len(results["histogram"])
    return [(x, density(x, mean, deviation)) for x in (end * step / _STEPS for step in range(_STEPS + 1))]


def _mean(results: Mapping[str, Any]) -> str:
    measure, units = results["measure"], results[f"{results['measure']}_by_unit"]
    width = f" +- {Z95 * units['se']:.2g}" if units and units["se"] is not None else ""
    return f"{results[f'mean_{measure}']:.3f}{width}, sd {results[f'sd_{measure}']:.3f}"


def _distribution(results: Mapping[str, Any]) -> list[str]:
    """Returns how often a lock left each number behind, and how often it would by the Gaussian."""
    measure, pieces = results["measure"], results["pieces"]
    mean, deviation = results[f"mean_{measure}"], results[f"sd_{measure}"]
    lines = [f"{measure:>6}  {'locks':>12}  probability  Gaussian"]
    for value, times in enumerate(results["histogram"]):
        fit = f"{density(value, mean, deviation):.2e}"
        lines.append(f"{value:>6}  {times:>12,}  {times / max(pieces, 1):>11.2e}  {fit}")
    return lines


def _chains(results: Mapping[str, Any]) -> list[str]:
    head = "lines" if results["lines"] else "chain"
    rows = enumerate(results["chains"])
    shares = [f"{steps:>6}  {times:>12,}  {times / max(results['pieces'], 1):>11.2e}" for steps, times in rows]
    return [f"{head:>6}  {'locks':>12}  probability", *shares]


def _per(events: int, pieces: int) -> str:
    return f"{events:,} (1 per {pieces / events:,.0f} pieces)" if events else "0"


def _as_dict(estimate: Estimate | None) -> dict[str, float | None] | None:
    return None if estimate is None else estimate.as_dict()


def _finite(value: float) -> float | None:
    return value if math.isfinite(value) else None
