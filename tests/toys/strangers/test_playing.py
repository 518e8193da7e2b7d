"""Strangers in a core beside their twins, which know the truth alone: every frame of every game, and all menus."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest

from emubot.bridges.libretro import connect
from emubot.pad import Pad
from tests.bridges.cores import require_core
from tests.toys.strangers import build, stranger
from tests.toys.strangers.playing import Filler, Played, mashed
from tests.toys.strangers.truth import buttons_of

pytestmark = pytest.mark.core("fceumm")
QUICK, SLOW = range(10), range(10, 130)
SEEDS = [*QUICK, *(pytest.param(seed, marks=pytest.mark.slow) for seed in SLOW)]
DEMOS = [seed for seed in range(40) if stranger(seed).demo][:3]


@contextmanager
def played(seed: int, folder: Path) -> Iterator[Played]:
    """The stranger of a seed, just switched on."""
    image = build(stranger(seed), folder)
    with connect(rom=image, core=str(require_core("fceumm")), emu_speed=None) as bridge:
        yield Played(bridge, stranger(seed))


@pytest.mark.parametrize("seed", SEEDS)
def test_every_frame_is_as_its_truth_says(seed: int, tmp_path: Path) -> None:
    """Games that last and clear rows, and games of random pads, with the menus before and after."""
    frames = 700 if seed in QUICK else 4000
    with played(seed, tmp_path) as game:
        game.start(level=seed % 3)
        game.play(Filler(), frames)
    with played(seed, tmp_path) as game:
        game.start()
        for round_ in range(3):
            twin = game.play(mashed(seed + round_), frames)
            if twin.mode != "over":
                break
            game.leave_over()
            if not game.playing:
                game.start()


@pytest.mark.parametrize("seed", DEMOS)
def test_a_demo_plays_until_somebody_presses_a_button(seed: int, tmp_path: Path) -> None:
    with played(seed, tmp_path) as game:
        told = game.told["demo"]
        game.at_title()
        before = game.frames
        while not game.byte(told["at"]):
            assert game.in_state("title")
            game.step(Pad.NONE)
        assert told["after"] - 120 < game.frames - before <= told["after"]
        states = set()
        for _ in range(200):
            game.step(Pad.NONE)
            states.add(game.state)
        assert game.told["state"]["values"]["demo"] in states
        assert game.told["state"]["values"]["title"] not in states
        game.tap(Pad.SELECT)
        assert game.in_state("title")
        assert not game.byte(told["at"])
        game.start()
        game.play(mashed(seed), 200)


def test_a_press_that_is_shorter_than_the_pad_is_read_may_be_missed(tmp_path: Path) -> None:
    """At the title, frame by frame: of as many short presses as frames between two readings just one is seen."""
    seed = next(seed for seed in range(50) if stranger(seed).poll == 4 and not stranger(seed).legal)
    seen = 0
    for wait in range(4):
        with played(seed, tmp_path) as game:
            for pad in [*[Pad.NONE] * wait, buttons_of(game.told["menus"]["title"]), *[Pad.NONE] * 4]:
                game.step(pad)
            seen += not game.in_state("title")
    assert seen == 1
