"""What each use of a family compiles, and in which order."""

from __future__ import annotations

import pytest

from emubot.rammap import load_map
from emubot.session.compiling import play_purpose
from emubot.session.purposes import of_family
from emubot.training.methods import LEARNERS, POPULATIONS
from tests.families import whole_game


@pytest.mark.parametrize("name", ["tetris", "puyo", "matching"])
def test_what_plays_by_the_familys_own_map_comes_first(name: str) -> None:
    game = whole_game(name)
    assert next(of_family(game)).map_purpose == play_purpose(load_map(game.facts.default_map))


def test_a_method_compiles_its_steps_if_it_learns_by_steps() -> None:
    purposes = [purpose for purpose in of_family(whole_game("tetris")) if purpose.name.startswith("train-")]
    compiling = {purpose.name.split("-")[1] for purpose in purposes if list(purpose.jobs())}
    breeding = {purpose.name.split("-")[1] for purpose in purposes} - compiling
    assert compiling
    assert compiling <= LEARNERS.keys()
    assert breeding
    assert breeding <= POPULATIONS.keys()
