"""What a family cannot play in a map, all of it at once and each with its place in the file; knows no family."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Iterator
from typing import Final, NamedTuple, Protocol, runtime_checkable

from emubot.errors import MapError
from emubot.rammap import RamMap
from emubot.snapshot import Phase

# The keys of `timing` that no family reads: what a cartridge was measured to do, for people.
RECORDED_TIMING: Final = ("das_initial", "das_reset", "start_wait")
# The key that steering reads, whatever the family; beside a release's profile, which knows the pad, it is refused.
TIMING_OF_THE_PAD: Final = ("press",)
KeyPath = tuple[str | int, ...]


class Finding(NamedTuple):
    """Something that a family cannot play: the key of the map at which it is mended, and a sentence with the remedy."""

    key: KeyPath
    text: str


@runtime_checkable
class ChecksMaps(Protocol):
    """A family that finds everything that is wrong in a map, and not only the first."""

    def findings(self, ram_map: RamMap) -> Iterable[Finding]:
        """Yields what the family cannot play, the most important first; nothing for a map that it can play by."""


def refuse(findings: Iterable[Finding]) -> None:
    """Raise MapError for the first finding, if there is one."""
    for found in findings:
        raise MapError(found.text)


def unused(ram_map: RamMap, key: KeyPath, beside: str = "") -> Finding:
    """Returns the finding for a key that the family does not use, at all or `beside` something else."""
    what = ".".join(map(str, key)) + (f" beside {beside}" if beside else "")
    return Finding(key, f"{ram_map.path}: the family {ram_map.family} does not use {what}: leave it out.")


def unused_timing(ram_map: RamMap, used: Collection[str], beside: str = "") -> Iterator[Finding]:
    """Yields the keys of `timing` that are neither `used` by the family nor for the record."""
    for key in ram_map.timing:
        free = RECORDED_TIMING if beside else RECORDED_TIMING + TIMING_OF_THE_PAD
        if key not in used and key not in free:
            yield unused(ram_map, ("timing", key), beside)


def never_played(ram_map: RamMap) -> Iterator[Finding]:
    """Yields what keeps any family from playing: no screen on which a piece is under control."""
    needed = [{*rule.when} for rule in ram_map.document.phases if rule.phase == Phase.PLAYING.value]
    if not needed:
        yield Finding(("phases",), f"{ram_map.path} has no rule for the phase playing, so nothing is played: add one.")
        return
    for player in range(ram_map.players):
        if not any(names <= ram_map.reader(player).names for names in needed):
            yield Finding(
                ("phases",),
                f"{ram_map.path} has no rule for the phase playing by values that player {player + 1} has: add one.",
            )
