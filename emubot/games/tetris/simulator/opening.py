"""What a new game of NES Tetris sets, on its own bytes (facts 3.3); knows no menu and no map."""

from __future__ import annotations

from typing import Any, Final

import numpy as np
from numpy.typing import NDArray

from emubot.games.tetris.decode import addresses as reg
from emubot.games.tetris.rules import SPAWN_COLUMN
from emubot.games.tetris.simulator.play_states import choose_piece, step_lfsr
from emubot.jit import Scalar, kernel

# The bytes that a new game leaves as they are.
_KEPT: Final = np.zeros(len(reg.FIELDS), dtype=np.bool_)
_KEPT[
    [
        *(reg.DAS, reg.CURTAIN_ROW, reg.LFSR_HI, reg.LFSR_LO, reg.SPAWN_COUNT),
        *(reg.FRAME_LO, reg.FRAME_HI, reg.GAME_TYPE),
    ]
] = True


@kernel
def new_game(s: NDArray[Any], page: NDArray[Any], level: Scalar, start_wait: Scalar) -> None:
    """Set state (37,) and page (256,) for the first frame at a level, but for its pieces: see `first_pieces`."""
    for index in range(len(s)):
        if not _KEPT[index]:
            s[index] = 0
    for index in range(len(page)):
        page[index] = reg.EMPTY
    s[reg.LEVEL] = level
    s[reg.X] = SPAWN_COLUMN
    s[reg.AUTOREPEAT_Y] = 256 - start_wait
    s[reg.GAME_MODE] = reg.MODE_PLAY
    s[reg.MODE_STATE] = reg.MODE_STATE_PLAY
    s[reg.PLAY_STATE] = 1


@kernel
def first_pieces(s: NDArray[Any]) -> None:
    """Choose the first piece and the next one, with a step of the generator between them."""
    s[reg.PIECE] = choose_piece(s)
    hi, lo = step_lfsr(np.int64(s[reg.LFSR_HI]), np.int64(s[reg.LFSR_LO]))
    s[reg.LFSR_HI] = hi
    s[reg.LFSR_LO] = lo
    s[reg.NEXT_PIECE] = choose_piece(s)
