"""RamMap: a checked address map for the rest of the package, RAM to values and back; finds and reads no file."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from functools import cached_property
from pathlib import Path
from types import MappingProxyType
from typing import Any

from emubot.errors import MapError
from emubot.rammap.cells import Kinds
from emubot.rammap.grid_layout import CodeSet
from emubot.rammap.layout import Orientation
from emubot.rammap.menus import MenuStep, MenuTaps, menu_step
from emubot.rammap.places import used
from emubot.rammap.reader import Reader
from emubot.rammap.schema import Buttons, Document, Identity, LookAlike, MenuChoice
from emubot.rammap.spaces import address_of, image_size, spaces_of
from emubot.rammap.strict_yaml import MapSource
from emubot.rammap.validate import checked


@dataclass(frozen=True, eq=False)
class RamMap:
    """A frozen, validated address map. `sha1` is the cartridge whose overrides are applied, or None.

    `document` is made from `data`: plain dicts, lists, text and numbers as in the file. `text` is the file as its
    author wrote it, with its comments; `data` may know more.
    Players count from 0. Addresses are CPU addresses; `ram` arguments are a whole image of `image_size` bytes.
    """

    name: str
    path: Path
    document: Document
    data: Mapping[str, Any] = field(repr=False)
    sha1: str | None = None
    text: str = field(default="", repr=False)

    @property
    def title(self) -> str:
        """The map's title, to show to people."""
        return self.document.title

    @property
    def cartridge(self) -> str:
        """The title of the cartridge whose overrides are applied, or the map's own title."""
        return next((known.title for known in self.identities if known.sha1 == self.sha1), self.title)

    @property
    def family(self) -> str:
        """The game family: `tetris`, `puyo` or a plug-in's."""
        return self.document.family

    @property
    def profile(self) -> str:
        """The family's rule profile, such as `nes-ntsc`."""
        return self.document.profile

    @cached_property
    def spaces(self) -> tuple[str, ...]:
        """The memory spaces of an image: ram, and wram too if an address of the map lies there."""
        return spaces_of(address for address, _ in self.used)

    @property
    def image_size(self) -> int:
        """The bytes of an image: 2,048 of ram, and 8,192 more of wram if the map has it."""
        return image_size(self.spaces)

    @property
    def players(self) -> int:
        """The number of players that the map has addresses for."""
        return self.document.players

    @property
    def identities(self) -> tuple[Identity, ...]:
        """The cartridges that the map is for."""
        return self.document.identities

    @property
    def refuses(self) -> tuple[LookAlike, ...]:
        """The cartridges that the map must not be used for, and why."""
        return self.document.refuses

    @property
    def game_counter(self) -> str | None:
        """The value that changes in every frame in which the game advances, None if the map has none."""
        return self.document.game_counter

    @cached_property
    def used(self) -> tuple[tuple[int, int], ...]:
        """Every byte that the map describes, for any player, as runs (CPU address, length) in rising order."""
        return used(self.document)

    @cached_property
    def clock(self) -> int | None:
        """The address of a byte that grows by one with `game_counter`, None if no whole byte does."""
        if self.game_counter is None:
            return None
        part = self.document.values[self.game_counter].addends[0]
        plain = part.format == "binary" and part.order == "little" and part.mask is None and part.table is None
        return part.at[0] if plain else None

    @cached_property
    def timing(self) -> Mapping[str, Any]:
        """The game's timing in frames, as far as the map states it; the rest must be measured."""
        return MappingProxyType(self.document.timing.model_dump(exclude_none=True))

    @cached_property
    def rules(self) -> Mapping[str, Any]:
        """The settings in which the cartridge differs from its rule profile."""
        return MappingProxyType(dict(self.document.rules))

    @cached_property
    def regions(self) -> Mapping[str, tuple[int, int]]:
        """Named runs of bytes as (address, length) for the first player; see `region` for the other players."""
        return MappingProxyType({name: self.region(name) for name in self.document.regions})

    @cached_property
    def value_names(self) -> tuple[str, ...]:
        """Every named value, in the order of the map."""
        return tuple(self.document.values)

    @property
    def pieces(self) -> tuple[Orientation, ...]:
        """Orientation ids with their cells; empty if the profile has its own table or the ids are not known yet."""
        return self.document.pieces or ()

    @cached_property
    def piece_codes(self) -> Mapping[str, tuple[int, ...]]:
        """The known codes of a piece's parts: kind name -> codes."""
        known = {name: _numbers(codes) for name, codes in (self.document.piece_codes or {}).items() if codes}
        return MappingProxyType(known)

    @cached_property
    def codes(self) -> Mapping[str, tuple[int, ...]]:
        """The known codes of `empty` and of each kind of cell, masked and shifted."""
        return MappingProxyType({name: _numbers(codes) for name, codes in self._tables.items() if codes})

    @cached_property
    def learns(self) -> tuple[str, ...]:
        """What the map marks `learn`: kinds of cells, and `mask`, `pieces` or `piece_codes` if they are open in part.

        `empty` can be among the kinds. Cells of these kinds decode as unknown until their codes are learnt.
        """
        document = self.document
        names = [name for name, codes in self._tables.items() if not codes]
        codes = document.piece_codes
        open_tables = {
            "mask": document.grid.cell.mask == 0,
            "pieces": document.pieces == (),
            "piece_codes": codes is not None and (not codes or not all(codes.values())),
        }
        return (*names, *(name for name, is_open in open_tables.items() if is_open))

    @cached_property
    def _tables(self) -> Mapping[str, CodeSet]:
        cell = self.document.grid.cell
        return {"empty": cell.empty, **{name: kind.codes for name, kind in cell.kinds.items()}}

    def screen(self, player: int = 0) -> tuple[int, int, int, int] | None:
        """Returns (x, y, cell width, cell height) of the visible playfield's top left corner, in pixels, or None."""
        visible = self.document.grid.screen
        return None if visible is None else (*visible.at[self._player(player)], *visible.cell)

    @property
    def buttons(self) -> Buttons:
        """The Pad of each action in play, by attribute: `left`, `rotate_clockwise`, ...; None for a missing move."""
        return self.document.buttons

    @property
    def menu_pace(self) -> int:
        """Frames from tap to tap in menus; a tap lasts `press` frames."""
        pace = self.document.menu.pace if self.document.menu else 1
        return pace if self.press == 1 else max(pace, 2 * self.press)

    @property
    def press(self) -> int:
        """Frames that a press must last to be seen, and a release."""
        return self.document.timing.press or 1

    @property
    def menu_choices(self) -> Mapping[str, MenuChoice]:
        """The choices that `menu_step` accepts: name -> range (`low`, `high`) and `default`."""
        return MappingProxyType(self.document.menu.asked if self.document.menu else {})

    def for_identity(self, sha1: str) -> RamMap:
        """Returns the map with the overrides of that cartridge, or the map itself if it does not list the cartridge."""
        number = next((n for n, known in enumerate(self.identities) if known.sha1 == sha1.upper()), None)
        if number is None:
            return self
        from emubot.rammap.rewriting import overridden

        return self.with_data(overridden(self.data, number), sha1.upper())

    def learnt(
        self,
        *,
        mask: int | None = None,
        codes: Mapping[str, Sequence[int]] | None = None,
        piece_codes: Mapping[str, Sequence[int]] | None = None,
        pieces: Sequence[Orientation] = (),
        rules: Mapping[str, Any] | None = None,
        timing: Mapping[str, Any] | None = None,
        values: Mapping[str, Any] | None = None,
    ) -> RamMap:
        """Returns a map that knows more: what is given replaces the old, or is added, and the rest stays.

        `mask` holds the bits of a cell's word that are its code. Codes that the map already states are reduced to them.
        `codes` are the codes of `empty` and of kinds, `piece_codes` the codes of a piece's parts, `values` named
        numbers as a file has them. Raises MapError if the result is not a valid map, for example if two kinds share a
        code.
        """
        from emubot.rammap.rewriting import learnt

        additions = (codes or {}, piece_codes or {}, pieces, rules or {}, timing or {}, values or {})
        return self.with_data(learnt(self.data, mask, *additions), self.sha1)

    def only_for(self, sha1: str | None, title: str | None = None) -> RamMap:
        """Returns the map for this cartridge alone, or for none if `sha1` is None: what is learnt holds for one."""
        from emubot.rammap.rewriting import only_for

        return self.with_data(only_for(self.data, title, sha1), sha1 and sha1.upper())

    def with_data(self, data: Mapping[str, Any], sha1: str | None) -> RamMap:
        """Returns a map that says something else, for the cartridge of this SHA-1. Raises MapError if it is none."""
        return RamMap(self.name, self.path, checked(MapSource(str(self.path), data, {})), data, sha1, self.text)

    def region(self, name: str, player: int = 0) -> tuple[int, int]:
        """Returns (address, length) of a named run of bytes. Raises KeyError if the name is unknown."""
        at = self.document.regions[name].at
        return at[min(self._player(player), len(at) - 1)], self.document.regions[name].bytes

    def addresses(self, name: str, player: int = 0) -> tuple[int, ...]:
        """Returns the CPU address of each byte of a value. Raises KeyError if the name is unknown."""
        return tuple(address_of(index) for index in self.reader(player).scalars[name].indices)

    def reader(self, player: int = 0) -> Reader:
        """Returns the decoder of one player, made once. Raises MapError if the map has no addresses for the player."""
        return self._readers.get(self._player(player)) or self._make_reader(player)

    def encode(
        self,
        ram: Any,
        values: Mapping[str, int],
        playfield: Kinds | None = None,
        hidden: Kinds | None = None,
        player: int = 0,
    ) -> None:
        """Write values and kinds of cells, in the map's coding, into a uint8 array or bytearray of a whole image.

        All other bits stay as they are. Raises ValueError if a number does not fit its bytes, a kind has no code, a
        shape is wrong, two values that share bytes contradict each other, or a row table has no place for each row.
        """
        reader = self.reader(player)
        for name, number in values.items():
            reader.scalars[name].encode(ram, number)
        reader.grid.encode(ram, playfield, hidden)
        for name in self._sharing & values.keys():
            if (decoded := reader.scalars[name].decode(ram)) != values[name]:
                raise ValueError(f"{name} should become {values[name]} and is {decoded}: values that overlap disagree")

    def menu_step(
        self, ram: bytes, choices: Mapping[str, int], player: int = 0, taps: MenuTaps | None = None
    ) -> MenuStep | None:
        """Returns what to press next on the way to a game with these choices, or None if no step applies.

        `choices` maps names of `RamMap.menu_choices` to numbers; a missing name takes its default. Raises UsageError
        if the menus do not offer a name or a number. Note each tap in `taps`: where a step taps several buttons in
        turn, they say which one is next; without them it is the first one.
        """
        return menu_step(self.document.menu, self.cartridge, self.reader(player), ram, choices, taps or MenuTaps())

    @cached_property
    def _sharing(self) -> frozenset[str]:
        """The values that share bits with another value."""
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
        reader = self._readers[player] = Reader(self.document, player)
        return reader

    def _player(self, player: int) -> int:
        if not 0 <= player < self.players:
            raise MapError(f"{self.title} has addresses for {self.players} players, and none for player {player + 1}.")
        return player


def _numbers(codes: CodeSet) -> tuple[int, ...]:
    return tuple(code for span in codes for code in range(span.low, span.high + 1))
