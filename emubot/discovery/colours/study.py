"""Goes on from a colour game's field and piece to its rules and phases; writes no map."""

from __future__ import annotations

from collections.abc import Callable, Sequence, Set
from dataclasses import dataclass, replace
from typing import Final

import numpy as np

from emubot.discovery import phases
from emubot.discovery.colours.codes import Codes, is_fresh, sorted_codes
from emubot.discovery.colours.fields import deepened
from emubot.discovery.colours.findings import ColourFindings
from emubot.discovery.colours.idling import after_last, before_first
from emubot.discovery.colours.kicks import Kicks, kicks_of
from emubot.discovery.colours.laws import DIAGONALS, LINES, PUYO, Judged, Law, laws_of
from emubot.discovery.colours.moves import Move
from emubot.discovery.colours.playing import Player
from emubot.discovery.colours.showing import hidden_in_picture
from emubot.discovery.lab import History, Lab
from emubot.discovery.screens import STACK, Teller, Told
from emubot.errors import NotDiscovered
from emubot.games.colours.rules import COLORS
from emubot.text import counted

_ROUND: Final = 12_000  # frames that are played until it is looked whether they tell enough
_ROUNDS: Final = 7
_CLEARINGS: Final = 12  # moves with which something must have vanished
_MOST_HIDDEN: Final = 4
_PAIR: Final = 2  # parts of a piece
_MORE: Final = 2_000  # frames of the next game
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
    if (colors := len({*findings.field.colors.values()})) > COLORS:
        raise NotDiscovered(f"Cells have {colors} colours, and games of at most {COLORS} are known.")
    tell("playing so that cells vanish ...")
    player, games = _to_the_floor(lab, findings)
    findings = player.findings
    for number in range(_ROUNDS):
        if number:
            games += replace(player, diagonals=number % 2 == 1).games(_ROUND)
        codes = sorted_codes(findings.field, games)
        judged = laws_of(findings.field, len(findings.piece.parts), codes, games)
        if judged.clearings >= _CLEARINGS and _has_all(findings, codes) and len(_meanings(judged)) <= 1:
            break
    tell("piling pieces up to see which rows the picture shows ...")
    findings = replace(findings, field=replace(findings.field, hidden=hidden_in_picture(player)))
    law = _law(findings, codes, judged)
    tell(f"{_told(law)}: so it was in {counted(judged.clearings, 'move')} of {judged.moves}.")
    tell("trying turns at walls and on the floor ...")
    kicks = kicks_of(lab, findings)
    tell("playing on to the end of a game, and back to a new one ...")
    moves = [move for game in games for move in game]
    seen = phases.see(player.dropper, findings.play, findings.stations, _telling(moves, codes))
    game = np.concatenate([seen.control, seen.between])
    seen = _with_next_game(player, _without_last_fall(seen, _taken(findings)))
    idle = [before_first(findings, start) for start in player.starts]
    ends, over = after_last(findings, player.ends, seen.lost, game, _taken(findings))
    told = _phases(findings, replace(seen, over=np.concatenate([seen.control[:0], *over])), idle + ends)
    return ColourStudy(findings, tuple(map(tuple, games)), codes, judged, law, kicks, told, lab.frames)


def _to_the_floor(lab: Lab, findings: ColourFindings) -> tuple[Player, list[Sequence[Move]]]:
    """Returns the games of the first round, and who played them: it knows all rows in which pieces come to rest."""
    while True:
        player = Player(lab, findings, np.random.default_rng(0))
        games: list[Sequence[Move]] = [*player.games(_ROUND)]
        moves = [move for game in games for move in game]
        field = deepened(findings.field, moves)
        if field is findings.field:
            return player, games
        findings = replace(findings, field=field)


def _has_all(findings: ColourFindings, codes: Codes) -> bool:
    """Returns whether there are no targets, or one of each colour. What only seems to be a wall may be one yet."""
    colors = {*findings.field.colors.values()}
    return not (codes.targets or codes.walls) or (codes.colors_known and len(codes.targets) == len(colors))


def _without_last_fall(seen: phases.Seen, taken: Set[int]) -> phases.Seen:
    """Returns what was seen without the frames after the last lock in which the game is not over yet.

    It is when something changes for good that was the same in the whole game.
    """
    last, *others = seen.back
    game = np.concatenate([seen.control, seen.between])
    free = [index for index in np.flatnonzero((game == game[0]).all(0)) if index not in taken]
    other = last.frames[:, free] != game[0, free]
    stays = np.logical_and.accumulate(other[::-1], axis=0)[::-1].sum(0)
    at = len(other) - int(stays[~other[0]].max(initial=0))
    return replace(seen, back=(replace(last, frames=last.frames[at:]), *others)) if at < len(other) else seen


def _with_next_game(player: Player, seen: phases.Seen) -> phases.Seen:
    """Returns what was seen with some moves of the next game: bytes that only the first one left there differ in it."""
    if seen.again is None:
        return seen
    after = replace(player, findings=replace(player.findings, play=seen.again, stations=seen.back))
    moves = [move for game in after.games(_MORE) for move in game if move.after is not None]
    return replace(
        seen,
        control=np.concatenate([seen.control, *(move.controlled for move in moves)]),
        between=np.concatenate(
            [
                seen.between,
                *(before_first(player.findings, start)[-1:] for start in player.starts),
                *(move.between for move in moves),
            ]
        ),
    )


def _taken(findings: ColourFindings) -> set[int]:
    """Returns the bytes that tell no phase: the stack and the sprites only look as if they meant something."""
    return {*findings.field.bytes, *findings.piece.bytes, *STACK, *findings.sprites}


def _phases(findings: ColourFindings, seen: phases.Seen, idle: Sequence[History]) -> phases.Phases:
    """Returns what tells the phases apart. In the frames `idle` no piece was under control.

    What is true of a whole game comes after what is true while a piece is under control, and says that none is: what
    is true between two pieces alone may be left as it is when a game ends. Where nothing else says that a piece is
    under control, the piece's own bytes may say that none is: it is put aside, or has no colours. So may any one number
    where only several bytes together, rather by chance, say that one is.
    """
    taken = _taken(findings)
    told = phases.tell(seen, taken, set())
    elsewhere = np.concatenate([seen.paused, seen.menus()])
    parts = [part for part in (seen.control, seen.between, seen.paused, seen.menus()) if len(part)]
    teller = Teller(parts, taken, set(), seen.late)
    others = np.concatenate([seen.between, elsewhere, *idle])
    playing = teller.tell(seen.control, others, fixed=True)
    game = teller.tell(np.concatenate([seen.control, seen.between]), elsewhere, first=[*playing.numbers])
    own = {findings.piece.row.index, *(part.index for part in findings.piece.parts)}
    none = Teller(parts, taken - own, set(), seen.late).tell(seen.between, np.concatenate([seen.control, elsewhere]))
    is_simple = none.whole and [len(numbers) for numbers in none.numbers.values()] == [1]
    is_chance = is_simple and len(playing.numbers.keys() - game.numbers.keys()) > 1
    if playing.whole and game.whole and not is_chance:
        return replace(told, playing=_within(game, playing, seen.control), between=game)
    if none.whole and game.whole and (is_chance or own & none.numbers.keys()):
        return replace(told, playing=replace(game, apart=1 - len(seen.between) / len(others)), between=none)
    return told


def _within(game: Told, playing: Told, control: History) -> Told:
    """Returns what is true while a piece is under control and a game goes on: some ends leave the former as it is."""
    steady = [index for index in game.numbers if (control[:, index] == control[0, index]).all()]
    return replace(playing, numbers={index: (int(control[0, index]),) for index in steady} | {**playing.numbers})


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
    if len(meanings := _meanings(judged)) > 1 and not _is_open(meanings):
        kinds = ", ".join(f"{match} of {size}" for match, size, _ in sorted(meanings))
        raise NotDiscovered(
            f"What vanishes stays open after {counted(judged.clearings, 'clearing')}: it may be {kinds}."
        )
    hidden = hidden_rows(findings)
    return min(judged.laws, key=lambda law: (law.match == DIAGONALS, abs(law.hidden - hidden)))


def _is_open(meanings: Set[tuple[str, int, tuple[tuple[int, int], ...]]]) -> bool:
    """Returns whether it is only open if diagonals count, too: then they hardly ever come, and are not planned."""
    return {match for match, _, _ in meanings} == {LINES, DIAGONALS} and len(
        {(size, targets) for _, size, targets in meanings}
    ) == 1


def hidden_rows(findings: ColourFindings) -> int:
    """Returns how many rows the picture does not show, or probably does not: pieces enter with a cell in its first."""
    if findings.field.hidden is not None:
        return findings.field.hidden
    cells = findings.piece.cells_at(*findings.piece.spawn)
    return max(*(row for _, row in cells), 0) if len(cells) == _PAIR else 0


def _told(law: Law) -> str:
    what = {"groups": "cells of one colour that touch", "lines": "in a line", "diagonals": "in a line or a diagonal"}
    return f"{law.size} {what[law.match]} vanish"
