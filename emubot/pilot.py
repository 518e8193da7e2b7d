"""The one place where a bridge and a game meet: watch, think, steer, verify, resync; draws and prints nothing.

Every frame is decoded and compared with what the plan predicted: RAM is the truth, the plan a hypothesis.
"""

from __future__ import annotations

import logging
import time
from collections import deque
from collections.abc import Callable
from dataclasses import dataclass
from typing import Final

from emubot import games
from emubot.bridges.protocol import Bridge
from emubot.games.protocol import Decision, Game
from emubot.pad import Pad
from emubot.rammap import RamMap, map_for_identity
from emubot.report import Tally
from emubot.snapshot import Phase, Placement, Snapshot
from emubot.steering import Steering
from emubot.tempo import FULL_SPEED, Tempo, tempo_for_speed
from emubot.weights import Weights, load_weights

_LOG = logging.getLogger(__name__)
_SECOND: Final = 60  # frames between two notes about the same wait
_RAM: Final = ("ram", 0, 2048)
_TRUST: Final = 8  # frames that must make sense, the game counter moving, before the first button is pressed
_FRAMES_APART: Final = 8  # a bridge that is not in lock step may skip a few frames
_BETWEEN: Final = frozenset({Phase.LOCKED, Phase.CLEARING})
_IN_GAME: Final = _BETWEEN | {Phase.PLAYING, Phase.PAUSED}


@dataclass(frozen=True, slots=True)
class Goal:
    """When to stop, and what to ask of the menus: `level`, `mode`, `type` as the map's menu steps name them."""

    pieces: int | None = None
    games: int | None = 1
    asked: dict[str, int] | None = None
    wait_frames: int = 0  # extra frames in the menus before the first button, so that seeds give other games


@dataclass(frozen=True, slots=True)
class View:
    """What an onlooker is shown after a frame."""

    frame: int
    snapshot: Snapshot
    chosen: Placement | None
    tally: Tally


class Pilot:
    """Plays one port of a bridge.

    Raises BridgeError when the emulator fails. `watchers` are called with a View after each frame; `on_frame`,
    `on_plan` (a piece's first plan) and `on_replan` hear of what a recorder needs.
    """

    def __init__(
        self,
        bridge: Bridge,
        goal: Goal | None = None,
        game: Game | None = None,
        ram_map: RamMap | None = None,
        weights: Weights | None = None,
        tempo: Tempo | None = None,
        port: int = 0,
    ) -> None:
        """What is left out is found: the map by the bridge's cartridge, the game by the map, its weights, full speed.

        Raises MapError where no map knows the cartridge, WeightsError for weights of another game.
        """
        ram_map = ram_map or map_for_identity(bridge.facts.rom_identity)
        game = game or games.game(ram_map.family)
        weights = weights or load_weights(game.default_weights)
        tempo = tempo or tempo_for_speed(FULL_SPEED)
        self.tally = Tally(lag_frames=None if ram_map.game_counter is None else 0)
        self.result = "running"
        self.frames = 0
        self._bridge, self._game, self._map, self._goal, self._port = bridge, game, ram_map, goal or Goal(), port
        self._decode = game.decoder(ram_map, player=0)
        self._thinker = game.thinker(ram_map, weights, tempo)
        self._latency = bridge.facts.latency
        self._steering = Steering(tempo, self._latency)
        self._flying: deque[Pad] = deque([Pad.NONE] * self._latency, maxlen=self._latency or None)
        self._menu = _MenuHand(ram_map, self._goal)
        self._view = bridge.view("ram")
        self._chosen: Placement | None = None
        self._last = Phase.UNKNOWN
        self._in_game: Snapshot | None = None  # the last frame of a game that is not counted yet
        self._counter: int | None = None
        self._trust = 0
        self._in_air = False
        self._owns_port = False
        self._waited = 0
        self._enough = False  # the last piece asked for is locked: only its clear is waited for
        self.watchers: list[Callable[[View], None]] = []
        self.on_frame: list[Callable[[bytes, Snapshot], None]] = []
        self.on_plan: list[Callable[[Placement], None]] = []
        self.on_replan: list[Callable[[Placement], None]] = []

    def run(self) -> Tally:
        """Play until the goal is reached; returns the figures."""
        while not self.finished:
            self.step()
        self.release()
        return self.tally

    @property
    def finished(self) -> bool:
        """Whether the goal is reached."""
        return self.result != "running"

    def stop(self) -> None:
        """End in good order wherever the game is: let go of the pad and count what was reached."""
        self.release()
        if self._in_game is not None:
            self._add_up(self._in_game)

    def release(self) -> None:
        """Let go of every button on the pilot's port."""
        if self._owns_port:
            self._bridge.press(self._port, Pad.NONE)

    def step(self) -> None:
        """One frame: wait for it, read, decide, press."""
        self.see(self._bridge.advance())

    def see(self, frame: int) -> None:
        """The frame the bridge has just advanced to: read, decide, press."""
        self.frames += 1
        ram = self._bridge.read(*_RAM) if self._view is None else self._view.tobytes()
        snapshot = self._decode(ram)
        phase = snapshot.phase
        for hear in self.on_frame:
            hear(ram, snapshot)
        self._watch_counter(snapshot)
        if self._in_air and phase is not Phase.PLAYING and phase is not Phase.PAUSED:
            self._piece_ended(snapshot)
        if self._trust < _TRUST:
            phase = Phase.UNKNOWN
            pad = self._steering.idle_pad()
            self._note(snapshot.state)
        elif self._enough and phase not in _BETWEEN and phase is not Phase.PAUSED:
            self.result = "pieces"
            self._add_up(snapshot)
            pad = Pad.NONE
        elif phase is Phase.PLAYING:
            pad = self._play(snapshot)
        elif phase in (Phase.MENU, Phase.OVER):
            pad = self._steering.idle_pad(self._outside(ram, snapshot))
        else:
            pad = self._steering.idle_pad()
        self._last = phase
        if phase in _IN_GAME and not self.finished:
            self._in_game = snapshot
        self._press(pad)
        if self.watchers:
            view = View(frame, snapshot, self._chosen, self.tally)
            for watch in self.watchers:
                watch(view)

    def _press(self, pad: Pad) -> None:
        self._bridge.press(self._port, pad)
        self._owns_port = True
        if self._latency:
            self._flying.append(pad)

    def _play(self, snapshot: Snapshot) -> Pad:
        """A piece is in the air: follow its plan while RAM agrees, otherwise plan from where the piece is."""
        piece = snapshot.current
        steering = self._steering
        if piece is None:
            return steering.idle_pad()
        if not self._in_air:
            self._in_air = True
            self._chosen = None
            steering.new_piece()
            self._plan(snapshot)
        elif self._last is not Phase.PLAYING:  # back from a pause
            steering.forget()
            self._plan(snapshot)
        elif steering.active and not steering.agrees(piece):
            _LOG.info("the piece is at %s, not where the plan had it; planning anew", piece)
            steering.forget()
            self._plan(snapshot, diverted=True)
        return steering.next_pad()

    def _plan(self, snapshot: Snapshot, diverted: bool = False) -> None:
        """Search from where the piece will be once the pads in flight have taken effect."""
        started = time.perf_counter()
        flying = tuple(self._flying)
        ahead = self._game.predict(snapshot, flying)
        if ahead.phase is not Phase.PLAYING:
            return
        decision: Decision = self._thinker.decide(ahead, self._steering.hands())
        self.tally.decision_ms.append((time.perf_counter() - started) * 1000)
        self.tally.nodes += decision.nodes
        placement = decision.placement
        if placement is None:
            return
        if self._chosen is None:
            self._chosen = placement
            for hear in self.on_plan:
                hear(placement)
        elif diverted or placement != self._chosen:
            self.tally.replans += 1
            for hear in self.on_replan:
                hear(placement)
        self._steering.follow(placement)

    def _piece_ended(self, snapshot: Snapshot) -> None:
        """The frame after control: a lock, or the end of the game."""
        self._in_air = False
        if snapshot.phase is not Phase.LOCKED:
            return
        chosen, locked = self._chosen, snapshot.current
        if chosen is None or locked is None:
            return
        self.tally.pieces += 1
        if (chosen.orientation, chosen.column, chosen.row) != (locked.orientation, locked.column, locked.row):
            self.tally.misplaced += 1
            _LOG.info("locked at %s instead of %s", locked, chosen)
        if self._goal.pieces is not None and self.tally.pieces >= self._goal.pieces:
            self._enough = True

    def _outside(self, ram: bytes, snapshot: Snapshot) -> Pad:
        """Menus and the end of a game."""
        if self._in_game is not None:
            self._add_up(snapshot if snapshot.phase is Phase.OVER else self._in_game)
            if snapshot.phase is Phase.OVER:
                self.tally.games += 1
                if self._goal.games is not None and self.tally.games >= self._goal.games:
                    self.result = "game over"
                    return Pad.NONE
        return self._menu.pad(ram)

    def _add_up(self, snapshot: Snapshot) -> None:
        """Count what a game reached, once: at its end, when it is left for a menu, or when the session ends."""
        self._in_game = None
        summary = self._game.summary(snapshot)
        self.tally.lines += summary["lines"]
        self.tally.score += summary["score"]
        self.tally.level = max(self.tally.level, summary["level"])

    def _watch_counter(self, snapshot: Snapshot) -> None:
        """The game's own counter: memory in which it does not move is no running game; in play it tells lag frames."""
        known = snapshot.phase is not Phase.UNKNOWN
        name = self._map.game_counter
        if name is None:
            self._trust = min(self._trust + 1, _TRUST) if known else 0
            return
        now = snapshot.counters[name]
        moved = self._counter is not None and 0 < now - self._counter <= _FRAMES_APART
        if not known:
            self._trust = 0
        elif self._trust < _TRUST:
            self._trust = self._trust + 1 if moved else 0
        elif self._last is Phase.PLAYING is snapshot.phase and self._in_game is not None:
            lagged = now == self._counter or not self._game.advanced(self._in_game, snapshot)
            self.tally.lag_frames = (self.tally.lag_frames or 0) + lagged
        self._counter = now

    def _note(self, state: str) -> None:
        """Say once a second what is waited for."""
        self._waited += 1
        if self._waited % _SECOND == 0:
            _LOG.warning("waiting for a game that the map %s knows (it reads %s)", self._map.name, state)


class _MenuHand:
    """Taps through menus: one button for one frame, then the map's pace for the screen to follow."""

    def __init__(self, ram_map: RamMap, goal: Goal) -> None:
        self._map = ram_map
        self._asked = goal.asked or {}
        self._rest = goal.wait_frames
        self._holding = Pad.NONE

    def pad(self, ram: bytes) -> Pad:
        """The pad for the next frame on this screen."""
        if self._rest > 0:
            self._rest -= 1
            return Pad.NONE
        step = self._map.menu_step(ram, self._asked)
        if step is None:
            return Pad.NONE
        if step.hold & ~self._holding:  # what is held must not be new when the tap comes
            self._holding = step.hold
            return step.hold
        self._holding = Pad.NONE
        self._rest = self._map.menu_pace - 1
        return step.hold | step.tap
