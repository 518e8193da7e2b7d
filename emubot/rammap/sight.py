"""What a map reads in a frame for one player, and why other phases do not hold, for the person who writes the map."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from emubot.rammap.cells import Kinds
from emubot.rammap.condition import Miss, why_not
from emubot.rammap.ram_map import RamMap
from emubot.rammap.reader import Reader
from emubot.rammap.schema import Document
from emubot.snapshot import Cell, Phase


@dataclass(frozen=True, slots=True)
class Refusal:
    """A phase that does not hold: the map's name of the state, its phase, and the first entry that is missed."""

    state: str
    phase: str
    miss: Miss

    def __str__(self) -> str:
        """Returns half a sentence: `title: game_mode is 9, allowed is 1`."""
        return f"{self.state}: {self.miss}"


@dataclass(frozen=True, slots=True, eq=False)
class Sight:
    """What a map reads in one frame for one player (counted from 0).

    `values` has every value of this player. `playfield` and `hidden` are uint8 arrays as the Reader returns them, with
    the kinds numbered as in `kinds`. `refusals` says why each phase above the one that holds does not hold. `piece`
    are the cells of the piece in the air, if the family can tell, and `note` what it cannot do with the map.
    """

    player: int
    phase: Phase
    state: str
    values: Mapping[str, int]
    playfield: Kinds
    hidden: Kinds
    kinds: tuple[str, ...]
    refusals: tuple[Refusal, ...]
    piece: Sequence[Cell] = ()
    note: str = ""

    def as_dict(self) -> dict[str, Any]:
        """Returns it for JSON: rows of kinds from the top, hidden ones apart, and -1 for codes the map lacks."""
        return {
            "player": self.player + 1,
            "phase": self.phase.value,
            "state": self.state,
            "values": dict(self.values),
            "kinds": list(self.kinds),
            "playfield": _rows(self.playfield),
            "hidden": _rows(self.hidden[::-1]),
            "piece": [[cell.column, cell.row] for cell in self.piece],
            "why_not": [
                {
                    "state": refusal.state,
                    "phase": refusal.phase,
                    "value": refusal.miss.name,
                    "found": refusal.miss.found,
                    "allowed": refusal.miss.allowed,
                }
                for refusal in self.refusals
            ],
            "note": self.note or None,
        }


def sight(ram_map: RamMap, ram: bytes, player: int = 0, piece: Sequence[Cell] = (), note: str = "") -> Sight:
    """Returns what the map reads in these bytes for one player. Raises MapError if it has no such player."""
    reader = ram_map.reader(player)
    phase, state = reader.phase(ram)
    return Sight(
        player,
        phase,
        state,
        {name: reader.value(ram, name) for name in ram_map.value_names if name in reader.names},
        reader.playfield(ram),
        reader.hidden(ram),
        reader.kinds,
        tuple(refusals(ram_map.document, reader, ram)),
        piece,
        note,
    )


def _rows(kinds: Kinds) -> list[list[int]]:
    return [[-1 if kind == 255 else int(kind) for kind in row] for row in kinds]


def refusals(document: Document, reader: Reader, ram: bytes) -> Iterator[Refusal]:
    """Yields why each phase above the one that holds does not hold, from the top; of all phases if none holds."""
    for rule in document.phases:
        miss = why_not(rule.when, lambda name: reader.value(ram, name))
        if miss is None:
            return
        yield Refusal(rule.state, rule.phase, miss)


def refused(document: Document, reader: Reader, ram: bytes, phase: Phase) -> list[Refusal]:
    """Returns why each rule of this phase does not hold; none if one of them does."""
    rules = [rule for rule in document.phases if rule.phase == phase.value]
    misses = [(rule, why_not(rule.when, lambda name: reader.value(ram, name))) for rule in rules]
    found = [Refusal(rule.state, rule.phase, miss) for rule, miss in misses if miss is not None]
    return found if len(found) == len(rules) else []


def tested_values(document: Document, reader: Reader) -> tuple[str, ...]:
    """Returns the names of this player's values that the phases test, in the order of the map's phases."""
    names = dict.fromkeys(name for rule in document.phases for name in rule.when)
    return tuple(name for name in names if name in reader.names)
