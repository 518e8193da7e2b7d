"""Drafts of colour games say what was found: those of a perfect survey and study are right in every line."""

from __future__ import annotations

import dataclasses

import pytest

from emubot import games
from emubot.discovery.colours.codes import Codes
from emubot.discovery.colours.draft import draft
from emubot.discovery.colours.findings import ColourFindings
from emubot.discovery.colours.kicks import Kicks
from emubot.discovery.colours.laws import MATCHING, PUYO, Judged, Law
from emubot.discovery.colours.study import ColourStudy
from emubot.discovery.phases import Phases
from emubot.discovery.screens import Told
from emubot.rammap import parse_map
from tests.discovery.colours.known import known_field, known_hand, known_piece
from tests.discovery.colours.truth import wrong_rules
from tests.toys.strangers.colours import colour_stranger, map_text
from tests.toys.strangers.colours.stranger import COLUMNS, PAIRS, Stranger

SEEDS = [seed for seed in range(100) if not colour_stranger(seed).play.targets]


def study_of(stranger: Stranger) -> ColourStudy:
    play, field = stranger.play, dataclasses.replace(known_field(stranger), hidden=stranger.play.hidden)
    findings = ColourFindings(known_hand(stranger), field, known_piece(stranger), b"", (), frozenset())
    pairs = play.kind == PAIRS
    nuisance = (stranger.field.nuisance,) if play.has_nuisance else ()
    law = Law(
        PUYO if pairs else MATCHING, play.match, play.size, play.joined, play.hidden if pairs else 0, (), nuisance
    )
    kicks = Kicks(play.wall_kick, play.floor_kick if pairs else None, play.wall_kick, play.quick_turn)
    kicks = Kicks() if play.kind == COLUMNS else kicks
    nothing = Told({}, 0.0)
    phases = Phases(Told({stranger.addresses["MODE"]: (1,)}, 1.0), nothing, nothing, (), None)
    return ColourStudy(findings, (), Codes({}, nuisance, (), ()), Judged((law,), 0, 0, 0), law, kicks, phases, 0)


@pytest.mark.parametrize("seed", SEEDS)
def test_a_draft_of_all_that_is_known_is_right(seed: int) -> None:
    stranger = colour_stranger(seed)
    ram_map = parse_map(draft(study_of(stranger), stranger.name, "0" * 40), stranger.name)
    games.open_edition(ram_map)
    assert wrong_rules(ram_map, stranger) == []
    told = games.open_edition(parse_map(map_text(stranger), "told")).ram_map
    grid, right = ram_map.document.grid, told.document.grid
    assert (grid.rows, grid.columns, grid.row_stride, grid.column_stride) == (
        right.rows,
        right.columns,
        right.row_stride,
        right.column_stride,
    )
