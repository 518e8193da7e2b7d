"""How hard a bot thinks, what it plays for, and how late it sees the next piece; knows no search and no game."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Final

from emubot.errors import UsageError


@dataclass(frozen=True, slots=True)
class Strength:
    """Set once, from the command line down to the engine. None means the game's own value.

    A decision values about `nodes` boards, or as many as it can in `milliseconds`. `aim` is what is played for, and
    `aggression` (0 to 1) at what risk. The next piece counts as shown `see_next` frames after the current one came:
    each piece sets out without it, and may change course then. `threads` search a decision together, and find what one
    finds.
    """

    nodes: int | None = None
    milliseconds: float | None = None
    aim: str | None = None
    aggression: float | None = None
    see_next: int = 0
    threads: int = 1

    def refuse_budget(self) -> None:
        """Raise UsageError if a budget is given: for a search that has none."""
        if self.nodes is not None or self.milliseconds is not None:
            raise UsageError(f"The search of this game has no budget: leave out {self.budget_option}.")

    def refuse_aim(self) -> None:
        """Raise UsageError if an aim is given: for a search that has none to choose."""
        if self.aim is not None or self.aggression is not None:
            option = "--aggression" if self.aim is None else "--aim"
            raise UsageError(f"The search of this game has no aim to choose: leave out {option}.")

    def refuse_see_next(self) -> None:
        """Raise UsageError if the next piece is to be seen late: for a search that cannot do without it."""
        if self.see_next:
            raise UsageError("The search of this game needs the next piece: leave out --see-next.")

    def refuse_threads(self) -> None:
        """Raise UsageError if several threads are to search: for a search that has one."""
        if self.threads != 1:
            raise UsageError("The search of this game has one thread: leave out --threads.")

    @property
    def is_styled(self) -> bool:
        """Whether more than the budget was chosen."""
        return self != Strength(self.nodes, self.milliseconds)

    @property
    def budget_option(self) -> str:
        """The option that gave the budget."""
        return "--budget-ms" if self.nodes is None else "--nodes"


OWN: Final = Strength()  # the game's own
