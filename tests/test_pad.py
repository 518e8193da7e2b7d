"""Pad: the order of the NES report, and what a d-pad cannot do."""

from emubot.pad import Pad, describe, legal


def test_bits_are_those_the_console_reports() -> None:
    order = [Pad.A, Pad.B, Pad.SELECT, Pad.START, Pad.UP, Pad.DOWN, Pad.LEFT, Pad.RIGHT]
    assert [int(button) for button in order] == [0x80, 0x40, 0x20, 0x10, 0x08, 0x04, 0x02, 0x01]


def test_opposite_directions_are_illegal() -> None:
    assert not legal(Pad.LEFT | Pad.RIGHT)
    assert not legal(Pad.UP | Pad.DOWN | Pad.A)
    assert legal(Pad.LEFT | Pad.DOWN | Pad.A | Pad.B | Pad.START | Pad.SELECT)


def test_description_reads_like_a_pad() -> None:
    assert describe(Pad.NONE) == "-"
    assert describe(Pad.LEFT | Pad.A) == "A+LEFT"
