"""How pieces look on the page, in a real browser: light and depth, joined cells, one outline around a place."""

from __future__ import annotations

from typing import Any

import pytest

from emubot.looks import OWN, RELIEF
from emubot.snapshot import JOINED_LEFT, JOINED_RIGHT
from tests.arena.painting import pixel, show, stage_board
from tests.arena.serving import Visitor

pytestmark = [pytest.mark.browser, pytest.mark.jit, pytest.mark.xdist_group("browser")]

BORDER = 0.98  # of a cell: where two neighbours have a gap between them


def light(colour: tuple[int, int, int]) -> int:
    return sum(colour)


def piece(*cells: tuple[int, int, int], joined: bool = False) -> list[dict[str, Any]]:
    """Cells (column, row, kind) side by side."""
    last = len(cells) - 1
    return [
        {
            "column": column,
            "row": row,
            "kind": kind,
            "joins": joined * (JOINED_LEFT * (at > 0) | JOINED_RIGHT * (at < last)),
        }
        for at, (column, row, kind) in enumerate(cells)
    ]


def joins_at(sides: dict[int, int]) -> list[int]:
    return [sides.get(at, 0) for at in range(60)]


@pytest.mark.parametrize(("family", "scheme"), [("tetris", "dark"), ("tetris", "light"), ("matching", "dark")])
def test_a_cell_is_lit_from_above(visitor: Visitor, family: str, scheme: str) -> None:
    visitor.page.emulate_media(color_scheme=scheme)
    stage_board(visitor, family)
    show(visitor, {}, {20: 11 if family == "matching" else 1})
    upper, middle, lower = (pixel(visitor, 20, 0.5, at) for at in (RELIEF.gap + 0.06, 0.25, 1 - RELIEF.gap - 0.06))
    assert light(upper) > light(middle) > light(lower)


def test_a_disk_is_lit_from_above(visitor: Visitor) -> None:
    stage_board(visitor, "puyo")
    show(visitor, {}, {20: 7})
    assert light(pixel(visitor, 20, 0.36, 0.3)) > light(pixel(visitor, 20)) > light(pixel(visitor, 20, 0.5, 0.9))


def test_joined_puyos_are_bridged_and_others_are_not(visitor: Visitor) -> None:
    stage_board(visitor, "puyo")
    show(visitor, {"joins": joins_at({54: JOINED_RIGHT, 55: JOINED_LEFT})}, {54: 1, 55: 1, 56: 1, 57: 7, 58: 7})
    assert pixel(visitor, 54, BORDER) == pixel(visitor, 54, 0.8)
    field = pixel(visitor, 0, BORDER)
    assert pixel(visitor, 55, BORDER) == pixel(visitor, 57, BORDER) == field
    assert pixel(visitor, 54, BORDER, 0.1) == pixel(visitor, 0, BORDER, 0.1), "a bridge is no block"


def test_the_halves_of_a_capsule_are_one_while_they_are_joined(visitor: Visitor) -> None:
    stage_board(visitor, "matching")
    show(visitor, {"joins": joins_at({54: JOINED_RIGHT, 55: JOINED_LEFT})}, {54: 1, 55: 3, 57: 1})
    red = pixel(visitor, 54, 0.9, 0.5)
    assert pixel(visitor, 54, BORDER) == red
    assert pixel(visitor, 54, BORDER, 0.12) != pixel(visitor, 0, BORDER, 0.12), "as wide as a half"
    assert pixel(visitor, 57, BORDER, 0.12) == pixel(visitor, 0, BORDER, 0.12), "a half alone is round"


def test_a_piece_in_the_air_is_one_body_with_an_outline(visitor: Visitor) -> None:
    visitor.page.emulate_media(color_scheme="dark")
    stage_board(visitor, "tetris")
    cells = [(1, 3, 1), (2, 3, 1), (3, 3, 1)]
    show(visitor, {"air": piece(*cells, joined=True)}, {55: 1, 56: 1})
    inside, between = pixel(visitor, 20, 0.5, 0.25), pixel(visitor, 19, BORDER, 0.25)
    assert inside == between
    assert pixel(visitor, 55, BORDER, 0.25) != inside, "in the stack each cell is by itself"
    assert light(pixel(visitor, 19, RELIEF.gap + RELIEF.outline / 2, 0.5)) > light(inside)


@pytest.mark.parametrize("name", ["aim", "plan"])
def test_a_place_has_one_outline(visitor: Visitor, name: str) -> None:
    stage_board(visitor, "tetris")
    show(visitor, {name: piece((1, 3, 1), (2, 3, 1), (3, 3, 1))})
    colour = pixel(visitor, 20, 0.5, 0.03)
    assert colour != pixel(visitor, 0, 0.5, 0.03)
    assert pixel(visitor, 20, 0.03, 0.3) == pixel(visitor, 0, 0.03, 0.3), "nothing between two of its cells"
    assert pixel(visitor, 20, 0.25, 0.03) == (colour if name == "aim" else pixel(visitor, 0, 0.25, 0.03))


def test_an_outline_turns_inwards_and_closes(visitor: Visitor) -> None:
    """An L around a free cell: the corner lies in the cell that has both neighbours."""
    stage_board(visitor, "tetris")
    show(visitor, {"aim": piece((1, 3, 1), (2, 3, 1), (1, 4, 1))})
    assert pixel(visitor, 19, 0.97, 0.95) == pixel(visitor, 20, 0.5, 0.95) != pixel(visitor, 0, 0.5, 0.95)


def test_the_shadow_is_filled_lightly(visitor: Visitor) -> None:
    visitor.page.emulate_media(color_scheme="dark")
    stage_board(visitor, "tetris")
    visitor.page.evaluate("stage.view.isPerson = true")
    show(visitor, {"air": piece((1, 0, 1), (2, 0, 1), joined=True)})
    empty, shadow, full = light(pixel(visitor, 0)), light(pixel(visitor, 55)), light(pixel(visitor, 1, 0.5, 0.25))
    assert empty < shadow < (empty + full) / 2


def test_pieces_have_colours_of_their_own_if_somebody_wants_them(visitor: Visitor) -> None:
    """The browser remembers it; without it they have the console's."""
    stage_board(visitor, "tetris")
    show(visitor, {}, {20: 1, 22: OWN, 24: OWN + 6})
    console = [pixel(visitor, at, 0.5, 0.25) for at in (20, 22, 24)]
    assert len({*console}) == 1, "T, I and a cell of which nobody knows whence it is"
    visitor.page.get_by_role("button", name="Settings").click()
    visitor.page.locator("#set-ownColours").check()
    visitor.press("Escape")
    visitor.page.evaluate("stage.view.refresh()")
    assert len({pixel(visitor, at, 0.5, 0.25) for at in (20, 22, 24)}) == 3
    assert pixel(visitor, 20, 0.5, 0.25) == console[0]
    assert visitor.page.evaluate("JSON.parse(localStorage.getItem('emubot-arena')).ownColours") is True


def test_nothing_moves_for_ever_beside_a_high_board(visitor: Visitor) -> None:
    """A blur that moves costs more than all boards where there is no graphics card."""
    stage_board(visitor, "puyo")
    show(visitor, {}, {8: 1})
    ends = visitor.page.evaluate("document.getAnimations().map((one) => one.effect.getComputedTiming().endTime)")
    assert ends
    assert max(ends) < 5000
