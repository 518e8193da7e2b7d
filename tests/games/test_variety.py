"""Two equal bots do not play a mirror game: chance between near-equal placements, repeatable, and nowhere else."""

from __future__ import annotations

import contextlib
import json
from dataclasses import asdict

import pytest

from emubot.cli import main
from emubot.games.offers import MARGIN
from emubot.games.variety import Variety, near_best
from emubot.pilot import Match
from emubot.session import session
from emubot.session.request import SessionRequest
from emubot.snapshot import Placement
from emubot.tempo import tempo_for_speed

DEAD = -1e12
PLACES = [(orientation, column, 5) for orientation in range(4) for column in range(6)]


def test_what_is_near_is_within_the_margin_of_the_way_to_the_median() -> None:
    """The median of those that do not lose is 0."""
    inside, outside = 100.0 - 99 * MARGIN, 100.0 - 101 * MARGIN
    assert near_best([0.0, 0.0, 0.0, 0.0, 100.0, inside, outside, DEAD + 100]) == [4, 5]


def test_a_placement_that_loses_is_never_drawn_and_the_best_of_lost_ones_stays() -> None:
    assert near_best([DEAD + 3.0, 1.0, DEAD + 2.0]) == [1]
    assert near_best([DEAD + 3.0, DEAD + 3.0001]) == [1]


def test_what_is_drawn_depends_on_seed_seat_number_and_placement_alone() -> None:
    values = [1.0] * len(PLACES)

    def drawn(seed: int, seat: int) -> list[int]:
        return [Variety(seed, seat).for_piece(number)(PLACES, values) for number in range(40)]

    assert drawn(1, 0) == drawn(1, 0)
    assert drawn(1, 0) != drawn(1, 1)
    assert drawn(1, 0) != drawn(2, 0)
    assert len(set(drawn(1, 0))) > 10, "many of 24"


def test_a_plan_made_anew_keeps_the_placement_while_it_is_among_the_near_ones() -> None:
    for number in range(40):
        choose = Variety(7, 1).for_piece(number)
        first = PLACES[choose(PLACES, [1.0] * len(PLACES))]
        fewer = [place for place in PLACES if place == first or sum(place) % 2]
        assert fewer[choose(fewer, [1.0] * len(fewer))] == first


def placements(request: SessionRequest, pieces: int) -> list[list[Placement]]:
    """What each seat of a match chose, piece by piece."""
    with contextlib.closing(session.open_session(request)) as opened:
        shared = len(opened.seats) > len(opened.bridges)
        goal = opened.goal(None if shared else pieces, None)
        pilots = [opened.pilot(seat, goal) for seat in opened.seats]
        chosen: list[list[Placement]] = [[] for _ in pilots]
        for pilot, own in zip(pilots, chosen, strict=True):
            pilot.on_plan.append(own.append)
        Match(pilots, pieces if shared else None).run()
        assert all(pilot.tally.misplaced == 0 for pilot in pilots)
        return [own[:pieces] for own in chosen]


@pytest.mark.slow
@pytest.mark.jit
@pytest.mark.parametrize("demo", ["tetris", "puyo"])
def test_a_match_of_equal_bots_is_no_mirror_game_and_its_seed_repeats_it(demo: str) -> None:
    request = SessionRequest(demo=demo, bridge="simulated", against_itself=True, seed=4)
    first, second = placements(request, 40)
    assert first != second
    assert placements(request, 40) == [first, second]


@pytest.mark.parametrize("demo", ["tetris", "puyo"])
def test_chance_is_only_where_both_have_equal_weights_and_tempo(demo: str) -> None:
    fast, slow = tempo_for_speed(10), tempo_for_speed(3)
    other = {"tetris": "dt10", "puyo": "reference"}[demo]
    equal = SessionRequest(demo=demo, bridge="simulated", seed=9)
    for request, seeds in (
        (equal, [None]),
        (SessionRequest(demo=demo, bridge="simulated", against_itself=True, seed=9), [(9, 0), (9, 1)]),
        (SessionRequest(demo=demo, bridge="simulated", against_itself=True, tempos=(fast, slow)), [None, None]),
        (SessionRequest(demo=demo, bridge="simulated", against_itself=True, weights=(None, other)), [None, None]),
    ):
        with contextlib.closing(session.open_session(request)) as opened:
            found = [seat.skill.variety and (seat.skill.variety.seed, seat.skill.variety.seat) for seat in opened.seats]
            assert found == seeds


@pytest.mark.jit
def test_each_seats_seed_is_reported(capsys: pytest.CaptureFixture[str]) -> None:
    words = "play AIvsAI --demo tetris --bridge simulated --pieces 4 --emu-speed max --seed 6 --json --quiet"
    assert main(words.split()) == 0
    players = json.loads(capsys.readouterr().out)["players"]
    assert [player["draw"] for player in players] == [asdict(Variety(6, seat)) for seat in (0, 1)]
