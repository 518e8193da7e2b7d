"""Converts one named number between bytes and value, both ways.

Every format of a map is linear in its bits. So each byte of a value has a table of 256 addends, and decoding adds
up one look-up per byte. Only a part of several bytes with a table of its own is read as a word.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from functools import lru_cache
from operator import itemgetter
from typing import Any

from emubot.rammap.layout import Term, Value
from emubot.rammap.spaces import index_of

Decode = Callable[[Any], int]
_IDENTITY = tuple(range(256))
_REMEMBERED = 256  # tables, of 2 KB each


def full_mask(length: int) -> int:
    """Returns the mask of all bits in a word of `length` bytes."""
    return (1 << 8 * length) - 1


def _mask(part: Term) -> int:
    return full_mask(part.bytes) if part.mask is None else part.mask


def _field(part: Term) -> int:
    """Returns the bits of a part after the shift."""
    return _mask(part) >> part.shift


def byte_masks(part: Term, player: int) -> Iterator[tuple[int, int, int]]:
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


def _weight(part: Term, bit: int) -> int:
    """Returns what one bit of the word adds to the value."""
    place = bit - part.shift
    if place < 0:
        return 0
    if part.format in {"bcd", "digits"}:
        width = 4 if part.format == "bcd" else 8
        return int((1 << place % width) * 10 ** (place // width))
    top = _field(part).bit_length() - 1
    return -(1 << place) if part.format == "signed" and place == top else 1 << place


def _table(part: Term, bit: int, mask: int) -> tuple[int, ...]:
    """Returns what each value of one byte adds to the sum of the parts."""
    if (numbers := part.numbers) is not None:
        return tuple(part.times * numbers.get((byte & mask) >> part.shift, part.otherwise) for byte in range(256))
    return _sums(tuple(part.times * _weight(part, bit + k) if mask >> k & 1 else 0 for k in range(8)))


@lru_cache(_REMEMBERED)
def _sums(weights: tuple[int, ...]) -> tuple[int, ...]:
    """Returns what the bits of each byte add up to; most bytes of a map are alike."""
    table = [0]
    for weight in weights:  # doubling is fast: a map learnt in play is rebuilt within a frame
        table += [amount + weight for amount in table]
    return tuple(table)


def _pack(part: Term, amount: int) -> int | None:
    """Returns the word (within the part's mask) that decodes to `amount`, or None if there is none."""
    field = _field(part)
    if (numbers := part.numbers) is not None:
        return next((code << part.shift for code, number in numbers.items() if number == amount), None)
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


def _least(part: Term) -> int:
    """Returns the smallest amount that a part can hold."""
    if (numbers := part.numbers) is not None:
        return min(numbers.values())
    return -(1 << (_field(part).bit_length() - 1)) if part.format == "signed" else 0


def _capacity(part: Term) -> int:
    """Returns the largest amount that a part can hold."""
    if (numbers := part.numbers) is not None:
        return max(numbers.values())
    field = _field(part)
    if part.format in {"bcd", "digits"}:
        width = 4 if part.format == "bcd" else 8
        return int(10 ** -(-field.bit_length() // width)) - 1
    return field >> 1 if part.format == "signed" else field


def _nearest(part: Term, amount: int) -> int:
    """Returns the largest amount of at most `amount` that a part can hold, or its smallest."""
    if (numbers := part.numbers) is not None:
        return max((number for number in numbers.values() if number <= amount), default=_least(part))
    return max(min(amount, _capacity(part)), _least(part))


def _shares(parts: Sequence[Term], total: int, neutral: bool) -> list[int] | None:
    """Returns an amount for each part so that amount * times add up to `total`; None if none is found.

    `neutral` leaves the parts that count downwards at 0; otherwise they start from the most that they can hold.
    """
    shares = [0 if part.times > 0 else _nearest(part, 0) if neutral else _capacity(part) for part in parts]
    rest = total - sum(part.times * share for part, share in zip(parts, shares, strict=True))
    for place in sorted(range(len(parts)), key=lambda place: -abs(parts[place].times)):
        part = parts[place]
        if part.times > 0:
            share = _nearest(part, rest // part.times)
        elif neutral:
            continue
        else:  # less of this part makes the sum larger
            share = _nearest(part, max(shares[place] - rest // -part.times, _least(part)))
        rest -= part.times * (share - shares[place])
        shares[place] = share
    return None if rest else shares


def _spread(part: Term) -> tuple[int, int]:
    """Returns the least and the most that a part can add."""
    ends = part.times * _least(part), part.times * _capacity(part)
    return min(ends), max(ends)


class Scalar:
    """One player's value. `decode` maps the bytes of the image to the number and never fails."""

    def __init__(self, name: str, value: Value, player: int) -> None:
        self.name = name
        self._value = value
        self._parts = value.addends
        self._bytes = [[(index_of(a), bit, mask) for a, bit, mask in byte_masks(p, player)] for p in self._parts]
        self.indices = tuple(index for places in self._bytes for index, _, _ in places)
        affine = (value.offset, value.scale, value.divide)
        summed = [pair for pair in zip(self._parts, self._bytes, strict=True) if not _is_word(pair[0])]
        tables = [_table(part, bit, mask) for part, places in summed for _, bit, mask in places]
        words = [pair for pair in zip(self._parts, self._bytes, strict=True) if _is_word(pair[0])]
        self._amounts = (*tables, *(tuple(_amounts(part)) for part, _ in words))  # what each byte or word can add
        if len(tables) == 1 and not words:
            offset, scale, divide = affine
            tables = [tuple((number + offset) * scale // divide for number in tables[0])]
        self._least = sum(_spread(part)[0] for part in self._parts)
        self.plain = not words and tables == [_IDENTITY]
        counts = affine == (0, 1, 1) and len(self._parts) == 1 and _is_count(self._parts[0])
        self._count = self._bytes[0] if counts else []
        terms = tuple(zip((index for _, places in summed for index, _, _ in places), tables, strict=True))
        self.decode: Decode = self._decoder(terms, tuple(map(_word, words)), affine)

    @property
    def bounds(self) -> tuple[int, int]:
        """The smallest and the largest number that any bytes decode to."""
        offset, scale, divide = self._value.offset, self._value.scale, self._value.divide
        ends = [sum(map(end, self._amounts)) for end in (min, max)]
        low, high = sorted((amount + offset) * scale // divide for amount in ends)
        return low, high

    def _decoder(
        self, terms: tuple[tuple[int, tuple[int, ...]], ...], words: tuple[Decode, ...], affine: tuple[int, int, int]
    ) -> Decode:
        if self.plain:
            return itemgetter(self.indices[0])
        if len(terms) == 1 and not words:
            index, table = terms[0]
            return lambda ram: table[ram[index]]

        def total(ram: Any) -> int:
            number = 0
            for index, table in terms:
                number += table[ram[index]]
            return number

        def with_words(ram: Any) -> int:
            return total(ram) + sum(word(ram) for word in words)

        added = with_words if words else total
        if affine == (0, 1, 1):
            return added
        offset, scale, divide = affine
        return lambda ram: (added(ram) + offset) * scale // divide

    def encode(self, ram: Any, number: int) -> None:
        """Write `number` into a mutable buffer of the image. Raises ValueError if its bytes cannot hold the number."""
        if self._count:  # the same as below, and quick: some of these are written in every frame
            if number < 0 or number >> 8 * len(self._count):
                raise self._cannot(number)
            for index, bit, _ in self._count:
                ram[index] = number >> bit & 0xFF
            return
        total = self._raw(number)
        shares = _shares(self._parts, total, True) or _shares(self._parts, total, False)
        packed = [None if shares is None else _pack(p, a) for p, a in zip(self._parts, shares or (), strict=False)]
        if shares is None or None in packed:
            raise self._cannot(number)
        for word, places in zip(packed, self._bytes, strict=True):
            for index, bit, mask in places:
                ram[index] = (int(ram[index]) & ~mask & 0xFF) | ((word or 0) >> bit & mask)

    def _raw(self, number: int) -> int:
        """Returns the least sum of the parts that decodes to `number`. Raises ValueError if there is none."""
        offset, scale, divide = self._value.offset, self._value.scale, self._value.divide
        # With a negative scale the sum must stay below the number that the next one would give.
        least = -(-number * divide // scale) if scale > 0 else (number + 1) * divide // scale + 1
        total = max(self._least, least - offset)
        if (total + offset) * scale // divide != number:
            raise self._cannot(number)
        return total

    def _cannot(self, number: int) -> ValueError:
        return ValueError(f"{self.name} cannot hold {number}")


def _is_count(part: Term) -> bool:
    """Returns whether the bits of a part's word are the number itself."""
    whole = _mask(part) == full_mask(part.bytes) and part.shift == 0 and part.times == 1
    return whole and part.numbers is None and part.format == "binary"


def _is_word(part: Term) -> bool:
    """Returns whether the part's bytes must be read together: a table is not linear in their bits."""
    return part.table is not None and part.bytes > 1


def _amounts(part: Term) -> Iterator[int]:
    """Yields all that a part with a table can add."""
    return (part.times * number for number in (*(part.numbers or {}).values(), part.otherwise))


def _word(source: tuple[Term, list[tuple[int, int, int]]]) -> Decode:
    """Returns the decoder of a part of several bytes with a table."""
    part, places = source
    numbers, shift, times, otherwise = part.numbers or {}, part.shift, part.times, part.otherwise

    def read(ram: Any) -> int:
        word = sum((ram[index] & mask) << bit for index, bit, mask in places)
        return times * numbers.get(word >> shift, otherwise)

    return read
