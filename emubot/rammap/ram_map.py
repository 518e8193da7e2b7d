"""RamMap: a checked address map as the rest of the house sees it, RAM to values and back; finds and reads no file."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from functools import cached_property
from pathlib import Path
from types import MappingProxyType
from typing import Any

from emubot.errors import MapError, UsageError
from emubot.pad import Pad, describe
from emubot.rammap.codec import SPACES
from emubot.rammap.grid import Kinds
from emubot.rammap.layout import CodeSet, Orientation
from emubot.rammap.places import used
from emubot.rammap.reader import Reader
from emubot.rammap.rewriting import learnt, only_for, overridden
from emubot.rammap.schema import Buttons, Document, Identity, LookAlike, MenuChoice, Step
from emubot.rammap.strict_yaml import Source
from emubot.rammap.validate import checked


@dataclass(frozen=True, slots=True)
class MenuStep:
    """What to press in a menu now: hold `hold` for at least one frame, then tap `tap` for one frame while holding it.

    After the tap release both until `menu_pace` frames have gone by since the last tap.
    """

    tap: Pad
    hold: Pad
    label: str


@dataclass(frozen=True, eq=False)
class RamMap:
    """A frozen, validated address map. `sha1` is the cartridge whose overrides are applied, if any are.

    `data` is what `document` was made from: plain dicts, lists, text and numbers as they stand in the file.
    Players count from 0. Addresses are CPU addresses; `ram` arguments are the whole memory space named `space`.
    """

    name: str
    path: Path
    document: Document
    data: Mapping[str, Any] = field(repr=False)
    sha1: str | None = None

    @property
    def title(self) -> str:
        """What the map is for, for people."""
        return self.document.title

    @property
    def family(self) -> str:
        """The game family: `tetris`, `puyo` or a plug-in's."""
        return self.document.family

    @property
    def profile(self) -> str:
        """The family's rule profile, such as `nes-ntsc`."""
        return self.document.profile

    @property
    def space(self) -> str:
        """The memory space of every address: `ram` or `wram`."""
        return self.document.space

    @property
    def space_range(self) -> tuple[int, int]:
        """First CPU address and length in bytes of the space."""
        return SPACES[self.document.space]

    @property
    def players(self) -> int:
        """For how many players the map has addresses."""
        return self.document.players

    @property
    def identities(self) -> tuple[Identity, ...]:
        """The cartridges this map is for."""
        return self.document.identities

    @property
    def refuses(self) -> tuple[LookAlike, ...]:
        """The cartridges it must not be used for, and why."""
        return self.document.refuses

    @property
    def game_counter(self) -> str | None:
        """The value that moves in every frame the game advances, None where the map has none."""
        return self.document.game_counter

    @cached_property
    def used(self) -> tuple[tuple[int, int], ...]:
        """Every byte the map says something of, for any player, as runs (CPU address, length) in rising order."""
        return used(self.document)

    @cached_property
    def clock(self) -> int | None:
        """The address of a byte that grows by one with `game_counter`, None where no whole byte does."""
        if self.game_counter is None:
            return None
        part = self.document.values[self.game_counter].addends[0]
        plain = part.format == "binary" and part.order == "little" and part.mask is None
        return part.at[0] if plain else None

    @cached_property
    def timing(self) -> Mapping[str, Any]:
        """What the map states of the game's clockwork, in frames; what is not here is to be measured."""
        return MappingProxyType(self.document.timing.model_dump(exclude_none=True))

    @cached_property
    def rules(self) -> Mapping[str, Any]:
        """Settings of the rule profile that the cartridge has otherwise."""
        return MappingProxyType(dict(self.document.rules))

    @cached_property
    def regions(self) -> Mapping[str, tuple[int, int]]:
        """Named runs of bytes as (address, length), the first player's; see `region` for the others'."""
        return MappingProxyType({name: self.region(name) for name in self.document.regions})

    @cached_property
    def value_names(self) -> tuple[str, ...]:
        """Every named value, in the order of the map."""
        return tuple(self.document.values)

    @property
    def pieces(self) -> tuple[Orientation, ...]:
        """Orientation ids with their cells, empty where the profile has a table of its own or nobody knows it yet."""
        return self.document.pieces or ()

    @cached_property
    def piece_codes(self) -> Mapping[str, tuple[int, ...]]:
        """What the codes of a piece's parts mean: kind name -> codes; only what is known."""
        known = {name: _numbers(codes) for name, codes in (self.document.piece_codes or {}).items() if codes}
        return MappingProxyType(known)

    @cached_property
    def codes(self) -> Mapping[str, tuple[int, ...]]:
        """The codes of `empty` and of each kind of cell, under the mask and shifted; only what is known."""
        return MappingProxyType({name: _numbers(codes) for name, codes in self._tables.items() if codes})

    @cached_property
    def learns(self) -> tuple[str, ...]:
        """What the map marks `learn`: kinds of cells (`empty` among them; their cells read as unknown meanwhile),

        and `mask`, `pieces`, `piece_codes` where these, or parts of them, are open.
        """
        document = self.document
        found = [name for name, codes in self._tables.items() if not codes]
        codes = document.piece_codes
        open_tables = {
            "mask": document.grid.cell.mask == 0,
            "pieces": document.pieces == (),
            "piece_codes": codes is not None and (not codes or not all(codes.values())),
        }
        return (*found, *(name for name, is_open in open_tables.items() if is_open))

    @cached_property
    def _tables(self) -> Mapping[str, CodeSet]:
        cell = self.document.grid.cell
        return {"empty": cell.empty, **{name: kind.codes for name, kind in cell.kinds.items()}}

    def screen(self, player: int = 0) -> tuple[int, int, int, int] | None:
        """(x, y, cell width, cell height) in pixels of the visible playfield's top left corner; None if not stated."""
        shown = self.document.grid.screen
        return None if shown is None else (*shown.at[self._player(player)], *shown.cell)

    @property
    def buttons(self) -> Buttons:
        """Which Pad does what in play, by attribute: `left`, `rotate_clockwise`, ...; None for a move there is not."""
        return self.document.buttons

    @property
    def menu_pace(self) -> int:
        """Frames from tap to tap in menus; a tap lasts one frame."""
        return self.document.menu.pace if self.document.menu else 1

    @property
    def menu_choices(self) -> Mapping[str, MenuChoice]:
        """What `menu_step` may be asked for: name -> range (`low`, `high`) and `default`."""
        return MappingProxyType(self.document.menu.asked if self.document.menu else {})

    def for_identity(self, sha1: str) -> RamMap:
        """The map with the overrides of that cartridge; the map itself if the cartridge is not listed."""
        number = next((n for n, known in enumerate(self.identities) if known.sha1 == sha1.upper()), None)
        return self if number is None else self._remade(overridden(self.data, number), sha1.upper())

    def learnt(
        self,
        *,
        mask: int | None = None,
        codes: Mapping[str, Sequence[int]] | None = None,
        piece_codes: Mapping[str, Sequence[int]] | None = None,
        pieces: Sequence[Orientation] = (),
        rules: Mapping[str, Any] | None = None,
        timing: Mapping[str, Any] | None = None,
    ) -> RamMap:
        """A map that knows more: what is given stands in place of what was there, the rest stays.

        `mask` are the bits of a cell's word that are its code; codes that the map states already are reduced to them.
        `codes` are those of `empty` and of kinds, `piece_codes` those of a piece's parts. MapError for what no map may
        say, such as one code for two kinds.
        """
        given = (codes or {}, piece_codes or {}, pieces, rules or {}, timing or {})
        return self._remade(learnt(self.data, mask, *given), self.sha1)

    def only_for(self, sha1: str | None, title: str | None = None) -> RamMap:
        """The map for this cartridge alone, for none if `sha1` is None: what is learnt is true of one cartridge."""
        return self._remade(only_for(self.data, title, sha1), sha1 and sha1.upper())

    def _remade(self, data: Mapping[str, Any], sha1: str | None) -> RamMap:
        return RamMap(self.name, self.path, checked(Source(str(self.path), data, {})), data, sha1)

    def region(self, name: str, player: int = 0) -> tuple[int, int]:
        """(address, length) of a named run of bytes; KeyError for an unknown name."""
        at = self.document.regions[name].at
        return at[min(self._player(player), len(at) - 1)], self.document.regions[name].bytes

    def addresses(self, name: str, player: int = 0) -> tuple[int, ...]:
        """The CPU address of each byte of a value; KeyError for an unknown name."""
        base, _ = self.space_range
        return tuple(base + index for index in self.reader(player).scalars[name].indices)

    def reader(self, player: int = 0) -> Reader:
        """The decoder of one player, made once; MapError for a player the map has no addresses for."""
        return self._readers.get(self._player(player)) or self._make_reader(player)

    def encode(
        self,
        ram: Any,
        values: Mapping[str, int],
        playfield: Kinds | None = None,
        hidden: Kinds | None = None,
        player: int = 0,
    ) -> None:
        """Write values and kinds of cells into a uint8 array or bytearray of the whole space, so that they decode so.

        Bits that belong to nothing named here stay as they are. ValueError for a number its bytes cannot hold, a kind
        without a code, a wrong shape, or two values that share bytes and contradict each other.
        """
        reader = self.reader(player)
        for name, number in values.items():
            reader.scalars[name].encode(ram, number)
        reader.grid.encode(ram, playfield, hidden)
        for name in self._sharing & values.keys():
            if (found := reader.scalars[name].decode(ram)) != values[name]:
                raise ValueError(f"{name} should become {values[name]} and is {found}: values that overlap disagree")

    def menu_step(self, ram: bytes, choices: Mapping[str, int], player: int = 0) -> MenuStep | None:
        """What to press to come from these bytes towards a game with these choices; None where the map says nothing.

        `choices` maps names of `RamMap.menu_choices` to numbers; a name that is left out has its default. Raises
        UsageError for a name or a number that the menus do not offer.
        """
        choices_made = self._checked_choices(choices)
        if self.document.menu is None:
            return None
        reader = self.reader(player)
        _, state = reader.phase(ram)
        for step in self.document.menu.steps:
            here = state in step.state and (step.when is None or reader.holds(step.when, ram, choices_made))
            if here and (step.until is None or not reader.holds(step.until, ram, choices_made)):
                return MenuStep(step.tap, step.hold or Pad.NONE, _label(state, step))
        return None

    def _checked_choices(self, choices: Mapping[str, int]) -> dict[str, int]:
        for name, number in choices.items():
            known = self.menu_choices.get(name)
            if known is None:
                names = ", ".join(self.menu_choices) or "nothing"
                raise UsageError(f"{self.title} has no choice of {name} in its menus; it can be asked for: {names}.")
            if not known.low <= number <= known.high:
                raise UsageError(f"{self.title} has {name} {known.low} to {known.high}, not {number}.")
        return {name: choices.get(name, known.default) for name, known in self.menu_choices.items()}

    @cached_property
    def _sharing(self) -> frozenset[str]:
        """Values that share bits with another one."""
        values = self.document.values
        return frozenset(
            name
            for name, value in values.items()
            if value.overlaps or any(name in other.overlaps for other in values.values())
        )

    @cached_property
    def _readers(self) -> dict[int, Reader]:
        return {}

    def _make_reader(self, player: int) -> Reader:
        made = self._readers[player] = Reader(self.document, player)
        return made

    def _player(self, player: int) -> int:
        if not 0 <= player < self.players:
            raise MapError(f"{self.title} has addresses for {self.players} players, and none for player {player + 1}.")
        return player


def _numbers(codes: CodeSet) -> tuple[int, ...]:
    return tuple(code for span in codes for code in range(span.low, span.high + 1))


def _label(state: str, step: Step) -> str:
    held = f" while holding {describe(step.hold)}" if step.hold else ""
    return f"{state}: {describe(step.tap)}{held}"
