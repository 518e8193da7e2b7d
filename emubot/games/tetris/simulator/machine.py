"""A whole simulated cartridge: the frame simulator with menus, its state in 2 KiB of RAM by the map; knows no address.

It uses the map's value names, and the timing of the release that the map names. The menus are the short ones of the
demo cartridge, without the wait of the legal screen, and with B-type. PAL and B-type are from public documentation; not
tested on the original.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from functools import partial
from typing import Any, Final

import numpy as np
from numpy.typing import NDArray

from emubot.errors import MapError
from emubot.games.tetris.decode import addresses as reg
from emubot.games.tetris.decode.map_checks import profile_of
from emubot.games.tetris.rules import COLUMNS, GARBAGE_ROWS, GOAL_LINES, HIDDEN_PIECE, ROWS
from emubot.games.tetris.simulator import garbage, opening
from emubot.games.tetris.simulator import simulator as sim
from emubot.games.tetris.timing import timing_of
from emubot.machine import ROW
from emubot.pad import Pad
from emubot.rammap import RamMap
from emubot.rammap.spaces import index_of

_POWER_ON_GENERATOR: Final = (0x89, 0x88)  # is on the only long cycle, of 32,767 states; facts 5.1
_CYCLE: Final = 32_767
_DEAL_STEPS: Final = 11  # generator steps from one piece to the next, with even dealing
_GAME_STEPS: Final = 1009  # the same from one game to the next
_SCREEN_CHANGE: Final = 4  # frames for which the old screen stays in RAM after a button press

_TITLE, _TYPE_MENU, _LEVEL_MENU = 1, 2, reg.MODE_LEVEL_MENU
_JUST_FELL: Final = 0xFF  # the game adds one before it compares: 0, less than any level's frames
_RENDER_PLAY, _RENDER_MENU, _RENDER_TITLE = 3, 1, 0


class TetrisMachine:
    """NES Tetris behind the Machine protocol: `step` one frame with the pads, read `ram`.

    `rng` chooses the generator's place on its cycle at power-on; None is the console's own power-on state. With `even`
    the generator moves with each piece, not with each frame, so the n-th piece of a game does not depend on timing.
    Raises MapError if the map names no release.
    """

    def __init__(self, ram_map: RamMap, rng: np.random.Generator | None = None, even: bool = False) -> None:
        profile = profile_of(ram_map)
        if profile is None:
            raise MapError(f"{ram_map.title} has no simulator: its map names none of the timing profiles it knows.")
        self._timing, self._start_wait = timing_of(profile), profile.start_wait
        self.ram: NDArray[Any] = np.zeros(ram_map.image_size, dtype=np.uint8)
        self.identity = f"simulated:{ram_map.name}"
        self.frame_rate = profile.frame_rate
        self._addresses = np.array([index_of(ram_map.addresses(name)[0]) for name in reg.FIELDS])
        self._extra = {name: index_of(ram_map.addresses(name)[0]) for name in reg.EXTRA if name in ram_map.value_names}
        page, length = ram_map.regions["page"]
        self._page_slice = slice(index_of(page), index_of(page) + length)
        self._state = np.zeros(len(reg.FIELDS), dtype=np.uint8)
        self._page = np.full(reg.PAGE_SIZE, reg.EMPTY, dtype=np.uint8)
        self._start_level = self._start_height = self._choosing_height = self._next_hidden = 0
        self._held = Pad.NONE
        self._wait = 0
        self._then: Callable[[], None] | None = None
        self.hovers = False
        self._even = even
        self._cleared: list[int] = []  # lines, by piece
        self._garbage = 0  # rows that are due
        self._games = 0
        self._dealt = 0
        self._power_on(0 if rng is None else int(rng.integers(_CYCLE)))
        self._first_deal = self._deal = (int(self._state[reg.LFSR_HI]), int(self._state[reg.LFSR_LO]))
        self._holes = np.random.default_rng(0) if rng is None else rng
        self._publish(Pad.NONE)

    def step(self, pads: Sequence[Pad]) -> None:
        """Advance one frame with the pad of port 0 (a one-player game does not read the second port)."""
        held = pads[0]
        new = held & ~self._held
        self._held = held
        if self._in_play():
            if self._even:
                self._deal_evenly()
            self._raise_garbage()
            if self.hovers:
                self._state[reg.FALL_TIMER] = _JUST_FELL
            if new & Pad.SELECT and self._state[reg.MODE_STATE] != reg.MODE_STATE_PAUSED:
                self._next_hidden ^= 1
            completed = int(self._state[reg.COMPLETED_LINES])
            sim.step_frame(self._state, self._page, int(new), int(held), self._timing)
            if completed and not self._state[reg.COMPLETED_LINES]:  # they have just been counted
                self._cleared.append(completed)
            self._leave_play()
        else:
            sim.nmi_part(self._state)
            self._menu(new, held)
        self._publish(new)

    def load(self, ram: bytes) -> None:
        """Continue from another machine's RAM, taken in a frame of a game in play.

        What the map has no value for is 0: the choices of the menus, and the buttons that were held or newly pressed.
        """
        bytes_now = np.frombuffer(ram, dtype=np.uint8)
        self._state[:] = bytes_now[self._addresses]
        self._page[:] = bytes_now[self._page_slice]
        extra = {name: int(bytes_now[address]) for name, address in self._extra.items()}
        self._start_level, self._start_height = extra.get("start_level", 0), extra.get("start_height", 0)
        self._next_hidden = extra.get("next_hidden", 0)
        self._held, self._then = Pad(extra.get("held_buttons", 0)), None
        self._publish(Pad(extra.get("new_buttons", 0)))

    def begin(self, level: int) -> None:
        """Begin a game of A-type at this level at once, without the menus; RAM shows its first frame."""
        self._start_level, self._then = level, None
        self._start_game()
        self._publish(Pad.NONE)

    def _power_on(self, steps: int) -> None:
        self._state[reg.LFSR_HI], self._state[reg.LFSR_LO] = _stepped(_POWER_ON_GENERATOR, steps)
        self._state[reg.GAME_MODE] = _TITLE

    def _deal_evenly(self) -> None:
        """Set the generator to its state for the next piece, whatever the frame."""
        s = self._state
        while self._dealt != s[reg.SPAWN_COUNT]:
            self._dealt = self._dealt + 1 & 0xFF
            self._deal = _stepped(self._deal, _DEAL_STEPS)
        s[reg.LFSR_HI], s[reg.LFSR_LO] = self._deal

    def _begin_evenly(self) -> None:
        """Set the generator for a new game: the k-th games of two consoles deal the same pieces."""
        self._games += 1
        self._dealt = 0
        self._deal = _stepped(self._first_deal, _GAME_STEPS * self._games)
        self._state[reg.SPAWN_COUNT] = 0
        self._state[reg.LFSR_HI], self._state[reg.LFSR_LO] = self._deal

    @property
    def grain(self) -> int:
        """Garbage comes in whole rows."""
        return ROW

    def sent(self) -> Sequence[int]:
        """Returns the lines of each clear since the last call."""
        cleared, self._cleared = self._cleared, []
        return cleared

    def receive(self, units: int) -> None:
        """Let rows of garbage with one hole push the field up before the next piece comes."""
        self._garbage += units // ROW

    def _raise_garbage(self) -> None:
        """Let the garbage that is due come up before a piece does."""
        if self._garbage and self._state[reg.PLAY_STATE] == reg.PLAY_STATE_SPAWN:
            garbage.raise_rows(self._page, self._garbage, int(self._holes.integers(COLUMNS)))
            self._garbage = 0

    def _in_play(self) -> bool:
        ready = (reg.MODE_STATE_PLAY, reg.MODE_STATE_PAUSED)
        return (
            bool(self._state[reg.GAME_MODE] == reg.MODE_PLAY and self._state[reg.MODE_STATE] in ready)
            and not self._then
        )

    def _leave_play(self) -> None:
        """Go to the menus on the two ways out of a game: START under the curtain, and the reset combination."""
        mode = self._state[reg.GAME_MODE]
        if mode == reg.MODE_LEVEL_MENU:
            self._show_level_menu()
        elif mode != reg.MODE_PLAY:
            self._state[reg.GAME_MODE] = _TITLE
            self._state[reg.MODE_STATE] = 0

    def _menu(self, new: Pad, held: Pad) -> None:
        if self._then is not None:
            self._wait -= 1
            if self._wait <= 0:
                then, self._then = self._then, None
                then()
            return
        mode = self._state[reg.GAME_MODE]
        if mode == _TITLE and new == Pad.START:
            self._after(_SCREEN_CHANGE, self._show_type_menu)
        elif mode == _TYPE_MENU and new in (Pad.LEFT, Pad.RIGHT):
            self._state[reg.GAME_TYPE] = new == Pad.RIGHT
        elif mode == _TYPE_MENU and new == Pad.START:
            self._after(_SCREEN_CHANGE, self._show_level_menu)
        elif mode == _LEVEL_MENU:
            self._level_menu(new, held)

    def _level_menu(self, new: Pad, held: Pad) -> None:
        if self._choosing_height:
            self._start_height = _moved(self._start_height, new, 3, len(GARBAGE_ROWS) - 1)
        else:
            self._start_level = _moved(self._start_level, new, 5, 9)
        if new == Pad.A and self._state[reg.GAME_TYPE]:
            self._choosing_height ^= 1
        elif new == Pad.B:
            self._after(_SCREEN_CHANGE, self._show_type_menu)
        elif new == Pad.START:
            if held == Pad.A | Pad.START:
                self._start_level += 10
            self._state[reg.GAME_MODE] = reg.MODE_PLAY
            self._state[reg.MODE_STATE] = 0
            self._after(_SCREEN_CHANGE, self._start_game)

    def _after(self, frames: int, then: Callable[[], None]) -> None:
        self._wait, self._then = frames, then

    def _show_type_menu(self) -> None:
        self._state[reg.GAME_MODE] = _TYPE_MENU

    def _show_level_menu(self) -> None:
        self._state[reg.GAME_MODE] = _LEVEL_MENU
        self._state[reg.MODE_STATE] = 0
        self._start_level %= 10
        self._choosing_height = 0

    def _start_game(self) -> None:
        """Begin a game with the choices of the menus."""
        s = self._state
        opening.new_game(s, self._page, self._start_level, self._start_wait)
        if self._even:
            self._begin_evenly()
        opening.first_pieces(s)
        if s[reg.GAME_TYPE]:
            s[reg.LINES_LO] = GOAL_LINES // 10 << 4 | GOAL_LINES % 10
            s[reg.MODE_STATE] = reg.MODE_STATE_INIT
            self._fill_row(garbage.FIRST_ROW)

    def _fill_row(self, row: int) -> None:
        """Fill a row of garbage and the next one a frame later; after the last one the game begins."""
        if row < ROWS:
            garbage.fill_row(self._state, self._page, row)
            self._after(1, partial(self._fill_row, row + 1))
        else:
            garbage.clear_above(self._page, self._start_height)
            self._state[reg.MODE_STATE] = reg.MODE_STATE_PLAY

    def _publish(self, new: Pad) -> None:
        """Write the state into RAM, at the map's addresses."""
        ram, extra, mode = self.ram, self._extra, self._state[reg.GAME_MODE]
        ram[self._addresses] = self._state
        ram[self._page_slice] = self._page
        paused = self._state[reg.MODE_STATE] == reg.MODE_STATE_PAUSED
        playing = mode == reg.MODE_PLAY and not paused
        render_mode = _RENDER_PLAY if playing else _RENDER_TITLE if paused or mode < 2 else _RENDER_MENU
        menus = (self._start_level, self._start_height, self._choosing_height, self._next_hidden, render_mode, 1)
        pads = (int(new), int(self._held))
        for name, number in zip(reg.EXTRA, (*menus, *pads, *pads), strict=True):
            if name in extra:
                ram[extra[name]] = number
        if mode != reg.MODE_PLAY:
            ram[self._addresses[reg.PIECE]] = HIDDEN_PIECE


def _moved(number: int, new: Pad, by: int, most: int) -> int:
    """Returns the number that a new direction leads to in a menu of two rows of `by`, if it is in the menu."""
    target = number + {Pad.RIGHT: 1, Pad.LEFT: -1, Pad.DOWN: by, Pad.UP: -by}.get(new, 0)
    return target if 0 <= target <= most else number


def _stepped(generator: tuple[int, int], steps: int) -> tuple[int, int]:
    """Returns the generator after `steps` steps of `step_lfsr`, without the kernel: thousands of its calls are slow."""
    bits = generator[0] << 8 | generator[1]
    for _ in range(steps):
        bits = bits >> 1 | ((bits >> 9 ^ bits >> 1) & 1) << 15
    return bits >> 8, bits & 0xFF
