"""A part of check_game: plays a family on its own simulator and follows each decision to its lock; knows no family."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field
from typing import Final

import numpy as np

from emubot.errors import UsageError
from emubot.games.edition import Edition, part_of
from emubot.games.strength import Strength
from emubot.games.thinking import Decision, Thinker
from emubot.pad import HORIZONTAL, Pad, describe, legal
from emubot.rammap import MenuTaps
from emubot.rammap.spaces import index_of
from emubot.snapshot import Phase, Piece, Placement, Snapshot
from emubot.steering import Steering
from emubot.tempo import InputState, Tempo
from emubot.weights import Weights

FRAMES_A_PIECE: Final = 3000  # more than any piece takes
_TURNS: Final = Pad.A | Pad.B
SMALLEST_BUDGET: Final = 1  # boards


@dataclass(frozen=True, slots=True)
class CheckedFamily:
    """A family, and what it is checked with."""

    edition: Edition
    weights: Weights
    pieces: int
    seed: int

    def thinker(self, tempo: Tempo) -> Thinker:
        """Returns the family's search, with the smallest budget if it can have one: a check asks for no strength."""
        try:
            return self.edition.thinker(self.weights, tempo, Strength(SMALLEST_BUDGET))
        except UsageError:
            return self.edition.thinker(self.weights, tempo, Strength())


@dataclass(slots=True)
class Played:
    """The memory after each frame of a game, and the snapshots of the frames of play.

    An entry of `successive` is two frames of play: the first one's memory, the second one's pad and its memory.
    """

    frames: list[bytes] = field(default_factory=list)
    successive: list[tuple[bytes, Pad, bytes]] = field(default_factory=list)
    snapshots: list[Snapshot] = field(default_factory=list)


def same(one: Snapshot, other: Snapshot) -> bool:
    """Returns whether two snapshots are equal."""
    return (
        (one.phase, one.state, one.current, tuple(one.next))
        == (other.phase, other.state, other.current, tuple(other.next))
        and dict(one.counters) == dict(other.counters)
        and np.array_equal(one.playfield, other.playfield)
        and np.array_equal(one.hidden, other.hidden)
    )


def play(bench: CheckedFamily, tempo: Tempo, pieces: int, played: Played) -> Iterator[str]:
    """Play this number of pieces and yield every fault; what was seen is added to `played`."""
    table = _Table(bench, tempo)
    before: tuple[bytes, Snapshot] | None = None
    for _ in range(pieces * FRAMES_A_PIECE):
        ram = table.machine.ram.tobytes()
        snapshot = table.decode(ram)
        played.frames.append(ram)
        if before is not None and before[1].phase is Phase.PLAYING is snapshot.phase:
            played.successive.append((before[0], table.pad, ram))
        if snapshot.phase is Phase.PLAYING:
            played.snapshots.append(snapshot)
        yield from table.see(ram, snapshot)
        before = (ram, snapshot)
        if table.locked >= pieces:
            return
        table.machine.step([table.pad, Pad.NONE])
    state = before[1].state if before is not None else "none"
    yield f"{table.locked} of {pieces} pieces locked in {pieces * FRAMES_A_PIECE} frames; the last state is {state}"


class _Table:
    """One game on the simulator. It does what the pilot does, but reports a fault where the pilot would replan."""

    def __init__(self, bench: CheckedFamily, tempo: Tempo) -> None:
        self._tempo = tempo
        edition, self._map = bench.edition, bench.edition.ram_map
        simulator = part_of(edition, "simulator", edition.simulator, "a simulator")
        self.machine = simulator.machine(np.random.default_rng(bench.seed))
        self.decode = edition.decoder()
        self.locked = 0
        self.pad = Pad.NONE
        self._steering = Steering(tempo, 0, self._map.buttons, self._map.press)
        self._thinker: Thinker = bench.thinker(tempo)
        self._rng = np.random.default_rng([bench.seed, 3])
        self._chosen: Placement | None = None
        self._in_air = self._complained = False
        self._rest = 0
        self._holding = Pad.NONE
        self._taps = MenuTaps()

    def see(self, ram: bytes, snapshot: Snapshot) -> Iterator[str]:
        """Yields the faults of this frame; `pad` is then the pad of the next frame."""
        if snapshot.phase is Phase.PLAYING and snapshot.current is not None:
            yield from self._controlled(ram, snapshot, snapshot.current)
            return
        if snapshot.phase is Phase.PLAYING:
            yield f"a snapshot of play must show the piece in the air (state {snapshot.state})"
        if self._in_air and snapshot.phase is not Phase.PAUSED:
            self._in_air = False
            if snapshot.phase is Phase.LOCKED:
                yield from self._landed(snapshot)
        in_menu = snapshot.phase in (Phase.MENU, Phase.OVER)
        self.pad = self._steering.idle_pad(self._tapped(ram) if in_menu else Pad.NONE)

    def _controlled(self, ram: bytes, snapshot: Snapshot, piece: Piece) -> Iterator[str]:
        steering = self._steering
        if not self._in_air:
            self._in_air, self._complained, self._chosen = True, False, None
            steering.new_piece()
            input_state = steering.input_state()
            decision = self._thinker.decide(snapshot, input_state)
            yield from self._judged(ram, snapshot, input_state, decision)
            self._chosen = decision.placement
            if self._chosen is not None:
                steering.follow(self._chosen)
        elif steering.active and not steering.agrees(piece) and not self._complained:
            self._complained = True
            yield f"at {self._tempo.name} a piece that was to go to {self._chosen} left its plan: it is at {piece}"
        held = self.pad
        input_state = steering.input_state()
        self.pad = steering.next_pad(piece)
        if not legal(self.pad):
            yield f"a timeline presses opposite directions together ({describe(self.pad)})"
        new = self.pad & ~held
        if (new & HORIZONTAL and input_state.rest) or (new & _TURNS and input_state.turn_rest):
            early = max(input_state.rest, input_state.turn_rest)
            yield f"a timeline presses {describe(new)} {early} frames before {self._tempo.name} allows it"

    def _judged(self, ram: bytes, snapshot: Snapshot, input_state: InputState, decision: Decision) -> Iterator[str]:
        """Check that the same frame gives the same decision, whatever the generator will deal."""
        placement = decision.placement
        if self._thinker.decide(snapshot, input_state).placement != placement:
            yield "thinker.decide gave two placements for one snapshot"
        document = self._map.document
        secret = [name for name, value in document.values.items() if value.hidden_from_search]
        if not secret:
            return
        other = bytearray(ram)
        for name in secret:
            for address in self._map.addresses(name):
                other[index_of(address)] = int(self._rng.integers(256))
        altered = self.decode(bytes(other))
        if not same(altered, snapshot):
            yield "a snapshot must not depend on what the map hides from search"
        if self._thinker.decide(altered, input_state).placement != placement:
            yield "a decision must not depend on what the map hides from search"

    def _landed(self, snapshot: Snapshot) -> Iterator[str]:
        self.locked += 1
        chosen, there = self._chosen, snapshot.current
        if there is None:
            yield "the first frame after a lock must still show the piece, so that it can be compared with its plan"
        elif chosen is not None and (chosen.orientation, chosen.column, chosen.row) != (
            there.orientation,
            there.column,
            there.row,
        ):
            yield f"at {self._tempo.name} a piece locked at {there} and not at {chosen}"

    def _tapped(self, ram: bytes) -> Pad:
        """Returns the pad that leads through the map's menus, one tap every `menu_pace` frames."""
        if self._rest > 0:
            self._rest -= 1
            return Pad.NONE
        step = self._map.menu_step(ram, {}, taps=self._taps)
        if step is None:
            return Pad.NONE
        if step.hold & ~self._holding:
            self._holding = step.hold
            return step.hold
        self._holding = Pad.NONE
        self._rest = self._map.menu_pace - 1
        self._taps.tapped(step)
        return step.hold | step.tap
