"""When all codes of a field are known: what lies there from the beginning may be targets that nothing cleared yet."""

from __future__ import annotations

from emubot.discovery.colours.codes import Codes
from emubot.discovery.colours.study import _has_all
from tests.discovery.colours.test_phases import findings


def test_what_only_seems_to_be_a_wall_may_be_a_target_yet() -> None:
    known = findings()
    colors = sorted({*known.field.colors.values()})
    targets = {40 + color: frozenset({color}) for color in colors}
    assert _has_all(known, Codes({}, (), (), ()))
    assert not _has_all(known, Codes({}, (), (40, 41), ()))
    assert not _has_all(known, Codes({41: frozenset(colors)}, (), (), ()))
    assert _has_all(known, Codes(targets, (), (50,), ()))
