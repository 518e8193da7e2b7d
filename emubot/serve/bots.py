"""Answers questions with the bots of all families; knows no HTTP. One thread at a time asks."""

from __future__ import annotations

from collections import OrderedDict
from collections.abc import Callable
from typing import TYPE_CHECKING, Any, Final, NamedTuple

from emubot.errors import PositionError, UsageError
from emubot.explanation import DrawnPosition, ExplainOptions
from emubot.games import game, names
from emubot.games.edition import part_of
from emubot.games.protocol import Explainable, require_part
from emubot.games.strength import Strength
from emubot.games.thinker import EngineThinker, Ranking
from emubot.human_error import parse_human_error
from emubot.serve.questions import Bot, Decide, Drawn, Explain, Place, Rank, Review
from emubot.session.explained import as_json, inputs_of
from emubot.session.positions import FoundPosition, explainer_of
from emubot.tempo import InputState, Tempo, parse_taps
from emubot.weights import Weights, load_weights

if TYPE_CHECKING:
    from emubot.games.edition import Edition
    from emubot.snapshot import Placement, Snapshot

_KEPT: Final = 8  # thinkers, one for each kind of bot


class _Asked(NamedTuple):
    """A position with the bot that is asked about it."""

    edition: Edition
    snapshot: Snapshot
    engine: Any  # games.thinker.Engine, of the family's own tasks
    task: Any

    def ranking(self) -> Ranking:
        ranking: Ranking = self.engine.rank(self.task)
        return ranking


class Bots:
    """The bots that were asked lately, each with its weights loaded."""

    def __init__(self) -> None:
        self._weights: dict[str, Weights] = {}
        self._thinkers: OrderedDict[tuple[object, ...], EngineThinker[Any, Any]] = OrderedDict()

    def answer(self, name: str, asked: Any) -> dict[str, Any]:
        """Returns the answer to a question of QUESTIONS. Raises EmubotError, in a sentence, if it has none."""
        answers: dict[str, Callable[[Any], dict[str, Any]]] = {
            "decide": self.decide,
            "rank": self.rank,
            "explain": self.explain,
            "review": self.review,
        }
        return answers[name](asked)

    def decide(self, asked: Decide) -> dict[str, Any]:
        """Returns where the bot puts the piece, and by which buttons; None where no placement can be reached."""
        found = self._asked(asked, asked)
        ranking = found.ranking()
        if not len(ranking.values):
            return {"placement": None, "nodes": ranking.nodes}
        best = found.engine.placement(found.task, ranking, int(ranking.values.argmax()))
        return {"placement": _placement(found, best), "nodes": ranking.nodes}

    def rank(self, asked: Rank) -> dict[str, Any]:
        """Returns the placements, the best first."""
        found = self._asked(asked, asked)
        ranking = found.ranking()
        order = (-ranking.values).argsort(kind="stable")[: asked.top].tolist()
        placements = [found.engine.placement(found.task, ranking, index) for index in order]
        return {
            "placements": [_placement(found, placement) for placement in placements],
            "reachable": len(ranking.values),
            "nodes": ranking.nodes,
        }

    def explain(self, asked: Explain) -> dict[str, Any]:
        """Returns what `emubot explain --json` does."""
        edition, snapshot = self._position(asked, asked)
        name = edition.game.facts.default_weights
        human = None if asked.human_error is None else parse_human_error(asked.human_error)
        options = ExplainOptions(asked.nodes, asked.top, asked.rollouts, asked.seed, asked.aim, human=human)
        explained = explainer_of(edition).explain(snapshot, self._weights_of(edition), parse_taps(asked.taps), options)
        look = part_of(edition, "depiction", edition.depiction, "pieces to draw")
        return as_json(FoundPosition(edition, snapshot), look, explained, name, options)

    def review(self, asked: Review) -> dict[str, Any]:
        """Returns for each move the best one and what was lost against it, in the unit of the values."""
        moves = [self._reviewed(asked, move, move.played) for move in asked.moves]
        lost = [move["loss"] for move in moves if move["loss"] is not None]
        return {"moves": moves, "judged": len(lost), "mean_loss": sum(lost) / len(lost) if lost else None}

    def _reviewed(self, bot: Bot, drawn: Drawn, played: Place) -> dict[str, Any]:
        found = self._asked(bot, drawn)
        ranking = found.ranking()
        if not len(ranking.values):
            return {"best": None, "value": None, "loss": None}
        best = found.engine.placement(found.task, ranking, int(ranking.values.argmax()))
        values = ranking.values.tolist()
        own = [
            found.engine.placement(found.task, ranking, at) for at in range(len(values)) if _may_be(ranking, at, played)
        ]
        value = next((one.value for one in own if (one.orientation, one.column, one.row) == _place(played)), None)
        loss = None if value is None else max(max(values) - value, 0.0)
        return {"best": _placement(found, best), "value": value, "loss": loss}

    def _asked(self, bot: Bot, drawn: Drawn) -> _Asked:
        edition, snapshot = self._position(bot, drawn)
        tempo = parse_taps(bot.taps)
        engine = self._thinker(bot, edition, tempo).engine
        task = engine.task(snapshot, InputState(rest=tempo.reaction, turn_rest=tempo.reaction), True)
        if task is None:
            raise PositionError("No piece is in the air: name it with piece.")
        return _Asked(edition, snapshot, engine, task)

    def _position(self, bot: Bot, drawn: Drawn) -> tuple[Edition, Snapshot]:
        family = require_part(game(bot.game or names()[0]), Explainable, "explained decisions")
        lines = tuple(line.rstrip() for line in drawn.board if line.strip())
        drawing = DrawnPosition(
            lines, drawn.piece, drawn.next, drawn.level, drawn.lines, bot.rules, bot.colors, bot.pace
        )
        return family.position(drawing)

    def _thinker(self, bot: Bot, edition: Edition, tempo: Tempo) -> EngineThinker[Any, Any]:
        key = (edition.game.name, bot.rules, bot.colors, bot.pace, tempo, bot.nodes, bot.aim)
        if key not in self._thinkers:
            thinker = edition.thinker(self._weights_of(edition), tempo, Strength(nodes=bot.nodes, aim=bot.aim))
            if not isinstance(thinker, EngineThinker):
                raise UsageError(f"The bot of {edition.game.name} ranks no placements.")
            self._thinkers[key] = thinker
            if len(self._thinkers) > _KEPT:
                self._thinkers.popitem(last=False)
        self._thinkers.move_to_end(key)
        return self._thinkers[key]

    def _weights_of(self, edition: Edition) -> Weights:
        name = edition.game.facts.default_weights
        if name not in self._weights:
            self._weights[name] = load_weights(name)
        return self._weights[name]


def _place(place: Place | Placement) -> tuple[int, int, int]:
    return place.orientation, place.column, place.row


def _may_be(ranking: Ranking, index: int, played: Place) -> bool:
    """Returns whether a candidate is this place, as far as it tells it: those of pairs have no row."""
    told: list[int] = ranking.places[index].tolist()
    return told == list(_place(played))[: len(told)]


def _placement(found: _Asked, placement: Placement) -> dict[str, Any]:
    return {
        **dict(zip(("orientation", "column", "row"), _place(placement), strict=True)),
        "value": placement.value,
        "frames": None if placement.moves else len(placement.timeline),
        "inputs": inputs_of(placement.timeline),
        "moves": [str(step.pad) for step in placement.moves],
    }
