"""Codes from observations: the bits that are the kind, the code of each kind, contradictions."""

from __future__ import annotations

import numpy as np
from hypothesis import given
from hypothesis import strategies as st

from emubot.learn import CodeEvidence

NOTHING = 255


def evidence_of(*observations: tuple[int, int], bits: int = 0xFFFF) -> CodeEvidence:
    evidence = CodeEvidence(bits)
    for kind, word in observations:
        evidence.add(np.array([kind]), np.array([word]), 7)
    return evidence


def test_bits_that_change_within_a_kind_are_no_part_of_the_code() -> None:
    evidence = evidence_of((0, 0x0000), (1, 0x0100), (1, 0x0150), (2, 0x0200))
    assert evidence.mask == 0xFFFF & ~0x0050
    assert dict(evidence.codes) == {0: 0x0000, 1: 0x0100, 2: 0x0200}
    words = np.array([0x0150, 0x0240, 0x0210, 0x0300])
    assert evidence.read(words, NOTHING).tolist() == [1, 2, 2, NOTHING]
    assert not evidence.conflict


def test_two_kinds_with_one_code_contradict_each_other() -> None:
    evidence = evidence_of((0, 0x0000), (1, 0x0100), (1, 0x0000))
    assert evidence.conflict
    assert evidence.read(np.array([0x0000]), NOTHING).tolist() == [NOTHING], "nothing is read from a contradiction"


def test_a_kind_in_which_every_bit_changes_contradicts_itself() -> None:
    assert evidence_of((0, 0x0000), (0, 0xFFFF)).conflict
    assert not evidence_of((0, 0x0000), (0, 0xFFFE)).conflict


def test_bits_that_are_ruled_out_are_never_looked_at() -> None:
    evidence = evidence_of((0, 0x8000), (1, 0x0001), bits=0x00FF)
    assert evidence.mask == 0x00FF
    assert evidence.read(np.array([0x8001, 0x0000]), NOTHING).tolist() == [1, 0]
    assert evidence_of((0, 0x8000), (1, 0x0000), bits=0x00FF).conflict


def test_a_copy_goes_its_own_way_and_kinds_above_the_highest_are_left_out() -> None:
    first = evidence_of((0, 0x00), (1, 0x01))
    second = first.copy()
    second.add(np.array([[1, 8]]), np.array([[0x03, 0x77]]), 7)
    assert (first.mask, second.mask) == (0xFFFF, 0xFFFD)
    assert set(second.codes) == {0, 1}


def test_what_is_stated_counts_without_having_been_seen() -> None:
    evidence = CodeEvidence(0xFF)
    evidence.state(3, 0x42)
    assert dict(evidence.codes) == {3: 0x42}
    assert evidence.mask == 0xFF


def naive(observations: list[tuple[int, int]]) -> tuple[int, dict[int, int]]:
    """Bit by bit."""
    kinds = {kind for kind, _ in observations}
    mask = 0
    for bit in range(16):
        values = {(kind, word >> bit & 1) for kind, word in observations}
        if len(values) == len(kinds):
            mask |= 1 << bit
    return mask, {kind: word & mask for kind, word in observations}


OBSERVATIONS = st.lists(st.tuples(st.integers(0, 7), st.integers(0, 0xFFFF)), min_size=1, max_size=30)


@given(OBSERVATIONS)
def test_bits_and_codes_are_those_of_a_search_bit_by_bit(observations: list[tuple[int, int]]) -> None:
    evidence = evidence_of(*observations)
    kinds, words = (np.array(column) for column in zip(*observations, strict=True))
    at_once = CodeEvidence(0xFFFF)
    at_once.add(kinds, words, 7)
    mask, codes = naive(observations)
    for found in (evidence, at_once):
        assert found.mask == mask
        assert dict(found.codes) == codes
        assert found.conflict == (mask == 0 or len(set(codes.values())) < len(codes))
