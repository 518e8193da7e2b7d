"""Finds which bits of a cell's word are its kind, and each kind's code, from cells whose kind is known otherwise.

A bit that changes while the kind of a cell stays the same is not part of the code: a link to a neighbour, or a step of
an animation. The other bits are the code, if no two kinds have the same one.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, Self

import numpy as np
from numpy.typing import NDArray


@dataclass(frozen=True, slots=True)
class _BitSummary:
    """What all words of one kind have in common: the bits that are always set, and the bits that never are."""

    ones: int
    zeros: int


class CodeEvidence:
    """Observations of (kind, word). `bits` are the bits that may belong to the code."""

    def __init__(self, bits: int) -> None:
        self._bits = bits
        self._seen: dict[int, _BitSummary] = {}

    def copy(self) -> Self:
        """Returns an independent copy, on which a guess can be tried."""
        copied = type(self)(self._bits)
        copied._seen = dict(self._seen)
        return copied

    def add(self, kinds: NDArray[Any], words: NDArray[Any], highest: int) -> None:
        """Add cells' kinds and words, arrays of one shape; kinds above `highest` are ignored."""
        for kind in np.unique(kinds):
            if kind > highest:
                continue
            own = words[kinds == kind]
            ones = int(np.bitwise_and.reduce(own)) & self._bits
            zeros = ~int(np.bitwise_or.reduce(own)) & self._bits
            self._merge(int(kind), _BitSummary(ones, zeros))

    def state(self, kind: int, word: int) -> None:
        """Add a kind's word that is known without an observation."""
        self._merge(kind, _BitSummary(word & self._bits, ~word & self._bits))

    def _merge(self, kind: int, more: _BitSummary) -> None:
        seen = self._seen.get(kind, more)
        self._seen[kind] = _BitSummary(seen.ones & more.ones, seen.zeros & more.zeros)

    @property
    def mask(self) -> int:
        """The bits that never changed within a kind."""
        mask = self._bits
        for seen in self._seen.values():
            mask &= seen.ones | seen.zeros
        return mask

    @property
    def codes(self) -> Mapping[int, int]:
        """Kind -> its code: the bits under `mask`, not shifted."""
        mask = self.mask
        return {kind: seen.ones & mask for kind, seen in self._seen.items()}

    @property
    def conflict(self) -> bool:
        """Whether the observations contradict each other: no bit is left, or two kinds have one code."""
        codes = self.codes
        return self.mask == 0 or len(set(codes.values())) < len(codes)

    def read(self, words: NDArray[Any], unknown: int) -> NDArray[np.uint8]:
        """Returns the kind of each word by its code, `unknown` for a code that no kind has."""
        kinds = np.full(words.shape, unknown, dtype=np.uint8)
        if not self.conflict:
            masked = words & self.mask
            for kind, code in self.codes.items():
                kinds[masked == code] = kind
        return kinds
