"""The machine and its program: run, speed, television system, disks, cartridge bytes, cheats; knows no file.

Ids 23-25, 121, 123-125, 138-149 and 151-162 of the API. `power_cycle` (id 120) and `close` (id 133) are left out: with
a registered listener they stop the emulator for good (facts, Nintaco 0.5). Use `reset` and `open` instead.
"""

from __future__ import annotations

from typing import Literal

from emubot.bridges.nintaco.api.calls import Calls, printable, within
from emubot.bridges.nintaco.api.wire import ProtocolError, call
from emubot.cartridge import SIZE_LIMIT
from emubot.errors import BridgeError, UsageError

TvSystem = Literal["NTSC", "PAL", "Dendy"]
TV_SYSTEMS: tuple[TvSystem, ...] = ("NTSC", "PAL", "Dendy")


class Emulator(Calls):
    """The functions of the emulator's other menus, and the cartridge's memory."""

    def set_paused(self, paused: bool) -> None:
        """Pause or continue; there are no frame events during a pause; id 23."""
        self._void(23, bool(paused))

    def is_paused(self) -> bool:
        """True if the emulator is paused; id 24."""
        return self._plain_flag(24)

    def reset(self) -> None:
        """Press the console's reset button at the next probe; there is no event for it; id 121."""
        self._void(121)

    def set_speed(self, percent: int) -> None:
        """Run at this percentage of the console's speed, 0 for as fast as possible; id 123."""
        self._void(123, max(percent, 0))

    def step_to_next_frame(self) -> None:
        """Run one frame of a paused machine; the first step may send no frame event; id 124."""
        self._void(124)

    def show_message(self, text: str) -> None:
        """Show a text in the emulator's window for a short time; id 125."""
        self._void(125, printable(text))

    def set_tv_system(self, system: TvSystem) -> None:
        """Set the television system; id 138."""
        if system not in TV_SYSTEMS:
            raise UsageError(f"There is no television system {system!r}: Nintaco has {', '.join(TV_SYSTEMS)}.")
        self._void(138, system)

    def get_tv_system(self) -> TvSystem:
        """The television system of the machine; id 139."""
        self.get_frame_count()  # without a machine the answer is "NTSC"
        told = self._text(139)
        for system in TV_SYSTEMS:
            if system == told:
                return system
        raise BridgeError(f"Nintaco tells of a television system {told!r} that emubot does not know: update emubot.")

    def get_disk_sides(self) -> int:
        """The number of disk sides, 0 for a cartridge; id 140."""
        return self._number(140)

    def insert_disk(self, disk: int, side: int) -> None:
        """Put a disk into the drive; id 141."""
        self._void(141, disk, side)

    def flip_disk_side(self) -> None:
        """Turn the disk over; id 142."""
        self._void(142)

    def eject_disk(self) -> None:
        """Eject the disk; id 143."""
        self._void(143)

    def insert_coin(self) -> None:
        """Put a coin into an arcade machine; id 144."""
        self._void(144)

    def press_service_button(self) -> None:
        """Press an arcade machine's service button; id 145."""
        self._void(145)

    def scream_into_microphone(self) -> None:
        """Make a noise in the microphone of the Famicom's second controller; id 146."""
        self._void(146)

    def glitch(self) -> None:
        """Jolt the cartridge: the emulator's own joke; id 147."""
        self._void(147)

    def get_file_info(self) -> str:
        """Lines about the cartridge: file name, mapper, sizes, checksums; id 148."""
        self.get_frame_count()
        return self._text(148)

    def set_fullscreen_mode(self, on: bool) -> None:
        """Switch to full screen, or back to a window; id 149."""
        self._void(149, bool(on))

    def add_cheat(self, address: int, value: int, compare: int, description: str, enabled: bool = True) -> None:
        """Make the CPU read `value` at `address` if the byte there is `compare`, or -1 for any byte; id 151."""
        self._void(151, address, value, compare, description, bool(enabled))

    def remove_cheat(self, address: int, value: int, compare: int) -> None:
        """Remove a cheat; id 152."""
        self._void(152, address, value, compare)

    def add_game_genie(self, code: str, description: str, enabled: bool = True) -> None:
        """Add a Game Genie code; id 153."""
        self._void(153, code, description, bool(enabled))

    def remove_game_genie(self, code: str) -> None:
        """Remove a Game Genie code; id 154."""
        self._void(154, code)

    def add_pro_action_rocky(self, code: str, description: str, enabled: bool = True) -> None:
        """Add a Pro Action Rocky code; id 155."""
        self._void(155, code, description, bool(enabled))

    def remove_pro_action_rocky(self, code: str) -> None:
        """Remove a Pro Action Rocky code; id 156."""
        self._void(156, code)

    def get_prg_rom_size(self) -> int:
        """The bytes of the cartridge's PRG; id 157."""
        return self._number(157)

    def read_prg_rom(self, index: int) -> int:
        """One byte of PRG; index 0 is the first; id 158."""
        return self._number(158, within(index, 0, self.get_prg_rom_size() - 1, "A byte of this program"))

    def write_prg_rom(self, index: int, value: int) -> None:
        """Change one byte of PRG in the emulator's memory; id 159."""
        self._void(159, within(index, 0, self.get_prg_rom_size() - 1, "A byte of this program"), value)

    def get_chr_rom_size(self) -> int:
        """The bytes of the cartridge's CHR, 0 if the board has RAM for it; id 160."""
        return self._number(160)

    def read_chr_rom(self, index: int) -> int:
        """One byte of CHR; index 0 is the first; id 161."""
        return self._number(161, within(index, 0, self.get_chr_rom_size() - 1, "A byte of these characters"))

    def write_chr_rom(self, index: int, value: int) -> None:
        """Change one byte of CHR in the emulator's memory; id 162."""
        self._void(162, within(index, 0, self.get_chr_rom_size() - 1, "A byte of these characters"), value)

    def read_rom(self) -> bytes:
        """Returns all of PRG and CHR, in this order; they identify a cartridge."""
        return self._rom(158, self.get_prg_rom_size()) + self._rom(161, self.get_chr_rom_size())

    def _rom(self, method: int, size: int) -> bytes:
        """Returns `size` bytes, each by one call; calls are pipelined if the system allows it."""
        if not 0 <= size <= SIZE_LIMIT:
            raise ProtocolError(f"Nintaco tells of a cartridge of {size} bytes, which cannot be: open it anew.")
        numbers = self._replies(b"".join(call(method, index) for index in range(size)), size)
        if size and int(numbers.max()) > 0xFF:
            raise BridgeError("Nintaco tells of cartridge bytes that are none: open the cartridge anew.")
        return numbers.astype("u1").tobytes()
