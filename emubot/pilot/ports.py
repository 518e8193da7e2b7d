"""The ports of a bridge that a pilot writes, and gives back when it needs them no more; knows no game."""

from __future__ import annotations

from collections.abc import Mapping

from emubot.bridges.protocol import Bridge
from emubot.pad import Pad


class Ports:
    """Writes pads; a port that was never written is left alone."""

    def __init__(self, bridge: Bridge) -> None:
        self._bridge = bridge
        self.owned: frozenset[int] = frozenset()  # the ports written last

    def write(self, held: Mapping[int, Pad]) -> None:
        """Hold these pads, by port, and release the other ports that were written before."""
        for port in self.owned - held.keys():
            self._bridge.release(port)
        for port, pad in held.items():
            self._bridge.press(port, pad)
        self.owned = frozenset(held)
