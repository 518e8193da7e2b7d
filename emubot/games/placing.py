"""Games of placements on a cartridge, beside the same game in arrays that shows them; knows no family and no emulator.

The cartridge deals the pieces. After each lock the board in its memory must be that of the rules in the arrays.
"""

from __future__ import annotations

from abc import abstractmethod
from collections.abc import Mapping, Sequence
from typing import Final

import numpy as np
from numpy.typing import NDArray

from emubot.errors import BridgeError, UsageError
from emubot.games.batch import WAITS, Batch, Console
from emubot.games.edition import Edition
from emubot.games.lots import draw
from emubot.games.strength import Strength
from emubot.pad import Pad
from emubot.snapshot import Phase, Snapshot
from emubot.steering import Steering
from emubot.tempo import Tempo
from emubot.weights import load_weights

_LONGEST: Final = 20_000  # frames from one piece under control to the next; a long chain of pairs takes 2,000

Place = tuple[int, ...]


class PlacedBatch(Batch):
    """Games of placements, of which a batch of one game can be that on a cartridge."""

    @abstractmethod
    def adopt(self, snapshot: Snapshot) -> None:
        """Go on with the pieces that the cartridge has dealt; before the first lock also with its field."""

    @abstractmethod
    def action_of(self, place: Sequence[int]) -> int | None:
        """Returns the action of a lock, as the family's search names it; None if there is none, as for a tuck."""

    @abstractmethod
    def is_shown(self, snapshot: Snapshot) -> bool:
        """Returns whether the cartridge's board is that of the game."""


class CartridgePlayer:
    """Plays placements of the first player, each until the next piece is under control."""

    def __init__(self, console: Console, edition: Edition, tempo: Tempo) -> None:
        """Raises UsageError for what the edition's search cannot do."""
        self._console, self._decode = console, edition.decoder()
        weights = load_weights(edition.game.facts.default_weights)
        self._thinker = edition.thinker(weights, tempo, Strength(nodes=0))
        ram_map = edition.ram_map
        self._steering = Steering(tempo, 0, ram_map.buttons, ram_map.press)
        self.snapshot = self._decode(bytes(ram_map.image_size))

    @property
    def is_over(self) -> bool:
        """Whether the game has ended."""
        return self.snapshot.phase is Phase.OVER

    def begin(self, choices: Mapping[str, int], wait: int) -> None:
        """Go to a new game's first piece under control. Raises UsageError if the menus lead to none."""
        self._steering.forget()
        self.snapshot = self._decode(self._console.begin(choices, wait))
        self._until_control()

    def places(self) -> list[Place]:
        """Returns where the piece under control can lock."""
        found: list[Place] = []

        def note(places: Sequence[Sequence[int]], values: Sequence[float]) -> int:
            found.extend(tuple(map(int, place)) for place in places)
            return 0

        self._steering.new_piece()
        if not self.is_over:
            self._thinker.decide(self.snapshot, self._steering.input_state(), note)
        return found

    def place(self, index: int, goes_on: bool) -> None:
        """Lock the piece at one of `places`, and where the game goes on wait for the next one.

        Raises BridgeError if the piece goes elsewhere.
        """
        decision = self._thinker.decide(self.snapshot, self._steering.input_state(), lambda *_: index)
        placement = decision.placement
        if placement is None or not placement.timeline:
            raise UsageError("The map does not say when pieces fall, so that no placement can be played by the frame.")
        self._steering.follow(placement, after_lock=decision.after_lock)
        for _ in range(_LONGEST):
            piece = self.snapshot.current
            assert piece is not None
            self._step(self._steering.next_pad(piece))
            if self.snapshot.phase is not Phase.PLAYING or self._steering.is_over or self.snapshot.current is None:
                break
            if not self._steering.agrees(self.snapshot.current):
                raise BridgeError(f"The piece went to {self.snapshot.current}, and not the way to {placement}.")
        if goes_on:
            self._until_control()

    def _until_control(self) -> None:
        for _ in range(_LONGEST):
            if self.is_over or (self.snapshot.phase is Phase.PLAYING and self.snapshot.current is not None):
                return
            self._step(self._steering.between_pad())
        raise BridgeError(f"No next piece came in {_LONGEST:,} frames; the cartridge is in {self.snapshot.state!r}.")

    def _step(self, pad: Pad) -> None:
        self.snapshot = self._decode(self._console.step(pad))


class PlacedGame(Batch):
    """One game on a cartridge, shown by a batch of one game in arrays; see Batch. `choices` are those of its menus.

    A seed draws the wait before the first button of the menus, and with it the pieces. A step raises BridgeError if the
    cartridge's board is another one than the rules say.
    """

    def __init__(
        self, model: PlacedBatch, console: Console, player: CartridgePlayer, choices: Mapping[str, int]
    ) -> None:
        self.rate, self.looks, self.numbers, self.actions = model.rate, model.looks, model.numbers, model.actions
        self._model, self._console, self._player, self._choices = model, console, player, choices
        self._cells, self._hidden, self._lots = model._cells, model._hidden, model._lots
        self.counters, self.mask, self.rewards = model.counters, model.mask, model.rewards
        self.ended, self.cut = model.ended, model.cut
        self._index: dict[int, int] = {}  # of a place by its action

    def close(self) -> None:
        """End the emulator."""
        self._console.close()

    def _coming(self, column: int) -> NDArray[np.int64]:
        return self._model._coming(column)

    def _begin(self, game: int) -> None:
        wait = int(draw(self._lots[game], WAITS))
        self._model._begin(game)
        self._player.begin(self._choices, wait)
        self._show()

    def _step(self, actions: NDArray[np.int64]) -> bool:
        action = int(actions[0])
        if not 0 <= action < len(self.actions):
            return False
        if self.ended[0] or self.cut[0]:
            self._begin(0)
            return True
        while action not in self._index:
            action = (action + 1) % len(self.actions)
        index = self._index[action]
        self._model._step(np.array([action]))
        self._player.place(index, goes_on=not self.ended[0])
        if not self.ended[0]:
            self._show()
        return True

    def _show(self) -> None:
        """Show the cartridge's pieces, and what it can do with them, on the board that the rules have left."""
        player, model = self._player, self._model
        if not player.is_over:
            model.adopt(player.snapshot)
        actions = [model.action_of(place) for place in player.places()]
        self._index = {action: index for index, action in enumerate(actions) if action is not None}
        self.mask[0] = 0
        self.mask[0, list(self._index)] = 1
        self.ended[0] = not self._index
        if self.ended[0]:
            self.cut[0] = False
        elif not model.is_shown(player.snapshot):
            raise BridgeError("The cartridge's board is not what the rules of the environment make of its pieces.")
