"""Reads a map whose cells or pieces are not known yet: phase, place and figures; plans nothing, knows no search."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from typing import Final

from emubot.games.findings import Finding, refuse
from emubot.games.outcome import WON, outcome_of
from emubot.games.strength import Strength
from emubot.games.tetris.decode.map_checks import odd_words
from emubot.games.tetris.decode.value_names import COUNTERS, NEEDED
from emubot.games.tetris.evaluation.names import FEATURE_NAMES, FEATURE_VERSION, GAME
from emubot.games.tetris.rules import COLUMNS, ROWS
from emubot.games.thinking import Decision, Thinker
from emubot.games.variety import Choose
from emubot.rammap import RamMap
from emubot.rammap.placing import names_of_place, placed_by_cells
from emubot.snapshot import Phase, Piece, Snapshot
from emubot.tempo import InputState
from emubot.weights import Weights

_NO_PIECE: Final = -1  # what codes that a table does not list mean
_WITH_PIECE: Final = frozenset({Phase.PLAYING, Phase.LOCKED})


def open_findings(ram_map: RamMap) -> Iterator[Finding]:
    """Yields what a map lacks that learning needs."""
    for player in range(ram_map.players):
        needed = names_of_place(ram_map) or NEEDED
        missing = [name for name in needed if name not in ram_map.reader(player).names]
        if missing:
            yield Finding(
                ("values",),
                f"{ram_map.path} lacks the values {', '.join(missing)} for player {player + 1}, and nothing can be "
                "learnt without them: add them.",
            )
    reader = ram_map.reader()
    if not reader.solid[1 : len(reader.kinds)].any():
        yield Finding(
            ("grid", "cell", "kinds"),
            f"{ram_map.path} has no solid kind of cell: name one, with `learn` for its codes.",
        )
    piece = reader.scalars.get(NEEDED[0])
    if "pieces" in ram_map.learns and piece is not None and piece.bounds[0] < _NO_PIECE:
        yield Finding(
            ("values", NEEDED[0]),
            f"{ram_map.path}: piece may be {piece.bounds[0]:,}, and a number that is to be learnt is 0 or more: add an "
            "offset, or leave `format: signed` out.",
        )
    yield from odd_words(ram_map)


def place_reader(ram_map: RamMap, player: int) -> Callable[[bytes], tuple[int, int, int] | None]:
    """Returns the reader of the map's own id of the piece in the air, its x and its y.

    It returns None where the id is below 0, or the map gives the piece by its cells and they are those of no piece.
    """
    placed = placed_by_cells(ram_map, player, ordered=False, id_name="piece")
    if placed is not None:
        return placed
    select = ram_map.reader(player).select(NEEDED)

    def read(ram: bytes) -> tuple[int, int, int] | None:
        number, x, y = select(ram)
        return None if number < 0 else (number, x, y)

    return read


@dataclass(frozen=True, slots=True, eq=False)
class OpenSnapshot(Snapshot):
    """A frame of a map that is not known well enough. The orientation of `current` is the map's own id."""


class OpenDecoder:
    """Decodes one player's frames; the same bytes always give the same snapshot, and no bytes make it fail."""

    def __init__(self, ram_map: RamMap, player: int = 0) -> None:
        """Raises MapError if the map lacks what learning needs."""
        refuse(open_findings(ram_map))
        self._reader = ram_map.reader(player)
        counter = () if ram_map.game_counter is None else (ram_map.game_counter,)
        self._names = tuple(name for name in dict.fromkeys((*COUNTERS, *counter)) if name in self._reader.names)
        self._place_of, self._select = place_reader(ram_map, player), self._reader.select(self._names)
        self._outcome = outcome_of(self._reader, player)

    def __call__(self, ram: bytes) -> OpenSnapshot:
        """Returns the snapshot. Its cells are those of the map so far: codes not known yet are obstacles."""
        phase, state = self._reader.phase(ram)
        place = self._place_of(ram)
        counters = dict(zip(self._names, self._select(ram), strict=True))
        if self._outcome is not None:
            counters[WON] = self._outcome(ram)
        return OpenSnapshot(
            phase=phase,
            state=state,
            playfield=self._reader.playfield(ram),
            hidden=self._reader.hidden(ram),
            current=Piece(*place) if place is not None and phase in _WITH_PIECE else None,
            next=(),
            counters=counters,
        )


class OpenThinker(Thinker):
    """Decides nothing: while a map is open, its learner chooses the inputs."""

    def __init__(self, weights: Weights, strength: Strength) -> None:
        """Raises WeightsError if weights have other features, UsageError for any strength of its own."""
        strength.refuse_budget()
        strength.refuse_aim()
        strength.refuse_see_next()
        strength.refuse_threads()
        weights.vector(GAME, FEATURE_NAMES, FEATURE_VERSION, (COLUMNS, ROWS))

    def decide(
        self, snapshot: Snapshot, input_state: InputState, choose: Choose | None = None, shown: bool = True
    ) -> Decision:
        """Returns a decision without a placement."""
        return Decision(None, 0.0, 0)
