"""The family of matching games as one Game object: names its facts, and loads what plays when it is asked for."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from types import MappingProxyType
from typing import TYPE_CHECKING, Final

from emubot.games.colours import looks
from emubot.games.colours.environments import MATCHING as ENVIRONMENTS
from emubot.games.colours.evaluation.matching_names import FEATURE_NAMES, FEATURE_VERSION
from emubot.games.colours.evaluation.matching_names import GAME as NAME
from emubot.games.colours.matching_rules import ENDLESS, VERSUS
from emubot.games.colours.options import MATCHING_OPTIONS
from emubot.games.offers import Bot, Demo, GameOffer, Offers
from emubot.games.protocol import GameFacts

if TYPE_CHECKING:
    from emubot.explanation import DrawnPosition
    from emubot.games.counts import Counts, Watch
    from emubot.games.edition import Edition, Jobs
    from emubot.games.findings import Finding
    from emubot.games.map_words import MapWords
    from emubot.games.trial import Settings, Trial
    from emubot.rammap import RamMap
    from emubot.snapshot import Snapshot
    from emubot.trace import Trace
    from emubot.weights import Weights

_CAPSULES: Final = ((1, 6), (2, 18), (3, 26), (4, 35))  # lines of a move; docs/measurements/arena.md
_COLUMNS: Final = ((1, 3), (2, 9), (3, 15), (4, 24))
_OFFERS: Final = Offers(
    games=(
        GameOffer("capsules", "Capsules", "demo_capsules", _CAPSULES, has_versus=True),
        GameOffer("columns", "Columns of three", "simulated_columns", _COLUMNS),
    ),
    bots=MappingProxyType(
        {"gentle": Bot("capsules-greedy", 0), "easy": Bot("capsules-by-hand", 0), "middle": Bot(nodes=0)}
    ),
    demos=(Demo("capsules", "capsules"),),
    environments=ENVIRONMENTS,
)


class MatchingGame:
    """Games of colours that match: joined capsules with targets, and columns of three."""

    name = NAME
    facts = GameFacts(
        title="matching colours: capsules with targets, columns of three, and their kind",
        default_map="demo_capsules",
        default_weights="capsules",
        feature_names=FEATURE_NAMES,
        feature_version=FEATURE_VERSION,
        ladder=("capsules-random", "capsules-greedy"),
        plays_uncompiled=True,
    )
    looks, offers = looks.MATCHING, _OFFERS
    modes: Mapping[str, int] = MappingProxyType({"endless": ENDLESS, "versus": VERSUS})
    options = MATCHING_OPTIONS
    self_play_measure = "height"

    def open(self, ram_map: RamMap) -> Edition:
        from emubot.games.colours.matching_edition import MatchingEdition

        return MatchingEdition(self, ram_map)

    def findings(self, ram_map: RamMap) -> Iterable[Finding]:
        from emubot.games.colours.decode import map_checks

        return map_checks.matching_findings(ram_map)

    @property
    def map_words(self) -> MapWords:
        from emubot.games.colours.map_words import matching_words

        return matching_words()

    def replays(self, trace: Trace) -> bool:
        from emubot.games.colours.simulator.replay import replays_matching

        return replays_matching(trace)

    def kernels(self) -> Jobs:
        from emubot.games.colours.matching_engine import kernels
        from emubot.games.colours.trials import matching_selfplay as selfplay
        from emubot.games.edition import Job

        return [*kernels(), Job("self-play", selfplay.compile_once, 0.1)]

    def position(self, drawn: DrawnPosition, ram_map: RamMap | None = None) -> tuple[Edition, Snapshot]:
        from emubot.games.colours.explain import matching_drawn

        its_map, snapshot = matching_drawn.position(drawn, ram_map)
        return self.open(its_map), snapshot

    def self_play_settings(self, rules: str | None, options: Settings) -> tuple[str, Settings]:
        from emubot.games.colours.trials import matching_selfplay as selfplay

        return selfplay.stretch_of(rules, options).settings

    def self_play(
        self, seed: int, pieces: int, weights: Weights, rules: str | None, options: Settings, watch: Watch | None = None
    ) -> Counts:
        from emubot.games.colours.trials import matching_selfplay as selfplay

        return selfplay.stretch_of(rules, options).play(seed, pieces, weights, watch)

    def trial(self, sides: int, rules: str | None, options: Settings) -> Trial:
        from emubot.games.colours.trials import matching_trials as trials

        return trials.trial(sides, rules, options)


GAME: Final = MatchingGame()
