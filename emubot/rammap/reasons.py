"""Why a map's phases do not hold in given bytes, for the person who writes the map; knows no emulator."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

from emubot.rammap.condition import Miss, why_not
from emubot.rammap.reader import Reader
from emubot.rammap.schema import Document


@dataclass(frozen=True, slots=True)
class Refusal:
    """A phase that does not hold: the map's name of the state, its phase, and the first entry that is missed."""

    state: str
    phase: str
    miss: Miss

    def __str__(self) -> str:
        """Returns half a sentence: `title: game_mode is 9, allowed is 1`."""
        return f"{self.state}: {self.miss}"


def refusals(document: Document, reader: Reader, ram: bytes) -> Iterator[Refusal]:
    """Yields why each phase above the one that holds does not hold, from the top; of all phases if none holds."""
    for rule in document.phases:
        miss = why_not(rule.when, lambda name: reader.value(ram, name))
        if miss is None:
            return
        yield Refusal(rule.state, rule.phase, miss)


def tested_values(document: Document, reader: Reader) -> tuple[str, ...]:
    """Returns the names of this player's values that the phases test, in the order of the map's phases."""
    names = dict.fromkeys(name for rule in document.phases for name in rule.when)
    return tuple(name for name in names if name in reader.names)
