"""Checks of a call's arguments that need more than one of them, or the client; each returns what is sent."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from emubot.bridges.nintaco.api.answers import TV_SYSTEMS
from emubot.bridges.nintaco.api.engine import ApiCall, ApiState, Check, within
from emubot.bridges.nintaco.api.events import AccessKind
from emubot.bridges.nintaco.api.wire import LONGEST
from emubot.errors import UsageError


def points(_: ApiState, xs: Sequence[int], ys: Sequence[int]) -> tuple[Sequence[int], Sequence[int], int]:
    """As many y as x, followed by their number."""
    if len(xs) != len(ys):
        raise UsageError(f"A polygon has as many y as x; these are {len(ys)} and {len(xs)}.")
    return xs, ys, within(len(xs), 0, LONGEST, "A polygon's number of points")


def part(_: ApiState, chars: str, offset: int, length: int, *rest: int) -> tuple[str | int, ...]:
    """Characters that are all in the text."""
    if not 0 <= offset <= offset + length <= len(chars):
        raise UsageError(f"{length} characters from {offset} on are not all in a text of {len(chars)}.")
    return chars, offset, length, *rest


def image(client: ApiState, sprite: int, width: int, height: int, pixels: Sequence[int]) -> tuple[Any, ...]:
    """A sprite's pixels; the client then knows it."""
    if len(pixels) != width * height:
        raise UsageError(f"A sprite of {width} by {height} has {width * height} pixels, not {len(pixels)}.")
    client.sprites.add(sprite)
    return sprite, width, height, pixels


def known(client: ApiState, sprite: int, *place: int) -> tuple[int, ...]:
    """A sprite that the client has created."""
    if sprite not in client.sprites:
        raise UsageError(f"There is no sprite {sprite}: create it first, again after a reconnection.")
    return sprite, *place


def deleted(client: ApiState, sprite: int) -> tuple[int, ...]:
    """The same; the client then forgets it."""
    known(client, sprite)
    client.sprites.discard(sprite)
    return (sprite,)


def system(_: ApiState, name: str) -> tuple[str]:
    """A name of `TV_SYSTEMS`."""
    if name not in TV_SYSTEMS:
        raise UsageError(f"There is no television system {name!r}: Nintaco has {', '.join(TV_SYSTEMS)}.")
    return (name,)


def inside(size: ApiCall[[], int], what: str) -> Check:
    """A check that the first argument is an index below the answer of `size`."""
    return lambda client, index, *byte: (within(index, 0, size(client) - 1, what), *byte)


def bounds(_: ApiState, handler: object, access: int, first: int, last: int | None, bank: int) -> tuple[Any, ...]:
    """The first and last address of an access listener; the last is -1 if there is only one."""
    if last is not None:
        within(last, first, 0xFFFF, "The last address")
    return handler, AccessKind(access), first, -1 if last is None else last, bank
