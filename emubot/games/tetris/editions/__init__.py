"""Falling blocks as a map's cartridge plays them, one class for each kind of map; decides nothing itself."""

from __future__ import annotations

from collections.abc import Iterable

from emubot.games.findings import Finding
from emubot.games.protocol import Game
from emubot.games.tetris.decode import map_checks
from emubot.games.tetris.decode.map_checks import is_open, profile_of
from emubot.games.tetris.editions.shared import TetrisEdition
from emubot.rammap import RamMap


def open_edition(game: Game, ram_map: RamMap) -> TetrisEdition:
    """Returns the edition of a map. Raises MapError if the family cannot play by it."""
    if profile_of(ram_map) is not None:
        from emubot.games.tetris.editions.release import ReleaseEdition

        return ReleaseEdition(game, ram_map)
    if is_open(ram_map):
        from emubot.games.tetris.editions.open import OpenEdition

        return OpenEdition(game, ram_map)
    from emubot.games.tetris.anyboard.checks import has_own_board

    if has_own_board(ram_map):
        from emubot.games.tetris.editions.anyboard import AnyboardEdition

        return AnyboardEdition(game, ram_map)
    from emubot.games.tetris.editions.mapped import MappedEdition

    return MappedEdition(game, ram_map)


def findings(ram_map: RamMap) -> Iterable[Finding]:
    """Returns everything that the family cannot play in a map."""
    if is_open(ram_map):
        from emubot.games.tetris.learning.open_map import open_findings

        return open_findings(ram_map)
    from emubot.games.tetris.anyboard import checks as own_checks

    return own_checks.findings(ram_map) if own_checks.has_own_board(ram_map) else map_checks.findings(ram_map)
