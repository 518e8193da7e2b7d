"""Conditions on named values, their form in a map and their meaning; knows no addresses and no phases."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from typing import Annotated, Any

from pydantic import BeforeValidator, Field, model_validator

from emubot.rammap.fields import Factor, Name, Number, Strict, Subject, as_list, wrong, wrong_keys

ASKED = "asked."


class Limit(Strict):
    """A number to compare with: a decimal or, in menus, `{asked: NAME, modulo: N}`."""

    number: Number | None = None
    asked: Name | None = None
    modulo: Factor | None = None

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


def _limit(found: Any) -> Any:
    return found if isinstance(found, dict) else {"number": found}


LimitEntry = Annotated[Limit, BeforeValidator(_limit, json_schema_input_type=Number | Limit)]


class Criterion(Strict):
    """What a value must be: a number, a list of them, a range `{from, to}`, or `{not: ...}` of one of these."""

    any: tuple[LimitEntry, ...] = ()
    low: LimitEntry | None = Field(None, alias="from")
    high: LimitEntry | None = Field(None, alias="to")
    negated: CriterionEntry | None = Field(None, alias="not")

    @model_validator(mode="after")
    def _one_form(self) -> Criterion:
        forms = (bool(self.any), self.low is not None or self.high is not None, self.negated is not None)
        if sum(forms) != 1:
            raise wrong_keys(self, "a number, a list of numbers, {from, to} or {not: ...}")
        return self

    def holds(self, number: int, choices: Mapping[str, int]) -> bool:
        """Returns whether `number` meets the criterion."""
        if self.negated is not None:
            return not self.negated.holds(number, choices)
        if self.any:
            return any(number == limit.given(choices) for limit in self.any)
        return (self.low is None or self.low.given(choices) <= number) and (
            self.high is None or number <= self.high.given(choices)
        )

    def limits(self) -> Iterator[Limit]:
        """Yields every limit that the criterion compares with."""
        yield from self.any
        yield from (limit for limit in (self.low, self.high) if limit is not None)
        if self.negated is not None:
            yield from self.negated.limits()


def _criterion(found: Any) -> Any:
    if found == []:
        raise wrong(found, "a number, a list of numbers, {from, to} or {not: ...}")
    short = not isinstance(found, dict) or "asked" in found
    return {"any": as_list(found)} if short else found


CriterionEntry = Annotated[
    Criterion, BeforeValidator(_criterion, json_schema_input_type=Number | list[LimitEntry] | Limit | Criterion)
]
Condition = Annotated[dict[Subject, CriterionEntry], Field(min_length=1)]


def holds(
    condition: Mapping[str, Criterion], value: Callable[[str], int], choices: Mapping[str, int] | None = None
) -> bool:
    """Returns whether every criterion of `condition` holds; `value` returns the number of a named value."""
    given = choices or {}
    return all(
        criterion.holds(given[name.removeprefix(ASKED)] if name.startswith(ASKED) else value(name), given)
        for name, criterion in condition.items()
    )
