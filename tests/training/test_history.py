"""Generations as lines and back; a line that is being written is not yet one."""

from __future__ import annotations

import math
from pathlib import Path

import pytest

from emubot.errors import UsageError
from emubot.training.history import NAME, line_of, read_history
from emubot.training.trainer import Report

REPORTS = [
    Report(number, 90, {"best": 0.1 * number, "mean": -0.0}, (1.0, 2.5), (number / 3, 1e-300)) for number in (1, 2, 3)
]


def test_there_and_back(tmp_path: Path) -> None:
    (tmp_path / NAME).write_bytes(b"".join(map(line_of, REPORTS)))
    assert read_history(tmp_path) == REPORTS


def test_an_unfinished_line_is_left_out(tmp_path: Path) -> None:
    whole, torn = b"".join(map(line_of, REPORTS[:2])), line_of(REPORTS[2])
    for length in range(len(torn)):
        (tmp_path / NAME).write_bytes(whole + torn[:length])
        assert read_history(tmp_path) == REPORTS[:2]


@pytest.mark.parametrize("line", [b"", b"{}", b"[1]", b'{"generation": ', b"\xff", b"[" * 100_000])
def test_a_damaged_line_is_named(line: bytes, tmp_path: Path) -> None:
    (tmp_path / NAME).write_bytes(line_of(REPORTS[0]) + line + b"\n" + line_of(REPORTS[1]))
    with pytest.raises(UsageError, match=r"history\.jsonl:2 is damaged \("):
        read_history(tmp_path)


def test_a_folder_of_no_run_is_named(tmp_path: Path) -> None:
    with pytest.raises(UsageError, match="There is no training run in "):
        read_history(tmp_path)


def test_a_figure_that_is_no_number_is_not_written() -> None:
    with pytest.raises(ValueError, match="not JSON compliant"):
        line_of(Report(1, 1, {"best": math.nan}))
