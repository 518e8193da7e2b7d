"""One run of self-play: what is left to play, and the counts as they come; prints nothing and writes no file itself."""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from concurrent.futures import Executor

from emubot.errors import UsageError
from emubot.games.counts import Counts
from emubot.trials.executors import completed
from emubot.trials.selfplay.ledger import Ledger
from emubot.trials.selfplay.units import SelfPlay, parse_range, sizes
from emubot.trials.work import WorkUnit, play_unit
from emubot.weights import Weights


def plan(
    ledger: Ledger, seed: int, weights: Weights, pieces: int | None, units: str | None, keep: bool
) -> tuple[list[WorkUnit[SelfPlay]], int]:
    """Returns the units still to play, in order, and the number of requested pieces that the ledger already holds.

    `pieces` is the length of the run, `units` the range `A:B` of its units to play (None: all). Without `pieces` all
    units are whole. `keep` means that the ledger goes to a file, which takes only whole units. Raises UsageError.
    """
    unit = ledger.settings.unit
    if set(ledger.units) - {seed}:
        raise UsageError(f"The file is of seed {', '.join(map(str, sorted(ledger.units)))}, not {seed}: use its seed.")
    if pieces is None and units is None:
        raise UsageError("How long? Give --pieces N, or --units A:B.")
    chosen = parse_range(units) if units is not None else None
    if pieces is None:
        wanted = dict.fromkeys(chosen or (), unit)
    else:
        all_of_it = dict(enumerate(sizes(pieces, unit)))
        if chosen is not None and chosen.stop > len(all_of_it):
            raise UsageError(f"{pieces:,} pieces are units 0:{len(all_of_it)} of {unit:,}; {units} goes beyond them.")
        wanted = all_of_it if chosen is None else {index: all_of_it[index] for index in chosen}
    if keep and any(size != unit for size in wanted.values()):
        raise UsageError(
            f"A file holds whole units: with --out, --pieces is a multiple of {unit:,}, or --unit one of its divisors."
        )
    settings, done = ledger.settings, ledger.units.get(seed, set())
    left = [
        WorkUnit(SelfPlay(settings.game, size, settings.rules, settings.options), (weights,), seed, index, index + 1)
        for index, size in wanted.items()
        if index not in done
    ]
    return left, unit * sum(index in done for index in wanted)


def play(
    ledger: Ledger,
    units: Sequence[WorkUnit[SelfPlay]],
    executor: Executor,
    at_once: int,
    finished: Callable[[int], object] = lambda pieces: None,
    stop: Callable[[], bool] = lambda: False,
    work: Callable[[WorkUnit[SelfPlay]], Counts] = play_unit,
    patience: float = math.inf,
) -> Counts:
    """Play the units and add the whole ones to the ledger; return the counts of those that are not whole.

    `finished` is called with the pieces of each unit once it is counted, so that the ledger can be written then.
    `patience` is as in `completed`.
    """
    rest = Counts()
    for unit, counts in completed(executor, work, units, at_once, stop, patience):
        if counts.pieces == ledger.settings.unit:
            ledger.add(unit.seed, unit.first, counts)
        else:
            rest += counts
        finished(counts.pieces)
    return rest
