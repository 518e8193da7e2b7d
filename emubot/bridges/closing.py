"""Lets `with` close a bridge at the end of the block."""

from __future__ import annotations

from abc import ABC, abstractmethod
from types import TracebackType
from typing import Self


class ClosedByWith(ABC):
    """A base class of bridges: `with connect(...) as bridge:` calls `close` however the block ends."""

    @abstractmethod
    def close(self) -> None:
        """Release the pads and the emulator; harmless when called again."""

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self.close()
