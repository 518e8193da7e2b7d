"""A training run between two generations, as the bytes of a file with a checksum; opens no file."""

from __future__ import annotations

import hashlib
import json
import re
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, Final

from emubot.text import printable

FORMAT: Final = "emubot training checkpoint"
VERSION: Final = 1
# The checksum comes first and covers the exact bytes that follow, so a checkpoint has only one valid form.
_SHAPE: Final = re.compile(rb'\{"sha256": "([0-9a-f]{64})", "checkpoint": (.*)\}\n', re.DOTALL)
_LONGEST_WORD: Final = 63  # most characters of a setting in a message
_NAME: Final = re.compile(r"checkpoint-([0-9]{6,})\.json")


@dataclass(frozen=True, slots=True)
class Checkpoint:
    """The whole run after `generation` generations.

    `settings` are the run's settings and `state` is the trainer's, both JSON objects; `emubot` is the version that
    wrote it. The history was then `history_bytes` long and had this SHA-256.
    """

    emubot: str
    settings: Mapping[str, Any]
    generation: int
    state: Mapping[str, Any]
    history_bytes: int
    history_sha256: str

    @property
    def name(self) -> str:
        """The name of the file."""
        return f"checkpoint-{self.generation:06}.json"

    def to_bytes(self) -> bytes:
        """Returns the file's content. Raises ValueError or TypeError for what is not JSON, such as NaN and inf."""
        content = {
            "format": FORMAT,
            "version": VERSION,
            "emubot": self.emubot,
            "generation": self.generation,
            "history": {"bytes": self.history_bytes, "sha256": self.history_sha256},
            "settings": self.settings,
            "state": self.state,
        }
        body = json.dumps(content, allow_nan=False).encode()
        return b'{"sha256": "%s", "checkpoint": %s}\n' % (hashlib.sha256(body).hexdigest().encode(), body)

    @classmethod
    def from_bytes(cls, content: bytes) -> Checkpoint:
        """Returns the checkpoint that `to_bytes` wrote. Raises ValueError, with the reason, for any other bytes."""
        if not content:
            raise ValueError("it is empty")
        shape = _SHAPE.fullmatch(content)
        if shape is None:
            raise ValueError("it is cut short or no checkpoint")
        checksum, body = shape.groups()
        if hashlib.sha256(body).hexdigest().encode() != checksum:
            raise ValueError("its checksum is wrong")
        stored = json.loads(body)
        if (stored["format"], stored["version"]) != (FORMAT, VERSION):
            raise ValueError(f"it is of version {stored['version']} of the format, this emubot reads version {VERSION}")
        history = stored["history"]
        checkpoint = cls(
            stored["emubot"],
            stored["settings"],
            stored["generation"],
            stored["state"],
            history["bytes"],
            history["sha256"],
        )
        checkpoint._check()
        return checkpoint

    def _check(self) -> None:
        """Raise ValueError for what `to_bytes` never writes."""
        if not all(type(number) is int and number >= 0 for number in (self.generation, self.history_bytes)):
            raise ValueError("its generation or the length of its history is no whole number")
        if not (isinstance(self.emubot, str) and isinstance(self.history_sha256, str)):
            raise ValueError("its version or the checksum of its history is no text")
        if not (isinstance(self.settings, dict) and isinstance(self.state, dict)):
            raise ValueError("its settings or its state are no JSON object")


def generation_of(name: str) -> int | None:
    """Returns the generation of a checkpoint's file name, None for other names."""
    match = _NAME.fullmatch(name)
    return int(match[1]) if match else None


def plain(value: Mapping[str, Any]) -> dict[str, Any]:
    """Returns a JSON object as it comes back from a file: tuples are lists, names are text."""
    decoded: dict[str, Any] = json.loads(json.dumps(value))
    return decoded


def differences(ours: Mapping[str, Any], theirs: Mapping[str, Any], of: str = "") -> list[str]:
    """Returns how `theirs` differ from `ours`, in words, each by its full name."""
    sentences: list[str] = []
    for name in dict.fromkeys([*ours, *theirs]):
        here, there = ours.get(name), theirs.get(name)
        if isinstance(here, Mapping) and isinstance(there, Mapping):
            sentences += differences(here, there, f"{of}{printable(name)}.")
        elif here != there:
            sentences.append(f"{of}{printable(name)} {_word(there)} instead of {_word(here)}")
    return sentences


def _word(value: Any) -> str:
    text = "none" if value is None else value if isinstance(value, str) else json.dumps(value)
    return printable(text, _LONGEST_WORD)
