"""The picture of an explained position: the board, the best placement on it, and what the values are made of."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from emubot.explanation import (
    BuiltChain,
    DepthValue,
    DrawnPosition,
    ExplainedPlacement,
    Explanation,
    FieldAfter,
    Notation,
    Part,
    Risk,
)
from emubot.games.colours.explain.notation import IN_AIR, KINDS
from emubot.games.colours.puyo import GAME as PAIRS
from emubot.games.tetris.editions.shared import StandardDepiction
from emubot.games.tetris.family import GAME
from emubot.snapshot import Piece, Placement
from emubot.view import explained as drawing
from tests.families import default_edition

LOOK = StandardDepiction()


def placement(column: int, value: float, parts: dict[str, float]) -> ExplainedPlacement:
    made = tuple(Part(name, part) for name, part in parts.items())
    depths = (DepthValue(2, value),)
    return ExplainedPlacement(
        Placement(2, column, 18), f"column {column}", value, column == 1, None, depths, made, Risk(20, 10, 1)
    )


def explanation(*placements: ExplainedPlacement) -> Explanation:
    _, snapshot = GAME.position(DrawnPosition(("#" * 9 + ".",), "T", None, 18, 0))
    settings = {"level": 18, "lines": 0, "taps": "12hz"}
    return Explanation(snapshot, "T", None, settings, "points", "", "", 1, placements)


@pytest.fixture
def drawn(monkeypatch: pytest.MonkeyPatch) -> list[Any]:
    """The figures that would be saved."""
    figure_module = pytest.importorskip("matplotlib.figure")
    figures: list[Any] = []
    monkeypatch.setattr(figure_module.Figure, "savefig", lambda self, *_, **__: figures.append(self))
    return figures


def test_the_board_and_the_differences_are_those_of_the_explanation(tmp_path: Path, drawn: list[Any]) -> None:
    best = placement(1, 900.0, {"same": 100.0, "holes": 800.0})
    second = placement(5, 700.0, {"same": 100.0, "holes": 600.0})
    drawing.draw_explained(
        tmp_path / "one.png", GAME.looks, LOOK, explanation(best, second), ["first risk", "second risk"]
    )
    *boards, values, parts = drawn[0].axes
    assert "T, next not known" in drawn[0].get_suptitle()
    assert [board.get_title() for board in boards] == ["1: column 1\nthe bot plays this one", "2: column 5\n", ""]
    for number, column in enumerate((1, 5)):
        board, cells = boards[number], LOOK.cells(explanation().snapshot, Piece(2, column, 18))
        filled = {tuple(patch.get_xy()) for patch in board.patches if _colour(patch) == drawing._COLOURS[number]}
        assert filled == {(cell.column, cell.row) for cell in cells}, "a board of its own, and nothing else on it"
        assert [text.get_text() for text in board.texts] == [str(number + 1)] * 4
    assert [bar.get_width() for bar in values.patches] == [0.0, 200.0]
    assert [label.get_text() for label in values.get_yticklabels()] == ["1*  column 1", "2  column 5"]
    assert "900   dies first risk" in values.texts[0].get_text()
    assert [label.get_text() for label in parts.get_yticklabels()] == ["holes"], "only what differs"
    assert [bar.get_width() for bar in parts.patches] == [200.0]


def test_a_piece_that_can_lock_nowhere_is_drawn_too(tmp_path: Path, drawn: list[Any]) -> None:
    drawing.draw_explained(tmp_path / "none.svg", GAME.looks, LOOK, explanation(), [])
    assert "can lock nowhere" in drawn[0].axes[0].get_title()


def _colour(patch: Any) -> str:
    from matplotlib.colors import to_hex

    return str(to_hex(patch.get_facecolor()))


def test_a_chain_is_drawn_on_the_field_that_it_is_built_on(tmp_path: Path, drawn: list[Any]) -> None:
    _, snapshot = PAIRS.position(DrawnPosition(("RR....",), "RB", "GG", rules="tsu"))
    chain = BuiltChain(1, 40, "R", ((3, 11),), ((0, 11), (1, 11), (2, 11)), (1, 1, 1))
    lines = (*["......"] * 12, "RRR..B")
    one = ExplainedPlacement(
        Placement(1, 2, 11), "there", 5.0, True, None, (DepthValue(12, 5.0),), (Part("worth", 5.0),), Risk(20, 10, 1),
        FieldAfter(lines, (Part("chain", 100.0),), "hundredths", chain, {}, ("1 step", "40 points")),
    )  # fmt: skip
    settings = {"rules": "tsu", "colors": 4, "taps": "12hz"}
    shown = Explanation(snapshot, "RB", "GG", settings, "points", "", "", 1, (one,), Notation(KINDS, IN_AIR, 1))
    drawing.draw_explained(tmp_path / "one.png", PAIRS.looks, default_edition("puyo").depiction, shown, ["risk"])
    board, _, _, field, _, parts = drawn[0].axes
    assert drawn[0].get_suptitle() == "RB, next GG · tsu, 4 colours, taps 12hz"
    assert board.get_title() == "1: there\nthe bot plays this one"
    assert field.get_title() == "after 1:\n1 step, 40 points"
    written = {(text.get_position()[0], text.get_text()) for text in field.texts if text.get_text()}
    assert written == {(0.5, "1"), (1.5, "1"), (2.5, "1"), (3.5, "*")}
    red, trigger = (
        {_colour(patch) for patch in field.patches if patch.get_xy() == place} - {"#ffffff"}
        for place in ((0, 11), (3, 11))
    )
    assert red == trigger != set()
    assert "between the fields" in parts.get_title()
