"""Joins a bridge and a game: decode, plan, steer, verify, replan; draws and prints nothing.

Every frame is decoded and compared with the plan's prediction. RAM is the truth; the plan is a hypothesis.
"""

from __future__ import annotations

import logging
from collections import deque
from collections.abc import Callable
from typing import TYPE_CHECKING

from emubot import games
from emubot.bridges.image import image_reader
from emubot.bridges.protocol import Bridge, Ports
from emubot.games.edition import Edition, Learner
from emubot.pad import Pad
from emubot.pilot.doubts import Doubts
from emubot.pilot.liveness import Pulse
from emubot.pilot.outside import Outside
from emubot.pilot.piece_in_play import PieceControl
from emubot.pilot.scorekeeper import Goal, Scorekeeper
from emubot.pilot.skill import Mind, Skill, refuse_foresight
from emubot.pilot.tally import Tally, View
from emubot.pilot.waiting import Waiting
from emubot.rammap import RamMap, map_for_identity
from emubot.snapshot import Phase, Piece, Snapshot
from emubot.steering import Steering
from emubot.tempo import Tempo

if TYPE_CHECKING:
    from emubot.pilot.apart.mind import ApartMind

__all__ = ["Goal", "Pilot", "View"]

_LOG = logging.getLogger(__name__)


class Pilot:
    """Plays one port of a bridge.

    Raises BridgeError if the emulator fails. `watchers` are called with a View after each frame. `on_frame`, `on_plan`
    (a piece's first plan) and `on_replan` are the callbacks of a recorder. `on_map` is called with each improved map.
    `learner` finds out the rest of an incomplete map, None for a complete one.
    """

    def __init__(
        self,
        bridge: Bridge,
        goal: Goal | None = None,
        edition: Edition | None = None,
        skill: Skill | None = None,
        mind: Mind | ApartMind | None = None,
        port: int = 0,
        leads: bool = True,
        ram_map: RamMap | None = None,
    ) -> None:
        """What is left out is made: the edition of the bridge's cartridge, or of `ram_map`; the best play, its mind.

        Port 0 is the first player's. `leads` is false if another pilot or a person chooses in the menus. Raises
        MapError if no map knows the cartridge, WeightsError for weights of another game, UsageError for what the game's
        search cannot do, or if the bridge lacks memory that the map has.
        """
        edition = edition or games.open_edition(ram_map or map_for_identity(bridge.facts.rom_identity))
        ram_map = edition.ram_map
        skill = skill or Skill()
        if skill.aware:
            refuse_foresight(bridge.facts)
        self.frames, self.bridge, self.port = 0, bridge, port
        self._skill, self._next_tempo = skill, skill.tempo
        goal = goal or Goal()
        nothing = edition.decoder(port)(bytes(ram_map.image_size))
        self.tally = Tally.for_summary(edition.summary(nothing), None if ram_map.game_counter is None else 0)
        self._score = Scorekeeper(goal, self.tally, edition.summary)
        self._pulse = Pulse(ram_map.game_counter, edition.advanced)
        self._epoch, self._latency = bridge.epoch, bridge.facts.latency
        # The pads of the last frames, oldest first: the one that the game has just used, then those not used yet.
        self._pads: deque[Pad] = deque([Pad.NONE] * (self._latency + 1), maxlen=self._latency + 1)
        self.outside = Outside(ram_map, goal.menu_choices or {}, goal.wait_frames, leads)
        self.learner: Learner | None = edition.learner(port)
        mind = mind or skill.mind(edition)
        self._planner = mind.planner(bridge.facts, self.tally, skill.variety, port)
        self._steering = Steering(skill.tempo, self._latency, ram_map.buttons, ram_map.press, skill.hands())
        self.doubts = Doubts(ram_map, self.tally, errs=skill.human is not None)
        self._control = PieceControl(self._planner, self._steering, self._score, self.doubts, self.learner)
        self._control.on_new_piece = self._take_tempo
        self._use(edition, mind)
        self._last, self._impossible = Phase.UNKNOWN, False
        self._ports, self._beside = Ports(bridge), Pad.NONE  # `_beside` is what a menu wants of the other port now
        self.waiting = Waiting(ram_map, port)
        self._tells_over = any(rule.phase == Phase.OVER.value for rule in ram_map.document.phases)
        self.watchers: list[Callable[[View], object]] = []
        self.on_frame: list[Callable[[bytes, Snapshot], None]] = []
        self.on_plan, self.on_replan = self._control.on_plan, self._control.on_replan
        self.on_map: list[Callable[[RamMap], None]] = []

    @property
    def edition(self) -> Edition:
        """The edition in use: the first one, or that of the improved map if a learner has found out more."""
        return self._edition

    @property
    def previews(self) -> bool:
        """Whether `View.preview` is computed; set it to True to get it."""
        return self._control.previews

    @previews.setter
    def previews(self, shown: bool) -> None:
        self._control.previews = shown

    def set_tempo(self, tempo: Tempo) -> None:
        """Press at this tempo from the next piece on."""
        self._next_tempo = tempo

    def _begin_anew(self) -> None:
        """Forget plans, pads and earlier frames after a discontinuity (`Bridge.epoch`)."""
        self._epoch = self.bridge.epoch
        self._pads.extend([Pad.NONE] * (self._latency + 1))
        self._steering.forget()
        self._control.forget()
        self._score.last = None
        self._pulse.forget()
        self.outside.begun()
        if self.learner is not None:
            self.learner.rewind()

    def run(self) -> Tally:
        """Play until the goal is reached, and return the figures."""
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
    def thinking(self) -> bool:
        """Whether a decision for the piece in the air is waited for."""
        return self._planner.thinking

    @property
    def in_game(self) -> bool:
        """Whether a game is being played, paused or not; a frame of it that no game can have does not end it."""
        return self._last.in_game or self._impossible

    @property
    def phase(self) -> Phase:
        """The phase of the last frame."""
        return self._last

    def writes(self, port: int) -> bool:
        """Whether this port's buttons are the pilot's now."""
        return port in self._ports.owned

    def stop(self) -> None:
        """End now, at any point of the game: release the pad and count what was reached."""
        self.release()
        self.count()

    def count(self) -> None:
        """Count what the game that is not over has reached."""
        self._score.add_up(self._score.last)

    def release(self) -> None:
        """Release every button of the pilot's port, and the port itself."""
        self._ports.write({})

    def step(self) -> None:
        """Play one frame: wait for it, read, decide, press."""
        self.see(self.bridge.advance())

    def see(self, frame: int) -> None:
        """Play the frame that the bridge has just advanced to: read, decide, press."""
        self.frames += 1
        self.outside.frame()
        if self.bridge.epoch != self._epoch:
            self._begin_anew()
        ram = self._read()
        if self.learner is not None and (better := self.learner.observe(ram, self.used_pad)) is not None:
            self._use(self._edition.game.open(better))
            for learn in self.on_map:
                learn(better)
        self._planner.observe(ram)
        snapshot = self._decode(ram)
        before = self._score.last
        phase = self._pulse.phase(before, snapshot)
        for hear in self.on_frame:
            hear(ram, snapshot)
        if self._pulse.lagged(before, snapshot, self._last is Phase.PLAYING):
            self.tally.lag_frames = (self.tally.lag_frames or 0) + 1
        if phase is not Phase.PLAYING and phase is not Phase.PAUSED:
            self._control.leave(snapshot)
        if not self._pulse.trusted:
            phase = Phase.UNKNOWN
        self._press(self._pad_in(phase, ram, snapshot))
        if phase.in_game and not self._last.in_game:
            self.outside.begun()
        self._impossible = self.in_game and snapshot.fault is not None
        self._last = phase
        if phase.in_game and phase is not Phase.PAUSED:
            self.waiting.over()
        if phase.in_game:
            self._score.played(snapshot)
        elif not self._tells_over and not self._impossible:
            self._score.away()
        if self.watchers:
            piece = self._control.latest
            called = None if piece.called is None else Piece(piece.called, 0, 0)
            view = View(frame, snapshot, piece.chosen, self.tally, self.port, piece.preview, called)
            for watch in self.watchers:
                watch(view)

    def _pad_in(self, phase: Phase, ram: bytes, snapshot: Snapshot) -> Pad | None:
        """Returns the pad to press now, or None to leave the port to a person or another program."""
        if phase is Phase.UNKNOWN and snapshot.phase is not Phase.UNKNOWN:
            self.waiting.still(snapshot.state, self._edition.ram_map.game_counter)
        elif phase is Phase.UNKNOWN and snapshot.fault is not None:
            self.waiting.impossible(snapshot.state, snapshot.fault)
        elif phase is Phase.UNKNOWN:
            self.outside.unknown(ram, snapshot.state, self.waiting)
        elif self._score.enough and not phase.between_pieces and phase is not Phase.PAUSED:
            self._score.all_pieces(snapshot)
        elif phase is Phase.PLAYING:
            return self._control.frame(snapshot, self._pads, resumed=self._last is not Phase.PLAYING)
        elif phase in (Phase.MENU, Phase.OVER):
            return self._outside(ram, snapshot)
        elif phase is Phase.PAUSED and self._steering.pausing:
            return self._steering.between_pad()
        elif phase is Phase.PAUSED:  # the person at the controls paused it, and must be able to end the pause
            self.waiting.paused(snapshot.state)
        else:
            self._planner.prepare_between(snapshot)
            self.tally.pauses += self._steering.pauses_next
            return self._steering.between_pad()
        self._steering.idle_pad()
        return None

    def _use(self, edition: Edition, mind: Mind | ApartMind | None = None) -> None:
        """Decode and plan by this edition from now on, with this mind or a new one."""
        self._edition, ram_map = edition, edition.ram_map
        self._decode = edition.decoder(self.port)
        self._planner.use(edition, self._skill, mind)
        self._control.landings.use(edition)
        needed = ram_map.used if self.learner is None else None  # a learner may read any byte
        self._read = image_reader(self.bridge, ram_map.spaces, needed, ram_map.clock)

    def _press(self, pad: Pad | None) -> None:
        self._pads.append(pad or Pad.NONE)
        held = {} if pad is None else {self.port: pad}
        if self._beside:
            held[1 - self.port], self._beside = self._beside, Pad.NONE
        self._ports.write(held)

    @property
    def used_pad(self) -> Pad | None:
        """The pad that the game read in the last frame; None if the bridge is not in lock step."""
        return self._pads[0] if self.bridge.facts.lock_step else None

    def _take_tempo(self) -> None:
        """A new tempo takes effect with a new piece."""
        if self._next_tempo is not self._skill.tempo:
            self._skill = self._skill.at(self._next_tempo)
            self._steering.set_tempo(self._next_tempo)
            self._use(self._edition)

    def _outside(self, ram: bytes, snapshot: Snapshot) -> Pad | None:
        """Returns the pad in menus and at the end of a game; None while a person or another pilot has to choose."""
        if self._score.last is not None:
            if snapshot.phase is Phase.OVER:
                self._score.game_over(snapshot)
            else:
                self._score.add_up(self._score.last)
            self.outside.ended()
        pad: Pad | None = None
        if not self.finished and (pads := self.outside.pads(ram, snapshot.state, self.waiting)) is not None:
            pad, self._beside = pads[self.port], pads[1 - self.port]
        self._steering.idle_pad(pad or Pad.NONE)
        return pad
