"""The Tetris family as one Game object: names its facts, and loads what plays when it is asked for."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from functools import cache
from types import MappingProxyType
from typing import TYPE_CHECKING, Final

from emubot.errors import UsageError
from emubot.games.offers import Bot, Demo, GameOffer, Offers, Tool, ToolOffer
from emubot.games.protocol import GameFacts
from emubot.games.tetris.environments import ENVIRONMENTS
from emubot.games.tetris.evaluation.names import FEATURE_NAMES, FEATURE_VERSION
from emubot.games.tetris.evaluation.names import GAME as NAME
from emubot.games.tetris.looks import LOOKS
from emubot.games.tetris.options import OPTIONS
from emubot.machine import FRAME_RATE_PAL

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

_LINES: Final = ((1, 1), (2, 6), (3, 12), (4, 24))  # cleared at once: a single unit, one, two and four rows
_MARGIN: Final = 0.05


def _stackrabbit(weights: Weights) -> Tool:
    from emubot.games.tetris.stackrabbit.answers import StackRabbitAnswers

    return StackRabbitAnswers(weights)


_OFFERS: Final = Offers(
    games=(
        GameOffer("blocks", "Falling blocks", "nes_tetris_usa", _LINES, margin=_MARGIN),
        GameOffer(
            "blocks-pal",
            "Falling blocks, 50 Hz",
            "nes_tetris_europe",
            _LINES,
            margin=_MARGIN,
            frame_rate=FRAME_RATE_PAL,
        ),
    ),
    bots=MappingProxyType({"gentle": Bot("lowest", 0), "easy": Bot("lowest-holes-bumps", 0), "middle": Bot(nodes=0)}),
    demos=(Demo("tetris", "falling blocks"),),
    environments=ENVIRONMENTS,
    tools=(ToolOffer("StackRabbit", _stackrabbit),),
)


class TetrisGame:
    """NES Tetris and cartridges with its rules."""

    name = NAME
    facts = GameFacts(
        title="falling blocks: NES Tetris (Nintendo, 1989) and its kind",
        default_map="nes_tetris_usa",
        default_weights="nes_tetris",
        feature_names=FEATURE_NAMES,
        feature_version=FEATURE_VERSION,
        ladder=("random", "lowest", "lowest-holes", "lowest-holes-bumps", "lowest-holes-bumps-lines"),
        plays_uncompiled=True,
    )
    looks, offers, options = LOOKS, _OFFERS, OPTIONS
    modes: Mapping[str, int] = MappingProxyType({})  # its two-player game is unfinished and cannot be started
    self_play_measure = "height"

    def open(self, ram_map: RamMap) -> Edition:
        from emubot.games.tetris.editions import open_edition

        return open_edition(self, ram_map)

    def findings(self, ram_map: RamMap) -> Iterable[Finding]:
        from emubot.games.tetris.editions import findings

        return findings(ram_map)

    @property
    def map_words(self) -> MapWords:
        from emubot.games.tetris.map_words import words

        return words()

    def replays(self, trace: Trace) -> bool:
        from emubot.games.tetris.simulator.replay import replays

        return replays(trace)

    def position(self, drawn: DrawnPosition, ram_map: RamMap | None = None) -> tuple[Edition, Snapshot]:
        from emubot.games.tetris.explain.drawn import position

        if ram_map is not None:
            raise UsageError("A board of falling blocks is explained by --rules: give these instead of --map.")
        drawn_map, snapshot = position(drawn)
        return self._drawn(drawn_map), snapshot

    @cache  # noqa: B019 # there is one game of this family, and two maps of drawn boards
    def _drawn(self, drawn_map: RamMap) -> Edition:
        return self.open(drawn_map)

    def kernels(self) -> Jobs:
        from emubot.games.edition import Job
        from emubot.games.tetris.editions import mapped, release
        from emubot.games.tetris.trials import selfplay

        return [*release.kernels(), *mapped.kernels(), Job("self-play", selfplay.compile_once, 2.1)]

    def self_play_settings(self, rules: str | None, options: Settings) -> tuple[str, Settings]:
        from emubot.games.tetris.trials import selfplay

        return selfplay.settings(rules, options), {}

    def self_play(
        self, seed: int, pieces: int, weights: Weights, rules: str | None, options: Settings, watch: Watch | None = None
    ) -> Counts:
        from emubot.games.tetris.trials import selfplay

        return selfplay.self_play(seed, pieces, weights, selfplay.settings(rules, options), watch)

    def trial(self, sides: int, rules: str | None, options: Settings) -> Trial:
        from emubot.games.tetris.trials import trials

        return trials.trial(sides, rules, options)

    def speeds(self) -> Mapping[str, float]:
        from emubot.games.tetris.trials import yardsticks

        return yardsticks.speeds()

    def comparisons(self) -> Sequence[Comparison]:
        from emubot.games.tetris.trials import yardsticks

        return yardsticks.comparisons()


GAME: Final = TetrisGame()
