"""Frames of a match as JavaScript, for tests that look at what the page draws of them."""

from __future__ import annotations

from typing import Any

from tests.arena.serving import Visitor

# A board beside the page's own, with frames that a test makes; and what a canvas was asked to draw since the last look.
STAGE_A_BOARD = """async (family) => {
    const { BoardView } = await import("/board.js");
    const { learnLooks, looksOf } = await import("/looks.js");
    const view = new BoardView("test", family, false);
    document.body.prepend(view.element);
    view.element.querySelector(".field").style.setProperty("width", "200px");
    view.element.querySelector(".field").style.setProperty("flex", "none");
    const cells = new Uint8Array(60);
    const board = { rows: 10, columns: 6, cells, air: [], next: [], aim: [], plan: [], inControl: true, over: false,
                    score: 0, count: 0, level: 0, garbage: 0, pieces: 0 };
    const asked = { count: 0 };
    for (const name of ["fill", "stroke", "fillRect", "strokeRect", "clearRect", "drawImage"]) {
        const draw = CanvasRenderingContext2D.prototype[name];
        CanvasRenderingContext2D.prototype[name] = function (...given) {
            asked.count += 1;
            return draw.apply(this, given);
        };
    }
    globalThis.stage = {
        view, board, asked,
        // Shows the next frame; `fill` has the kinds of cells by their numbers. Returns how often something was drawn.
        show(changes, fill = {}) {
            Object.assign(board, changes);
            board.cells = board.cells.slice();
            for (const [at, kind] of Object.entries(fill)) board.cells[at] = kind;
            asked.count = 0;
            view.draw({ ...board });
            return asked.count;
        },
        pixel(at, dx = 0.5, dy = 0.5) {
            const canvas = view.element.querySelector(".field");
            const size = canvas.width / board.columns;
            const [x, y] = [(at % board.columns + dx) * size, (Math.floor(at / board.columns) + dy) * size];
            return [...canvas.getContext("2d").getImageData(x, y, 1, 1).data].slice(0, 3);
        },
    };
}"""


def stage_board(visitor: Visitor, family: str) -> None:
    """Put a board on the page that shows what `show` says."""
    visitor.page.evaluate(STAGE_A_BOARD, family)


def show(visitor: Visitor, changes: dict[str, Any] | None = None, fill: dict[int, int] | None = None) -> int:
    """Show the next frame; returns how often something was drawn."""
    return int(visitor.page.evaluate("([changes, fill]) => stage.show(changes, fill)", [changes or {}, fill or {}]))


def pixel(visitor: Visitor, at: int, dx: float = 0.5, dy: float = 0.5) -> tuple[int, int, int]:
    """The colour of a cell, at this part of it."""
    red, green, blue = visitor.page.evaluate("([at, dx, dy]) => stage.pixel(at, dx, dy)", [at, dx, dy])
    return red, green, blue
