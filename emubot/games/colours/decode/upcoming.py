"""What is known of the next decision before its pair comes: the pair at its spawn, the pairs shown then; no search."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from itertools import combinations_with_replacement
from typing import Any

from numpy.typing import NDArray

from emubot.games.colours.decode.decode import cells_of
from emubot.games.colours.rules import BIG, COLORS, UP, Rules
from emubot.snapshot import Phase, Piece, Snapshot

Pair = tuple[int, int]


def next_pairs(snapshot: Snapshot) -> tuple[Pair, ...]:
    """Returns the next pairs that are shown, in order."""
    return tuple(zip(snapshot.next[::2], snapshot.next[1::2], strict=True))


def unordered(pairs: tuple[Pair, ...]) -> tuple[Pair, ...]:
    """Returns the same for both orders of each pair to come, because its halves change places by two turns."""
    return tuple(pair if max(pair) >= BIG else (min(pair), max(pair)) for pair in pairs)


def coming_pairs(snapshot: Snapshot, shown: tuple[int, ...], rules: Rules) -> tuple[Pair, Sequence[tuple[Pair, ...]]]:
    """Returns the pair that comes next, and all that may be shown after it then; `shown` was that at the last choice.

    A game may show what follows as soon as a piece has locked. Then the current pair is already the one that comes, and
    what follows is known.
    """
    pairs, current = next_pairs(snapshot), (snapshot.counters["pivot"], snapshot.counters["satellite"])
    if snapshot.next != shown and current == shown[:2]:
        return current, [pairs]
    return pairs[0], [(*pairs[1:], one) for one in possible_pairs(snapshot, rules)]


def at_spawn(snapshot: Snapshot, cells: NDArray[Any], pair: Pair, rules: Rules, gravity: int | None) -> Snapshot:
    """Returns the snapshot in which this pair comes under control on this field, in the frame of its spawn.

    `cells` is uint8 (stored rows, 6), `gravity` frames per row, None if it is not known.
    """
    timer = {} if gravity is None or "drop_timer" not in snapshot.counters else {"drop_timer": gravity}
    spawn = rules.spawn
    return replace(
        snapshot,
        phase=Phase.PLAYING,
        playfield=cells[rules.hidden_rows :],
        hidden=cells[: rules.hidden_rows][::-1],
        current=Piece(UP if pair[0] >= BIG else spawn.orientation, spawn.column, spawn.row),
        counters={**snapshot.counters, **timer, "pivot": pair[0], "satellite": pair[1]},
    )


def possible_pairs(snapshot: Snapshot, rules: Rules) -> Sequence[Pair]:
    """Returns the pairs of colours that may come, without regard to their order, the likeliest first.

    Colours that have not been seen come last, because the game may be played without them. Two colours come twice as
    often as one colour twice.
    """
    current = snapshot.counters["pivot"], snapshot.counters["satellite"]
    kinds = {*cells_of(snapshot).ravel().tolist(), *snapshot.next, *current}
    seen = {kind for kind in kinds if 1 <= kind <= COLORS}
    pairs = combinations_with_replacement(range(1, max(rules.colors, *seen, 1) + 1), 2)
    return sorted(pairs, key=lambda pair: (len({*pair} - seen), pair[0] == pair[1]))
