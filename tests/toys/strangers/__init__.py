"""Strangers: cartridges drawn from a seed, for tools that must find out by themselves what a cartridge is.

Seeds 0 to 9,999 are for work. Seeds from 100,000 on are for measuring: nobody looks at one of them, or tunes anything
by it. `stranger(seed)` draws the switches, `build` makes the cartridge, `truth` says what a tool should have found.
`nongame(seed)` and `beyond(seed)` draw what a tool should refuse: no such games, and properties that no list has.
"""

from tests.toys.strangers.beyond import beyond
from tests.toys.strangers.cartridge import build
from tests.toys.strangers.drawing import stranger
from tests.toys.strangers.nongames import nongame
from tests.toys.strangers.switches import Stranger
from tests.toys.strangers.truth import truth

__all__ = ["Stranger", "beyond", "build", "nongame", "stranger", "truth"]
