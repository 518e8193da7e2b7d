"""Every option of before is still there, takes what it took, and means the same to the games that are measured."""

from __future__ import annotations

import json
from typing import Any

import pytest

from tests.cli.stored_options import BY_FAMILY, FAMILIES, STORED, meaning, options_of, parser_of

_KEPT: dict[str, Any] = json.loads(STORED.read_text(encoding="utf-8"))
_SAME = ("dest", "nargs", "default", "required")


def accepted(words: str) -> list[dict[str, dict[str, Any]]]:
    """The options of a command; of one whose options are a family's, those of each family."""
    if words in BY_FAMILY:
        return [options_of(parser_of(f"{words} {family}")) for family in FAMILIES]
    return [options_of(parser_of(words))]


@pytest.mark.parametrize("words", _KEPT["commands"])
def test_each_option_is_still_accepted(words: str) -> None:
    parsers = accepted(words)
    for name, before in _KEPT["commands"][words].items():
        now = [known[name] for known in parsers if name in known]
        assert now, f"emubot {words} has no {name}"
        for one in now:
            assert set(one["names"]) >= set(before["names"])
            # Words of which there may be none are required by some Pythons' argparse, and by others not.
            same = _SAME[:-1] if before["nargs"] == "*" else _SAME
            assert {key: one[key] for key in same} == {key: before[key] for key in same}, name
            if before["choices"] is not None and name not in _KEPT["of_games"]:
                assert set(one["choices"]) >= set(before["choices"])


@pytest.mark.parametrize("family", FAMILIES)
def test_options_of_games_mean_the_same(family: str) -> None:
    for sides, rules, options, before in (row[1:] for row in _KEPT["meanings"] if row[0] == family):
        now = json.loads(json.dumps(meaning(family, sides, rules, options)))
        if isinstance(before, str):
            assert isinstance(now, str), (sides, rules, options)
            alone = [meaning(family, sides, rules, {name: value}) for name, value in options.items()]  # also wrong
            assert now.startswith(before) or now in alone, (sides, rules, options)
        else:
            assert now == before, (sides, rules, options)
