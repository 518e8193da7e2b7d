"""Compiles the kernels of a game before it begins; reports progress by callback and prints nothing.

Whether play by a map is compiled, and how far another process is with it, is known without loading any kernel.
"""

from __future__ import annotations

import hashlib
import json
import os
from collections.abc import Callable, Iterable
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, Final

from emubot.interrupts import apart

if TYPE_CHECKING:
    from typing import TypeAlias

    from emubot.games.edition import Edition, Jobs
    from emubot.games.protocol import Game
    from emubot.rammap import RamMap

    Compile: TypeAlias = Callable[[Edition], None]  # compiles the kernels of an edition, showing the progress

AHEAD: Final = "EMUBOT_COMPILE_AHEAD"  # 0: nothing is compiled in the background
_OF_NO_KERNEL: Final = ("title", "identities", "refuses")  # parts of a map that only say which cartridges it is for


@dataclass(frozen=True, slots=True)
class Purpose:
    """What something needs compiled: jobs of a scope, and the name by which the cache remembers that they were done.

    `title` is the game in words. `map_purpose` is remembered too, if the purpose is play by a map.
    """

    title: str
    scope: str
    name: str
    jobs: Callable[[], Jobs]
    map_purpose: str | None = None

    @property
    def is_warm(self) -> bool:
        """Whether nothing is left to compile."""
        from emubot.jit import is_warm

        return is_warm(self.scope, self.name) or not self.jobs()

    @property
    def cost(self) -> float:
        """The CPU seconds of all jobs on the machine that they were measured on."""
        from emubot.jit.warm import cost

        return cost(self.jobs(), self.scope, self.title)

    def compile(self, progress: Callable[[str], None] | None = None) -> None:
        """Compile or load all that it needs; `progress` gets each job's name as it begins."""
        from emubot.jit import warm_up

        jobs = self.jobs()
        if jobs:
            apart(lambda: warm_up(jobs, self.scope, progress, self.name, self.title))
        self.mark()

    def mark(self) -> None:
        """Remember that the map needs nothing else, if all is compiled."""
        from emubot.jit import mark

        if self.map_purpose is not None and self.is_warm:
            mark(self.scope, self.map_purpose)


@dataclass(frozen=True, slots=True)
class Progress:
    """How far the process is that compiles now: `job` is number `done` of `of`, counted from 0.

    `share` is from 0 to 1; `remaining` are seconds, by the speed of this machine so far. `own`: this process compiles.
    """

    title: str
    purpose: str
    job: str
    done: int
    of: int
    share: float
    remaining: float
    own: bool

    @classmethod
    def read(cls, scope: str) -> Progress | None:
        """Returns how far the compilation of a scope's kernels is; None if no process is at it."""
        from emubot.jit.sources import cache_folder
        from emubot.jit.turns import under_way

        stage = under_way(cache_folder(scope))
        if stage is None:
            return None
        share, remaining = stage.estimate
        own = stage.process == os.getpid()
        return cls(stage.title, stage.purpose, stage.job, stage.done, stage.of, share, remaining, own)

    @property
    def words(self) -> str:
        """The progress in a line of text."""
        left = f"{self.share:.0%}, about {max(self.remaining, 1):.0f} s"
        return f"compiling for this machine, first use of {self.title}: {left}"


def scope_of(game: Game) -> str:
    """Returns the scope of a family's kernels."""
    from emubot.jit import kernel_scope

    return kernel_scope(type(game).__module__)


def title_of(game: Game) -> str:
    """Returns a family in words, such as "falling blocks"."""
    return next((demo.title for demo in game.offers.demos), game.name)


def family_purpose(game: Game) -> str:
    """Returns what the cache remembers by that nothing of a family is left to compile."""
    return f"family-{game.name}"


def left_to_compile(games: Iterable[Game]) -> list[str]:
    """Returns the names of the families of which something may be compiled in the background."""
    from emubot.jit import cache_folder, is_warm
    from emubot.jit.sources import leaves_uncompiled

    if os.environ.get(AHEAD) == "0" or leaves_uncompiled():
        return []
    kept = [game for game in games if cache_folder(scope_of(game)) is not None]
    return [game.name for game in kept if not is_warm(scope_of(game), family_purpose(game))]


def play_purpose(ram_map: RamMap) -> str:
    """Returns what the cache remembers play by this map by; it depends on the map alone."""
    data: dict[str, Any] = {key: value for key, value in ram_map.data.items() if key not in _OF_NO_KERNEL}
    return f"map-{hashlib.sha256(json.dumps(data, sort_keys=True).encode()).hexdigest()[:16]}"


def is_compiled(ram_map: RamMap) -> bool:
    """Returns whether an earlier start compiled all kernels that play by this map needs; loads no compiler."""
    from emubot.games import game
    from emubot.games.protocol import Compiled
    from emubot.jit import is_warm

    family = game(ram_map.family)
    return not isinstance(family, Compiled) or is_warm(scope_of(family), play_purpose(ram_map))


def can_be_made_apart(ram_map: RamMap) -> bool:
    """Returns whether another process can compile what is missing for play by this map, and keep it for this one."""
    from emubot.games import game
    from emubot.jit import cache_folder

    return not is_compiled(ram_map) and cache_folder(scope_of(game(ram_map.family))) is not None


def compile_kernels(edition: Edition, progress: Callable[[str], None] | None = None) -> None:
    """Compile or load the kernels that play by this edition needs; `progress` gets each job's name as it begins."""
    play_by(edition).compile(progress)


def play_by(edition: Edition) -> Purpose:
    """Returns what play by an edition needs: maps that need the same kernels share it."""
    game, jobs = edition.game, edition.kernels()
    names = hashlib.sha256(repr([name for name, *_ in jobs]).encode()).hexdigest()[:8]
    return Purpose(title_of(game), scope_of(game), f"play-{names}", lambda: jobs, play_purpose(edition.ram_map))
