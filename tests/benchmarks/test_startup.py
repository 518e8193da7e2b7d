"""The benchmark of the first start: what it reads off the screen, and its table."""

from __future__ import annotations

import pytest

from benchmarks.startup import table
from benchmarks.startup_screen import SPAWNS, Seen, field_of, was_moved

EMPTY = "·" * 10
AGAIN = "\r\x1b[2K" + "\x1b[1A\x1b[2K" * 4  # as rich begins the next drawing


def drawing(*rows: str) -> str:
    """A board of two rows as it is drawn: wide cells, styles, a second box beside it."""
    wide = ["".join(2 * sign if sign in "█▓░" else f" {sign}" for sign in row) for row in rows]
    boxed = [f"│\x1b[31m{row}\x1b[0m│ │        │\r\n" for row in wide]
    line = "─" * 2 * len(rows[0])
    return f"emubot · a title\r\n╭{line}╮ ╭─ next ─╮\r\n{''.join(boxed)}╰{line}╯ ╰────────╯"


def seen_after(*drawings: str) -> dict[str, float]:
    seen = Seen(SPAWNS["tetris"])
    for now, drawn in enumerate(drawings):
        seen.hear(drawn, now)
    return seen.times


def test_only_a_whole_board_is_painted() -> None:
    whole = drawing(EMPTY, "········██")
    assert field_of("╭────╮\n│ ·██│\n╰────╯") == ["·█"]
    assert field_of("╭────╮\n│ ·██│\n") is None
    assert field_of("Compiling 3/7") is None
    assert seen_after(whole[:60], whole[60:]) == {"painted": 1}


@pytest.mark.parametrize(
    ("demo", "rows", "moved"),
    [
        ("tetris", ["····███···", "·░░░·█····"], False),
        ("tetris", ["···███····", "·░░░·█····"], True),
        ("tetris", ["·····█····", "····██····", "····░█····"], True),
        ("tetris", ["····██····", "░░··██····"], False),
        ("tetris", ["···███····", "····█·····"], False),  # no plan: nothing is under control
        ("tetris", ["···████···", "░░░██·····"], False),  # it has met the stack
        ("puyo", ["··█···", "···░░·"], False),
        ("puyo", ["··██··", "···░░·"], True),
        ("capsules", ["···██···", "▓·······", "▓░░·····"], False),
        ("capsules", ["···█····", "···█····", "▓░░·····"], True),
    ],
)
def test_a_press_is_seen_by_where_the_piece_is(demo: str, rows: list[str], moved: bool) -> None:
    assert was_moved(rows, SPAWNS[demo]) is moved


def test_what_is_seen_is_timed_once() -> None:
    spawned = AGAIN + drawing("····██····", "░░··██····")
    moved = AGAIN + drawing("···██·····", "░░·██·····")
    bar = AGAIN + "━━━━ {} for this machine: pairs"
    strong = moved.replace("a title", "full strength")
    assert seen_after(spawned, moved, strong, strong) == {"painted": 0, "pressed": 1, "full": 2}
    assert seen_after(bar.format("Compiling"), bar.format("Compiled"), spawned) == {"full": 1, "painted": 2}


def test_the_table_tells_what_never_came() -> None:
    runs = [{"part": "play", "case": "tetris", "run": run, "full": full} for run, full in enumerate((4.0, None, 0, 2))]
    _, row = table(runs)
    assert row.split() == "play tetris full 2.00 0.00 4.00 (came in 3 of 4 runs)".split()
    _, row = table([{"part": "play", "case": "puyo", "run": 1, "full": None}])
    assert row.split() == "play puyo full - - - (came in 0 of 1 runs)".split()
