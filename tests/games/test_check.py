"""check_game: our families and a toy one pass; each broken promise is told in a sentence."""

from __future__ import annotations

from collections import ChainMap
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
import pytest
from numpy.typing import NDArray

from emubot.errors import UsageError
from emubot.games import checked_play, game
from emubot.games.check import GameCheckError, check_game
from emubot.games.checked_parts import option_faults
from emubot.games.kinds import Whole
from emubot.games.options import GameOptions, Option, RuleSet, Values, option, read
from emubot.games.trial import Settings, Trial
from emubot.pad import Pad
from emubot.rammap import load_map, parse_map
from emubot.weights import Weights
from tests.games.toy_family import broken_parts, broken_sight, broken_thought
from tests.games.toy_family.edition import NumbersEdition, NumbersSimulator
from tests.games.toy_family.family import GAME, NumbersGame, NumbersTrial
from tests.games.toy_family.options import OPTIONS
from tests.games.toy_family.rules import State

BROKEN: Mapping[type[NumbersGame | NumbersEdition], str] = ChainMap[Any, str](
    broken_sight.BROKEN, broken_thought.BROKEN, broken_parts.BROKEN
)


def test_the_toy_family_passes() -> None:
    check_game(GAME, pieces=6)
    check_game(GAME, pieces=20, seed=7)


def test_a_family_that_explains_passes() -> None:
    check_game(NumbersGame(broken_parts.Explaining), pieces=6)


def test_what_is_declared_and_not_played_is_found() -> None:
    assert not [*option_faults(GAME, OPTIONS)]
    luck = Option("luck", Whole(), None, "how lucky")
    none = RuleSet(("none",), "rules that there are not")
    found = [*option_faults(GAME, GameOptions(strength=(luck,), rule_sets=(none,), self_play=(none,)))]
    assert ["luck" in found[0], "none for 1" in found[1], "none of self_play" in found[2]] == [True] * 3
    assert "must declare" in next(option_faults(GAME, GameOptions()))


@dataclass(frozen=True, kw_only=True)
class Searched(Values):
    nodes: int = option(Whole(high=3000), 3000, "boards of a decision")


def test_a_trial_with_a_budget_is_played_with_the_smallest() -> None:
    played: list[Settings] = []

    class Budgeted(NumbersTrial):
        def play(self, players: Sequence[Weights], seeds: Sequence[int]) -> NDArray[np.int64]:
            played.append(self.settings)
            return super().play(players, seeds)

    class Budgets(NumbersGame):
        def trial(self, sides: int, rules: str | None, options: Settings) -> Trial:
            made = Budgeted({"rules": "numbers", "digits": 3, "pieces": 20})
            made.settings = {**made.settings, "nodes": read(Searched, options, "numbers").nodes}
            return made

    check_game(Budgets(), pieces=6)
    assert {settings["nodes"] for settings in played} == {1}


@pytest.mark.few(1)
@pytest.mark.jit
@pytest.mark.parametrize("pieces", [3, pytest.param(40, marks=pytest.mark.slow)])
@pytest.mark.parametrize("name", ["tetris", "puyo", "matching"])
def test_our_families_pass(name: str, pieces: int) -> None:
    check_game(game(name), pieces=pieces)


@pytest.mark.few(15)
@pytest.mark.parametrize("family", BROKEN, ids=lambda family: str(family.__name__))
def test_a_broken_promise_is_told(family: type[NumbersGame | NumbersEdition], monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(checked_play, "FRAMES_A_PIECE", 300)
    with pytest.raises(GameCheckError) as told:
        check_game(NumbersGame(family) if issubclass(family, NumbersEdition) else family(), pieces=3)
    lines = str(told.value).splitlines()
    assert any(BROKEN[family] in line for line in lines), lines
    assert all(line.endswith(".") for line in lines)


def test_all_faults_are_told_at_once_but_not_a_thousand_times() -> None:
    class Both(broken_sight.Writeable):
        @property
        def simulator(self) -> NumbersSimulator:
            class Simulator(NumbersSimulator):
                def time(self, frames: int) -> float:
                    return -1.0

            return Simulator(self.ram_map)

    with pytest.raises(GameCheckError) as told:
        check_game(NumbersGame(Both), pieces=6)
    kinds = [line.partition(":")[0] for line in str(told.value).splitlines()]
    assert {"decoding", "the simulator"} <= set(kinds)
    assert max(kinds.count(kind) for kind in kinds) <= 4


def test_a_map_with_open_codes_is_refused() -> None:
    text = load_map(GAME.facts.default_map).path.read_text(encoding="utf-8").replace("three: 0x03", "three: learn")
    with pytest.raises(UsageError, match="leaves three to learn: check the game by a whole map"):
        check_game(GAME, parse_map(text, "open"))


def test_the_toy_is_a_game() -> None:
    """Three alike on top vanish; a full spawn column ends it."""
    state = State()
    state.start()
    state.cells[5:8, 2] = [2, 2, 1]
    state.number, state.y, state.timer = 1, 4, 1
    for _ in range(4):
        state.step(Pad.NONE)
    assert (state.lines, state.cells[:, 2].tolist()) == (1, [0] * 7 + [1])
