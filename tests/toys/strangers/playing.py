"""A stranger in a core: led by its truth from power-on through its menus, and played beside its twin."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from emubot.bridges.libretro import LibretroBridge, connect
from emubot.pad import Pad
from tests.bridges.cores import require_core
from tests.demos.test_pairs_cores import overwrite
from tests.toys.addresses import RAM_SIZE, WRAM_BASE, WRAM_SIZE, index_of
from tests.toys.strangers.cartridge import build
from tests.toys.strangers.memory import addresses
from tests.toys.strangers.reading import Memory, Reading
from tests.toys.strangers.switches import Stranger
from tests.toys.strangers.truth import buttons_of, truth
from tests.toys.strangers.twin import Clocks, Twin

BOOT = 20  # frames in which the console starts and the screen is drawn
PADS = (*[Pad.NONE] * 3, Pad.LEFT, Pad.RIGHT, Pad.A, Pad.B, Pad.DOWN, Pad.UP, Pad.A | Pad.LEFT, Pad.B | Pad.RIGHT)
ANY = (*PADS, Pad.DOWN | Pad.RIGHT, Pad.A | Pad.B, Pad.UP | Pad.LEFT, Pad.SELECT, Pad.START)
Player = Callable[[Twin], Pad]


class Played:
    """A stranger that runs; `memory` is that after the last frame."""

    def __init__(self, bridge: LibretroBridge, stranger: Stranger) -> None:
        self.told = truth(stranger)
        self._bridge, self._at = bridge, addresses(stranger)
        self._size = RAM_SIZE + WRAM_SIZE * stranger.wram
        self.memory: Memory = np.zeros(self._size, dtype=np.uint8)
        self.frames, self.levels = 0, 0
        for _ in range(BOOT):
            self.step(Pad.NONE)

    def step(self, pad: Pad) -> None:
        """One frame."""
        self._bridge.press(0, pad)
        self._bridge.advance()
        data = self._bridge.read("ram", 0, RAM_SIZE)
        if self._size > RAM_SIZE:
            data += self._bridge.read("wram", WRAM_BASE, WRAM_SIZE)
        self.memory = np.frombuffer(data, dtype=np.uint8)
        self.frames += 1

    def write(self, codes: NDArray[np.uint8]) -> None:
        """Writes the board, as no game would; walls and other bits stay."""
        board, reading = self.told["board"], Reading(self.told)
        data = np.array(self.memory)
        for row, line in zip(reading.rows(data), codes, strict=True):
            for byte, mask, code in zip(board["column_bytes"], board["column_masks"], line, strict=True):
                at = index_of(row + byte)
                data[at] = data[at] & ~np.uint8(mask) | int(code) * (mask & -mask)
                overwrite(self._bridge, row + byte, bytes([data[at]]))

    def place(self) -> tuple[int, int]:
        """Returns the bytes of the piece's place, or of what moves in its stead."""
        return self.byte(self._at["pos_x"]), self.byte(self._at["pos_y"])

    @property
    def state(self) -> int:
        return int(self.memory[self.told["state"]["at"]])

    def byte(self, at: int) -> int:
        return int(self.memory[at])

    def in_state(self, *names: str) -> bool:
        return self.state in [self.told["state"]["values"][name] for name in names]

    def tap(self, pad: Pad) -> None:
        """Presses and releases, each long enough for a game that reads its pad slowly; stops where a game begins."""
        for held in (pad, Pad.NONE):
            for _ in range(self.told["pads"]["poll"]):
                if not self.playing:
                    self.step(held)

    @property
    def playing(self) -> bool:
        """Whether a game has begun that is no demo."""
        demo = self.told["demo"]
        return self.in_state("play") and not (demo and self.byte(demo["at"]))

    def at_title(self) -> None:
        """Waits for the title to take its button."""
        assert self.in_state("title")
        legal = self.told["menus"]["legal"]
        if legal:
            while self.byte(legal["countdown"]) > legal["title_from"] + 2 * self.told["pads"]["poll"]:
                self.tap(buttons_of(self.told["menus"]["title"]))
                assert self.in_state("title"), "no button leads on before its time"
            while self.byte(legal["countdown"]) > legal["title_from"]:
                self.step(Pad.NONE)

    def start(self, level: int = 0) -> None:
        """From the title into a game; every screen is left by its buttons, and by no other."""
        menus = self.told["menus"]
        self.at_title()
        self._leave("title", buttons_of(menus["title"]))
        for screen in menus["screens"]:
            assert self.in_state(screen["screen"]), f"{screen['screen']} follows"
            if screen["kind"] == "cursor":
                self._leave(screen["screen"], buttons_of(screen["buttons"]), options=True)
                assert self.in_state("options")
                self.tap(buttons_of(screen["back"]))
                assert self.in_state(screen["screen"])
                self.tap(buttons_of(screen["more"]))
                assert self.byte(screen["at"]) == screen["game"]
            if screen["kind"] == "level":
                self.levels = self.byte(screen["at"])
                while self.levels < level:
                    self.tap(buttons_of(screen["more"]))
                    self.levels += 1
                    assert self.byte(screen["at"]) == self.levels
            self._leave(screen["screen"], buttons_of(screen["buttons"]), options=screen["kind"] == "cursor")
        assert self.playing, "the last screen leads to a game"

    def _leave(self, screen: str, buttons: Pad, options: bool = False) -> None:
        """Presses what leads on, after all that does not."""
        moves = Pad.UP | Pad.DOWN | Pad.LEFT | Pad.RIGHT if options or screen != "title" else Pad.NONE
        for button in Pad:
            if button and not buttons & button and not moves & button:
                self.tap(button)
        if buttons.bit_count() > 1:
            self.tap(buttons & -buttons)
        assert self.in_state(screen), f"{screen} takes other buttons"
        self.tap(buttons)

    def twin(self) -> Twin:
        """Returns the twin of the game that has just begun."""
        held = int(f"{self.byte(self._at['pad_held']):08b}"[:: 1 if self._order == "A highest" else -1], 2)
        poll_left = self.byte(self._at["poll_left"]) if self.told["pads"]["poll"] > 1 else 1
        return Twin(self.told, self.memory, Clocks(Pad(held), poll_left, self.byte(self._at["repeat"])), self.levels)

    @property
    def _order(self) -> Any:
        return self.told["pads"]["order"]

    def play(self, player: Player, frames: int) -> Twin:
        """Plays until the game is over, or for so many frames, and checks every one; returns the twin."""
        twin = self.twin()
        twin.check(self.memory)
        for _ in range(frames):
            if twin.mode == "over":
                break
            self.step(pad := player(twin))
            twin.step(pad, self.memory)
            twin.check(self.memory)
        return twin

    def leave_over(self) -> None:
        """From the end of a game to what follows, as the truth says."""
        over = self.told["menus"]["over"]
        if over["wait"]:
            for _ in range(over["wait"] - 1):
                self.step(Pad.NONE)
                assert self.in_state("over")
            self.step(Pad.NONE)
            assert self.in_state("title")
            return
        self.tap(Pad.NONE)
        self.tap(buttons_of(over["buttons"]))
        assert self.playing if over["leads"] == "again" else self.in_state("title")


@contextmanager
def powered_on(stranger: Stranger, folder: Path) -> Iterator[Played]:
    """Makes a stranger's image in the folder, and switches it on."""
    image = build(stranger, folder)
    with connect(rom=image, core=str(require_core("fceumm")), emu_speed=None) as bridge:
        yield Played(bridge, stranger)


def mashed(seed: int) -> Player:
    """Random pads without end: some held, some tapped."""

    def pads() -> Iterator[Pad]:
        rng = np.random.default_rng(seed)
        while True:
            pad = ANY[rng.integers(len(ANY))]
            for _ in range(1 + int(rng.integers(30 if rng.random() < 0.2 else 4))):
                yield pad

    stream = pads()
    return lambda _: next(stream)


class Filler:
    """Fills low places by straight drops; so games last and rows are cleared."""

    def __init__(self) -> None:
        self._pieces, self._target = -1, (0, 0)

    def __call__(self, twin: Twin) -> Pad:
        """Returns the pad of the next frame."""
        if twin.mode != "play":
            return Pad.NONE
        if twin.pieces != self._pieces:
            self._pieces, self._target = twin.pieces, self._best(twin)
        if twin.held or twin.new:
            return Pad.NONE  # a press needs a release before it
        turn, column = self._target
        buttons = twin.buttons
        if twin.turn != turn:
            return buttons["clockwise"] or buttons["counterclockwise"]
        if twin.column != column:
            return Pad.LEFT if twin.column > column else Pad.RIGHT
        return buttons["hard_drop"] or buttons["soft_drop"]

    def _best(self, twin: Twin) -> tuple[int, int]:
        best, target = -1e9, (twin.turn, twin.column)
        turnable = twin.buttons["clockwise"] | twin.buttons["counterclockwise"]
        for turn in range(len(twin.told["pieces"][twin.number]["turns"]) if turnable else 1):
            for column in range(-4, twin.cells.shape[1] + 4):
                if twin.fits(turn, column, twin.row):
                    value = self._value(twin, turn, column)
                    if value > best:
                        best, target = value, (turn, column)
        return target

    def _value(self, twin: Twin, turn: int, column: int) -> float:
        """Low cells are good, gaps below the piece are bad."""
        row = twin.row
        while twin.fits(turn, column, row + 1):
            row += 1
        offsets: list[list[int]] = twin.told["pieces"][twin.number]["turns"][turn]["cells"]
        cells = {(column + x, row + y + twin.hidden) for x, y in offsets}
        gaps = 0
        for x, y in cells:
            below = y + 1
            while (x, below) not in cells and 0 <= below < twin.stored and twin.is_empty(x, below):
                gaps, below = gaps + 1, below + 1
        depth = sum(y for _, y in cells) / len(cells)
        return float(depth - 6 * gaps)
