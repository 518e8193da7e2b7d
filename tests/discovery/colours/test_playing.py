"""A move is what the frames of one piece show, whatever the game does before it shows the lock."""

from __future__ import annotations

from collections.abc import Iterable
from typing import cast

import numpy as np
import pytest

from emubot.discovery.axes import Axis
from emubot.discovery.colours.playing import Player
from emubot.discovery.drops import Dropper
from emubot.discovery.lab import History, Lab
from emubot.pad import Pad
from tests.discovery.colours.test_idling import GAME, LOST, SPAWN_X, SPAWN_Y, X, Y, findings, frames

COLUMNS, FLOOR = 6, 7
NOW, NEXT = (10, 20), (20, 20)


class _Film:
    """A console that shows the same frames whatever is pressed, the last one for ever; a piece obeys in some."""

    row, column = Axis(Y, 1), Axis(X, 1)

    def __init__(self, images: History, obeys: range) -> None:
        self._images, self._obeys, self._at, self.frames = images, obeys, 0, 0

    def play(self, pads: Iterable[Pad]) -> History:
        """Plays on."""
        count = len(list(pads))
        self._at, self.frames = self._at + count, self.frames + count
        return self._images[np.minimum(np.arange(self._at - count, self._at), len(self._images) - 1)]

    def idle(self, frames: int) -> History:
        return self.play([Pad.NONE] * frames)

    def replay(self, state: bytes, pads: Iterable[Pad]) -> History:
        self.load(state)
        return self.play(pads)

    def save(self) -> bytes:
        return self._at.to_bytes(4, "little")

    def load(self, state: bytes) -> None:
        self._at = int.from_bytes(state, "little")

    def obeys(self, state: bytes) -> bool:
        return int.from_bytes(state, "little") in self._obeys


class _Playing(Player):
    @property
    def dropper(self) -> Dropper:
        return cast(Dropper, self.lab)


def playing(images: list[History], obeys: range) -> _Playing:
    film = _Film(np.concatenate(images), obeys)
    return _Playing(cast(Lab, film), findings(), np.random.default_rng(0))


def with_piece(images: History) -> History:
    """The same with the piece on the floor of the field."""
    images[:, [FLOOR * COLUMNS + SPAWN_X, FLOOR * COLUMNS + SPAWN_X + 1]] = NOW
    return images


def test_a_piece_has_the_colours_that_it_had_before_they_became_those_of_the_next_one() -> None:
    falls = frames(GAME, [*range(SPAWN_Y, FLOOR + 1), *[FLOOR] * 12], NOW)
    early = frames(GAME, [FLOOR] * 2, NEXT)  # the field does not show yet that the piece locked
    locked = with_piece(frames(GAME, [FLOOR] * 6 + [SPAWN_Y] * 60, NEXT))
    player = playing([falls, early, locked], range(len(falls) + 8, 10_000))
    move = player.move(lambda before, images: [])
    assert move is not None
    assert move.cells == ((FLOOR, SPAWN_X, 1), (FLOOR, SPAWN_X + 1, 2))
    assert move.after is not None


def test_a_game_in_which_a_piece_falls_without_obeying_has_not_ended() -> None:
    """There is no room beside it; what follows is no end of a game, and the frames tell nothing of one."""
    falls = frames(GAME, [*range(SPAWN_Y, FLOOR + 1), *[FLOOR] * 12], NOW)
    stuck = with_piece(frames(GAME, [SPAWN_Y] * 30 + [SPAWN_Y + 1] * 30, NEXT))
    player = playing([falls, stuck], range(0))
    assert player.move(lambda before, images: []) is not None
    assert not player.ends
    stays = with_piece(frames(GAME, [SPAWN_Y] * 60, NEXT))
    player = playing([falls, stays], range(0))
    assert player.move(lambda before, images: []) is not None
    assert len(player.ends) == 1


@pytest.mark.parametrize(("waits", "moves"), [(240, True), (240, False), (40, True)])
def test_a_piece_that_moves_by_itself_long_after_a_lock_is_one_of_a_demonstration(waits: int, moves: bool) -> None:
    """The game has ended, and its menus show how it is played; a piece that comes soon is the game's own."""
    falls = frames(GAME, [*range(SPAWN_Y, FLOOR + 1), FLOOR], NOW)
    over = with_piece(frames(LOST, [FLOOR] * waits, NEXT))
    shown = with_piece(frames(GAME, [SPAWN_Y] * 90, NEXT))
    shown[40:, X] += moves
    player = playing([falls, over, shown], range(len(falls) + waits, 10_000))
    move = player.move(lambda before, images: [])
    assert move is not None
    is_over = waits > 200 and moves
    assert (move.after is None, len(player.ends)) == (is_over, int(is_over))


def test_what_was_left_to_press_when_a_piece_locked_does_not_move_the_next_one() -> None:
    falls = frames(GAME, [*range(SPAWN_Y, FLOOR + 1), FLOOR], NOW)
    locked = with_piece(frames(GAME, [SPAWN_Y] * 40, NEXT))
    player = playing([falls, locked], range(0, 10_000))
    move = player.move(lambda before, images: [Pad.RIGHT, Pad.NONE] * 12)
    assert move is not None
    assert (move.gone, move.entered, len(move.between)) == (len(falls), len(falls), 0)
    assert [*move.pads[len(falls) + 1 :]] == [Pad.NONE] * (len(move.pads) - len(falls) - 1)
