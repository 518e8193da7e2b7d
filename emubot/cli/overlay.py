"""`play --overlay`: draws the bots' plans over a running emulator's picture; decides nothing."""

from __future__ import annotations

from typing import TYPE_CHECKING

from emubot.errors import UsageError
from emubot.games.edition import part_of
from emubot.text import counted

if TYPE_CHECKING:
    from emubot.bridges import Drawable, Mark
    from emubot.pilot import Match, Pilot, View
    from emubot.pilot.tally import Tally
    from emubot.session.session import Session


def draw_over(opened: Session, match: Match) -> None:
    """Draw over each bridge's picture after every frame. Raises UsageError for a bridge that cannot draw."""
    from emubot.bridges import Drawable

    for bridge in opened.bridges:
        if not isinstance(bridge, Drawable):
            raise UsageError(
                f"The bridge {bridge.facts.name} cannot draw over its emulator's picture: leave out --overlay "
                "(--view window shows the same for emulators that emubot starts)."
            )
        _Drawing(opened, [pilot for pilot in match.pilots if pilot.bridge is bridge], bridge)


class _Drawing:
    """The marks over one bridge's picture: the plan of each of its pilots, and the figures if there is one pilot.

    The screen of two players may leave no room for figures: the free places of a game's screen are not known.
    """

    def __init__(self, opened: Session, pilots: list[Pilot], bridge: Drawable) -> None:
        edition, ram_map = opened.edition, opened.edition.ram_map
        self._bridge, self._piece = bridge, edition.game.looks.piece
        self._look = part_of(edition, "depiction", edition.depiction, "pieces to draw (--overlay)")
        self._screens = {
            seat.port: ram_map.screen(seat.port) if seat.port < ram_map.players else None for seat in opened.seats
        }
        self._marks: dict[int, list[Mark]] = {}
        self._alone = len(pilots) == 1
        for pilot in pilots:
            pilot.previews = True
            pilot.watchers.append(self._see)

    def _see(self, view: View) -> None:
        from emubot.view.overlay import marks

        self._marks[view.player] = marks(
            self._look,
            view.snapshot,
            self._screens[view.player],
            view.chosen,
            view.preview,
            _figures(self._piece, view.tally) if self._alone else "",
        )
        self._bridge.draw([mark for port in sorted(self._marks) for mark in self._marks[port]])


def _figures(piece: str, tally: Tally) -> str:
    """Returns the figures that the game itself does not show."""
    thought = f"  {tally.decision_ms[-1]:.1f} MS" if tally.decision_ms else ""
    return f"{counted(tally.pieces, piece).upper()}{thought}"
