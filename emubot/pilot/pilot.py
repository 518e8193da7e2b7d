"""The one place where a bridge and a game meet: watch, think, steer, verify, resync; draws and prints nothing.

Every frame is decoded and compared with what the plan predicted: RAM is the truth, the plan a hypothesis.
"""

from __future__ import annotations

import logging
import time
from collections import deque
from collections.abc import Callable
from dataclasses import dataclass, replace
from functools import partial
from typing import Any, Final

import numpy as np
from numpy.typing import NDArray

from emubot import games
from emubot.bridges.protocol import Bridge, Remote
from emubot.games.protocol import Decision, Foreseeing, Game, Learner, Steadfast, Varied
from emubot.games.variety import Variety
from emubot.pad import Pad
from emubot.pilot.liveness import Pulse
from emubot.pilot.menus import MenuNavigator
from emubot.pilot.scorekeeper import Goal, Scorekeeper
from emubot.pilot.single_button import best_carried, spread
from emubot.pilot.tally import Tally
from emubot.pilot.waiting import Waiting
from emubot.rammap import RamMap, map_for_identity
from emubot.snapshot import Phase, Piece, Placement, Snapshot, Step
from emubot.steering import ANYWHERE, Steering
from emubot.tempo import FULL_SPEED, Hands, Tempo, tempo_for_speed
from emubot.weights import Weights, load_weights

__all__ = ["Goal", "Pilot", "View"]

_LOG = logging.getLogger(__name__)
_LINGER: Final = 2  # rows that a piece falls by itself while the clock is measured
_BETWEEN: Final = frozenset({Phase.LOCKED, Phase.CLEARING})
_IN_GAME: Final = _BETWEEN | {Phase.PLAYING, Phase.PAUSED}


@dataclass(frozen=True, slots=True)
class View:
    """What an onlooker is shown after a frame."""

    frame: int
    snapshot: Snapshot
    chosen: Placement | None
    tally: Tally
    player: int
    following: Piece | None = None  # where the next piece is meant to go, if `Pilot.foresees`


class Pilot:
    """Plays one port of a bridge.

    Raises BridgeError when the emulator fails. `watchers` are called with a View after each frame; `on_frame`,
    `on_plan` (a piece's first plan) and `on_replan` hear of what a recorder needs, `on_map` of a map that knows more.
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
        leads: bool = True,
        variety: Variety | None = None,
    ) -> None:
        """What is left out is found: the map by the bridge's cartridge, the game by the map, its weights, full speed.

        Port 0 is the first player's. `leads` is false where somebody else chooses in the menus: another pilot, or a
        person. `variety` draws between placements of almost the same value, for a match of equal bots. Raises MapError
        where no map knows the cartridge, WeightsError for weights of another game.
        """
        ram_map = ram_map or map_for_identity(bridge.facts.rom_identity)
        game = game or games.game(ram_map.family)
        self.frames = 0
        self.port = port
        self._weights = weights or load_weights(game.default_weights)
        self._tempo = self._next_tempo = tempo or tempo_for_speed(FULL_SPEED)
        self.bridge = bridge
        self._game, self._leads, self._variety = game, leads, variety
        goal = goal or Goal()
        nothing = game.decoder(ram_map, port)(bytes(ram_map.space_range[1]))
        self.tally = Tally.for_summary(game.summary(nothing), None if ram_map.game_counter is None else 0)
        self._score = Scorekeeper(goal, self.tally, game.summary)
        self._pulse = Pulse(ram_map.game_counter, game.advanced)
        self._epoch = bridge.epoch
        self._latency = bridge.facts.latency
        # The pads of the last frames, oldest first: the one the game has just used, then those on their way to it.
        self._pads: deque[Pad] = deque([Pad.NONE] * (self._latency + 1), maxlen=self._latency + 1)
        self._menu = MenuNavigator(ram_map, goal.menu_choices or {}, goal.wait_frames)
        self._learner: Learner | None = game.learner(ram_map, port)
        self._use(ram_map)
        self._steering = Steering(self._tempo, self._latency, ram_map.buttons)
        self._chosen: Placement | None = None
        self._explored = False  # this piece's way was an experiment
        self._field: NDArray[Any] | None = None  # the playfield at this piece's first plan
        self._last = Phase.UNKNOWN
        self._in_air = False
        self._owns_port = False
        self.waiting = Waiting(ram_map, port)
        self._tells_over = any(rule.phase == Phase.OVER.value for rule in ram_map.document.phases)
        self.foresees = False  # whether onlookers are shown where the next piece is meant to go
        self._following: Piece | None = None
        self.watchers: list[Callable[[View], None]] = []
        self.on_frame: list[Callable[[bytes, Snapshot], None]] = []
        self.on_plan: list[Callable[[Placement], None]] = []
        self.on_replan: list[Callable[[Placement], None]] = []
        self.on_map: list[Callable[[RamMap], None]] = []

    @property
    def ram_map(self) -> RamMap:
        """The map in use: the one it began with, or what it has learnt since."""
        return self._map

    def keep(self, tempo: Tempo) -> None:
        """Press at this tempo from the next piece on."""
        self._next_tempo = tempo

    def _begin_anew(self) -> None:
        """The machine became another one (`Bridge.epoch`): forget what was planned, pressed and seen."""
        self._epoch = self.bridge.epoch
        self._pads.extend([Pad.NONE] * (self._latency + 1))
        self._steering.forget()
        self._in_air, self._chosen, self._score.last = False, None, None
        self._pulse.forget()
        if self._learner is not None:
            self._learner.rewind()

    def run(self) -> Tally:
        """Play until the goal is reached; returns the figures."""
        while not self.finished:
            self.step()
        self.release()
        return self.tally

    @property
    def finished(self) -> bool:
        """Whether the goal is reached."""
        return self._score.finished

    @property
    def result(self) -> str:
        """How the goal was reached: `pieces` or `game over`; `running` until then."""
        return self._score.result

    @property
    def in_game(self) -> bool:
        """Whether a game is being played, paused or not."""
        return self._last in _IN_GAME

    @property
    def between_pieces(self) -> bool:
        """Whether a locked piece is still having its effect."""
        return self._last in _BETWEEN

    def stop(self) -> None:
        """End in good order wherever the game is: let go of the pad and count what was reached."""
        self.release()
        self._score.add_up(self._score.last)

    def release(self) -> None:
        """Let go of every button on the pilot's port, and of the port."""
        if self._owns_port:
            self._owns_port = False
            self.bridge.release(self.port)

    def step(self) -> None:
        """One frame: wait for it, read, decide, press."""
        self.see(self.bridge.advance())

    def see(self, frame: int) -> None:
        """The frame the bridge has just advanced to: read, decide, press."""
        self.frames += 1
        if self.bridge.epoch != self._epoch:
            self._begin_anew()
        ram = self.bridge.read(*self._space) if self._view is None else self._view.tobytes()
        if self._learner is not None and (better := self._learner.observe(ram, self._used())) is not None:
            self._use(better)
            for learn in self.on_map:
                learn(better)
        snapshot = self._decode(ram)
        before = self._score.last
        phase = self._pulse.phase(before, snapshot)
        for hear in self.on_frame:
            hear(ram, snapshot)
        if self._pulse.lagged(before, snapshot, self._last is Phase.PLAYING):
            self.tally.lag_frames = (self.tally.lag_frames or 0) + 1
        if self._in_air and phase is not Phase.PLAYING and phase is not Phase.PAUSED:
            self._piece_ended(snapshot)
        if not self._pulse.trusted:
            phase = Phase.UNKNOWN
        self._press(self._pad_in(phase, ram, snapshot))
        self._last = phase
        if phase in _IN_GAME:
            if phase is not Phase.PAUSED:
                self.waiting.over()
            self._score.played(snapshot)
        elif not self._tells_over:
            self._score.away()
        if self.watchers:
            view = View(frame, snapshot, self._chosen, self.tally, self.port, self._following)
            for watch in self.watchers:
                watch(view)

    def _pad_in(self, phase: Phase, ram: bytes, snapshot: Snapshot) -> Pad | None:
        """What to press now; None where the port is left to whoever else may hold it."""
        if phase is Phase.UNKNOWN and snapshot.phase is not Phase.UNKNOWN:
            self.waiting.still(snapshot.state, self._map.game_counter)
        elif phase is Phase.UNKNOWN:
            self.waiting.unknown(ram, snapshot.state)
        elif self._score.enough and phase not in _BETWEEN and phase is not Phase.PAUSED:
            self._score.all_pieces(snapshot)
        elif phase is Phase.PLAYING:
            return self._play(snapshot)
        elif phase in (Phase.MENU, Phase.OVER):
            return self._outside(ram, snapshot)
        elif phase is Phase.PAUSED:  # whoever paused it must be able to go on
            self.waiting.paused(snapshot.state)
        else:
            return self._steering.idle_pad()
        self._steering.idle_pad()
        return None

    def _use(self, ram_map: RamMap) -> None:
        """Read and think by this map from now on."""
        self._map = ram_map
        self._decode = self._game.decoder(ram_map, self.port)
        self._thinker = self._game.thinker(ram_map, self._weights, self._tempo)
        self._space = (ram_map.space, *ram_map.space_range)
        self._view = self.bridge.view(ram_map.space)
        if isinstance(self.bridge, Remote):
            # Whoever learns may look at any byte.
            needed = ram_map.used if self._learner is None else (ram_map.space_range,)
            self.bridge.follow(ram_map.space, needed, ram_map.clock)

    def _press(self, pad: Pad | None) -> None:
        self._pads.append(pad or Pad.NONE)
        if pad is None:
            self.release()
        else:
            self.bridge.press(self.port, pad)
            self._owns_port = True

    def _used(self) -> Pad | None:
        """What the game read in the frame that was seen last; None where the bridge does not keep step."""
        return self._pads[0] if self.bridge.facts.lock_step else None

    def _play(self, snapshot: Snapshot) -> Pad:
        """A piece is in the air: follow its plan while RAM agrees, otherwise plan from where the piece is."""
        piece = snapshot.current
        steering = self._steering
        if piece is None:
            return steering.idle_pad()
        if self._in_air and self._field is not None and not self.bridge.facts.lock_step:
            self._lock_unseen(snapshot)
        if not self._in_air:
            self._in_air = True
            self._chosen, self._explored, self._following, self._field = None, False, None, None
            if self._next_tempo is not self._tempo:
                self._tempo = self._next_tempo
                steering.keep(self._tempo)
                self._use(self._map)
            steering.new_piece()
            self._set_out(snapshot)
        elif self._last is not Phase.PLAYING:  # back from a pause
            steering.forget()
            self._set_out(snapshot)
        elif steering.active and not steering.agrees(piece):
            _LOG.info("the piece is at %s, not where the plan had it; planning anew", piece)
            steering.forget()
            self._set_out(snapshot, diverted=True)
        return steering.next_pad(piece)

    def _lock_unseen(self, snapshot: Snapshot) -> None:
        """A bridge that misses frames may miss a whole lock: the field is another one, and nobody knows how it went."""
        if self._field is not None and not np.array_equal(self._field, snapshot.playfield):
            self._in_air, self._field = False, None
            self._score.unseen_piece()

    def _set_out(self, snapshot: Snapshot, diverted: bool = False) -> None:
        """Plan, or explore where too little is known to plan."""
        if self._learner is not None and self._learner.blind:
            self._chosen, self._explored = None, True
            self._steering.follow(self._exploring(snapshot, self._learner))
        else:
            self._plan(snapshot, diverted)

    def _exploring(self, snapshot: Snapshot, learner: Learner) -> Placement:
        """Inputs that show the learner what it does not know yet; where the piece will lock is not promised."""
        turns, column = learner.explore(snapshot)
        buttons, piece = self._map.buttons, snapshot.current
        shift = column - piece.column if piece is not None else 0
        pads = [buttons.rotate_clockwise or buttons.rotate_counterclockwise or Pad.NONE] * turns
        pads += [buttons.left if shift < 0 else buttons.right] * abs(shift)
        moves = tuple(Step(pad, ANYWHERE, ANYWHERE, ANYWHERE) for pad in pads)
        return Placement(ANYWHERE, column, ANYWHERE, moves=moves)

    def _plan(self, snapshot: Snapshot, diverted: bool = False) -> None:
        """Search from where the piece will be once the pads in flight have taken effect.

        A piece that was diverted is led to the placement that was chosen for it if there is still a way.
        """
        started = time.perf_counter()
        flying = tuple(self._pads)[1:]
        ahead = self._game.predict(self._map, snapshot, flying)
        if ahead.phase is not Phase.PLAYING:
            return
        hands = self._steering.hands()
        placement = None
        if diverted and self._chosen is not None and isinstance(self._thinker, Steadfast):
            placement = self._thinker.again(ahead, hands, self._chosen)
        if placement is not None:
            placement = self._carried(ahead, placement) or placement
        else:
            decision = self._decision(ahead, hands)
            self.tally.nodes += decision.nodes
            placement = decision.placement
        self.tally.decided((time.perf_counter() - started) * 1000)
        if placement is None:
            return
        if self.foresees and isinstance(self._thinker, Foreseeing):
            self._following = self._thinker.following(ahead, placement)
        if self._chosen is None:
            self._chosen, self._field = placement, snapshot.playfield
            for hear in self.on_plan:
                hear(placement)
        elif diverted or placement != self._chosen:
            self.tally.replans += 1
            for hear in self.on_replan:
                hear(placement)
        measuring = self._learner is not None and self._learner.measuring
        self._steering.follow(placement, _LINGER if measuring else 0)

    def _decision(self, ahead: Snapshot, hands: Hands) -> Decision:
        thinker = self._thinker
        if not isinstance(thinker, Varied):
            decision = thinker.decide(ahead, hands)
            best = decision.placement
            return replace(decision, placement=None if best is None else self._carried(ahead, best) or best)
        choose = None if self._variety is None else self._variety.for_piece(self.tally.pieces)
        if not self.bridge.facts.one_change:
            return thinker.decide_by(ahead, hands, choose)
        return best_carried(partial(thinker.decide_by, ahead, hands), choose, partial(self._carried, ahead))

    def _carried(self, ahead: Snapshot, placement: Placement) -> Placement | None:
        """The placement by a timeline that the bridge can carry; None if there is none."""
        if not self.bridge.facts.one_change:
            return placement
        predict = partial(self._game.predict, self._map)
        return spread(placement, ahead, self._pads[-1], self._tempo.period, predict)

    def _piece_ended(self, snapshot: Snapshot) -> None:
        """The frame after control: a lock, or the end of the game."""
        self._in_air = False
        if snapshot.phase is Phase.LOCKED:
            if self._explored:
                self._score.piece(None, snapshot.current)
            elif self._chosen is not None and snapshot.current is not None:
                self._score.piece(self._chosen, snapshot.current)
        elif snapshot.phase in _BETWEEN and not self.bridge.facts.lock_step:
            if self._explored:
                self._score.piece(None, None)
            else:
                self._score.unseen_piece()

    def _outside(self, ram: bytes, snapshot: Snapshot) -> Pad | None:
        """Menus and the end of a game; None while somebody else has to choose."""
        if self._score.last is not None:
            if snapshot.phase is Phase.OVER:
                self._score.game_over(snapshot)
            else:
                self._score.add_up(self._score.last)
        pad: Pad | None = None
        if self.finished:
            pass
        elif not self._leads:
            self.waiting.to_begin(snapshot.state)
        elif not self._menu.knows(ram):
            self.waiting.to_choose(snapshot.state)
        else:
            self.waiting.over()
            pad = self._menu.pad(ram)
        self._steering.idle_pad(pad or Pad.NONE)
        return pad
