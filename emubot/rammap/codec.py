"""Converts one named number between bytes and value, both ways; knows neither playfields nor phases.

Every format of a map is linear in its bits. So each byte of a value has a table of 256 addends, and decoding adds
up one look-up per byte.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from operator import itemgetter
from typing import Any, Final

from emubot.rammap.layout import Part, Value

# First CPU address and length in bytes of each memory space.
SPACES: Final = {"ram": (0x0000, 0x0800), "wram": (0x6000, 0x2000)}

Decode = Callable[[Any], int]
_IDENTITY = tuple(range(256))


def full_mask(length: int) -> int:
    """Returns the mask of all bits in a word of `length` bytes."""
    return (1 << 8 * length) - 1


def _mask(part: Part) -> int:
    return full_mask(part.bytes) if part.mask is None else part.mask


def _field(part: Part) -> int:
    """Returns the bits of a part after the shift."""
    return _mask(part) >> part.shift


def byte_masks(part: Part, player: int) -> Iterator[tuple[int, int, int]]:
    """Yields (address, position of its lowest bit in the word, mask within the byte) for each byte of a part.

    Yields nothing if the player has no such part.
    """
    address = part.address(player)
    if address is None:
        return
    mask = _mask(part)
    for number in range(part.bytes):
        bit = 8 * (number if part.order == "little" else part.bytes - 1 - number)
        yield address + number, bit, mask >> bit & 0xFF


def _weight(part: Part, bit: int) -> int:
    """Returns what one bit of the word adds to the value."""
    place = bit - part.shift
    if place < 0:
        return 0
    if part.format in {"bcd", "digits"}:
        width = 4 if part.format == "bcd" else 8
        return int((1 << place % width) * 10 ** (place // width))
    top = _field(part).bit_length() - 1
    return -(1 << place) if part.format == "signed" and place == top else 1 << place


def _table(part: Part, bit: int, mask: int) -> tuple[int, ...]:
    table = [0]
    for k in range(8):  # the table doubles with each bit, which is fast: a map learnt in play is rebuilt within a frame
        weight = part.times * _weight(part, bit + k) if mask >> k & 1 else 0
        table += [amount + weight for amount in table]
    return tuple(table)


def _pack(part: Part, amount: int) -> int | None:
    """Returns the word (within the part's mask) that decodes to `amount`, or None if there is none."""
    field = _field(part)
    if part.format in {"bcd", "digits"}:
        if amount < 0:
            return None
        width = 4 if part.format == "bcd" else 8
        packed = sum(int(digit) << width * place for place, digit in enumerate(reversed(str(amount))))
    elif part.format == "signed":
        half = 1 << (field.bit_length() - 1)
        packed = amount & (2 * half - 1) if -half <= amount < half else -1
    else:
        packed = amount
    return packed << part.shift if packed >= 0 and packed & ~field == 0 else None


def _least(part: Part) -> int:
    """Returns the smallest amount that a part can hold."""
    return -(1 << (_field(part).bit_length() - 1)) if part.format == "signed" else 0


def _capacity(part: Part) -> int:
    """Returns the largest amount that a part can hold."""
    field = _field(part)
    if part.format in {"bcd", "digits"}:
        width = 4 if part.format == "bcd" else 8
        return int(10 ** -(-field.bit_length() // width)) - 1
    return field >> 1 if part.format == "signed" else field


class Scalar:
    """One player's value. `decode` maps the bytes of the space to the number and never fails."""

    def __init__(self, name: str, value: Value, player: int, base: int) -> None:
        self.name = name
        self._value = value
        self._parts = value.addends
        self._bytes = [[(a - base, bit, mask) for a, bit, mask in byte_masks(p, player)] for p in self._parts]
        self.indices = tuple(index for places in self._bytes for index, _, _ in places)
        tables = [_table(p, bit, m) for p, places in zip(self._parts, self._bytes, strict=True) for _, bit, m in places]
        affine = (value.offset, value.scale, value.divide)
        if len(tables) == 1:
            offset, scale, divide = affine
            tables = [tuple((number + offset) * scale // divide for number in tables[0])]
        self._least = sum(part.times * _least(part) for part in self._parts)
        self.plain = tables == [_IDENTITY]
        self.decode: Decode = self._decoder(tables, affine)

    def _decoder(self, tables: list[tuple[int, ...]], affine: tuple[int, int, int]) -> Decode:
        if self.plain:
            return itemgetter(self.indices[0])
        if len(tables) == 1:
            index, table = self.indices[0], tables[0]
            return lambda ram: table[ram[index]]
        terms = tuple(zip(self.indices, tables, strict=True))

        def total(ram: Any) -> int:
            number = 0
            for index, table in terms:
                number += table[ram[index]]
            return number

        if affine == (0, 1, 1):
            return total
        offset, scale, divide = affine
        return lambda ram: (total(ram) + offset) * scale // divide

    def encode(self, ram: Any, number: int) -> None:
        """Write `number` into a mutable buffer of the space. Raises ValueError if its bytes cannot hold the number."""
        if self.plain:
            if not 0 <= number <= 0xFF:
                raise self._cannot(number)
            ram[self.indices[0]] = number
            return
        # The least raw amount that decodes to the number: the inverse of scale and divide, rounded up.
        rest = max(self._least, -(-number * self._value.divide // self._value.scale) - self._value.offset)
        if (rest + self._value.offset) * self._value.scale // self._value.divide != number:
            raise self._cannot(number)
        words = []
        for part, places in sorted(zip(self._parts, self._bytes, strict=True), key=lambda pair: -pair[0].times):
            amount = rest if part.times == 1 else min(rest // part.times, _capacity(part))
            word = _pack(part, amount)
            if word is None:
                raise self._cannot(number)
            words.append((word, places))
            rest -= amount * part.times
        if rest:
            raise self._cannot(number)
        for word, places in words:
            for index, bit, mask in places:
                ram[index] = (int(ram[index]) & ~mask & 0xFF) | (word >> bit & mask)

    def _cannot(self, number: int) -> ValueError:
        return ValueError(f"{self.name} cannot hold {number}")
