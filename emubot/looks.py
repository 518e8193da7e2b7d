"""How a family looks: kinds of cells with colours and marks, its word for a piece, its figures; knows no family."""

from __future__ import annotations

from dataclasses import asdict, dataclass
from typing import Any, Final, Literal

RED, GREEN, BLUE, YELLOW = "#e8615c", "#4fae62", "#5b95e6", "#e3b520"
VIOLET, ORANGE, GREY, CYAN = "#a77be0", "#e8944a", "#8b93a3", "#3fb8c4"
# The same on a light ground, where each must be seen as well: at least three to one.
_ON_LIGHT: Final = {
    RED: "#f03c35",
    GREEN: "#3a924c",
    BLUE: "#3180ee",
    YELLOW: "#a07d09",
    VIOLET: "#9d65e5",
    ORANGE: "#ca650c",
    GREY: "#788298",
    CYAN: "#178a94",
}


Shape = Literal["block", "disk", "facet"]


@dataclass(frozen=True, slots=True)
class Relief:
    """How a cell is drawn, in shares of its size: the light comes from above.

    `gap` is left free around a cell that is joined to none. `corner` rounds a block and cuts a facet twice as far.
    `edge` is the height of the lit and of the dark edge, `light` and `shade` say how much white and black they have.
    `outline` is the width of the line around a piece in the air, `ghost` that around a place where a piece goes. A
    place that is planned has dashes as long as `dash`, a shadow is filled as strongly as `fill`. A sign reaches `sign`
    from the middle and is drawn by lines as wide as `pen`.
    """

    gap: float = 1 / 24
    corner: float = 1 / 8
    edge: float = 1 / 7
    light: float = 0.38
    shade: float = 0.28
    outline: float = 1 / 14
    ghost: float = 1 / 10
    dash: float = 1 / 4
    fill: float = 0.2
    sign: float = 1 / 5
    pen: float = 1 / 12


RELIEF: Final = Relief()
OWN: Final = 128  # a cell of this kind and above is one of `Looks.pieces`
# The lines of each sign, from the middle of a cell, in parts of `Relief.sign`; a number is the radius of a circle.
SIGNS: Final[dict[str, tuple[tuple[tuple[float, float], ...], ...] | float]] = {
    "dot": 0.7,  # filled
    "ring": 1.0,
    "bar": (((-1, 0), (1, 0)),),
    "cross": (((-1, -1), (1, 1)), ((1, -1), (-1, 1))),
    "corner": (((-1, 1), (0, -1), (1, 1)),),
    "wave": (((0, -1), (0, 1)),),
}


def mixed(colour: str, other: int, share: float) -> str:
    """Returns a colour #rrggbb with this share of a grey, 0 to 255."""
    parts = (int(colour[at : at + 2], 16) for at in (1, 3, 5))
    return "#" + "".join(f"{round(part + (other - part) * share):02x}" for part in parts)


def tones(colour: str) -> tuple[str, str, str]:
    """Returns the colours of a cell: in the middle, at its lit edge, at its dark edge."""
    return colour, mixed(colour, 255, RELIEF.light), mixed(colour, 0, RELIEF.shade)


@dataclass(frozen=True, slots=True)
class Kind:
    """How a cell looks; without a colour it is drawn in terminals only.

    `colour` is #rrggbb, `on_light` the one for a light ground if it differs: the hues of this module have theirs.
    `terminal` is one of a terminal's own 16 colours, `mark` the ASCII character where there are no colours. `sign` is
    drawn on the cell, so that nobody needs to tell colours apart: dot, bar, ring, cross, corner or wave. `texture`
    marks kinds of a colour that others have too. `shape` is that of a cell; without one it has the family's own. A
    kind of one piece alone is shown as `plain`, where cells have the console's colours.
    """

    name: str = ""
    colour: str = ""
    terminal: str = ""
    mark: str = " "
    sign: str = ""
    on_light: str = ""
    texture: bool = False
    shape: Shape | None = None
    plain: int = 0

    def __post_init__(self) -> None:
        object.__setattr__(self, "on_light", self.on_light or _ON_LIGHT.get(self.colour, ""))


@dataclass(frozen=True, slots=True)
class Count:
    """What a game counts besides points: the snapshot's counter, and the noun of its sum.

    With `longest` it is no sum: of the longest one is told, such as "longest chain 5".
    """

    counter: str
    noun: str
    longest: bool = False


@dataclass(frozen=True, slots=True)
class Looks:
    """A family's looks. A kind beyond the last one looks like the last one.

    `piece` is the word for a piece. `figures` are the counters that stand beside a field, the most important first.
    `level` is the counter that says how far the game has come. `is_round`: cells are disks. `bridge` is how wide
    the bridge between two joined disks is, of a disk; which cells are joined, an edition's `Depiction` says.
    `falls_apart`: at its lock the parts of a piece fall by themselves. `clears_rows`: a full row is cleared.
    `vanishing` are the kinds that cells become before they vanish, where a game marks them.
    `pieces` are the kinds of pieces by their number, each with a colour of its own, where the console has fewer.
    """

    kinds: tuple[Kind, ...]
    piece: str = "piece"
    figures: tuple[str, ...] = ("score", "lines", "level")
    count: Count = Count("lines", "line")
    level: str = "level"
    is_round: bool = False
    bridge: float = 1.0
    falls_apart: bool = False
    clears_rows: bool = False
    vanishing: tuple[int, ...] = ()
    pieces: tuple[Kind, ...] = ()

    def kind(self, number: int) -> Kind:
        """Returns how a cell of this kind looks."""
        return self.kinds[self.plain(number)]

    def plain(self, number: int) -> int:
        """Returns the number of this kind among `kinds`: for one of `pieces` that in the console's colours."""
        own = number - OWN
        return self.pieces[own].plain if 0 <= own < len(self.pieces) else min(number, len(self.kinds) - 1)

    def shape(self, number: int) -> Shape:
        """Returns the shape of a cell of this kind."""
        return self.kind(number).shape or ("disk" if self.is_round else "block")

    def data(self) -> dict[str, Any]:
        """Returns the looks as plain data, with the tones of each kind on a dark and on a light ground."""
        return {
            **asdict(self),
            "kinds": [_data(kind, self.shape(number)) for number, kind in enumerate(self.kinds)],
            "pieces": [_data(kind, self.shape(kind.plain)) for kind in self.pieces],
            "own": OWN,
            "relief": asdict(RELIEF),
            "signs": SIGNS,
        }


def _data(kind: Kind, shape: Shape) -> dict[str, Any]:
    light = kind.on_light or kind.colour
    return {
        **asdict(kind),
        "shape": shape,
        "tones": {"dark": tones(kind.colour), "light": tones(light)} if kind.colour else {},
    }


_BRIGHT: Final = ("bright_red", "bright_yellow", "bright_blue", "bright_green", "bright_magenta", "bright_cyan")
_DARK: Final = ("red", "yellow", "blue", "green", "magenta", "cyan")
_HUES: Final = (RED, YELLOW, BLUE, GREEN, VIOLET, ORANGE)
_SIGNS: Final = ("dot", "bar", "ring", "cross", "corner", "wave")
_NUMBERED: Final = (*_BRIGHT, "white", *_DARK, "bright_black")
_MARKS: Final = "123456789ABCDEFGHIJKLMNOPQRSTUVWXYZ?"


def numbered(count: int = len(_MARKS)) -> Looks:
    """Returns the looks of kinds that have no names of their own, 1 to `count`."""
    kinds = [
        Kind(
            mark,
            _HUES[number % len(_HUES)],
            _NUMBERED[min(number, len(_NUMBERED) - 1)],
            mark,
            _SIGNS[number % len(_SIGNS)],
        )
        for number, mark in enumerate(_MARKS[:count])
    ]
    return Looks((Kind(), *kinds))


NUMBERED: Final = numbered()
