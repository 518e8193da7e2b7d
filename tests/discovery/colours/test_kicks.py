"""What is said of blocked turns is what was seen."""

from __future__ import annotations

import numpy as np
import pytest

from emubot.discovery.colours.kicks import was_turned_over


@pytest.mark.parametrize(("numbers", "said"), [([0, 0, 2, 2], True), ([0, 0, 0], None), ([0, 1, 1], None)])
def test_a_piece_that_was_not_turned_over_may_be_turned_so_all_the_same(numbers: list[int], said: bool | None) -> None:
    assert was_turned_over(np.array(numbers, np.int64), 0, [0, 2]) is said
