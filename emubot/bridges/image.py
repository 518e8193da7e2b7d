"""Reads the image of a frame from a bridge: ram, and wram where it is needed."""

from __future__ import annotations

from collections.abc import Callable, Sequence

from emubot.bridges.protocol import Bridge, Remote
from emubot.errors import UsageError


def image_reader(
    bridge: Bridge, spaces: Sequence[str], used: Sequence[tuple[int, int]] | None = None, clock: int | None = None
) -> Callable[[], bytes]:
    """Returns a function that reads the last frame's image: the bytes of these spaces, one space after the other.

    A `Remote` bridge follows only the `used` bytes, (CPU address, length) each, or every byte if it is None; bytes that
    are not followed are 0. `clock` is as in `Remote.follow`. Raises UsageError if the bridge lacks one of the spaces.
    """
    known = bridge.facts.spaces
    missing = [space for space in spaces if space not in known]
    if missing:
        raise UsageError(
            f"This map needs a bridge with {missing[0]}, and {bridge.facts.emulator} shows only {', '.join(known)} of "
            "this cartridge: take another --bridge."
        )
    if isinstance(bridge, Remote):
        for space in spaces:
            inside = range(known[space][0], sum(known[space]))
            own = [known[space]] if used is None else [run for run in used if run[0] in inside]
            bridge.follow(space, own, clock if clock is not None and clock in inside else None)
    readers = [_reader(bridge, space, *known[space]) for space in spaces]
    return readers[0] if len(readers) == 1 else lambda: b"".join([read() for read in readers])


def _reader(bridge: Bridge, space: str, address: int, length: int) -> Callable[[], bytes]:
    """Returns the reader of one space: from the bridge's own view if it has one."""
    view = bridge.view(space)
    return (lambda: bridge.read(space, address, length)) if view is None else view.tobytes
