"""The window through which a person watches and plays: picture, sound, keys, gamepads; decides nothing for the bot."""

from __future__ import annotations

import time
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from types import TracebackType
from typing import Any, Final, Self

from emubot.bridges.protocol import Bridge
from emubot.pad import Pad
from emubot.view.window.bindings import Bindings, WindowCommand, load_bindings
from emubot.view.window.canvas import Canvas, Cell
from emubot.view.window.help import Uses, command_key, help_lines
from emubot.view.window.layout import Screen
from emubot.view.window.person import PersonInput
from emubot.view.window.remote import RemoteControl
from emubot.view.window.sdl import no_window, open_display, pygame
from emubot.view.window.sources import pictured

_FRAME: Final = 1 / 60  # seconds
_MESSAGE: Final = 2.0  # seconds for which a message is shown
_EMU_SPEEDS: Final = {WindowCommand.SPEED_1: 1.0, WindowCommand.SPEED_2: 2.0, WindowCommand.SPEED_MAX: None}


@dataclass(frozen=True, slots=True)
class Controls:
    """The person's input after a frame.

    `pad` has been given to `Window.on_pad`. While `paused`, the caller plays no frame and calls again.
    """

    pad: Pad
    quit: bool
    paused: bool
    emu_speed: float | None


class Window:
    """A context manager around a session. Call `frame` once after every frame, and repeatedly while paused.

    `screens` has the position of each player's playfield on the picture (`RamMap.screen`), or None if the map has none.
    With two bridges the pictures are side by side, picture n is player n's, and only the first bridge is heard.
    """

    def __init__(
        self,
        bridges: Bridge | Sequence[Bridge],
        title: str,
        *,
        screens: Sequence[Screen | None] = (),
        bindings: Bindings | None = None,
        human: int | None = None,
        human_board: int = 0,
        on_speed: Callable[[int], int] | None = None,
        keeps_states: bool = True,
    ) -> None:
        """Opens nothing before `with`. Raises UsageError if a bridge has no picture or the bindings are wrong.

        `human` is the port of the person's keys and gamepads, on bridge number `human_board`; None if no person plays.
        No other port is ever written; with `on_pad` set, none at all. `on_speed` makes the bot slower (-1) or faster
        (+1) and returns its new speed. `keeps_states` is False if loading a state would spoil something, such as a
        recording.
        """
        views = [pictured(bridge) for bridge in ([bridges] if isinstance(bridges, Bridge) else bridges)]
        self._remote = RemoteControl(views, keeps_states and all(bridge.facts.save_states for bridge in views))
        self._pictures = len(views)
        self._title = title
        self._screens = screens
        self._bindings = bindings or load_bindings()
        self._commands = self._bindings.commands()
        self._human, self._human_board = human, human_board
        self.on_pad: Callable[[Pad], None] = self._press  # gets the person's pad once for each frame
        self.uses: Uses = {}  # what each button of the controller does in this game, for the list of keys
        self.status = ""  # the line for the person, below the figures
        self._person: PersonInput | None = None
        self._on_speed = on_speed
        self._overlay_shown = self._figures_shown = True
        self._help_shown = self._paused = self._quit = False
        self._message, self._message_ends = "", 0.0
        self._drawn = 0.0

    def __enter__(self) -> Self:
        """Open the window; raises UsageError if there is no display. Without an audio device it is silent."""
        open_display()
        try:
            pygame.font.init()
            self._canvas = Canvas(self._title, self._remote.sizes, lines=1 if self._human is None else 2)
            if self._human is not None:
                self._person = PersonInput(self._bindings, self._human)
        except pygame.error as failure:
            self._close()
            raise no_window(failure) from failure
        self._remote.start_sound()
        if key := command_key(self._bindings, WindowCommand.HELP):
            self.say(f"{key} lists the keys")
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self._close()

    def say(self, sentence: str) -> None:
        """Show a message in the middle of the window for two seconds."""
        self._message, self._message_ends = sentence, time.monotonic() + _MESSAGE

    def frame(self, overlays: Sequence[Sequence[Cell]] = (), figures: Sequence[str] = ()) -> Controls:
        """Show the current frame and read the person's input.

        `overlays` are the cells of each player's planned placement: (column, row with 0 on top, colour #rrggbb).
        `figures` has a line for each picture. At normal speed every frame is drawn, at a higher speed 60 per second.
        Never waits, except for a sixtieth of a second while paused.
        """
        self._remote.pass_sound_on()
        now = time.monotonic()
        if self._paused:
            time.sleep(_FRAME)
        if self._paused or self._remote.emu_speed == 1.0 or now - self._drawn >= _FRAME:
            self._drawn = now
            for event in pygame.event.get():
                self._hear(event)
            self._draw(overlays, figures)
        pad = Pad.NONE
        if self._person is not None:
            pad = self._person.pad()
            self.on_pad(pad)
        return Controls(pad, self._quit, self._paused, self._remote.emu_speed)

    def _draw(self, overlays: Sequence[Sequence[Cell]], figures: Sequence[str]) -> None:
        message = self._message if time.monotonic() < self._message_ends else ""
        self._canvas.draw(
            self._remote.pictures(),
            self._placed(overlays) if self._overlay_shown else [],
            figures if self._figures_shown else (),
            self._stopped() if self._paused and not message else message,
            self.status,
            help_lines(self._bindings, self._human, self.uses) if self._help_shown else (),
        )

    def _stopped(self) -> str:
        key = command_key(self._bindings, WindowCommand.PAUSE)
        return f"everything stands still; {key} goes on" if key else "everything stands still"

    def _press(self, pad: Pad) -> None:
        if self._human is not None:
            self._remote.press(self._human_board, self._human, pad)

    def _placed(self, overlays: Sequence[Sequence[Cell]]) -> list[tuple[int, Screen, Sequence[Cell]]]:
        """Returns each player's cells with the number of the picture and the playfield's position on it."""
        placed = []
        for player, cells in enumerate(overlays):
            number, place = (player, 0) if self._pictures > 1 else (0, player)
            screen = self._screens[place] if place < len(self._screens) else None
            if screen is not None and number < self._pictures:
                placed.append((number, screen, cells))
        return placed

    def _hear(self, event: Any) -> None:
        if event.type == pygame.QUIT:
            self._quit = True
        elif event.type == pygame.KEYDOWN and event.key in self._commands:
            self._obey(self._commands[event.key])
        elif self._person is not None and (sentence := self._person.hear(event)):
            self.say(sentence)

    def _obey(self, command: WindowCommand) -> None:
        if command in _EMU_SPEEDS:
            self.say(self._remote.set_speed(_EMU_SPEEDS[command]))
            return
        match command:
            case WindowCommand.QUIT:
                self._quit = True
            case WindowCommand.HELP:
                self._help_shown = not self._help_shown
            case WindowCommand.PAUSE:
                self._paused = not self._paused
            case WindowCommand.SAVE:
                self.say(self._remote.save())
            case WindowCommand.LOAD:
                self.say(self._remote.load())
            case WindowCommand.SLOWER | WindowCommand.FASTER:
                self._change_bot_speed(-1 if command is WindowCommand.SLOWER else 1)
            case WindowCommand.OVERLAY:
                self._overlay_shown = not self._overlay_shown
            case WindowCommand.FIGURES:
                self._figures_shown = not self._figures_shown
            case WindowCommand.MUTE:
                self.say(self._remote.mute())
            case WindowCommand.FULLSCREEN:
                self._canvas.toggle_fullscreen()

    def _change_bot_speed(self, change: int) -> None:
        if self._on_speed is None:
            self.say("the bot's speed is fixed in this session")
        else:
            self.say(f"bot speed {self._on_speed(change)}")

    def _close(self) -> None:
        self._remote.stop_sound()
        if self._person is not None:
            self._person.leave()
        pygame.font.quit()
        pygame.display.quit()
