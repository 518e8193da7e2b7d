"""Keeps a core's sound samples, only after `listen` was called."""

from __future__ import annotations

import struct
from typing import Any, Final

import numpy as np
from numpy.typing import NDArray

from emubot.bridges.libretro import abi

_MOMENT: Final = struct.Struct("=hh")  # left and right
_MOST_BYTES: Final = 1 << 19  # about two seconds; limits the memory if a listener stops calling `heard`


class Sound:
    """The two audio callbacks of a core. They copy nothing before `listen`."""

    def __init__(self) -> None:
        self._kept: bytearray | None = None

    def listen(self) -> None:
        """Keep samples from now on and drop all earlier ones."""
        self._kept = bytearray()

    def heard(self) -> NDArray[np.int16]:
        """Returns the samples since the last call, oldest first: int16 (samples, 2), left and right.

        Empty without `listen`.
        """
        kept = self._kept or bytearray()
        samples = np.frombuffer(bytes(kept), dtype=np.int16).reshape(-1, 2)
        kept.clear()
        return samples

    def sample(self, left: int, right: int) -> None:
        """The callback retro_audio_sample_t, for cores that send one sample pair at a time."""
        if self._kept is not None:
            self._keep(self._kept, _MOMENT.pack(left, right))

    def batch(self, data: Any, moments: int) -> int:
        """The callback retro_audio_sample_batch_t; accepts all samples."""
        if self._kept is not None:
            self._keep(self._kept, abi.ffi.buffer(data, moments * _MOMENT.size))
        return moments

    @staticmethod
    def _keep(kept: bytearray, samples: Any) -> None:
        kept += samples
        if len(kept) > _MOST_BYTES:
            del kept[: len(kept) - _MOST_BYTES]
