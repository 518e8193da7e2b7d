"""Many games as one Gymnasium vector environment, stepped in one compiled call; knows no family."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np
from gymnasium import spaces
from gymnasium.vector import AutoresetMode, VectorEnv
from gymnasium.vector.utils import batch_space
from numpy.typing import NDArray

from emubot.errors import UsageError
from emubot.gym.environment import SEEDS
from emubot.gym.registered import open_batch
from emubot.gym.shown import BOARD, Observation, Sight, checked_mode

_RENDER_MODES = ("rgb_array", "ansi")


class VectorEnvironment(VectorEnv[Observation, NDArray[np.int64], NDArray[Any]]):
    """Games of an environment's name beside each other; options and observations are those of Environment.

    Observations, rewards and masks are the arrays that the games are played in: they change with the next step. With
    `copy` each step returns new ones. A game that is over begins anew at the next step, as in Gymnasium's NEXT_STEP.
    """

    # As Gymnasium declares it, for the class, which it asks before there is an environment.
    metadata: dict[str, Any] = {  # noqa: RUF012
        "render_modes": [*_RENDER_MODES],
        "autoreset_mode": AutoresetMode.NEXT_STEP,
    }

    def __init__(
        self,
        name: str,
        num_envs: int = 1,
        render_mode: str | None = None,
        observation: str = BOARD,
        copy: bool = False,
        **options: Any,
    ) -> None:
        if num_envs < 1:
            raise UsageError(f"num_envs is 1 or more, not {num_envs}.")
        self._batch = open_batch(name, num_envs, options)
        self._sight = Sight(self._batch, observation)
        self.render_mode = checked_mode(render_mode, _RENDER_MODES)
        self.num_envs, self._copies, self._begun = num_envs, copy, False
        self.metadata = {**self.metadata, "render_fps": self._batch.rate}
        self.single_observation_space = self._sight.space()
        self.single_action_space = spaces.Discrete(len(self._batch.actions))
        self.observation_space = batch_space(self.single_observation_space, num_envs)
        self.action_space = batch_space(self.single_action_space, num_envs)
        self.meanings, self.counters = self._batch.actions, [number.name for number in self._batch.numbers]

    def reset(
        self, *, seed: int | Sequence[int | None] | None = None, options: dict[str, Any] | None = None
    ) -> tuple[Observation, dict[str, Any]]:
        """Begin new games. With a whole number as seed, game i has seed + i; without, the first ones are drawn.

        `options["reset_mask"]`, bool (num_envs,), names the games that begin. Raises UsageError for other shapes.
        """
        super().reset(seed=seed if isinstance(seed, int) else None)
        which = np.ones(self.num_envs, dtype=np.bool_)
        if options and "reset_mask" in options:
            which = np.asarray(options["reset_mask"], dtype=np.bool_)
        if seed is None and not self._begun:
            seed = self.np_random.integers(SEEDS, size=self.num_envs).tolist()
        seeds = [seed + game for game in range(self.num_envs)] if isinstance(seed, int) else seed
        seeds = [None] * self.num_envs if seeds is None else [*seeds]
        if len(seeds) != self.num_envs or which.shape != (self.num_envs,):
            raise UsageError(f"A seed and a reset_mask for each of {self.num_envs} games are needed, or none.")
        self._batch.begin(which, seeds)
        self._begun = True
        return self._observed(), self._info()

    def step(
        self, actions: NDArray[np.int64]
    ) -> tuple[Observation, NDArray[Any], NDArray[Any], NDArray[Any], dict[str, Any]]:
        """Do an action (num_envs,) in each game. Raises as Environment.step, and UsageError for another shape."""
        if not self._begun:
            raise UsageError("The games have not begun: call reset() before step().")
        actions = np.ascontiguousarray(actions, dtype=np.int64)
        if actions.shape != (self.num_envs,):
            raise UsageError(f"An action for each of {self.num_envs} games is needed, not {actions.shape}.")
        batch = self._batch
        batch.step(actions)
        results = (batch.rewards, batch.ended, batch.cut)
        rewards, ended, cut = [array.copy() for array in results] if self._copies else results
        return self._observed(), rewards, ended, cut, self._info()

    def render(self) -> tuple[Any, ...] | None:
        """Returns a picture, or a text, of each game."""
        if self.render_mode == "ansi":
            return tuple(self._sight.text(game) for game in range(self.num_envs))
        return tuple(self._sight.pictures()) if self.render_mode == "rgb_array" else None

    def _observed(self) -> Observation:
        seen = self._sight.observations()
        if self._copies and isinstance(seen, dict):
            return {key: array.copy() for key, array in seen.items()}
        return seen

    def _info(self) -> dict[str, Any]:
        mask = self._batch.mask
        if not mask.shape[1]:
            return {}
        return {"action_mask": mask.copy() if self._copies else mask}
