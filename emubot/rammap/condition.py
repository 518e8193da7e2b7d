"""Conditions on named values, their form in a map and their meaning."""

from __future__ import annotations

from collections.abc import Callable, Container, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Annotated, Any, TypeVar

from pydantic import BeforeValidator, Field, model_validator

from emubot.rammap.fields import Factor, Form, MapModel, Name, Number, Subject, as_list, wrong, wrong_keys

ASKED = "asked."
_T = TypeVar("_T")
_BEYOND = 1 << 64  # further than any value


class Limit(MapModel):
    """A number to compare with: a decimal or, in menus, `{asked: NAME, modulo: N}`."""

    number: Number | None = Field(None, description="the number itself; write it without a mapping")
    asked: Name | None = Field(None, description="in menus: the number that the player chose, by the choice's name")
    modulo: Factor | None = Field(None, description="the remainder of the choice when it is divided by this")

    @model_validator(mode="after")
    def _one_source(self) -> Limit:
        if (self.number is None) == (self.asked is None) or (self.modulo is not None and self.asked is None):
            raise wrong_keys(self, "a decimal number, or asked with or without modulo")
        return self

    def given(self, choices: Mapping[str, int]) -> int:
        """Returns the number. With `asked` the number comes from `choices`, the menu choices of this game."""
        if self.asked is None:
            return self.number or 0
        return choices[self.asked] % self.modulo if self.modulo else choices[self.asked]

    def __str__(self) -> str:
        """Returns the limit as people say it: `4`, or `the chosen level`."""
        if self.asked is None:
            return str(self.number)
        return f"the chosen {self.asked}" + (f" modulo {self.modulo}" if self.modulo else "")


def _limit(raw: Any) -> Any:
    return raw if isinstance(raw, dict) else {"number": raw}


LimitEntry = Annotated[Limit, BeforeValidator(_limit, json_schema_input_type=Number | Limit)]


class Criterion(MapModel):
    """What a value must be: a number, a list of them, a range `{from, to}`, or `{not: ...}` of one of these."""

    any: tuple[LimitEntry, ...] = Field((), description="one of these numbers; write them without a mapping")
    low: LimitEntry | None = Field(None, alias="from", description="at least this number")
    high: LimitEntry | None = Field(None, alias="to", description="at most this number")
    negated: CriterionEntry | None = Field(None, alias="not", description="anything but this")

    @model_validator(mode="after")
    def _one_form(self) -> Criterion:
        forms = (bool(self.any), self.low is not None or self.high is not None, self.negated is not None)
        if sum(forms) != 1:
            raise wrong_keys(self, "a number, a list of numbers, {from, to} or {not: ...}")
        return self

    def allowed(self, choices: Mapping[str, int]) -> tuple[Container[int], bool]:
        """Returns numbers, and whether the value must be one of them or none of them."""
        if self.negated is not None:
            numbers, wanted = self.negated.allowed(choices)
            return numbers, not wanted
        if self.any:
            return frozenset(limit.given(choices) for limit in self.any), True
        least = -_BEYOND if self.low is None else self.low.given(choices)
        most = _BEYOND if self.high is None else self.high.given(choices)
        return range(least, most + 1), True

    def holds(self, number: int, choices: Mapping[str, int]) -> bool:
        """Returns whether `number` meets the criterion."""
        numbers, wanted = self.allowed(choices)
        return (number in numbers) is wanted

    def __str__(self) -> str:
        """Returns the criterion as people say it: `4`, `1 or 2`, `0 to 18`, `not 10`."""
        if self.negated is not None:
            return f"not {self.negated}"
        if self.any:
            return " or ".join(map(str, self.any))
        if self.low is None or self.high is None:
            return f"at most {self.high}" if self.low is None else f"at least {self.low}"
        return f"{self.low} to {self.high}"

    def limits(self) -> Iterator[Limit]:
        """Yields every limit that the criterion compares with."""
        yield from self.any
        yield from (limit for limit in (self.low, self.high) if limit is not None)
        if self.negated is not None:
            yield from self.negated.limits()


def _criterion(raw: Any) -> Any:
    if raw == []:
        raise wrong(raw, "a number, a list of numbers, {from, to} or {not: ...}")
    short = not isinstance(raw, dict) or "asked" in raw
    return {"any": as_list(raw)} if short else raw


CriterionEntry = Annotated[
    Criterion, BeforeValidator(_criterion, json_schema_input_type=Number | list[LimitEntry] | Limit | Criterion)
]
Condition = Annotated[dict[Subject, CriterionEntry], Field(min_length=1), Form("condition")]


def holds(
    condition: Mapping[str, Criterion], value: Callable[[str], int], choices: Mapping[str, int] | None = None
) -> bool:
    """Returns whether every criterion of `condition` holds; `value` returns the number of a named value."""
    answers = choices or {}
    return all(criterion.holds(_number(name, value, answers), answers) for name, criterion in condition.items())


def first_of(
    conditions: Sequence[tuple[Mapping[str, Criterion], _T]], names: Sequence[str], otherwise: _T
) -> Callable[[Sequence[int]], _T]:
    """Returns a function from the numbers of these values to what stands beside the first condition that holds.

    Conditions on choices of menus are none of these.
    """
    places = {name: place for place, name in enumerate(names)}
    entries = [
        ([(places[name], *criterion.allowed({})) for name, criterion in condition.items()], result)
        for condition, result in conditions
    ]

    def first(numbers: Sequence[int]) -> _T:
        for criteria, result in entries:
            for place, allowed, wanted in criteria:
                if (numbers[place] in allowed) is not wanted:
                    break
            else:
                return result
        return otherwise

    return first


@dataclass(frozen=True, slots=True)
class Miss:
    """The first entry of a condition that does not hold: the value's name, the number found, and what is allowed.

    `found` is None if the player has no such value.
    """

    name: str
    found: int | None
    allowed: str

    def __str__(self) -> str:
        """Returns half a sentence: `game_mode is 1, allowed is 4`."""
        number = "no value of this player" if self.found is None else self.found
        return f"{self.name} is {number}, allowed is {self.allowed}"


def why_not(
    condition: Mapping[str, Criterion], value: Callable[[str], int], choices: Mapping[str, int] | None = None
) -> Miss | None:
    """Returns the first entry of `condition` that does not hold, or None if all hold.

    `value` returns the number of a named value, and raises KeyError if there is no such value.
    """
    answers = choices or {}
    for name, criterion in condition.items():
        try:
            number = _number(name, value, answers)
        except KeyError:
            return Miss(name, None, str(criterion))
        if not criterion.holds(number, answers):
            return Miss(name, number, str(criterion))
    return None


def _number(name: str, value: Callable[[str], int], choices: Mapping[str, int]) -> int:
    """Returns the number of a subject: a choice of the menus or a value."""
    return choices[name.removeprefix(ASKED)] if name.startswith(ASKED) else value(name)
