"""A checkpoint comes back as it was, or not at all: no damage is read as another one."""

from __future__ import annotations

import dataclasses
import hashlib
import json
import math

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from emubot.training.checkpoint import Checkpoint, differences, generation_of, plain
from tests.training.toy_trainer import SETTINGS, ToyTrainer

ONE = Checkpoint("0.1.0", SETTINGS, 12, ToyTrainer().state(), 345, "0" * 64)
CONTENT = ONE.to_bytes()


def test_there_and_back() -> None:
    again = Checkpoint.from_bytes(CONTENT)
    assert again == ONE
    assert again.to_bytes() == CONTENT
    assert again.name == "checkpoint-000012.json"
    generator = np.random.default_rng()
    generator.bit_generator.state = again.state["rng"]
    assert generator.random() == ToyTrainer().rng.random()


def test_any_json_tool_reads_it() -> None:
    told = json.loads(CONTENT)
    assert told["checkpoint"]["settings"] == SETTINGS
    assert told["checkpoint"]["version"] == 1
    assert (
        told["sha256"]
        == hashlib.sha256(CONTENT[len(b'{"sha256": "') + 64 + len(b'", "checkpoint": ') : -2]).hexdigest()
    )


@given(st.lists(st.floats(allow_nan=False, allow_infinity=False)), st.integers(), st.text())
def test_numbers_come_back_exactly(floats: list[float], whole: int, text: str) -> None:
    told = dataclasses.replace(ONE, state={"floats": floats, "whole": whole, "text": text})
    again = Checkpoint.from_bytes(told.to_bytes()).state
    assert again["floats"] == floats
    assert [math.copysign(1, number) for number in again["floats"]] == [math.copysign(1, number) for number in floats]
    assert (again["whole"], again["text"]) == (whole, text)


@pytest.mark.parametrize("number", [math.nan, math.inf, -math.inf])
def test_what_is_no_number_is_not_written(number: float) -> None:
    with pytest.raises(ValueError, match="not JSON compliant"):
        dataclasses.replace(ONE, state={"numbers": [number]}).to_bytes()


def test_no_truncation_is_read() -> None:
    for length in range(len(CONTENT)):
        with pytest.raises(ValueError, match="it is"):
            Checkpoint.from_bytes(CONTENT[:length])


@given(st.sets(st.integers(0, 8 * len(CONTENT) - 1), min_size=1, max_size=8))
def test_no_flipped_bits_are_read(bits: set[int]) -> None:
    damaged = bytearray(CONTENT)
    for bit in bits:
        damaged[bit // 8] ^= 1 << bit % 8
    with pytest.raises(ValueError, match=r"it is|its checksum"):
        Checkpoint.from_bytes(bytes(damaged))


@pytest.mark.parametrize("change", [b" ", b"\n", b"{}"])
def test_nothing_may_follow_or_come_before(change: bytes) -> None:
    for content in (change + CONTENT, CONTENT + change, CONTENT[:-1] + change + b"\n"):
        with pytest.raises(ValueError, match=r"it is|its checksum"):
            Checkpoint.from_bytes(content)


def test_another_version_of_the_format_is_named() -> None:
    body = CONTENT[len(b'{"sha256": "') + 64 + len(b'", "checkpoint": ') : -2].replace(b'"version": 1', b'"version": 2')
    content = b'{"sha256": "%s", "checkpoint": %s}\n' % (hashlib.sha256(body).hexdigest().encode(), body)
    with pytest.raises(ValueError, match="it is of version 2 of the format, this emubot reads version 1"):
        Checkpoint.from_bytes(content)


def test_names_of_checkpoints() -> None:
    assert generation_of("checkpoint-000012.json") == 12
    assert generation_of(dataclasses.replace(ONE, generation=12345678).name) == 12345678
    for name in ("checkpoint-12.json", ".checkpoint-000012.json.part", "checkpoint-000012.json~", "history.jsonl"):
        assert generation_of(name) is None


def test_differences_are_named_in_full() -> None:
    ours = plain({"seed": 7, "shape": {"size": (10, 20), "plies": 1}, "rules": None, "cap": 5})
    theirs = plain({"seed": 7, "shape": {"size": [10, 18], "plies": 1}, "rules": "nes"})
    assert differences(ours, theirs) == [
        "shape.size [10, 18] instead of [10, 20]",
        "rules nes instead of none",
        "cap none instead of 5",
    ]
    assert differences(ours, ours) == []
    assert len(differences({"a": ["long"] * 99}, {})[0]) < 100
