"""What a family answers to the clients of another tool, in that tool's form; knows no HTTP and no game."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Protocol


class Tool(Protocol):
    """Answers by path; one thread at a time asks it."""

    @property
    def paths(self) -> Sequence[str]:
        """The paths that are answered, without a slash."""

    def answer(self, path: str, given: Mapping[str, str]) -> str:
        """Returns the answer to the parameters of a question. Raises EmubotError, in a sentence, if it has none."""
