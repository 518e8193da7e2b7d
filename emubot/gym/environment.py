"""One game as a Gymnasium environment; knows no family."""

from __future__ import annotations

from os import PathLike
from typing import Any

import gymnasium
import numpy as np
from gymnasium import spaces
from numpy.typing import NDArray

from emubot.errors import UsageError
from emubot.gym.registered import open_batch, open_on_cartridge
from emubot.gym.shown import BOARD, RENDER_MODES, Observation, Sight, checked_mode
from emubot.gym.window import Window

SEEDS = 2**32  # a game without a seed of its own gets one below


class Environment(gymnasium.Env[Observation, np.int64]):
    """A game of an environment's name, with the options that its family declares.

    `observation` is "board" (a dict of `board`, uint8 (rows, columns), and `counters`, int64) or "picture" (uint8
    (height, width, 3)). `info` has `action_mask`, int8 (actions,), where not all actions
    do what they say; `action_masks()` returns it as bools. `meanings` says what each action is, and
    `counters` names the numbers. With `rom`, a file, the game is played on that cartridge in a libretro core: `core` is
    its name or path, None the first one found.

    Raises UsageError, which says what there is, for names, options and values that it does not have; with `rom` also
    RomError, MapError, CoreNotFound and CoreError.
    """

    # As Gymnasium declares it, for the class, which it asks before there is an environment.
    metadata: dict[str, Any] = {"render_modes": [*RENDER_MODES], "render_fps": 60}  # noqa: RUF012

    def __init__(
        self,
        name: str,
        render_mode: str | None = None,
        observation: str = BOARD,
        rom: str | PathLike[str] | None = None,
        core: str | PathLike[str] | None = None,
        **options: Any,
    ) -> None:
        self.render_mode = checked_mode(render_mode, RENDER_MODES)
        if core is not None and rom is None:
            raise UsageError("A core needs a cartridge: name its file with rom, or take emubot.demo('tetris').")
        self._batch = open_batch(name, 1, options) if rom is None else open_on_cartridge(name, rom, core, options)
        try:
            self._sight = Sight(self._batch, observation)
            self._window = Window(name, self._batch.rate) if render_mode == "human" else None
        except BaseException:
            self._batch.close()
            raise
        self.metadata = {**self.metadata, "render_fps": self._batch.rate}
        self.observation_space = self._sight.space()
        self.action_space = spaces.Discrete(len(self._batch.actions))
        self.meanings, self.counters = self._batch.actions, [number.name for number in self._batch.numbers]
        self._all, self._actions = np.ones(1, dtype=np.bool_), np.zeros(1, dtype=np.int64)
        self._begun = False

    def reset(
        self, *, seed: int | None = None, options: dict[str, Any] | None = None
    ) -> tuple[Observation, dict[str, Any]]:
        """Begin a game. Games after one with a seed are drawn by it, too."""
        super().reset(seed=seed)
        if seed is None and not self._begun:
            seed = int(self.np_random.integers(SEEDS))
        self._batch.begin(self._all, [seed])
        self._begun = True
        return self._observed(), self._info()

    def step(self, action: Any) -> tuple[Observation, float, bool, bool, dict[str, Any]]:
        """Do an action. Raises UsageError before the first reset, IndexError for an action that there is not."""
        if not self._begun:
            raise UsageError("The game has not begun: call reset() before step().")
        self._actions[0] = action
        self._batch.step(self._actions)
        batch = self._batch
        observed = self._observed()
        return observed, float(batch.rewards[0]), bool(batch.ended[0]), bool(batch.cut[0]), self._info()

    def render(self) -> Any:
        """Returns the picture, or the text, by the render mode; nothing for a person, who sees each step."""
        if self.render_mode == "ansi":
            return self._sight.text(0)
        return self._sight.pictures()[0] if self.render_mode == "rgb_array" else None

    def close(self) -> None:
        """Close the window, and end the core, if there are some."""
        if self._window is not None:
            self._window.close()
        self._batch.close()

    def action_masks(self) -> NDArray[np.bool_]:
        """Returns which actions do what they say, bool (actions,)."""
        mask = self._batch.mask[0]
        return mask.astype(np.bool_) if len(mask) else np.ones(len(self._batch.actions), dtype=np.bool_)

    def _observed(self) -> Observation:
        if self._window is not None:
            self._window.show(self._sight.pictures()[0])
        seen = self._sight.observations()
        return {key: array[0].copy() for key, array in seen.items()} if isinstance(seen, dict) else seen[0]

    def _info(self) -> dict[str, Any]:
        mask = self._batch.mask[0]
        return {"action_mask": mask.copy()} if len(mask) else {}
