"""Strangers in a core beside their twins, which know the truth alone: every frame of every game, and all menus."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import pytest

from emubot.pad import Pad
from tests.toys.strangers import Stranger, beyond, nongame, stranger
from tests.toys.strangers.nongames import NONGAMES
from tests.toys.strangers.playing import Filler, mashed, powered_on
from tests.toys.strangers.truth import buttons_of

pytestmark = pytest.mark.core("fceumm")
QUICK, SLOW = range(10), range(10, 60)
SEEDS = [*QUICK, *(pytest.param(seed, marks=pytest.mark.slow) for seed in SLOW)]
BEYOND = [*range(2), *(pytest.param(seed, marks=pytest.mark.slow) for seed in range(2, 30))]
DEMOS = [seed for seed in range(40) if stranger(seed).demo][:3]

_FULL = Stranger(
    1, columns=12, rows=22, hidden=2, piece_set="others", between="nothing", lock_wait=0, down="drop", dirt=True
)
FULLEST = {
    "halves": replace(_FULL, cells="half", named="pointer", walls=9, lead=1, pointers="split", variables="page"),
    "bits": replace(_FULL, cells="bit", drawn=-1, y_kind="pixels", x_pixels=True, gap=3, sprites=True),
    "columns": replace(_FULL, columns=10, by_columns=True, score_format="digits", score_size=6, line_points=(60,) * 6),
}


@pytest.mark.parametrize("seed", SEEDS)
def test_every_frame_is_as_its_truth_says(seed: int, tmp_path: Path) -> None:
    """Games that last and clear rows, and games of random pads, with the menus before and after."""
    frames = 700 if seed in QUICK else 2000
    with powered_on(stranger(seed), tmp_path) as game:
        game.start(level=seed % 3)
        game.play(Filler(), frames)
    with powered_on(stranger(seed), tmp_path) as game:
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
    with powered_on(stranger(seed), tmp_path) as game:
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
        with powered_on(stranger(seed), tmp_path) as game:
            for pad in [*[Pad.NONE] * wait, buttons_of(game.told["menus"]["title"]), *[Pad.NONE] * 4]:
                game.step(pad)
            seen += not game.in_state("title")
    assert seen == 1


@pytest.mark.parametrize("seed", BEYOND)
def test_what_is_beyond_the_list_is_as_its_truth_says(seed: int, tmp_path: Path) -> None:
    with powered_on(beyond(seed), tmp_path) as game:
        game.start()
        game.play(Filler(), 600)
    with powered_on(beyond(seed), tmp_path) as game:
        game.start()
        game.play(mashed(seed), 600)


@pytest.mark.parametrize("seed", range(len(NONGAMES)))
def test_what_is_no_game_follows_the_pad(seed: int, tmp_path: Path) -> None:
    with powered_on(nongame(seed), tmp_path) as game:
        game.start()
        places = {game.place()}
        for pad in (Pad.RIGHT, Pad.DOWN, Pad.LEFT, Pad.UP):
            for frame in range(64):
                game.step(Pad.NONE if frame & 8 else pad)
                places.add(game.place())
        assert len(places) > 3


@pytest.mark.parametrize("name", FULLEST)
def test_no_frame_is_lost_on_the_fullest_board(name: str, tmp_path: Path) -> None:
    """A drop from the top onto a gap, four full rows, and the next piece, all in one frame."""
    with powered_on(FULLEST[name], tmp_path) as game:
        game.start()
        twin = game.twin()
        twin.cells[-4:] = game.told["board"]["solid"][0]
        twin.cells[8:-4, 1:] = game.told["board"]["solid"][0]
        game.write(twin.cells)
        for pad in (Pad.DOWN, Pad.NONE):
            game.step(pad)
            twin.step(pad, game.memory)
            twin.check(game.memory)
        assert twin.lines == 4
