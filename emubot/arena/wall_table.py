"""The table at which a wall of bots is shown; knows no socket."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Any

from emubot.arena.catalogue import offers
from emubot.arena.connection import PageConnection
from emubot.arena.match_pool import MatchPool
from emubot.arena.orders import Close, Order, Save, ToMatch
from emubot.arena.request import WallRequest
from emubot.arena.tables import Table
from emubot.errors import UsageError


@dataclass(eq=False)
class WallTable(Table):
    """A wall of bots: nobody plays it. `titles` are those of each seat's weights."""

    request: WallRequest = field(kw_only=True)
    titles: tuple[str, ...] = field(kw_only=True)
    link: MatchPool = field(kw_only=True)

    def describe(self) -> dict[str, Any]:
        """Returns the request, and what its games and weights are called."""
        return {"wall": self.request.model_dump(mode="json"), "titles": list(self.titles), "offers": offers()}

    def tell(self, order: Order) -> None:
        """Send an order to the wall. Raises UsageError if it is to be saved."""
        if isinstance(order, Save):
            raise UsageError("A wall is not saved: the same seed plays the same games.")
        self.link.tell(ToMatch(match=self.number, order=order))

    def put(self, client: PageConnection, side: int, message: bytes) -> None:
        """Drop the input."""

    def close(self) -> None:
        """End the wall."""
        self.tell(Close())
