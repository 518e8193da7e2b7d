"""Families that each break one promise in what it decides, and what check_game says of it."""

from __future__ import annotations

import itertools
from collections.abc import Callable
from dataclasses import replace
from typing import Any

from emubot.games.protocol import Game
from emubot.games.strength import OWN, Strength
from emubot.games.thinking import Decision, Thinker
from emubot.games.variety import Choose
from emubot.pad import Pad
from emubot.rammap import RamMap
from emubot.snapshot import Snapshot, Step
from emubot.tempo import InputState, Tempo
from emubot.weights import Weights, load_weights
from tests.games.toy_family.edition import NumbersEdition
from tests.games.toy_family.thinker import NumbersThinker


class Thinking(NumbersEdition):
    """Broken in what it decides."""

    def change(self, decision: Decision, tempo: Tempo, input_state: InputState) -> Decision:
        raise NotImplementedError

    def thinker(self, weights: Weights, tempo: Tempo, strength: Strength = OWN) -> Thinker:
        inner, change = super().thinker(weights, tempo, strength), self.change

        class Changed(Thinker):
            def decide(
                self, snapshot: Snapshot, input_state: InputState, choose: Choose | None = None, shown: bool = True
            ) -> Decision:
                return change(inner.decide(snapshot, input_state), tempo, input_state)

        return Changed()


def changed(decision: Decision, **what: Any) -> Decision:
    assert decision.placement is not None
    return replace(decision, placement=replace(decision.placement, **what))


class Undecided(Thinking):
    def __init__(self, game: Game, ram_map: RamMap) -> None:
        super().__init__(game, ram_map)
        self.calls = itertools.count()

    def change(self, decision: Decision, tempo: Tempo, input_state: InputState) -> Decision:
        return changed(decision, column=next(self.calls) % 5)


class Boasting(Thinking):
    """Says that the piece locks a row higher than its timeline takes it."""

    def change(self, decision: Decision, tempo: Tempo, input_state: InputState) -> Decision:
        assert decision.placement is not None
        return changed(decision, row=decision.placement.row - 1)


class Dreaming(Thinking):
    """Plans for a piece that falls otherwise."""

    def change(self, decision: Decision, tempo: Tempo, input_state: InputState) -> Decision:
        assert decision.placement is not None
        steps = decision.placement.timeline
        return changed(decision, timeline=tuple(step._replace(row=step.row + 1) for step in steps))


class Restless(Thinking):
    """Presses B, which does nothing here, in every second frame."""

    def change(self, decision: Decision, tempo: Tempo, input_state: InputState) -> Decision:
        assert decision.placement is not None
        steps = enumerate(decision.placement.timeline)
        return changed(
            decision, timeline=tuple(step._replace(pad=step.pad | Pad.B) if n % 2 else step for n, step in steps)
        )


class Cramped(Thinking):
    def change(self, decision: Decision, tempo: Tempo, input_state: InputState) -> Decision:
        assert decision.placement is not None
        first, *rest = decision.placement.timeline
        step = Step(first.pad | Pad.UP | Pad.DOWN, first.orientation, first.column, first.row)
        return changed(decision, timeline=(step, *rest))


class Peeking(NumbersEdition):
    """Whose thinker looks at the machine."""

    seen = b""

    def decoder(self, player: int = 0) -> Callable[[bytes], Snapshot]:
        decode = super().decoder(player)

        def look(ram: bytes) -> Snapshot:
            self.seen = ram
            return decode(ram)

        return look

    def thinker(self, weights: Weights, tempo: Tempo, strength: Strength = OWN) -> Thinker:
        inner, family = super().thinker(weights, tempo, strength), self

        class Changed(Thinker):
            def decide(
                self, snapshot: Snapshot, input_state: InputState, choose: Choose | None = None, shown: bool = True
            ) -> Decision:
                decision = inner.decide(snapshot, input_state)
                return changed(decision, column=family.seen[0x20] % 5) if decision.placement else decision

        return Changed()


class TakesAnyWeights(NumbersEdition):
    def thinker(self, weights: Weights, tempo: Tempo, strength: Strength = OWN) -> Thinker:
        return NumbersThinker(load_weights(self.game.facts.default_weights), tempo)


class Frail(Thinking):
    """Fails where the piece is not where it spawns."""

    def thinker(self, weights: Weights, tempo: Tempo, strength: Strength = OWN) -> Thinker:
        inner = NumbersThinker(weights, tempo)

        class Changed(Thinker):
            def decide(
                self, snapshot: Snapshot, input_state: InputState, choose: Choose | None = None, shown: bool = True
            ) -> Decision:
                assert snapshot.current is not None
                if snapshot.current.row or snapshot.counters["timer"] == 0:
                    raise IndexError("out of the board")
                return inner.decide(snapshot, input_state)

        return Changed()


BROKEN: dict[type[NumbersEdition], str] = {
    Undecided: "play: thinker.decide gave two placements for one snapshot",
    Boasting: "play: at 30hz a piece locked at Piece(",
    Dreaming: "left its plan: it is at Piece(",
    Restless: "slow play: a timeline presses B",
    Cramped: "play: a timeline presses opposite directions together (",
    Peeking: "play: a decision must not depend on what the map hides from search",
    TakesAnyWeights: "weights: thinker must refuse weights of another game with a WeightsError",
    Frail: "disturbed memory: raised IndexError: out of the board",
}
