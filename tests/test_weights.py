"""Weights files: strict on the way in, whole on the way out, and never for the wrong features."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from emubot import weights as module
from emubot.datafiles import shipped
from emubot.errors import StorageError, WeightsError
from emubot.weight_parts import MOST_ENTRIES, MOST_WEIGHT, FeatureSet, Provenance, Result
from emubot.weights import MAX_BYTES, Weights, known_weights, load_weights, parse_weights, save_weights

GOOD: dict[str, Any] = {
    "game": "tetris",
    "features": {"version": 1, "names": ["holes", "lines"]},
    "values": [-1.5, 2],
    "provenance": {"method": "by hand", "seed": 3, "games": 10},
}


def document(**changes: Any) -> str:
    return json.dumps({**GOOD, **changes})


def test_a_vector_in_the_games_order() -> None:
    weights = parse_weights(document(), "here")
    assert weights.vector("tetris", ("lines", "wells", "holes"), 1).tolist() == [2.0, 0.0, -1.5]


NETWORK: list[dict[str, Any]] = [
    {"weights": [[1, 2], [3, 4], [5, 6]], "biases": [7, 8, 9]},
    {"weights": [[-1, 0, 1]], "biases": [0.5]},
]


def network(*layers: Any, **changes: Any) -> str:
    return json.dumps({name: GOOD[name] for name in ("game", "features")} | {"network": list(layers)} | changes)


def test_a_network_stands_behind_a_linear_part_of_zeros() -> None:
    weights = parse_weights(network(*NETWORK), "here")
    told = weights.vector("tetris", ("lines", "wells", "holes"), 1).tolist()
    assert told[:3] == [0, 0, 0]
    assert told[3:8] == [module.NETWORK, 2, 2, 2, 0], "two layers, two inputs: holes, then lines"
    assert told[8:] == [3, 1, 2, 3, 4, 5, 6, 7, 8, 9, 1, -1, 0, 1, 0.5]
    with pytest.raises(WeightsError, match="does not have: lines"):
        weights.vector("tetris", ("holes", "wells"), 1)


@pytest.mark.parametrize(
    ("text", "said"),
    [
        (network(NETWORK[1]), "the first the features"),
        (network(NETWORK[0]), "the last gives one number"),
        (network(*NETWORK, values=[1, 2]), "takes the place of values"),
        (network({"weights": [[1, 2], [3]], "biases": [1, 2]}, NETWORK[1]), "rows of one length"),
        (network({"weights": [[1, 2]], "biases": []}), "one bias for each row"),
        (network({"weights": [[1, None]], "biases": [1]}), r"network\.0\.weights\.0\.1"),
        (network(), "2 features but 0 values"),
    ],
)
def test_mistakes_of_a_network_are_named(text: str, said: str) -> None:
    with pytest.raises(WeightsError, match=said):
        parse_weights(text, "here")


TABLES: dict[str, Any] = {"version": 3, "columns": 10, "rows": 20, "entries": [0.5, -1, 2]}


def test_value_tables_stand_behind_the_values_for_whoever_plays_by_them() -> None:
    weights = parse_weights(document(tables=TABLES), "here")
    told = weights.vector("tetris", ("lines", "wells", "holes"), 1, board=(10, 20)).tolist()
    assert told == [2.0, 0.0, -1.5, module.TABLES, 3, 10, 20, 0.5, -1, 2]
    assert told[3 + module.TABLES_HEAD :] == TABLES["entries"]
    with pytest.raises(WeightsError, match="tables of a board of 10x20, which these rules do not play by"):
        weights.vector("tetris", ("lines", "wells", "holes"), 1)
    with pytest.raises(WeightsError, match="tables of a board of 10x20, not of 10x10"):
        weights.vector("tetris", ("lines", "wells", "holes"), 1, board=(10, 10))
    plain = parse_weights(document(), "here")
    assert plain.vector("tetris", ("lines", "holes"), 1, board=(10, 20)).tolist() == [2.0, -1.5]


@pytest.mark.parametrize(
    ("text", "said"),
    [
        (network(*NETWORK, tables=TABLES), "do not stand in one file"),
        (document(tables={**TABLES, "entries": []}), "tables.entries"),
        (document(tables={**TABLES, "entries": [1, None]}), r"tables\.entries\.1"),
        (document(tables={**TABLES, "entries": [0] * (MOST_ENTRIES + 1)}), "tables.entries"),
        (document(tables={**TABLES, "columns": 0}), "tables.columns"),
        (document(tables={**TABLES, "rows": 1.5}), "tables.rows"),
        (document(tables={**TABLES, "more": 1}), "tables.more"),
    ],
)
def test_mistakes_of_tables_are_named(text: str, said: str) -> None:
    with pytest.raises(WeightsError, match=said):
        parse_weights(text, "here")


def test_many_numbers_are_written_on_one_line(tmp_path: Path) -> None:
    entries = [round(number / 7, 6) * (-1) ** number for number in range(500)] + [1e-6, 1e-16, 3.0]
    weights = parse_weights(document(tables={**TABLES, "entries": entries}), "here")
    save_weights(weights, tmp_path / "w.json")
    text = (tmp_path / "w.json").read_text(encoding="utf-8")
    assert text.count("\n") < 40
    assert '"holes",\n' in text, "what is read one by one stays so"
    assert load_weights(str(tmp_path / "w.json")) == weights


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("", "not a weights file"),
        ("[]", "object"),
        ("{", "not a weights file"),
        ("[" * 5000, "not a weights file"),
        ('{"game": "tetris", "game": "puyo"}', "key given twice: game"),
        (document(values=[float("nan"), 1]), "NaN"),
        (document(values=[float("inf"), 1]), "Infinity"),
        (document(values=[1]).replace("[1]", "[1e999, 1]"), "values"),
        (document(values=["1", 2]), "values.0"),
        (document(values=[True, 2]), "values.0"),
        (document(values=[1]), "2 features but 1 values"),
        (document(values=[1, -1000001]), "the largest weight is 1,000,001.0, and 1,000,000 is the most: divide all"),
        (document(features={"version": 1, "names": ["holes", "holes"]}), "named twice: holes"),
        (document(features={"version": 1, "names": ["Holes!", "x"]}), "features.names.0"),
        (document(features={"version": 0, "names": ["holes", "x"]}), "features.version"),
        (document(extra=1), "extra"),
        (document(provenance={"luck": 1}), "provenance.luck"),
        (document(provenance={"results": [{"figure": "lines", "mean": 1}]}), "provenance.results.0.low95"),
    ],
)
def test_mistakes_are_named(text: str, said: str) -> None:
    with pytest.raises(WeightsError, match=said):
        parse_weights(text, "here")


@pytest.mark.parametrize(
    ("text", "shown"),
    [(document(**{"\x1b[2J": 1}), "?[2J"), ('{"\\u0007": 1, "\\u0007": 2}', "?")],
    ids=["unknown", "twice"],
)
def test_a_key_is_shown_without_its_control_characters(text: str, shown: str) -> None:
    with pytest.raises(WeightsError) as refused:
        parse_weights(text, "mine.json")
    assert shown in str(refused.value)
    assert str(refused.value).isprintable()


def test_other_features_are_refused_with_the_differences() -> None:
    weights = parse_weights(document(), "here")
    with pytest.raises(WeightsError, match="does not have: lines; it has holes, wells"):
        weights.vector("tetris", ("holes", "wells"), 1)
    with pytest.raises(WeightsError, match="version 1 of the features of tetris, this is version 2"):
        weights.vector("tetris", ("holes", "lines"), 2)
    with pytest.raises(WeightsError, match="for tetris, not for puyo"):
        weights.vector("puyo", ("holes", "lines"), 1)


def test_by_name_by_path_and_unknown(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(module, "user_config", lambda folder: tmp_path / folder)
    (tmp_path / "weights").mkdir()
    own = tmp_path / "weights" / "mine.json"
    own.write_text(document(), encoding="utf-8")
    monkeypatch.setattr(module, "find", lambda folder, name, suffix: [tmp_path / folder / f"{name}{suffix}"])
    assert "mine" in known_weights()
    assert load_weights("mine").values == (-1.5, 2.0)
    with pytest.raises(WeightsError, match=r"no weights 'yours': known are .*mine"):
        load_weights("yours")


def test_files_that_are_no_weights(tmp_path: Path) -> None:
    big, binary = tmp_path / "big.json", tmp_path / "binary.json"
    big.write_text(" " * (MAX_BYTES + 1), encoding="utf-8")
    binary.write_bytes(b"\xff\xfe\x00")
    with pytest.raises(WeightsError, match="larger than"):
        load_weights(str(big))
    with pytest.raises(WeightsError, match="not UTF-8"):
        load_weights(str(binary))


@given(st.lists(st.floats(-MOST_WEIGHT, MOST_WEIGHT), min_size=1, max_size=9))
def test_what_is_written_is_read_back(values: list[float]) -> None:
    names = tuple(f"f{index}" for index in range(len(values)))
    result = Result(figure="lines", mean=1.0, low95=0.5, high95=1.5, settings="level 18")
    weights = Weights(
        game="tetris",
        features=FeatureSet(version=2, names=names),
        values=tuple(values),
        provenance=Provenance(source="a test", seed=1, games=3, results=(result,)),
    )
    text = json.dumps(weights.model_dump(mode="json"))
    assert parse_weights(text, "here") == weights


def test_saved_whole_or_not_at_all(tmp_path: Path) -> None:
    weights = parse_weights(document(), "here")
    path = tmp_path / "w.json"
    save_weights(weights, path)
    assert load_weights(str(path)) == weights
    assert [found.name for found in tmp_path.iterdir()] == ["w.json"]
    with pytest.raises(StorageError, match="cannot be written"):
        save_weights(weights, tmp_path / "no" / "w.json")


@pytest.mark.parametrize("name", [path.stem for path in shipped("weights").glob("*.json")])
def test_shipped_weights_are_valid(name: str) -> None:
    weights = load_weights(name)
    assert weights.provenance.source


def test_a_set_has_one_value_for_each_feature_and_settings_within_the_limits() -> None:
    def made(**changes: object) -> str:
        one = {
            "rules": "tsu",
            "colors": [4],
            "aim": "chain",
            "features": {"version": 1, "names": ["a", "b"]},
            "values": [1.0, 2.0],
        }
        return document(sets=[one | changes])

    kept = parse_weights(made(settings={"price": 3.5}), "here").sets[0]
    assert (kept.values, kept.settings, kept.colors) == ((1.0, 2.0), {"price": 3.5}, (4,))
    for changes, said in (
        ({"values": [1.0]}, "one value for each"),
        ({"features": {"version": 1, "names": ["a", "a"]}}, "names each once"),
        ({"settings": {"price": 2e6}}, "the largest setting"),
        ({"colors": []}, "sets.0.colors"),
        ({"aim": ""}, "sets.0.aim"),
    ):
        with pytest.raises(WeightsError, match=said):
            parse_weights(made(**changes), "here")
