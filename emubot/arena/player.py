"""Plays a recorded match again: forwards and backwards, frame by frame; says what the bot would do; decides nothing."""

from __future__ import annotations

from typing import Any, Final

from emubot.arena.consoles import open_consoles
from emubot.arena.insight import CANDIDATES, candidates_of, explained_strength
from emubot.arena.odds import Odds, odds_of
from emubot.arena.replay import Replay
from emubot.arena.side import Side
from emubot.arena.wire import Stage, pack_frame
from emubot.errors import UsageError
from emubot.explanation import ExplainOptions
from emubot.games.edition import part_of
from emubot.games.strength import OWN
from emubot.machine import Hovering, Versus
from emubot.snapshot import Phase, Placement
from emubot.tempo import FULL_SPEED, tempo_for_speed
from emubot.weights import load_weights

_PIECE_AT_MOST: Final = 3_600  # ticks in which a next piece must come


class ReplayPlayer:
    """A recorded match at one of its ticks; `at` is their number, 0 before the first."""

    def __init__(self, replay: Replay) -> None:
        """Raises UsageError if the match cannot be opened."""
        self.replay = replay
        self._begin()
        self.frame_rate = self.sides[0].console.bridge.facts.frame_rate

    @property
    def ticks(self) -> int:
        """The ticks of the whole match."""
        return self.replay.ticks

    @property
    def finished(self) -> bool:
        """Whether the last tick is shown."""
        return self.at >= self.ticks

    def step(self) -> None:
        """Play one tick; does nothing at the end."""
        tick = next(self._ticks, None)
        if tick is None:
            return
        for side, pad in zip(self.sides, tick.pads, strict=False):
            side.console.bridge.press(side.player, pad)
            side.show_pad(pad)
        for number, console in enumerate(self._consoles):
            if tick.consoles >> number & 1:
                frame = console.bridge.advance()
                for side in self.sides:
                    if side.console is console:
                        side.after(frame)
        self.at += 1
        for number, units in tick.falls:
            machine = self._consoles[number].machine
            if isinstance(machine, Versus):
                machine.receive(units)

    def go_to(self, tick: int) -> None:
        """Show another tick; a tick before this one is reached from the beginning."""
        if tick < self.at:
            self._begin()
        while self.at < min(tick, self.ticks):
            self.step()

    def go_to_next_piece(self, number: int) -> None:
        """Play on until the next piece of a side is in the air, or to the end."""
        before = self._playing(number)
        for _ in range(_PIECE_AT_MOST):
            self.step()
            now = self._playing(number)
            if self.finished or (now and not before):
                return
            before = now

    def frame(self) -> bytes:
        """Returns what is shown (wire.py)."""
        stage = Stage.OVER if self.finished else Stage.PLAYING
        return pack_frame(self.at, stage, 0, [side.board for side in self.sides])

    def advice(self, number: int) -> dict[str, Any]:
        """Returns what the bot would do for this side here (insight.py).

        Raises UsageError if no piece is in the air.
        """
        side = self.sides[number]
        edition = side.console.edition
        explainer = part_of(edition, "explainer", edition.explainer, "explained decisions")
        snapshot = side.snapshot()
        if snapshot.phase is not Phase.PLAYING or snapshot.current is None:
            raise UsageError("No piece is in the air here: go to the next one.")
        weights = load_weights(edition.game.facts.default_weights)
        tempo = tempo_for_speed(FULL_SPEED)
        options = ExplainOptions(explained_strength(edition, OWN).nodes, CANDIDATES, games=0)
        explained = explainer.explain(snapshot, weights, tempo, options)
        best = explained.placements[0].placement if explained.placements else Placement(-1, -1, -1)
        return candidates_of(explained, edition.depiction, snapshot, best)

    def _playing(self, number: int) -> bool:
        return self.sides[number].in_control

    def _begin(self) -> None:
        seats = open_consoles(self.replay.request, self.replay.seed)
        self.sides = [Side(console, player) for console, player in seats]
        self._consoles = list(dict.fromkeys(console for console, _ in seats))
        if self.replay.request.challenge is not None:
            for number in self.replay.request.persons:
                machine = seats[number][0].machine
                if isinstance(machine, Hovering):
                    machine.hovers = True
        for side in self.sides:
            side.after(0)
        self.odds: Odds | None = odds_of(self.replay.request, self.sides)
        self._ticks = self.replay.played()
        self.at = 0
