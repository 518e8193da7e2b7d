"""Reader: decodes one player's image of memory, fast and from any bytes; changes nothing."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from operator import itemgetter
from typing import Any, Final, TypeVar

from emubot.rammap.cells import Kinds, Words
from emubot.rammap.codec import Scalar
from emubot.rammap.condition import ASKED, Condition, first_of, holds
from emubot.rammap.grid import GridCodec
from emubot.rammap.schema import Document
from emubot.snapshot import Phase

NO_STATE: Final = (Phase.UNKNOWN, "unknown")
_MEMO_LIMIT = 16384  # results; a full memo is cleared

T = TypeVar("T")


class Reader:
    """Decodes one player's bytes: `ram` is always the whole image as `bytes`, 2,048 or with wram 10,240 of them.

    Pure and total: the same bytes give the same answer, and any bytes give one. `kinds` names the cell kinds by their
    number; `kinds[0]` is `empty`, and 255 is a code that the map does not know. `solid` is a read-only bool array of
    256: whether a piece collides with a cell of that kind.
    """

    def __init__(self, document: Document, player: int) -> None:
        self.player = player
        own = {name: value for name, value in document.values.items() if value.belongs_to(player)}
        self.scalars = {name: Scalar(name, value, player) for name, value in own.items()}
        self.grid = GridCodec(document.grid, player)
        self.kinds = self.grid.kinds
        self.solid = self.grid.solid
        self._decode = {name: scalar.decode for name, scalar in self.scalars.items()}
        rules = [(rule.when, (Phase(rule.phase), rule.state)) for rule in document.phases if self._can_judge(rule.when)]
        self._phase = self._judge(rules, NO_STATE)
        self._events = {
            name: (self._judge([(event.before, True)], False), self._judge([(event.after, True)], False))
            for name, event in document.events.items()
            if self._can_judge(event.before) and self._can_judge(event.after)
        }

    @property
    def names(self) -> frozenset[str]:
        """The values that this player has."""
        return frozenset(self.scalars)

    @property
    def events(self) -> frozenset[str]:
        """The events that can be detected from this player's values."""
        return frozenset(self._events)

    def phase(self, ram: bytes) -> tuple[Phase, str]:
        """Returns the phase and the map's own name of the state; (Phase.UNKNOWN, "unknown") if no rule matches."""
        return self._phase(ram)

    def value(self, ram: bytes, name: str) -> int:
        """Returns one named value. Raises KeyError if the map has no such value for this player."""
        return self._decode[name](ram)

    def select(self, names: Sequence[str]) -> Callable[[bytes], tuple[int, ...]]:
        """Returns a function that decodes these values in this order, much faster than one by one."""
        chosen = [self.scalars[name] for name in names]
        composed = [(place, scalar.decode) for place, scalar in enumerate(chosen) if not scalar.plain]
        fetch = _fetcher([scalar.indices[0] for scalar in chosen])
        if not composed:
            return fetch

        def read(ram: bytes) -> tuple[int, ...]:
            numbers = list(fetch(ram))
            for place, decode in composed:
                numbers[place] = decode(ram)
            return tuple(numbers)

        return read

    def playfield(self, ram: bytes) -> Kinds:
        """Returns (rows, columns) uint8 kinds, row 0 at the top: 0 empty, 255 unknown; read-only and C-ordered."""
        return self.grid.visible(ram)

    def hidden(self, ram: bytes) -> Kinds:
        """Returns (hidden rows, columns) uint8 kinds, the row nearest to the playfield first; read-only."""
        return self.grid.hidden(ram)

    def links(self, ram: bytes) -> Kinds:
        """Returns (rows, columns) uint8: where each cell's other half is, 0 none, 1 left, 2 right, 3 up, 4 down."""
        return self.grid.visible_links(ram)

    def hidden_links(self, ram: bytes) -> Kinds:
        """Returns the same for the hidden rows, (hidden rows, columns), the row nearest to the playfield first."""
        return self.grid.hidden_links(ram)

    def words(self, ram: bytes) -> Words:
        """Returns each cell's word, (hidden + visible rows, columns), the top row first; -1 if its row is nowhere."""
        return self.grid.words(ram)

    def event(self, name: str, before: bytes, after: bytes) -> bool:
        """Returns whether this event of the map happened between two frames. Raises KeyError if the name is unknown."""
        was, became = self._events[name]
        return became(after) and was(before)

    def holds(self, condition: Condition, ram: bytes, choices: dict[str, int] | None = None) -> bool:
        """Returns whether a condition of the map holds in these bytes; False if this player lacks one of its values."""
        return self._can_judge(condition) and holds(condition, lambda name: self._decode[name](ram), choices)

    def _can_judge(self, condition: Condition) -> bool:
        return all(name in self.scalars or name.startswith(ASKED) for name in condition)

    def _judge(self, conditions: Sequence[tuple[Condition, T]], otherwise: T) -> Callable[[bytes], T]:
        """Returns what stands beside the first condition that holds, cached by the bytes that they read."""
        names = [*dict.fromkeys(name for condition, _ in conditions for name in condition)]
        select, first = self.select(names), first_of(conditions, names, otherwise)
        fetch = _fetcher(sorted({index for name in names for index in self.scalars[name].indices}))
        memo: dict[tuple[int, ...], T] = {}

        def answer(ram: bytes) -> T:
            key = fetch(ram)
            result = memo.get(key)
            if result is None:
                if len(memo) >= _MEMO_LIMIT:
                    memo.clear()
                result = memo[key] = first(select(ram))
            return result

        return answer


def _fetcher(indices: Sequence[int]) -> Callable[[Any], tuple[int, ...]]:
    """Returns a function that takes the bytes at these indices in one call."""
    if not indices:
        return lambda ram: ()
    # itemgetter returns the item itself for one index, and a tuple for two or more.
    return itemgetter(*indices) if len(indices) > 1 else lambda ram: (ram[indices[0]],)
