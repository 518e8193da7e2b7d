"""Goes on from a colour game's field and piece to its rules and phases; writes no map."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from typing import Final

import numpy as np

from emubot.discovery import phases
from emubot.discovery.colours.codes import Codes, is_fresh, sorted_codes
from emubot.discovery.colours.findings import ColourFindings
from emubot.discovery.colours.kicks import Kicks, kicks_of
from emubot.discovery.colours.laws import PUYO, Judged, Law, laws_of
from emubot.discovery.colours.moves import Move
from emubot.discovery.colours.playing import Player
from emubot.discovery.lab import Lab
from emubot.discovery.screens import STACK, Teller
from emubot.errors import NotDiscovered
from emubot.text import counted

_ROUND: Final = 12_000  # frames that are played until it is looked whether they tell enough
_ROUNDS: Final = 4
_CLEARINGS: Final = 12  # moves with which something must have vanished
_MOST_HIDDEN: Final = 4
_PHASES: Final = 50  # moves whose frames tell the phases apart


@dataclass(frozen=True, slots=True)
class ColourStudy:
    """All that is known of a colour game. `games` has the moves that were watched, `frames` counts all experiments."""

    findings: ColourFindings
    games: tuple[tuple[Move, ...], ...]
    codes: Codes
    judged: Judged
    law: Law
    kicks: Kicks
    phases: phases.Phases
    frames: int

    @property
    def hidden(self) -> int:
        """How many rows are above what is shown: those that take no part, or else by where pieces enter."""
        return self.law.hidden if self.law.family == PUYO else min(hidden_rows(self.findings), _MOST_HIDDEN)

    @property
    def moves(self) -> list[Move]:
        """All moves that were watched."""
        return [move for game in self.games for move in game]


def study(lab: Lab, findings: ColourFindings, tell: Callable[[str], None]) -> ColourStudy:
    """Returns what the experiments found; `tell` gets a line for each. Raises NotDiscovered for what must be found."""
    player = Player(lab, findings, np.random.default_rng(0))
    games: list[Sequence[Move]] = []
    tell("playing so that cells vanish ...")
    for _ in range(_ROUNDS):
        games += player.games(_ROUND)
        codes = sorted_codes(findings.field, games)
        judged = laws_of(findings.field, len(findings.piece.parts), codes, games)
        if judged.clearings >= _CLEARINGS and codes.colors_known and len(_meanings(judged)) <= 1:
            break
    law = _law(findings, codes, judged)
    tell(f"{_told(law)}: so it was in {counted(judged.clearings, 'move')} of {judged.moves}.")
    tell("trying turns at walls and on the floor ...")
    kicks = kicks_of(lab, findings)
    tell("playing on to the end of a game, and back to a new one ...")
    moves = [move for game in games for move in game]
    seen = phases.see(player.dropper, findings.play, findings.stations, _telling(moves, codes))
    taken = findings.field.bytes | findings.piece.bytes
    # The stack and the sprites have numbers that only look as if they meant something.
    told = _phases(seen, taken | {*STACK} | findings.sprites)
    return ColourStudy(findings, tuple(map(tuple, games)), codes, judged, law, kicks, told, lab.frames)


def _phases(seen: phases.Seen, taken: set[int]) -> phases.Phases:
    """Returns what tells the phases apart.

    Where nothing is true of the frames between two pieces alone, what is true of a whole game comes after what is true
    while a piece is under control.
    """
    told = phases.tell(seen, taken, set())
    if told.between.numbers:
        return told
    elsewhere = np.concatenate([seen.paused, seen.menus])
    parts = [part for part in (seen.control, seen.between, seen.paused, seen.menus) if len(part)]
    teller = Teller(parts, taken, set())
    playing = teller.tell(seen.control, np.concatenate([seen.between, elsewhere]), fixed=True)
    game = teller.tell(np.concatenate([seen.control, seen.between]), elsewhere, first=[*playing.numbers])
    return replace(told, playing=playing, between=game) if playing.whole and game.whole else told


def _telling(moves: Sequence[Move], codes: Codes) -> list[Move]:
    """Returns moves of all games, and those after which a stage began."""
    every = max(len(moves) // _PHASES, 1)
    return [
        move
        for number, move in enumerate(moves)
        if move.after is not None and (number % every == 0 or is_fresh(move, codes.targets))
    ]


def _meanings(judged: Judged) -> set[tuple[str, int, tuple[tuple[int, int], ...]]]:
    """Returns what differs in the laws, but for the number of hidden rows."""
    return {(law.match, law.size, law.targets) for law in judged.laws}


def _law(findings: ColourFindings, codes: Codes, judged: Judged) -> Law:
    if not judged.laws:
        raise NotDiscovered(
            f"Cells of {counted(len({*findings.field.colors.values()}), 'colour')} fill a field of "
            f"{findings.field.rows} rows and {findings.field.columns} columns, but no rule of a known family foretells "
            f"what {counted(judged.moves, 'piece')} left of it: {judged.illegible} of them no rule explains."
        )
    if len(meanings := _meanings(judged)) > 1:
        kinds = ", ".join(f"{match} of {size}" for match, size, _ in sorted(meanings))
        raise NotDiscovered(
            f"What vanishes stays open after {counted(judged.clearings, 'clearing')}: it may be {kinds}."
        )
    return min(judged.laws, key=lambda law: abs(law.hidden - hidden_rows(findings)))


def hidden_rows(findings: ColourFindings) -> int:
    """Returns how many rows are probably above what is shown: a piece of two enters with a cell in the highest one."""
    number, _, row = findings.piece.spawn
    cells = next(one.cells for one in findings.piece.orientations if one.number == number)
    return max(row + max(dy for _, dy in cells), 0) if len(cells) == 2 else findings.field.hidden


def _told(law: Law) -> str:
    what = {"groups": "cells of one colour that touch", "lines": "in a line", "diagonals": "in a line or a diagonal"}
    return f"{law.size} {what[law.match]} vanish"
