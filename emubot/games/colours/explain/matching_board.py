"""The field of a matching game as explanations need it: a lock with all that follows it; knows no value and no text."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from numpy.typing import NDArray

from emubot.games.colours.board.matching_cells import Outcome, checked_field, put_piece, resolve_field, targets_in
from emubot.games.colours.matching_rules import Rules, entry_cells

Cells = NDArray[Any]  # uint8 (stored rows, columns)


@dataclass(frozen=True, slots=True, eq=False)
class After:
    """The field after a placement and all that followed it.

    If it is `lost`, the next piece cannot appear; if it is `won`, no target is left of the stage.
    """

    cells: Cells
    links: Cells
    outcome: Outcome
    lost: bool
    won: bool

    @property
    def targets(self) -> int:
        """The targets that are left."""
        return targets_in(self.cells)


def lock(cells: Cells, links: Cells, place: tuple[int, ...], kinds: tuple[int, ...], rules: Rules) -> After:
    """Returns the field after a piece at (orientation, column, row), row 0 being the highest visible one."""
    after, joints = checked_field(cells, links)
    orientation, column, row = place
    put_piece(after, joints, rules, (orientation, column, row), kinds)
    outcome = resolve_field(after, joints, rules)
    lost = any(after[row + rules.hidden_rows, column] for column, row in entry_cells(rules))
    won = bool(rules.targets and outcome.removed and not targets_in(after))
    return After(after, joints, outcome, lost and not won, won)
