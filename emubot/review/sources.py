"""A person's games as frames: traces, matches, recordings of NestrisChamps, movies played in a core; judges nothing."""

from __future__ import annotations

import contextlib
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Final

from emubot.bridges.image import image_reader
from emubot.errors import TraceError, UsageError
from emubot.files import UnsuitableFile, read_regular
from emubot.formats import BK2, FM2, known_format
from emubot.games.edition import Edition
from emubot.machine import FRAME_RATE_NTSC, FRAME_RATE_PAL
from emubot.pad import Pad
from emubot.publish.ngf import SUFFIX, read_ngf
from emubot.snapshot import Snapshot

if TYPE_CHECKING:
    from emubot.movies import Movie
    from emubot.session.request import SessionRequest

_BK2: Final = ".bk2"
_MOVIES: Final = (".fm2", _BK2)
_MOVIE_FORMATS: Final = (FM2, BK2)
_MATCH: Final = ".json"
_TRACES: Final = (".npz", ".part")
_LARGEST_MOVIE: Final = 64 << 20


@dataclass(frozen=True, slots=True, eq=False)
class FrameSource:
    """A player's frames. `frames` is their number, or None if it is not known before they are read.

    `frame_rate` is how many a second the console showed, as far as a recording says it.
    """

    edition: Edition
    snapshots: Iterator[Snapshot]
    title: str
    frames: int | None = None
    frame_rate: float | None = None


def source_of(path: Path, player: int, map_name: str | None, request: SessionRequest) -> FrameSource:
    """Returns the frames of player 0 or 1 in a file. For a movie `request` names the cartridge and the core.

    Raises TraceError for a file that holds no game, UsageError for a player that it does not have.
    """
    suffix = path.suffix.lower()
    if suffix in _MOVIES:
        return _movie(path, player, request)
    if suffix == _MATCH:
        return _match(path, player)
    if suffix == SUFFIX:
        return _recording(path, player, map_name)
    if suffix not in _TRACES:
        content = _content(path)
        _refuse_known(content, path)
        if known_format(content, path.name) in _MOVIE_FORMATS:
            return _movie(path, player, request)
    return trace_of(path, player, map_name)


def _match(path: Path, player: int) -> FrameSource:
    from emubot.arena.player import ReplayPlayer
    from emubot.arena.replay import read_replay

    replay = read_replay(path)
    if player >= len(replay.request.sides):
        raise UsageError(f"{path} is a match of one side: leave out --player.")
    replay_player = ReplayPlayer(replay)
    console = replay_player.sides[player].console

    def snapshots() -> Iterator[Snapshot]:
        yield replay_player.sides[player].snapshot()
        while not replay_player.finished:
            replay_player.step()
            yield replay_player.sides[player].snapshot()

    return FrameSource(console.edition, snapshots(), path.name, replay_player.ticks)


def trace_of(path: Path, player: int, map_name: str | None) -> FrameSource:
    """Returns the frames of player 0 or 1 in a recorded game. Raises as `source_of` does."""
    from emubot.games.recorded import edition_of, game_of, memory_of
    from emubot.trace import read_trace

    trace = read_trace(path)
    game = game_of(trace)
    if game is None:
        raise TraceError(f"{path} holds no game of a family that emubot knows.")
    edition = edition_of(trace, game, map_name)
    ram_map = edition.ram_map
    if player >= ram_map.players:
        raise UsageError(f"{path} is a game of one player: leave out --player.")
    decode = edition.decoder(player)
    snapshots = (decode(memory_of(trace, row, ram_map)) for row in range(trace.frames))
    rate = trace.about.get("frame_rate")
    known = isinstance(rate, int | float) and FRAME_RATE_PAL / 2 < rate < FRAME_RATE_NTSC * 2
    return FrameSource(edition, snapshots, path.name, trace.frames, rate if known else None)


def _recording(path: Path, player: int, map_name: str | None) -> FrameSource:
    """A recording of NestrisChamps, which shows the screen alone: the family finds its pieces."""
    from emubot.games import game, names, open_edition
    from emubot.rammap import load_map

    if player:
        raise UsageError(f"{path} is a game of one player: leave out --player.")
    frames = read_ngf(path)
    maps = [game(name).facts.default_map for name in names()] if map_name is None else [map_name]
    for edition in map(open_edition, map(load_map, maps)):
        if edition.broadcast is not None:
            return FrameSource(edition, edition.broadcast.snapshots(frames), path.name, len(frames))
    raise UsageError(f"{path} is a game of falling blocks, and the map {map_name} is not of one: name another --map.")


def _movie(path: Path, player: int, request: SessionRequest) -> FrameSource:
    """Plays a movie in a core; its cartridge is not in the file."""
    from emubot.cartridge import load_cartridge
    from emubot.demos import image
    from emubot.games import open_edition
    from emubot.rammap import load_map, map_for
    from emubot.session.cartridges import as_listed
    from emubot.session.emulators import start_cartridge

    if request.rom is None and request.demo is None:
        raise UsageError("A movie holds buttons only: name its cartridge with --rom FILE or --demo NAME.")
    content = _content(path)
    _refuse_known(content, path)
    movie = _read_movie(content, path)
    cartridge = load_cartridge(request.rom or image(request.demo or ""))
    if movie.md5 and cartridge.md5 and movie.md5 != cartridge.md5:
        raise UsageError(f"{path} was made with another cartridge than {cartridge.name}: name that one.")
    if movie.hashes and movie.hashes.isdisjoint(cartridge.hashes):
        request.say(
            f"{path} was made with another file than {cartridge.name}: if more than its header differs, name that one."
        )
    ram_map = load_map(request.map).for_identity(cartridge.sha1) if request.map else map_for(cartridge)
    edition = open_edition(ram_map)
    if player >= ram_map.players:
        raise UsageError(f"{ram_map.title} is a game of one player: leave out --player.")
    decode = edition.decoder(player)
    console = as_listed(cartridge, ram_map).mended(region="ntsc")  # what the movie says

    def snapshots() -> Iterator[Snapshot]:
        with contextlib.closing(start_cartridge(request, console)) as bridge:
            read = image_reader(bridge, ram_map.spaces)
            for first, second in movie.pads_for(bridge.facts.emulator):
                bridge.press(0, Pad(int(first)))
                bridge.press(1, Pad(int(second)))
                bridge.advance()
                yield decode(read())

    return FrameSource(edition, snapshots(), path.name, len(movie.pads))


def _read_movie(content: bytes, path: Path) -> Movie:
    from emubot.movies import read_bk2, read_fm2

    known = known_format(content, path.name)
    is_bk2 = known is BK2 or (known is None and path.suffix.lower() == _BK2)
    return read_bk2(content) if is_bk2 else read_fm2(content)


def _content(path: Path) -> bytes:
    try:
        return read_regular(path, _LARGEST_MOVIE)
    except FileNotFoundError as missing:
        raise TraceError(f"There is no file {path}.") from missing
    except (UnsuitableFile, OSError) as wrong:
        raise TraceError(f"{path} cannot be read: {wrong.strerror}.") from wrong


def _refuse_known(content: bytes, path: Path) -> None:
    """Raise TraceError for a file in a known format that is neither a movie of ours nor a recorded game."""
    known = known_format(content, path.name)
    if known is not None and known not in _MOVIE_FORMATS:
        raise TraceError(f"{path} is {known.name}, no recorded game: {known.remedy}.")
