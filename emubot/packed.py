"""Many numbers as one short text: whole multiples of a unit, compressed; knows nothing of what they mean."""

from __future__ import annotations

import base64
import binascii
import zlib
from functools import cached_property
from typing import Annotated, Final

import numpy as np
from numpy.typing import NDArray
from pydantic import BaseModel, ConfigDict, Field, model_validator

MOST: Final = 8_000_000  # numbers of a text
_LARGEST: Final = 32_767
_BYTES: Final = 2


class Packed(BaseModel):
    """Numbers as int16 multiples of `unit`, little-endian, by zlib and base64."""

    model_config = ConfigDict(extra="forbid", frozen=True, strict=True, allow_inf_nan=False)

    count: Annotated[int, Field(ge=1, le=MOST)]
    unit: Annotated[float, Field(gt=0, le=1e6)]
    data: Annotated[str, Field(max_length=6 * MOST)]

    def __eq__(self, other: object) -> bool:
        """Whether the text is the same; whether it was unpacked before makes no difference."""
        if not isinstance(other, Packed):
            return NotImplemented
        return (self.count, self.unit, self.data) == (other.count, other.unit, other.data)

    def __hash__(self) -> int:
        """A hash of the text."""
        return hash((self.count, self.unit, self.data))

    @model_validator(mode="after")
    def _whole(self) -> Packed:
        if len(self._bytes) != self.count * _BYTES:
            raise ValueError(f"the data do not hold {self.count:,} numbers")
        return self

    @cached_property
    def _bytes(self) -> bytes:
        unpacker = zlib.decompressobj()
        try:
            found = unpacker.decompress(base64.b64decode(self.data, validate=True), self.count * _BYTES + 1)
        except (binascii.Error, zlib.error) as damaged:
            raise ValueError(f"the data are damaged ({damaged})") from None
        if not unpacker.eof or unpacker.unused_data:
            raise ValueError(f"the data do not hold {self.count:,} numbers")
        return found

    @cached_property
    def numbers(self) -> NDArray[np.float32]:
        """The numbers, float32 (count,), read-only."""
        found = np.frombuffer(self._bytes, dtype="<i2").astype(np.float32) * np.float32(self.unit)
        found.setflags(write=False)
        return found


def packed(numbers: NDArray[np.floating], unit: float) -> Packed:
    """Returns the numbers, rounded to multiples of `unit`. Raises ValueError if one is too large for that unit."""
    whole = np.rint(np.asarray(numbers, dtype=np.float64) / unit)
    if not np.all(np.abs(whole) <= _LARGEST):
        raise ValueError(f"numbers up to {np.abs(numbers).max():,} do not fit units of {unit}")
    content = zlib.compress(whole.astype("<i2").tobytes(), level=9)
    return Packed(count=len(whole), unit=unit, data=base64.b64encode(content).decode("ascii"))
