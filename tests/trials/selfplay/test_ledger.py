"""Ledgers add up whatever the order and the split, come back from their file, and refuse what cannot be summed."""

from __future__ import annotations

import itertools
import json
from functools import reduce
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from emubot.errors import StorageError, UsageError
from emubot.trials.selfplay import ledger
from emubot.trials.selfplay.ledger import Ledger, held, read_ledger, settings_of, write_ledger
from emubot.weight_parts import ValueSet
from tests.trials.toy import WEIGHTS, ledger_of, same, settings, unit_of, work


@given(st.permutations(range(12)), st.lists(st.integers(0, 12), min_size=3, max_size=3))
def test_any_split_in_any_order_gives_the_same_totals(order: list[int], cuts: list[int]) -> None:
    bounds = [0, *sorted(cuts), 12]
    parts = []
    for first, end in itertools.pairwise(bounds):
        part = Ledger(settings())
        for index in order[first:end]:
            part.add(5, index, work(unit_of(5, index)))
        parts.append(part)
    assert same(reduce(lambda one, other: one.merged(other, "a part"), parts), ledger_of(5, range(12)))


def test_means_are_those_of_units() -> None:
    ledger = ledger_of(5, range(40))
    assert ledger.finished == 40
    means = [
        sum(n * int(t) for n, t in enumerate(ledger_of(5, range(k, k + 1)).counts.heights)) / 100 for k in range(40)
    ]
    found = ledger.mean_height
    assert found is not None
    assert found.mean == pytest.approx(sum(means) / 40)
    variance = sum((mean - found.mean) ** 2 for mean in means) / 39
    assert found.se == pytest.approx((variance / 40) ** 0.5)
    score = ledger.score_per_piece
    assert score is not None
    assert score.mean == pytest.approx(ledger.counts.score / 4000)
    assert Ledger(settings()).mean_height is None


def test_a_unit_counts_once_and_whole() -> None:
    ledger = ledger_of(5, range(2))
    with pytest.raises(ValueError, match="unit 1 of seed 5 is counted already"):
        ledger.add(5, 1, work(unit_of(5, 1)))
    with pytest.raises(ValueError, match="a unit has 100 pieces, not 50"):
        ledger.add(5, 2, work(unit_of(5, 2, 50)))
    ledger.add(6, 1, work(unit_of(6, 1)))
    assert ledger.finished == 3


def test_overlaps_are_refused_and_other_seeds_are_not() -> None:
    ledger = ledger_of(5, range(3))
    with pytest.raises(UsageError, match=r"b\.json holds unit 2 of seed 5, and so does the sum: leave one of them out"):
        ledger.merged(ledger_of(5, range(2, 4)), "b.json")
    total = ledger.merged(ledger_of(6, range(3)), "c.json")
    assert total.finished == 6
    assert total.units == {5: {0, 1, 2}, 6: {0, 1, 2}}
    assert ledger.units == {5: {0, 1, 2}}


def test_other_settings_are_refused_by_name() -> None:
    ours = Ledger(settings(colors=6))
    with pytest.raises(
        UsageError,
        match=r"b\.json was made .* \(options {'colors': 5} instead of {'colors': 6}, unit 50 inst",
    ):
        ours.merged(Ledger(settings(colors=5, unit=50)), "b.json")


def test_settings_know_the_weights_by_what_they_say() -> None:
    one = settings_of("toy", "any", {}, "lucky", WEIGHTS, 100, "0")
    other = settings_of("toy", "any", {}, "lucky", WEIGHTS.model_copy(update={"values": (2.0,)}), 100, "0")
    assert one.weights_sha256 != other.weights_sha256
    assert one == settings_of("toy", "any", {}, "lucky", WEIGHTS.model_copy(), 100, "0")
    kind = ValueSet(rules="any", colors=(1,), aim="luck", features=WEIGHTS.features, values=(3.0,))
    assert one != settings_of("toy", "any", {}, "lucky", WEIGHTS.model_copy(update={"sets": (kind,)}), 100, "0")


@pytest.mark.parametrize("units", [range(0), range(1), range(3, 7)])
def test_a_file_and_back(units: range, tmp_path: Path) -> None:
    path = tmp_path / "run.json"
    ledger = ledger_of(5, units)
    write_ledger(ledger, path)
    assert same(read_ledger(path), ledger)
    assert [file.name for file in tmp_path.iterdir()] == ["run.json"]


def damaged(change: dict[str, Any]) -> str:
    """A file with a change that its checksum knows of."""
    ledger = ledger_of(5, range(2))
    told = json.loads(ledger.to_json())
    del told["sha256"]
    from emubot.trials.selfplay.ledger import _digest

    told |= change
    return json.dumps(told | {"sha256": _digest(told)})


@pytest.mark.parametrize(
    ("text", "words"),
    [
        ("", "Expecting value"),
        ("[" * 100_000, "too deeply nested"),
        ("{}", "not a self-play file of this version"),
        ("[1]", "not a self-play file of this version"),
        (ledger_of(5, range(2)).to_json().replace('"deaths"', '"births"'), "its checksum is wrong"),
        (ledger_of(5, range(2)).to_json()[:-40], "Unterminated string"),
        ("\xff", "can't decode"),
        (damaged({"units": {"5": [[0, 3]]}}), "its units do not make up its pieces"),
        (damaged({"units": {"5": [[0, 1 << 60]]}}), "a range of units is impossible"),
        (damaged({"units": {"five": []}}), "invalid literal"),
        (damaged({"units": None}), "has no attribute"),
        (damaged({"settings": {"game": "toy"}}), "missing"),
        (damaged({"counts": {}}), "the figures must be"),
    ],
)
def test_a_damaged_file_is_one_sentence(text: str, words: str, tmp_path: Path) -> None:
    path = tmp_path / "run.json"
    path.write_bytes(text.encode("latin-1"))
    with pytest.raises(UsageError, match=r"run\.json is damaged or not a self-play file \(") as told:
        read_ledger(path)
    assert words in str(told.value)
    assert str(told.value).endswith("use a copy of it, or another file to start again.")


def test_a_file_of_any_size_is_not_read_whole(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    path = tmp_path / "run.json"
    write_ledger(ledger_of(5, range(2)), path)
    monkeypatch.setattr(ledger, "MAX_BYTES", 100)
    with pytest.raises(UsageError, match="larger than 100 bytes"):
        read_ledger(path)


def test_a_missing_file_says_how_to_make_one(tmp_path: Path) -> None:
    with pytest.raises(UsageError, match='make one with "emubot selfplay GAME --pieces N --out '):
        read_ledger(tmp_path / "none.json")
    with pytest.raises(UsageError, match="is not a self-play file: it is a folder"):
        read_ledger(tmp_path)


def test_a_file_that_cannot_be_written_is_left_as_it_was(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    path = tmp_path / "run.json"
    write_ledger(ledger_of(5, range(2)), path)
    before = path.read_bytes()

    def full(_: int) -> None:
        raise OSError(28, "No space left on device")

    monkeypatch.setattr("os.fsync", full)
    with pytest.raises(StorageError, match=r"run\.json cannot be written: No space left on device"):
        write_ledger(ledger_of(5, range(3)), path)
    assert path.read_bytes() == before
    assert [file.name for file in tmp_path.iterdir()] == ["run.json"]


def test_a_file_is_held_by_one_run_at_a_time(tmp_path: Path) -> None:
    path = tmp_path / "run.json"
    with held(path), pytest.raises(UsageError, match="in use by another run"), held(path):
        pass
    with held(path):
        pass
    path.touch()
    with pytest.raises(StorageError, match="cannot be written"), held(path / "run.json"):
        pass
