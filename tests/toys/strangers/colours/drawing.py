"""Draws a stranger of colours from its seed: every choice for itself, and what cannot work together is drawn again."""

from __future__ import annotations

from typing import Final

import numpy as np

from tests.toys.strangers.colours.chances import Chances
from tests.toys.strangers.colours.memory import NoRoom, placed
from tests.toys.strangers.colours.stranger import (
    BOX,
    CAPSULES,
    COLUMNS,
    CYCLE,
    DIAGONALS,
    GROUPS,
    KINDS,
    LINES,
    PAIRS,
    PARKED,
    SATELLITE,
    STATE,
    TIMER,
    Cell,
    Menus,
    Pads,
    Play,
    Screen,
    Stranger,
    Waits,
)

_BUTTONS: Final = {"START": 8, "A": 3, "B": 2, "SELECT": 2, "A+B": 2, "RIGHT": 0.7, "UP": 0.7}
_IN_MENUS: Final = ("START", "A", "B", "A+B")
MODES_AFTER: Final = 5  # play, over, won, paused, demo


def colour_stranger(seed: int) -> Stranger:
    """Returns the stranger of this seed. Seeds to 9,999 are for work, those from 100,000 on for measuring."""
    draw = Chances(np.random.default_rng([seed, 20]))
    play = drawn_play(draw)
    pads = drawn_pads(draw, play)
    menus = drawn_menus(draw, play, pads)
    between = draw.pick({STATE: 5, PARKED: 2, TIMER: 2, KINDS: 1})
    waits = Waits(
        settle=draw.pick({4: 2, 1: 1, 10: 2, 24: 1}),
        fall=draw.pick({1: 2, 2: 2, 4: 1, 8: 1}),
        pop=draw.pick({16: 2, 8: 1, 30: 2, 60: 1}),
        spawn=0 if play.quick else draw.pick({6: 2, 1: 2, 20: 2, 40: 1}),
        won=draw.pick({30: 1, 90: 1}),
    )
    while True:
        try:
            return placed(draw, seed, play, pads, menus, waits, between)
        except NoRoom:
            continue


def drawn_play(draw: Chances) -> Play:
    """Returns the rules, of a game that the families of pairs and of matching colours have."""
    kind = draw.pick({PAIRS: 9, CAPSULES: 7, COLUMNS: 4})
    draw.calm = draw.chance(0.2)
    return {PAIRS: _pairs, CAPSULES: _capsules, COLUMNS: _columns}[kind](draw)


def _pairs(draw: Chances) -> Play:
    players = draw.pick({1: 4, 2: 1})
    columns = draw.pick({6: 5, 4: 1, 5: 1, 7: 1, 8: 1} | ({} if players > 1 else {9: 0.5, 10: 0.5}))
    colors = draw.number(3, 6)
    hidden = draw.pick({0: 2, 1: 2, 2: 1})
    boxed = draw.chance(0.2)
    upright = draw.pick({True: 7, False: 3})
    nuisance = draw.chance(0.5)
    part = draw.number(0, 1)  # of the two in memory: the pivot
    swaps = False
    shapes: tuple[tuple[Cell, ...], ...]
    if boxed:
        shapes = BOX
        swaps = draw.chance(0.4)
        spawn = (3, (columns - 1) // 2, 0) if upright and not swaps else (0, (columns - 2) // 2, 0)
    else:
        shapes = tuple(((0, 0), way) if part == 0 else (way, (0, 0)) for way in SATELLITE)
        spawn = (0, (columns - 1) // 2, 0) if upright else (1, (columns - 2) // 2, 0)
    return Play(
        kind=PAIRS,
        columns=columns,
        rows=draw.number(8, 14 if players > 1 else 18),
        hidden=hidden,
        colors=colors,
        match=GROUPS,
        size=draw.pick({4: 5, 3: 2, 5: 1} if colors < 6 else {4: 3, 3: 3}),
        joined=False,
        targets=(),
        target_rows=0,
        nuisance_every=draw.among((4, 8, 16)) if nuisance and players == 1 else 0,
        nuisance_many=draw.number(1, 3) if nuisance else 0,
        players=players,
        shapes=shapes,
        spawn=spawn,
        swaps=swaps,
        wall_kick=draw.pick({True: 7, False: 3}),
        floor_kick=draw.pick({True: 6, False: 4}),
        quick_turn=not boxed and draw.chance(0.15),
        falls_at_once=draw.chance(0.5),
        clears_chain=draw.chance(0.4),
        quick=draw.chance(0.25),
    )


def _capsules(draw: Chances) -> Play:
    players = draw.pick({1: 5, 2: 1})
    columns = draw.pick({8: 5, 6: 2, 7: 1, 5: 1} | ({} if players > 1 else {9: 1, 10: 1}))
    rows = draw.number(10, 13 if players > 1 else 18)
    joined = draw.pick({True: 65, False: 35})
    staged = draw.pick({True: 6, False: 4})
    first, growth = draw.number(2, 6), draw.number(1, 4)
    upright = draw.chance(0.2)
    return Play(
        kind=CAPSULES,
        columns=columns,
        rows=rows,
        hidden=draw.pick({0: 4, 1: 1}) if not upright else 1,
        colors=draw.pick({3: 4, 4: 2, 5: 1, 6: 1}),
        match=draw.pick({LINES: 6, DIAGONALS: 1}),
        size=draw.pick({4: 4, 3: 2, 5: 1}),
        joined=joined,
        targets=tuple(first + growth * stage for stage in range(5)) if staged else (),
        target_rows=draw.number(rows // 2, rows * 2 // 3) if staged else 0,
        nuisance_every=0,
        nuisance_many=0,
        players=players,
        shapes=BOX,
        spawn=(1 if upright else 0, (columns - 2) // 2, 0),
        swaps=draw.chance(0.2),
        wall_kick=draw.pick({True: 6, False: 4}),
        floor_kick=False,
        quick_turn=False,
        falls_at_once=not joined and draw.chance(0.5),
        clears_chain=draw.chance(0.4),
        quick=(joined or not staged) and draw.chance(0.25),
    )


def _columns(draw: Chances) -> Play:
    columns = draw.pick({6: 4, 5: 1, 7: 1, 8: 1})
    hidden = draw.pick({0: 3, 2: 1})
    return Play(
        kind=COLUMNS,
        columns=columns,
        rows=draw.number(10, 16),
        hidden=hidden,
        colors=draw.number(4, 6),
        match=draw.pick({DIAGONALS: 3, LINES: 1}),
        size=3,
        joined=False,
        targets=(),
        target_rows=0,
        nuisance_every=0,
        nuisance_many=0,
        players=1,
        shapes=CYCLE,
        spawn=(0, draw.among(((columns - 1) // 2, columns // 2)), 0 if hidden else 2),
        swaps=False,
        wall_kick=False,
        floor_kick=False,
        quick_turn=False,
        falls_at_once=draw.chance(0.5),
        clears_chain=draw.chance(0.4),
        quick=draw.chance(0.25),
    )


def drawn_pads(draw: Chances, play: Play) -> Pads:
    """Returns what the buttons do."""
    one_way = {("A", ""): 2, ("B", ""): 1, ("UP", ""): 1, ("", "A"): 0.5}
    clockwise, counterclockwise = draw.pick({("A", "B"): 4, ("B", "A"): 2, **one_way})
    down = draw.pick({"held": 5, "press": 2, "drop": 2, "none": 0.5})
    repeats = draw.pick({True: 6, False: 4})
    first = draw.among((8, 12, 16, 24))
    return Pads(
        poll=draw.pick({1: 5, 2: 2, 3: 1, 4: 1}),
        clockwise=clockwise,
        counterclockwise=counterclockwise,
        down=down,
        soft_drop=draw.number(1, 4) if down == "held" else 0,
        hard_drop="UP" if "UP" not in (clockwise, counterclockwise) and down != "drop" and draw.chance(0.15) else "",
        repeat_first=first if repeats else 0,
        repeat_next=draw.among((2, 4, 6)) if repeats else 0,
        lock_delay=draw.among((12, 30)) if not play.quick and draw.chance(0.2) else 0,
        speed=draw.pick({(30, 30, 0): 3, (20, 20, 0): 2, (48, 48, 0): 1, (32, 16, 8): 2, (24, 12, 4): 1}),
    )


def drawn_menus(draw: Chances, play: Play, pads: Pads) -> Menus:
    """Returns the screens around a game."""
    count = draw.pick({1: 3, 2: 3, 3: 1})
    down_key = draw.pick({"DOWN": 4, "SELECT": 1})
    screens = []
    for _ in range(count):
        items = draw.pick({0: 3, 2: 1, 3: 0.7, 4: 0.3})
        button = draw.pick({name: weight for name, weight in _BUTTONS.items() if not items or name in _IN_MENUS})
        start = draw.number(0, items - 1) if items else 0
        target = draw.number(0, items - 1) if items else 0
        screens.append(Screen(button, draw.pick({0: 4, 40: 1, 110: 1}), items, start, target))
    versus_key = ""
    if play.players > 1 and screens[-1].items == 0 and screens[-1].button != "SELECT" and draw.chance(0.7):
        versus_key = "SELECT"
    over_button = draw.pick({screens[0].button: 2, "START": 2, "A": 1, "": 1})
    pause = draw.pick({"START": 6, "SELECT": 1, "": 3})
    codes = draw.pick({"counted": 2, "any": 1})
    needed = count + MODES_AFTER
    modes = list(range(needed)) if codes == "counted" else list(draw.several(range(256), needed))
    demo_after = draw.number(2, 4) if draw.chance(0.3) else 0
    if draw.chance(0.5):  # a flag alone tells a demo, or a pause, from play
        modes[count + 4] = modes[count]
    if draw.chance(0.5):
        modes[count + 3] = modes[count]
    return Menus(
        screens=tuple(screens),
        modes=tuple(modes),
        cursor_down=down_key,
        cursor_up="UP" if down_key == "DOWN" or draw.chance(0.5) else "",
        over_button=over_button,
        over_wait=draw.among((10, 60, 120)),
        over_to=-1 if over_button and draw.chance(0.3) else draw.number(0, count - 1),
        pause=pause,
        pause_flag=draw.among((1, 0x80, 0xFF)),
        demo_after=demo_after,
        demo_lasts=draw.number(3, 6),
        versus_key=versus_key,
    )
