"""The coach in a real browser: a mark and its reason after each lock, and the better placement on the own board."""

from __future__ import annotations

import pytest

from tests.arena.painting import pixel, show, stage_board
from tests.arena.serving import Visitor

pytestmark = [pytest.mark.browser, pytest.mark.jit, pytest.mark.xdist_group("browser")]

BETTER = [{"column": column, "row": 9, "kind": 2} for column in (1, 2)]
RIM = (0.5, 0.08)  # of a cell


def test_the_better_placement_is_outlined_on_a_board(visitor: Visitor) -> None:
    stage_board(visitor, "matching")
    show(visitor)
    empty = [pixel(visitor, at, *RIM) for at in (55, 56)]
    visitor.page.evaluate("(cells) => stage.view.showBetter(cells)", BETTER)
    show(visitor)
    assert all(pixel(visitor, at, *RIM) != before for at, before in zip((55, 56), empty, strict=True))
    visitor.page.evaluate("() => stage.view.showBetter([])")
    show(visitor)
    assert [pixel(visitor, at, *RIM) for at in (55, 56)] == empty


def test_the_better_placement_stays_while_it_fits_the_board(visitor: Visitor) -> None:
    """Before the lock: while its piece is in the air. After it: until rows or groups vanish, or the next lock."""
    shown = visitor.page.evaluate(
        """async () => {
            const { Coach } = await import("/coach.js");
            const { settings } = await import("/settings.js");
            const shown = [];
            const view = { isPerson: true, showBetter: (cells) => shown.push(cells.length), mark() {} };
            const coach = new Coach({ say() {} });
            const see = (board) => {
                coach.show(0, { inControl: true, pieces: 3, count: 0, ...board });
                return shown.at(-1);
            };
            const ahead = { side: 0, piece: 3, cells: [[1, 9, 2]] };
            const mark = { side: 0, piece: 3, mark: "slip", why: "makes a hole", better: "there", cells: [[1, 9, 2]],
                           locked: [[2, 9, 2]], marks: { best: 0, slip: 1 }, accuracy: 0.5 };
            coach.use([view], ["You"], true);
            settings.coach = "before";
            coach.onAhead(ahead);
            const before = [see({}), see({ inControl: false, pieces: 4 }), see({ pieces: 4 })];
            settings.coach = "after";
            coach.onMark(mark);
            const after = [see({ pieces: 4 }), see({ pieces: 4, count: 1 }), see({ pieces: 5 })];
            coach.onMark({ ...mark, mark: "best", piece: 5 });
            return [before, after, see({ pieces: 6 }), document.querySelector("#coach-words").textContent];
        }"""
    )
    before, after, best, words = shown
    assert (before, after, best) == ([1, 0, 0], [1, 0, 0], 0)
    assert "makes a hole. Better: there" in words
    assert "Accuracy 50 %: slip 1" in words


def test_each_lock_gets_a_mark_and_its_reason(visitor: Visitor) -> None:
    page = visitor.page
    visitor.choose(("person", "capsules"))
    visitor.start()
    page.locator("#coach").select_option("after")
    visitor.hold("ArrowDown")
    words = page.locator("#coach-words")
    visitor.until(lambda: "Accuracy" in words.inner_text(), "a mark")
    visitor.release("ArrowDown")
    assert words.locator(".mark").inner_text().split()[1] in ("best", "good", "slip", "blunder")
    assert page.evaluate("document.activeElement.id") != "coach", "the keys are the game's again"
    assert not visitor.faults
