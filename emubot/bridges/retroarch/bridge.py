"""The RetroArch bridge: memory over network commands, pads over Remote RetroPad."""

from __future__ import annotations

import weakref
from collections.abc import Sequence
from contextlib import ExitStack
from time import monotonic, sleep
from typing import Any, Final

from numpy.typing import NDArray

from emubot.bridges.attachment import Attachment
from emubot.bridges.notices import Standstill
from emubot.bridges.protocol import AS_SET, BridgeFacts, ClosedByWith, EmuSpeed, check_press
from emubot.bridges.retroarch.commands import COMMAND_PORT, Commands, Read, Status, parse_read, plan_reads
from emubot.bridges.retroarch.link import SCRIPT, RetroArchLink, find_game
from emubot.bridges.retroarch.memory import find_memory
from emubot.bridges.retroarch.pads import PAD_PORT, RemotePad
from emubot.cartridge import OF_A_FILE
from emubot.errors import BridgeClosed, BridgeError, EmulatorNotFound, UsageError
from emubot.interrupts import held_back
from emubot.machine import FRAME_RATE_NTSC
from emubot.pad import Pad

# RetroArch answers when the core polls its pads, and takes the pads of that frame at the same moment. So a press in
# reaction to a frame is polled one frame later than a press before it (measured: 60 of 60 presses on each core).
LATENCY: Final = 1

_PATIENCE: Final = 10.0  # seconds
_PROBE: Final = 1.0  # seconds for the first reads
_NAP: Final = 0.001  # seconds between two reads of a clock that has not moved
_NAP_IN_PAUSE: Final = 0.01
_STALL: Final = 0.15  # seconds without a frame that mean a menu or a pause, not just lag
_CIRCLE: Final = 0x100  # values of the clock byte


class RetroArchBridge(ClosedByWith):
    """One RetroArch with an NES cartridge; not in lock step, so frames may be missed.

    One request per frame reads the followed bytes and the clock, all of the same frame. RetroArch answers when the core
    polls its pads, so the answer comes at the beginning of a frame and leaves the whole frame for thinking.
    """

    def __init__(
        self,
        commands: Commands,
        pad_port: int,
        patience: float,
        version: str,
        status: Status,
        attachment: Attachment,
    ) -> None:
        """Attach to the RetroArch of `commands`; raises BridgeError if the core's memory cannot be read."""
        self.epoch = 0
        self._frame = 0
        self._commands = commands
        self._link = RetroArchLink(commands, status, patience)
        self._pads = tuple(RemotePad(commands.host, pad_port, user) for user in (0, 1))
        self._attachment = attachment
        self._standstill = Standstill("RetroArch", "end its pause, or leave its menu")
        self._closed = False
        self._memory = find_memory(commands, status, _PROBE)
        self._ranges: dict[str, list[Read]] = {}  # the followed ranges and the clock, by space
        self._reads: dict[str, list[Read]] = {}  # those of a request: the ranges and the bytes between near ones
        self._clock: tuple[str, int] | None = None  # its space and address
        self._seen: dict[str, bytearray] = {}  # the followed spaces as of the last frame
        self._last: int | None = None  # the clock at the last frame
        self._due: float | None = None  # the time at which the next frame is due, if there is no clock byte
        self._facts = BridgeFacts(
            name="retroarch",
            emulator=f"RetroArch {version}, {status.core}",
            latency=LATENCY,
            frame_rate=FRAME_RATE_NTSC,
            lock_step=False,
            save_states=False,
            spaces=self._memory.spaces,
            # RetroArch's CRC32 includes the header, and the cartridge's own bytes cannot be read (measured).
            rom_identity=f"{OF_A_FILE}{status.crc32}" if status.crc32 else None,
            one_change=True,
        )
        weakref.finalize(self, _hang_up, self._pads, commands, attachment)  # in case Ctrl-C prevents `close`
        attachment.connected()
        held = attachment.left()
        for pad in self._pads:
            if _pressed(pad) in held:
                pad.free()

    @property
    def facts(self) -> BridgeFacts:
        """The bridge's properties."""
        return self._facts

    def follow(self, space: str, ranges: Sequence[tuple[int, int]], clock: int | None) -> None:
        """From the next frame on read only these (CPU address, length) of a space; its other bytes read as 0.

        Without a clock, frames are counted by elapsed time.
        """
        wanted = [*ranges] if clock is None else [*ranges, (clock, 1)]
        for address, length in wanted:
            self._memory.check(space, address, length)
        known = self._clock if self._clock is not None and self._clock[0] != space else None
        counted = known if clock is None else (space, clock)
        if counted != self._clock or not self._ranges:
            self._last = self._due = None
        self._clock = counted
        self._ranges[space], self._reads[space] = wanted, plan_reads(wanted)
        self._seen = {}

    def advance(self) -> int:
        """Wait until the clock has moved and return the frame's number, which grows by all frames that passed.

        Blocks while the game stands still. Raises BridgeError if RetroArch is gone for longer than `patience` seconds,
        runs another game or does not listen for pads; BridgeClosed after `close`.
        """
        self._check_open()
        for pad in self._pads:
            pad.flush()
        self._frame += self._by_time() if self._clock is None else self._by_clock(*self._clock)
        for pad in self._pads:
            if pad.refused:
                raise BridgeError(
                    f"RetroArch does not listen for pads on UDP port {pad.port}: turn on Settings > Network > "
                    f"Network RetroPad with its users 1 and 2, or start it with --appendconfig and {SCRIPT}."
                )
            pad.next_frame()
        return self._frame

    def read(self, space: str, address: int, length: int) -> bytes:
        """Returns `length` bytes from CPU `address`: of the last frame if the space is followed, else of now."""
        self._memory.check(space, address, length)
        self._check_open()
        if space in self._seen:
            start = address - self._memory.spaces[space][0]
            return bytes(self._seen[space][start : start + length])
        return b"".join(self._ask(plan_reads([(address, length)])))

    def reread(self) -> None:
        """Read the followed bytes once more; RetroArch answers at the core's next poll of its pads."""
        self._ask([read for reads in self._reads.values() for read in reads])

    def view(self, space: str) -> NDArray[Any] | None:
        """Returns None, because the memory belongs to another program."""
        self._memory.check(space, self._memory.spaces.get(space, (0, 0))[0], 0)
        return None

    def press(self, port: int, pad: Pad) -> None:
        """Hold exactly these buttons on port 0 or 1; raises as `check_press` does.

        RetroArch takes one change per port and frame. More changes take more frames, releases first.
        """
        check_press(port, pad)
        self._check_open()
        self._attachment.note(_pressed(self._pads[port]))
        self._pads[port].hold(pad)

    def release(self, port: int) -> None:
        """Release all buttons of port 0 or 1, if it was ever pressed; a person's own pad works there all the time."""
        check_press(port, Pad.NONE)
        self._check_open()
        self._pads[port].let_go()

    def close(self) -> None:
        """Release the pads and leave RetroArch as it is; harmless when called again."""
        self._closed = True
        _hang_up(self._pads, self._commands, self._attachment)

    def _by_clock(self, space: str, clock: int) -> int:
        """Read until the clock byte has moved; returns the frames that it moved by."""
        begun = monotonic()
        dropped = False
        while True:
            self._look()
            now = self._seen[space][clock - self._memory.spaces[space][0]]
            passed = 1 if self._last is None else (now - self._last) % _CIRCLE
            if passed:
                self._standstill.moves()
                break
            if not dropped and monotonic() - begun >= _STALL:
                dropped = True  # held buttons would move RetroArch's menu
                for pad in self._pads:
                    pad.drop()
            self._standstill.waits()
            sleep(_NAP if self._link.status.state == "PLAYING" else _NAP_IN_PAUSE)
        if passed > _CIRCLE // 2:  # the clock went back: a state was loaded, or the game was reset
            self._begin_anew()
            passed = 1
        self._last = now
        return passed

    def _by_time(self) -> int:
        """Wait until another frame's time has passed; returns the number of frames whose time has passed."""
        now = monotonic()
        passed = 1
        if self._due is None:
            self._due = now
        elif now < self._due:
            sleep(self._due - now)
        else:
            passed += int((now - self._due) * FRAME_RATE_NTSC)
        self._due += passed / FRAME_RATE_NTSC
        self._look()
        return passed

    def _look(self) -> None:
        """Read the followed bytes, those of all spaces in one request."""
        answers = iter(self._ask([read for reads in self._reads.values() for read in reads]))
        for space, reads in self._reads.items():
            base, size = self._memory.spaces[space]
            read, seen = bytearray(size), bytearray(size)
            for address, length in reads:
                read[address - base : address - base + length] = next(answers)
            for address, length in self._ranges[space]:
                part = slice(address - base, address - base + length)
                seen[part] = read[part]
            self._seen[space] = seen

    def _ask(self, reads: Sequence[Read]) -> list[bytes]:
        answers, lost = self._link.ask(self._memory.lines(reads))
        if lost:
            self._begin_anew()
        return [parse_read(answer, read) for answer, read in zip(answers, reads, strict=True)]

    def _begin_anew(self) -> None:
        """Start a new epoch with all pads released, because the machine may be in another run."""
        self.epoch += 1
        self._last = None
        for pad in self._pads:
            pad.forget()

    def _check_open(self) -> None:
        if self._closed:
            raise BridgeClosed("The bridge to RetroArch is closed: connect again.")


def _pressed(pad: RemotePad) -> str:
    """Returns the note that buttons of this pad may be held."""
    return f"pad-{pad.port}"


def _hang_up(pads: Sequence[RemotePad], commands: Commands, attachment: Attachment) -> None:
    """Release the pads, the connection and the attachment; harmless when called again."""
    with held_back(), ExitStack() as stack:
        stack.callback(attachment.release)
        stack.callback(attachment.forget)
        stack.callback(commands.close)
        for pad in pads:
            stack.callback(pad.close)


def connect(
    *,
    host: str = "127.0.0.1",
    port: int = COMMAND_PORT,
    wait: float = 0.0,
    emu_speed: EmuSpeed = AS_SET,
    pad_port: int = PAD_PORT,
    patience: float = _PATIENCE,
) -> RetroArchBridge:
    """Attach to the RetroArch with network commands on `host:port` and the first pad on `pad_port`.

    Tries once, or again and again for `wait` seconds. A lost connection may take `patience` seconds to come back.
    Raises EmulatorNotFound if no RetroArch runs a game or another emubot is attached to it, BridgeError if its memory
    cannot be read, UsageError for another speed than AS_SET.
    """
    if emu_speed != AS_SET:
        raise UsageError("RetroArch's speed cannot be set from outside: leave --emu-speed out and set it there.")
    due = monotonic() + wait
    with ExitStack() as undo:
        commands = undo.enter_context(Commands(host, port))
        find_game(commands, wait)
        attachment = Attachment("retroarch", *commands.peer)
        undo.callback(attachment.release)
        attachment.claim(max(due - monotonic(), 0.0))
        try:
            version, status = find_game(commands, max(due - monotonic(), 0.0))  # it may have changed while we waited
            bridge = RetroArchBridge(commands, pad_port, patience, version, status, attachment)
        except (TimeoutError, ConnectionError) as error:
            raise EmulatorNotFound(f"RetroArch at {host}:{port} went silent as emubot attached: try again.") from error
        undo.pop_all()
    return bridge
