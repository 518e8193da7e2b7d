"""What a map's first start compiles: all that play by it needs, and nothing else."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

import pytest

from emubot import games
from emubot.bridges.simulated import SimulatedBridge
from emubot.games import open_edition
from emubot.games.edition import Edition
from emubot.machine import Machine
from emubot.pilot import Goal, Pilot
from emubot.rammap import load_map, parse_map
from emubot.session.compiling import compile_kernels, play_by
from emubot.session.purposes import self_play
from tests.families import whole_edition, whole_game
from tests.games.colours.toy_pairs import Narrow
from tests.toys.machine import ToyMachine
from tests.toys.maps import map_text
from tests.toys.shelf import TOYS

PIECES = 40
RELEASES = ("nes_tetris_usa", "demo_pairs", "demo_capsules")


def opened(name: str) -> tuple[Edition, Machine]:
    """A map's edition and a machine with such a cartridge."""
    if name in RELEASES:
        edition = whole_edition(load_map(name))
        return edition, edition.simulator.machine(None)
    if name == "narrow pairs":
        return open_edition(parse_map(Narrow.text, "narrow")), Narrow(seed=1)
    return open_edition(parse_map(map_text(TOYS[name]), name)), ToyMachine(TOYS[name])


def jobs_for(name: str) -> set[str]:
    return {job for job, *_ in opened(name)[0].kernels()}


def test_a_release_needs_no_search_on_other_boards_and_another_cartridge_no_releases_timing() -> None:
    release, plain, wide = jobs_for("nes_tetris_usa"), jobs_for("plain"), jobs_for("wide")
    assert {"the simulator", "search by taps", "search by DAS"} == release
    assert {"search by a map's tables", "search on any board"} == plain == wide
    assert release | plain | {"self-play"} == {job for job, *_ in whole_game("tetris").kernels()}


def test_pairs_on_another_field_need_its_search_alone() -> None:
    assert jobs_for("demo_pairs") | {"self-play"} == {job for job, *_ in whole_game("puyo").kernels()}
    assert jobs_for("narrow pairs") == {"the way of a piece", "search of pairs on any field"}


def test_maps_that_need_the_same_kernels_are_warm_together() -> None:
    purposes = [play_by(opened(name)[0]).name for name in ("plain", "wide", "nes_tetris_usa")]
    assert purposes[0] == purposes[1] != purposes[2]


def test_what_one_family_compiled_for_self_play_marks_no_other_as_compiled() -> None:
    purposes = [self_play(games.game(name)) for name in games.names()]
    assert len({(purpose.scope, purpose.name) for purpose in purposes}) == len(games.names()) > 2


@pytest.mark.slow
@pytest.mark.jit
@pytest.mark.parametrize("name", [*RELEASES, "narrow pairs", "plain", "wide"])
def test_nothing_is_compiled_once_a_map_is_played(name: str, tmp_path: Path) -> None:
    words = [sys.executable, "-m", "tests.session.test_compiling", name]
    subprocess.run(words, check=True, env=os.environ | {"EMUBOT_CACHE_DIR": str(tmp_path)})


def main(name: str) -> None:
    """Compile into an empty cache, play, and compare what the cache holds."""
    edition, machine = opened(name)
    compile_kernels(edition)
    before = kept()
    assert before
    pilot = Pilot(SimulatedBridge(machine), Goal(PIECES, games=None), edition)
    assert pilot.run().pieces == PIECES
    assert kept() - before == set()


def kept() -> set[str]:
    """The compiled kernels in the cache."""
    return {str(path) for path in Path(os.environ["EMUBOT_CACHE_DIR"]).rglob("*.nbc")}


if __name__ == "__main__":
    main(sys.argv[1])
