"""A wall: up to sixteen bots at once, game after game, with a table of results; knows no clock and no page."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass
from itertools import combinations
from typing import Any, Final

from emubot.arena.catalogue import game_offer, preset, usual_nodes
from emubot.arena.entrants import load_entrant
from emubot.arena.match import ArenaMatch
from emubot.arena.request import MatchRequest, SideRequest, WallRequest, WallSeat
from emubot.arena.standings import Standings
from emubot.arena.wire import Board, Stage, pack_frame
from emubot.errors import UsageError
from emubot.games.strength import Strength
from emubot.pilot import Skill
from emubot.tempo import tempo_for_speed

MATCHES: Final = 8  # of a tournament at once: two boards each
SHARE: Final = 4  # of the usual nodes of a decision that a bot of a wall has: sixteen think with one processor
_SEEDS: Final = 2**31


@dataclass(slots=True, eq=False)
class WallGame:
    """A game on one board, or on two: who plays it, by number, and its seed."""

    entrants: tuple[int, ...]
    seed: int
    match: ArenaMatch
    ended: bool = False


class Schedule:
    """Who plays which game next. All play the same seeds, game by game, so that they can be compared.

    In a tournament that holds for each pair.
    """

    def __init__(self, request: WallRequest, seed: int, entrants: Sequence[int]) -> None:
        """`entrants` has the number of each seat's bot."""
        self._request, self._seed, self._entrants = request, seed, entrants
        self._begun: Counter[tuple[int, ...]] = Counter()
        self._of_bot: Counter[int] = Counter()
        self._pairs = list(combinations(dict.fromkeys(entrants), 2))

    @property
    def games(self) -> int:
        """How many games are played at once."""
        return len(self._entrants) if self._request.alone else MATCHES

    def next(self, place: int) -> tuple[tuple[int, ...], int]:
        """Returns who plays the next game in this place, and its seed."""
        if self._request.alone:
            key: tuple[int, ...] = (place,)
            players: tuple[int, ...] = (self._entrants[place],)
            step = self._begun[key] if self._request.same else place + self._begun[key] * self.games
        else:
            players = key = min(self._pairs, key=self._turn)
            step = self._begun[key]
        self._begun[key] += 1
        self._of_bot.update(players)
        return players, (self._seed + step) % _SEEDS

    def _turn(self, pair: tuple[int, ...]) -> tuple[int, int]:
        """Returns what is least for the pair that is next: its matches so far, then those of its bots."""
        return self._begun[pair], sum(self._of_bot[one] for one in pair)


class Wall:
    """All games of a wall. `tick` plays a frame of each; a game that ended stays until `renew`."""

    def __init__(self, request: WallRequest, seed: int) -> None:
        """Begins all games. Raises UsageError or WeightsError for weights that cannot play this game."""
        self.request = request
        self.ticks = 0
        self.is_paused = False
        self.bots = list(dict.fromkeys(request.seats))  # equal seats are one bot of the table
        self.standings = Standings(len(self.bots))
        self._skills = [skill_of(seat, request.game) for seat in self.bots]
        self._schedule = Schedule(request, seed, [self.bots.index(seat) for seat in request.seats])
        self.games = [self._begin(place) for place in range(self._schedule.games)]
        self.frame_rate = self.games[0].match.frame_rate

    def tick(self) -> list[int]:
        """Play one frame of each game that runs; returns the places of those that have ended with it."""
        self.ticks += 1
        ended = []
        for place, game in enumerate(self.games):
            if not game.ended:
                self._play(game)
                if self._is_over(game):
                    game.ended = True
                    self._count(game)
                    ended.append(place)
        return ended

    def renew(self, place: int) -> None:
        """Begin the next game in a place."""
        self.games[place].match.close()
        self.games[place] = self._begin(place)

    def frame(self) -> bytes:
        """Returns what is shown (wire.py): the boards of all games in their order."""
        stage = Stage.PAUSED if self.is_paused else Stage.PLAYING
        return pack_frame(self.ticks, stage, 0, self.boards)

    @property
    def boards(self) -> list[Board]:
        """The boards in their order."""
        return [side.board for game in self.games for side in game.match.sides]

    def told(self) -> dict[str, Any]:
        """Returns who plays on each board, the table, and for a tournament who has won how often against whom."""
        boards = [
            {"entrant": entrant, "seed": game.seed, "ended": game.ended}
            for game in self.games
            for entrant in game.entrants
        ]
        alone = self.request.alone
        cross = None if alone else {"won": self.standings.wins, "played": self.standings.meetings}
        return {"boards": boards, "rows": self.standings.rows(alone), "cross": cross}

    def close(self) -> None:
        """End all games."""
        for game in self.games:
            game.match.close()

    def _begin(self, place: int) -> WallGame:
        players, seed = self._schedule.next(place)
        request = self.request
        sides = tuple(SideRequest(game=request.game, bot=self.bots[number].bot) for number in players)
        skills = [self._skills[number] for number in players]
        return WallGame(players, seed, ArenaMatch(MatchRequest(sides=sides), seed, skills=skills))

    def _play(self, game: WallGame) -> None:
        try:
            game.match.tick()
        except UsageError as wrong:  # what a search cannot do with weights, its first decision says
            names = " and ".join(self.bots[number].entrant.partition(":")[2] for number in game.entrants)
            raise UsageError(f"{names}: {wrong}") from wrong

    def _is_over(self, game: WallGame) -> bool:
        most = self.request.pieces if self.request.alone else 0
        return game.match.finished or bool(most and game.match.sides[0].pieces >= most)

    def _count(self, game: WallGame) -> None:
        result = game.match.result()
        for entrant, side in zip(game.entrants, result["sides"], strict=True):
            self.standings.add(entrant, side["score"] if side["score"] is not None else side["count"], side["count"])
        if len(game.entrants) > 1:
            winner = result["winner"]
            first, second = game.entrants
            self.standings.meet(first, second, None if winner is None else game.entrants[winner])


def skill_of(seat: WallSeat, game: str) -> Skill:
    """Returns how a seat's bot plays. A decision is bounded by nodes, so that its games repeat.

    Raises UsageError or WeightsError for weights that are none.
    """
    offer, chosen = game_offer(game), preset(seat.bot)
    nodes, usual = chosen.strength(offer.family).nodes, usual_nodes(offer.family)
    if nodes is None and usual is not None:
        nodes = usual // SHARE
    weights = load_entrant(seat.entrant)
    return Skill(weights, tempo_for_speed(chosen.speed), Strength(nodes))
