"""A game bound to a map: what plays, decodes and predicts, and its optional parts; knows no bridge and no family."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from typing import TYPE_CHECKING, Any, Final, NamedTuple, Protocol, TypeAlias, TypeVar

from emubot.errors import UsageError
from emubot.games.strength import OWN, Strength
from emubot.games.thinking import Thinker
from emubot.snapshot import Phase

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

    from emubot.games.explainer import Explainer
    from emubot.games.protocol import Game
    from emubot.games.statistics import Statistics
    from emubot.machine import Machine
    from emubot.pad import Pad
    from emubot.publish.frame import Frame
    from emubot.rammap import RamMap
    from emubot.snapshot import Cell, Piece, Placement, Snapshot
    from emubot.tempo import Tempo
    from emubot.trace import Recorder, Trace
    from emubot.weights import Weights


class Job(NamedTuple):
    """A job that compiles or loads kernels: its name, and the CPU seconds that it took on one machine."""

    name: str
    run: Callable[[], object]
    seconds: float = 1.0


Jobs: TypeAlias = Sequence[Job | tuple[str, Callable[[], object]]]
FIGURES: Final = ("lines", "score", "level")  # in a game's summary; a map may lack some of them
_Part = TypeVar("_Part")


class Edition(Protocol):
    """A game bound to a map. Inherit from it: then the parts that an edition does not have are None.

    The map is checked once, here, and is a parameter of nothing below.
    """

    @property
    def game(self) -> Game:
        """The family."""

    @property
    def ram_map(self) -> RamMap:
        """The map."""

    def decoder(self, player: int = 0) -> Callable[[bytes], Snapshot]:
        """Returns a pure function from an image of the map's memory to a Snapshot."""

    def advanced(self, before: Snapshot, after: Snapshot) -> bool:
        """Returns whether the game advanced between two successive frames of play; its counter may not show it."""

    def predict(self, snapshot: Snapshot, pads: Sequence[Pad]) -> Snapshot:
        """Returns the snapshot after the pads that are already on their way to the game."""

    def thinker(self, weights: Weights, tempo: Tempo, strength: Strength = OWN) -> Thinker:
        """Returns a search for this map's rules and timing.

        Raises WeightsError if weights have other features, UsageError for what this cartridge's search cannot do.
        """

    def summary(self, snapshot: Snapshot) -> Mapping[str, Any]:
        """Returns the figures for a report: at least FIGURES. A figure is None if the map does not have it.

        A game against an opponent also has `won`, a game that can reach a goal `completed` (0 or 1 each).
        """

    def learner(self, player: int = 0) -> Learner | None:
        """Returns a learner for what the map leaves open; None if it leaves nothing open."""
        return None

    def kernels(self) -> Jobs:
        """Returns named jobs that compile (or load) the kernels that play by this map needs."""
        return ()

    @property
    def at_once(self) -> Strength:
        """The strength at which kernels that are not compiled yet decide in time, with `GameFacts.plays_uncompiled`."""
        return OWN

    @property
    def lock_judge(self) -> LockJudge:
        """Says where pieces locked: by the map's phases alone, if an edition has none of its own."""
        return LockJudge()

    @property
    def simulator(self) -> Simulator | None:
        """The cartridge without an emulator: `play --bridge simulated`, demos without a core, the arena, `bench`."""
        return None

    @property
    def recorder(self) -> GameRecorder | None:
        """Records games and replays them: `play --record`, `trace`."""
        return None

    @property
    def depiction(self) -> Depiction | None:
        """Pieces to draw: `--view board`, `--view window`, `--overlay`."""
        return None

    @property
    def explainer(self) -> Explainer | None:
        """Decisions in words and values: `explain`, `review`."""
        return None

    @property
    def broadcast(self) -> Broadcast | None:
        """The game as the frames of NestrisChamps: `play --publish`, `trace export --ngf`, `review GAME.ngf`."""
        return None

    @property
    def statistics(self) -> Callable[[], Statistics] | None:
        """Counts what players count beside the game's own figures: `--overlay-only`, the arena."""
        return None

    @property
    def foresight(self) -> Callable[[Weights, Tempo, Strength], Foresight] | None:
        """Makes a search that reads the generator, for the first player: `--rng aware`, a class of its own.

        What it makes raises UsageError if the map does not name the generator.
        """
        return None


class MapEdition(Edition):
    """An edition that keeps its family and its map."""

    def __init__(self, game: Game, ram_map: RamMap) -> None:
        self._game, self._map = game, ram_map

    @property
    def game(self) -> Game:
        """The family."""
        return self._game

    @property
    def ram_map(self) -> RamMap:
        """The map."""
        return self._map


class LockJudge:
    """Says where pieces locked. Inherit from it to judge by boards: these methods judge by phases alone."""

    def place(self, before: Snapshot, after: Snapshot, meant: Placement | None) -> Piece | None:
        """Returns where the piece of `before` locked; None while `after` does not show it, or if nothing explains it.

        `before` is the last frame in which the piece was under control, `meant` where it was to go. After that frame
        the map's values may be anything. This method takes the place in the first frame of phase locked, or the one of
        `before` if that has none.
        """
        return (after.current or before.current) if after.phase is Phase.LOCKED else None

    def is_free(self, snapshot: Snapshot) -> bool:
        """Returns whether the piece in the air overlaps no filled cell; one that does has locked there."""
        return True

    def is_settled(self, snapshot: Snapshot) -> bool:
        """Returns whether the board shows nothing that is about to vanish."""
        return True

    def is_same(self, before: Piece, now: Piece) -> bool:
        """Returns whether one piece can be both, turned and moved; its row is not looked at."""
        return True


class Simulator(Protocol):
    """The simulated cartridge."""

    def machine(self, rng: np.random.Generator | None, even: bool = False) -> Machine:
        """Returns a machine, with RAM laid out by the map; without `rng` in a console's power-on state.

        With `even` the n-th piece depends only on `rng`, not on how long the pieces before it took.
        """

    def time(self, frames: int) -> float:
        """Returns the CPU time in seconds that the simulator takes for this number of frames of play."""


class GameRecorder(Protocol):
    """Records games and replays them."""

    def begin(self, order: str) -> Recorder:
        """Returns a recorder for what a replay needs."""

    def records(self, snapshot: Snapshot) -> bool:
        """Returns whether this frame belongs to a recorded game."""

    def verify(self, trace: Trace) -> tuple[int, int]:
        """Replays a trace (Replayable); returns the number of rows that differ and the first of them (-1 if none)."""

    def draw(self, trace: Trace, row: int) -> Sequence[str]:
        """Returns the playfield after a row of such a trace as lines of text."""


class Depiction(Protocol):
    """The cells of pieces, and which cells look like one body (snapshot.py). Inherit from it."""

    def cells(self, snapshot: Snapshot, piece: Piece) -> Sequence[Cell]:
        """Returns the cells, with their kinds, that the piece in the air fills if it is at `piece`."""

    def piece_number(self, snapshot: Snapshot, orientation: int) -> int | None:
        """Returns which of the looks' `pieces` one with this orientation is; None if they have none of it."""
        return None

    def joins(self, snapshot: Snapshot) -> NDArray[np.uint8] | None:
        """Returns the sides on which each cell of the playfield is joined with the next one; None: none is."""
        return None

    def next_cells(self, snapshot: Snapshot, there: Piece | None = None) -> Sequence[Cell]:
        """Returns the cells that the next piece fills if it is at `there`; none if it is not known.

        Without `there` the piece is at (0, 0), in the orientation in which it comes.
        """
        return ()


class Broadcast(Protocol):
    """The game as the frames of NestrisChamps, and back."""

    def camera(self) -> Callable[[Snapshot, int], Frame]:
        """Returns what makes a frame of each snapshot of one player and its time in milliseconds, called in order."""

    def snapshots(self, frames: Iterable[Frame]) -> Iterator[Snapshot]:
        """Yields the snapshots of a recording, as far as its frames tell them; its map's timing is taken."""


class Foresight(Thinker, Protocol):
    """A search that knows the generator: `decide` is for the frame observed last, with `after_lock` and `called`."""

    def observe(self, ram: bytes) -> None:
        """Read the generator in one frame of the map's memory space."""


class Learner(Protocol):
    """Watches one player's frames and finds out what the map leaves open."""

    @property
    def blind(self) -> bool:
        """Whether too little is known to predict where a piece will lock; then `explore` plans the piece."""

    def observe(self, ram: bytes, pad: Pad | None = None) -> RamMap | None:
        """Observe one frame: the map's memory space and the pad that the game used in it (None: not known).

        Returns a better map whenever more is known than before, else None.
        """

    @property
    def measuring(self) -> bool:
        """Whether a piece should be left to fall by itself for a while, so that its fall can be measured."""

    def rewind(self) -> None:
        """Drop what was seen of the current game, because the emulator went to another frame."""

    def explore(self, snapshot: Snapshot) -> tuple[int, int]:
        """Returns how often to rotate the piece in the air, and the column to move it towards."""


def part_of(edition: Edition, name: str, part: _Part | None, purpose: str) -> _Part:
    """Returns a part of an edition. Raises UsageError, naming the part, if it is None.

    `purpose` is what the part is needed for, such as "recorded games".
    """
    if part is None:
        raise UsageError(
            f"The family {edition.game.name} does not offer {purpose}: its edition lacks the part {name} "
            "(emubot.games.edition)."
        )
    return part
