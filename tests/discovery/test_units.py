"""Units of 1, 2, 4 and 8 bits lie where their packing says."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from emubot.discovery.units import PACKINGS, Packing


@pytest.mark.parametrize("packing", PACKINGS, ids=str)
@given(memory=st.binary(min_size=1, max_size=9))
def test_a_unit_is_the_bits_of_its_byte(packing: Packing, memory: bytes) -> None:
    images = np.frombuffer(memory, np.uint8)[None]
    units = packing.of(images)
    assert units.shape == (1, len(memory) * packing.each)
    for unit, number in enumerate(units[0].tolist()):
        byte = memory[packing.byte(unit)]
        assert number == byte >> packing.low_bit(unit) & (1 << packing.bits) - 1


@pytest.mark.parametrize(("packing", "expected"), [(Packing(4), [0xA, 0x5]), (Packing(4, False), [0x5, 0xA])])
def test_the_first_unit_is_the_high_one_or_the_low_one(packing: Packing, expected: list[int]) -> None:
    assert packing.of(np.array([[0xA5]], np.uint8))[0].tolist() == expected
