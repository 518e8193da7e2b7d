"""Keeps what a core sounds like, and only while somebody listens; knows no loudspeaker and no rate."""

from __future__ import annotations

import struct
from typing import Any, Final

import numpy as np
from numpy.typing import NDArray

from emubot.bridges.libretro import abi

_MOMENT: Final = struct.Struct("=hh")  # left and right
_MOST_BYTES: Final = 1 << 19  # about two seconds: a listener who stops asking costs no more memory than that


class Sound:
    """The two audio callbacks of a core. Until `listen` they copy nothing."""

    def __init__(self) -> None:
        self._kept: bytearray | None = None

    def listen(self) -> None:
        """Keep samples from now on; what was kept before is forgotten."""
        self._kept = bytearray()

    def heard(self) -> NDArray[np.int16]:
        """The samples since the last call, oldest first: int16 (moments, 2), left and right; empty without `listen`."""
        kept = self._kept or bytearray()
        samples = np.frombuffer(bytes(kept), dtype=np.int16).reshape(-1, 2)
        kept.clear()
        return samples

    def sample(self, left: int, right: int) -> None:
        """The callback retro_audio_sample_t, of cores that send one moment at a time."""
        if self._kept is not None:
            self._keep(self._kept, _MOMENT.pack(left, right))

    def batch(self, data: Any, moments: int) -> int:
        """The callback retro_audio_sample_batch_t; takes all that it is offered."""
        if self._kept is not None:
            self._keep(self._kept, abi.ffi.buffer(data, moments * _MOMENT.size))
        return moments

    @staticmethod
    def _keep(kept: bytearray, samples: Any) -> None:
        kept += samples
        if len(kept) > _MOST_BYTES:
            del kept[: len(kept) - _MOST_BYTES]
