"""The pairs family as one Game object: names its facts, and loads what plays when it is asked for."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from types import MappingProxyType
from typing import TYPE_CHECKING, Final

from emubot.games.colours import looks
from emubot.games.colours.environments import PAIRS as ENVIRONMENTS
from emubot.games.colours.evaluation.puyo_names import FEATURE_VERSION, NAMES
from emubot.games.colours.evaluation.puyo_names import GAME as NAME
from emubot.games.colours.options import PUYO_OPTIONS
from emubot.games.colours.rules import ENDLESS, VERSUS
from emubot.games.offers import Bot, Demo, GameOffer, Offers
from emubot.games.protocol import GameFacts

if TYPE_CHECKING:
    from emubot.explanation import DrawnPosition
    from emubot.games.counts import Counts, Watch
    from emubot.games.edition import Edition, Jobs
    from emubot.games.findings import Finding
    from emubot.games.map_words import MapWords
    from emubot.games.trial import Comparison, Settings, Trial
    from emubot.rammap import RamMap
    from emubot.snapshot import Snapshot
    from emubot.trace import Trace
    from emubot.weights import Weights

_CHAINS: Final = (
    (400, 6),
    (1_170, 24),
    (2_600, 84),
    (12_000, 87),
    (30_000, 89),
)  # points: measurements/arena.md
_OFFERS: Final = Offers(
    games=(
        GameOffer("pairs", "Pairs", "demo_pairs", _CHAINS, has_versus=True),
        GameOffer("pairs-tsu", "Pairs, tsu rules", "simulated_pairs_tsu", _CHAINS, has_versus=True),
    ),
    bots=MappingProxyType(
        {"gentle": Bot("pairs-lowest", 0), "easy": Bot("reference", 0), "middle": Bot("famicom_puyo", 0)}
    ),
    demos=(Demo("puyo", "pairs"),),
    environments=ENVIRONMENTS,
)


class PuyoGame:
    """Famicom Puyo Puyo, and cartridges with the same rules."""

    name = NAME
    facts = GameFacts(
        title="pairs: Puyo Puyo (Famicom, 1991 and 1993) and its kind",
        default_map="demo_pairs",
        default_weights="famicom_puyo",
        feature_names=NAMES,
        feature_version=FEATURE_VERSION,
        ladder=("pairs-random", "pairs-lowest"),
        plays_uncompiled=True,
    )
    looks, offers = looks.PAIRS, _OFFERS
    modes: Mapping[str, int] = MappingProxyType({"endless": ENDLESS, "versus": VERSUS})
    options = PUYO_OPTIONS
    self_play_measure = "puyos"

    def open(self, ram_map: RamMap) -> Edition:
        from emubot.games.colours.puyo_edition import PuyoEdition

        return PuyoEdition(self, ram_map)

    def findings(self, ram_map: RamMap) -> Iterable[Finding]:
        from emubot.games.colours.decode import map_checks

        return map_checks.pair_findings(ram_map)

    @property
    def map_words(self) -> MapWords:
        from emubot.games.colours.map_words import pair_words

        return pair_words()

    def replays(self, trace: Trace) -> bool:
        from emubot.games.colours.simulator.replay import replays_pairs

        return replays_pairs(trace)

    def position(self, drawn: DrawnPosition, ram_map: RamMap | None = None) -> tuple[Edition, Snapshot]:
        from emubot.games.colours.explain.drawn import position

        its_map, snapshot = position(drawn, ram_map)
        return self.open(its_map), snapshot

    def kernels(self) -> Jobs:
        from emubot.games.colours.puyo_engine import kernels
        from emubot.games.colours.trials import selfplay
        from emubot.games.edition import Job

        return [*kernels(), Job("self-play", selfplay.compile_once, 1.7)]

    def self_play_settings(self, rules: str | None, options: Settings) -> tuple[str, Settings]:
        from emubot.games.colours.trials import selfplay

        return selfplay.stretch_of(rules, options).settings

    def self_play(
        self, seed: int, pieces: int, weights: Weights, rules: str | None, options: Settings, watch: Watch | None = None
    ) -> Counts:
        from emubot.games.colours.trials import selfplay

        return selfplay.stretch_of(rules, options).play(seed, pieces, weights, watch)

    def trial(self, sides: int, rules: str | None, options: Settings) -> Trial:
        from emubot.games.colours.trials import trials

        return trials.trial(sides, rules, options)

    def speeds(self) -> Mapping[str, float]:
        from emubot.games.colours.trials import yardsticks

        return yardsticks.speeds()

    def comparisons(self) -> Sequence[Comparison]:
        from emubot.games.colours.trials import yardsticks

        return yardsticks.comparisons()


GAME: Final = PuyoGame()
