"""Says now and then how a game goes, where no board can be drawn: a file, a pipe, a terminal that cannot redraw."""

from __future__ import annotations

from collections.abc import Callable
from functools import partial
from typing import TYPE_CHECKING

from emubot.cli.describe import describe_game
from emubot.cli.terminal import NowAndThen

if TYPE_CHECKING:
    from emubot.looks import Looks
    from emubot.pilot import Match, View


def with_lines(looks: Looks, match: Match) -> Callable[[], None]:
    """Returns a function that plays one frame, and prints a line about each player from time to time."""
    latest: dict[int, View] = {}
    lines = NowAndThen()

    def see(seat: int, view: View) -> None:
        latest[seat] = view

    for seat, pilot in enumerate(match.pilots):
        pilot.watchers.append(partial(see, seat))

    def described() -> str:
        return "\n".join(
            f"{f'player {seat + 1}: ' if len(latest) > 1 else ''}"
            f"{describe_game(looks, view.tally.pieces, view.snapshot.counters)}; {view.snapshot.state}"
            for seat, view in sorted(latest.items())
        )

    def step() -> None:
        match.step()
        if latest:
            lines.say(described)

    return step
