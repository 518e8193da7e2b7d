"""The child process: runs one emulator and answers its parent's requests over a line.

Its command is `python -m emubot.bridges.hosted.child` with the file descriptors of memory, bell, talk and lifeline, and
the process ID of the parent to end with (0 for none). It imports neither numba nor pydantic.
"""

from __future__ import annotations

import os
import socket
import sys
import threading
from contextlib import suppress
from pathlib import Path
from typing import Any, Final

import numpy as np
from numpy.typing import NDArray

from emubot.bridges import open_bridge
from emubot.bridges.hosted import talk
from emubot.bridges.hosted.line import FAILED, FRAME, GOOD, SPACES, Channel, LineLost
from emubot.bridges.libretro.library import probe
from emubot.cartridge import parse_cartridge
from emubot.pad import Pad
from emubot.systems.processes import end_with
from emubot.systems.signals import leave_to_parent

_A_WHILE: Final = 60.0  # seconds per wait for a request
_PADS: Final = tuple(Pad(bits) for bits in range(0x100))


class _SharedSpace:
    """A copy of one of the console's memory spaces in the shared memory, for the parent to read."""

    def __init__(self, bridge: Any, name: str, memory: memoryview) -> None:
        self._bridge, self._name = bridge, name
        self._address, self._length = bridge.facts.spaces[name]
        self._place: NDArray[np.uint8] = np.frombuffer(memory, dtype=np.uint8)
        self._view: NDArray[np.uint8] | None = bridge.view(name)
        self.is_shown = self._view is not None  # a space without a view is copied only after `follow`

    def show(self) -> None:
        """Copy the space as it is after the last frame."""
        if self._view is not None:
            self._place[:] = self._view
        elif self.is_shown:
            content = self._bridge.read(self._name, self._address, self._length)
            self._place[:] = np.frombuffer(content, dtype=np.uint8)


class BridgeHost:
    """Answers requests until the parent hangs up. Each `_do_` method is one message of `HostedBridge`."""

    def __init__(self, line: Channel, connection: socket.socket) -> None:
        self._line, self._connection = line, connection
        self._bridge: Any = None
        self._held = bytes(2)
        self._spaces: dict[str, _SharedSpace] = {}

    def serve(self) -> None:
        """Answer requests. Raises LineLost, OSError or EOFError when the parent is gone."""
        line = self._line
        while True:
            if not line.wait_request(_A_WHILE):
                continue
            if line.operation == FRAME:
                line.answer(self._frame())
                continue
            header, payload = talk.receive(self._connection)
            try:
                reply = getattr(self, f"_do_{header.pop('do')}")(payload, **header)
            except Exception as error:  # the parent raises it again
                reply = talk.error_header(error), b""
            talk.send(self._connection, *reply)
            line.answer(GOOD)

    def close(self) -> None:
        """Close the emulator if it is open."""
        if self._bridge is not None:
            self._bridge.close()

    def _frame(self) -> int:
        line, bridge = self._line, self._bridge
        try:
            if (pads := line.pads) != self._held:
                self._held = pads
                for port in (0, 1):
                    bridge.press(port, _PADS[pads[port]])
            bridge.advance()
            self._show()
        except Exception as error:  # from a callback or a stopped emulator: the parent raises it again
            talk.send(self._connection, talk.error_header(error))
            return FAILED
        line.frames += 1
        return GOOD

    def _show(self) -> None:
        for space in self._spaces.values():
            space.show()

    def _do_probe(self, _: bytes, path: str) -> talk.Message:
        info = probe(Path(path))
        return {name: getattr(info, name) for name in info.__slots__}, b""

    def _do_open(self, image: bytes, bridge: str, cartridge: str, options: dict[str, Any]) -> talk.Message:
        opened: Any = open_bridge(bridge, rom=parse_cartridge(image, cartridge), emu_speed=None, **options)
        self._bridge = opened
        start = SPACES
        for name, (_, length) in opened.facts.spaces.items():
            self._spaces[name] = _SharedSpace(opened, name, self._line.memory[start : start + length])
            start += length
        self._show()
        facts = {name: getattr(opened.facts, name) for name in opened.facts.__slots__}
        header = {
            "facts": {**facts, "spaces": dict(opened.facts.spaces)},
            "picture_size": opened.picture_size,
        }
        header["shown"] = [name for name, space in self._spaces.items() if space.is_shown]
        header["sound_rate"] = getattr(opened, "sound_rate", None)
        return header, b""

    def _do_follow(self, _: bytes, space: str, ranges: list[list[int]], clock: int | None) -> talk.Message:
        self._bridge.follow(space, [(address, length) for address, length in ranges], clock)
        self._spaces[space].is_shown = True
        self._spaces[space].show()
        return {}, b""

    def _do_read(self, _: bytes, space: str, address: int, length: int) -> talk.Message:
        return {}, self._bridge.read(space, address, length)

    def _do_save(self, _: bytes) -> talk.Message:
        return {}, self._bridge.save()

    def _do_load(self, state: bytes) -> talk.Message:
        self._bridge.load(state)
        self._show()
        return {}, b""

    def _do_play(self, pads: bytes, beside: int) -> talk.Message:
        """Play a frame with each of these pads on port 0; the answer has every frame's spaces, one after the other.

        `beside` is the pad on port 1.
        """
        bridge, images = self._bridge, []
        bridge.press(1, _PADS[beside])
        for pad in pads:
            bridge.press(0, _PADS[pad])
            bridge.advance()
            images += [self._image(name, address, length) for name, (address, length) in bridge.facts.spaces.items()]
        self._held = bytes((pads[-1], beside)) if pads else bytes((self._held[0], beside))
        self._line.frames += len(pads)
        self._show()
        return {}, b"".join(images)

    def _image(self, name: str, address: int, length: int) -> bytes:
        view = self._bridge.view(name)
        content: bytes = self._bridge.read(name, address, length) if view is None else view.tobytes()
        return content

    def _do_reset(self, _: bytes) -> talk.Message:
        self._bridge.reset()
        self._show()
        return {}, b""

    def _do_picture(self, _: bytes) -> talk.Message:
        picture = self._bridge.picture()
        return {"shape": picture.shape}, picture.tobytes()

    def _do_listen(self, _: bytes) -> talk.Message:
        self._bridge.listen()
        return {}, b""

    def _do_heard(self, _: bytes) -> talk.Message:
        return {}, self._bridge.heard().tobytes()


def _end_with(parent: int, lifeline: int) -> None:
    """End this process when the parent ends, even inside `retro_run`, which runs without Python's lock."""
    if parent:
        end_with(parent)

    def watch() -> None:
        os.read(lifeline, 1)  # the parent never writes: this returns when the parent's end is closed
        os._exit(1)

    threading.Thread(target=watch, daemon=True, name="lifeline").start()


def main() -> None:
    """Host an emulator for the parent that started this process."""
    memory, bell, connection, lifeline, parent = (int(word) for word in sys.argv[1:])
    leave_to_parent()
    _end_with(parent, lifeline)
    host = BridgeHost(Channel(memory, socket.socket(fileno=bell), is_child=True), socket.socket(fileno=connection))
    with suppress(LineLost, EOFError, ConnectionError):
        host.serve()
    host.close()


if __name__ == "__main__":
    main()
