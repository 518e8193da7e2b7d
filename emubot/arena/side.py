"""One side of a match: a player of a simulated machine, moved by a person or a bot; knows no network and no clock."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from functools import partial
from typing import Any, Final

import numpy as np

from emubot import games
from emubot.arena.catalogue import Offered, game_offer, preset
from emubot.arena.inputs import InputQueue
from emubot.arena.insight import Insight
from emubot.arena.request import MatchRequest, SideRequest
from emubot.arena.shown import count_of, fill_board
from emubot.arena.wire import Board
from emubot.bridges.image import image_reader
from emubot.bridges.simulated import SimulatedBridge
from emubot.errors import UsageError
from emubot.games.edition import Edition, part_of
from emubot.games.protocol import Game
from emubot.games.strength import Strength
from emubot.games.variety import Variety
from emubot.machine import Machine
from emubot.pad import Pad
from emubot.pilot import Goal, Pilot, Skill, View
from emubot.pilot.menus import MenuNavigator
from emubot.snapshot import Phase, Piece, Placement, Snapshot
from emubot.tempo import tempo_for_speed
from emubot.weights import Weights, load_weights

_MENU_FRAMES: Final = 2_000  # enough for the menus of any of our simulators
BOT_MS: Final = 16.0  # of a decision in a challenge
_PURPOSE: Final = "a game in the arena"


@dataclass(slots=True, eq=False)
class Console:
    """A simulated machine in a game, for one side or for both."""

    edition: Edition
    machine: Machine
    bridge: SimulatedBridge
    players: int
    read: Callable[[], bytes]  # the image of the last frame


class Side:
    """A player. Call `before` and `after` around each frame of its console; `board` then shows the frame.

    `over`, `in_control`, `pieces` and `count` are known after each frame. The board is filled only when it is asked
    for: a bot that plays hundreds of frames between two pictures draws none of them.
    """

    def __init__(self, console: Console, player: int) -> None:
        self.console, self.player = console, player
        self.over = False
        self.in_control = False
        self.pieces = 0
        self.count = 0  # of lines, or the longest chain
        self.on_its_way = 0  # garbage in the queue of the exchange, in units
        self._board = Board()
        self._fill: Callable[[], None] | None = None  # what the board does not show yet
        self._was_playing = False
        edition = console.edition
        self._look = part_of(edition, "depiction", edition.depiction, _PURPOSE)
        self._decode = edition.decoder(player)

    def before(self) -> None:
        """Press what is to be held in the next frame."""

    def after(self, frame: int) -> None:
        """Look at the frame that was played, and count a piece that has locked."""
        snapshot = self.snapshot()
        playing = snapshot.phase is Phase.PLAYING
        locked = self._was_playing and not playing
        self._was_playing = playing
        self._show(snapshot, pieces=self.pieces + locked)

    @property
    def board(self) -> Board:
        """The last frame as it is shown."""
        if self._fill is not None:
            self._fill()
            self._fill = None
            self._board.over = self.over
            self._board.garbage += self.on_its_way
        return self._board

    def show_pad(self, pad: Pad, echo: int = 0) -> None:
        """Show what is pressed, and the number of the input that it comes from."""
        self._board.pad, self._board.echo = pad, echo

    def snapshot(self) -> Snapshot:
        """Returns the frame as the family decodes it."""
        return self._decode(self.console.read())

    def _show(
        self, snapshot: Snapshot, chosen: Placement | None = None, preview: Piece | None = None, pieces: int = 0
    ) -> None:
        """Take a frame as the one to show."""
        self.over = self.over or (snapshot.phase is Phase.OVER and not snapshot.counters.get("won", 0))
        self.in_control = snapshot.phase is Phase.PLAYING and snapshot.current is not None
        looks = self.console.edition.game.looks
        self.count = max(self.count, count_of(looks, snapshot))
        self.pieces = pieces
        self._fill = partial(fill_board, self._board, looks, self._look, snapshot, chosen, preview, pieces)


class PersonSide(Side):
    """A side that a person plays: `inputs` has what is held."""

    def __init__(self, console: Console, player: int) -> None:
        super().__init__(console, player)
        self.inputs = InputQueue()

    def before(self) -> None:
        """Press what the person holds."""
        self.press(self.inputs.next_pad())

    def press(self, pad: Pad) -> None:
        """Hold this pad in the next frame."""
        self.console.bridge.press(self.player, pad)
        self.show_pad(pad, self.inputs.echo)


class BotSide(Side):
    """A side that a bot plays, by the pad alone."""

    def __init__(
        self, console: Console, player: int, bot: str, variety: Variety | None = None, milliseconds: float | None = None
    ) -> None:
        """`milliseconds` is the time of a decision, instead of the bot's own strength."""
        super().__init__(console, player)
        chosen = preset(bot)
        self.insight: Insight | None = None
        self.value: float | None = None  # of the latest decision
        game = console.edition.game
        own = chosen.strength(game.name)
        self._weights, self._tempo = _weights(game, own.weights), tempo_for_speed(chosen.speed)
        strength = Strength(own.nodes) if milliseconds is None else Strength(milliseconds=milliseconds)
        ahead = own.nodes is None  # two pieces ahead are found sooner than a thread has begun
        skill = Skill(self._weights, self._tempo, strength, ahead, variety)
        self.pilot = Pilot(console.bridge, Goal(games=1), console.edition, skill, port=player, leads=False)
        self.pilot.waiting.muted = True
        self.pilot.previews = True
        self.pilot.watchers.append(self._see)

    def after(self, frame: int) -> None:
        """Let the bot look and press for the next frame."""
        self.pilot.see(frame)

    def explain(self, tell: Callable[[dict[str, Any]], None]) -> None:
        """From now on tell what each decision was made from."""
        self.insight = Insight(self.console.edition, self._weights, self._tempo, tell)

    def _see(self, view: View) -> None:
        if self.insight is not None:
            self.insight.see(view.snapshot, view.chosen, view.tally.pieces)
        if view.chosen is not None:
            self.value = view.chosen.value
        self._show(view.snapshot, view.chosen, view.preview, view.tally.pieces)


def open_consoles(request: MatchRequest, seed: int) -> list[tuple[Console, int]]:
    """Returns each side's console, in the first frame of its game, and the side's player there.

    The same seed deals the same pieces to both sides. Raises UsageError for sides that cannot meet.
    """
    first = request.sides[0]
    offer = game_offer(first.game)
    shares = offer.game.has_versus and request.challenge is None
    if len(request.sides) > 1 and shares and all(side.game == first.game for side in request.sides):
        consoles = [_console(offer, first, seed, players=2)]
        seats = [(consoles[0], 0), (consoles[0], 1)]
    else:
        consoles = [_console(game_offer(side.game), side, seed, players=1) for side in request.sides]
        seats = [(console, 0) for console in consoles]
    if len({console.bridge.facts.frame_rate for console in consoles}) > 1:
        raise UsageError("These two games run at different frame rates: choose two of the same rate.")
    return seats


def open_sides(request: MatchRequest, seed: int) -> tuple[list[Console], list[Side]]:
    """Returns the consoles of a match and the sides in the request's order. Raises UsageError as open_consoles does."""
    seats, first = open_consoles(request, seed), request.sides[0]
    consoles = list(dict.fromkeys(console for console, _ in seats))
    equal = len(request.sides) > 1 and all(side.bot == first.bot and side.game == first.game for side in request.sides)
    milliseconds = None if request.challenge is None else BOT_MS
    sides: list[Side] = []
    for number, (side, (console, player)) in enumerate(zip(request.sides, seats, strict=True)):
        if side.bot is None:
            sides.append(PersonSide(console, player))
        else:
            variety = Variety(seed, number, game_offer(side.game).game.margin) if equal else None
            sides.append(BotSide(console, player, side.bot, variety, milliseconds))
    for side_ in sides:
        side_.after(0)
    return consoles, sides


def _console(offer: Offered, side: SideRequest, seed: int, players: int) -> Console:
    edition = games.open_edition(offer.load())
    game, ram_map = edition.game, edition.ram_map
    simulator = part_of(edition, "simulator", edition.simulator, _PURPOSE)
    machine = simulator.machine(np.random.default_rng(seed), even=True)
    bridge = SimulatedBridge(machine)
    console = Console(edition, machine, bridge, players, image_reader(bridge, ram_map.spaces))
    choices = dict(side.rules)
    if "mode" in ram_map.menu_choices:
        choices["mode"] = game.modes["versus" if players > 1 else "endless"]
    _enter_game(console, choices)
    return console


def _enter_game(console: Console, choices: dict[str, int]) -> None:
    """Go through the menus. Raises UsageError if no game begins."""
    ram_map = console.edition.ram_map
    navigator, decode = MenuNavigator(ram_map, choices), console.edition.decoder()
    bridge = console.bridge
    for _ in range(_MENU_FRAMES):
        ram = console.read()
        if decode(ram).phase.in_game:
            for port in (0, 1):
                bridge.release(port)
            return
        for port, pad in enumerate(navigator.pads(ram)):
            bridge.press(port, pad)
        bridge.advance()
    raise UsageError(f"No game of {ram_map.title} begins with these rules: choose others.")


def _weights(game: Game, name: str | None) -> Weights:
    return load_weights(name or game.facts.default_weights)
