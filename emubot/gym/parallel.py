"""A match of two players as a PettingZoo environment, in which both act at once; knows no family."""

from __future__ import annotations

from typing import Any, Final

import numpy as np
from gymnasium import spaces
from numpy.typing import NDArray
from pettingzoo import ParallelEnv

from emubot.errors import UsageError
from emubot.gym.environment import SEEDS
from emubot.gym.registered import MATCH, open_batch
from emubot.gym.shown import BOARD, RENDER_MODES, Observation, Sight, checked_mode
from emubot.gym.window import Window

PLAYERS: Final = ("player_1", "player_2")
OPPONENT: Final = "opponent"  # of an observation: the other one's board

Said = tuple[
    dict[str, Observation], dict[str, float], dict[str, bool], dict[str, bool], dict[str, dict[str, NDArray[np.int8]]]
]


class ParallelEnvironment(ParallelEnv[str, Observation, np.int64]):  # type: ignore[misc] # it has no types
    """A match by an environment's name, with the options that its family declares, between `player_1` and `player_2`.

    Options, observations, actions and masks are those of Environment. A board has the `opponent`'s beside it, and a
    picture shows both, the player's own on the left. Both players begin and are over together.

    Raises UsageError, which says what there is, for names, options and values that it does not have.
    """

    # As PettingZoo declares it, for the class.
    metadata: dict[str, Any] = {"render_modes": [*RENDER_MODES], "name": "emubot"}  # noqa: RUF012

    def __init__(self, name: str, render_mode: str | None = None, observation: str = BOARD, **options: Any) -> None:
        self.render_mode = checked_mode(render_mode, RENDER_MODES)
        self._batch = open_batch(name, len(PLAYERS), options, MATCH)
        self._sight = Sight(self._batch, observation)
        self.metadata = {**self.metadata, "name": f"emubot/{name}-v0", "render_fps": self._batch.rate}
        self.possible_agents, self.agents = [*PLAYERS], list[str]()
        space = self._sight.space()
        if isinstance(space, spaces.Dict):
            space = spaces.Dict({**space.spaces, OPPONENT: space["board"]})
        else:
            space = spaces.Box(0, 255, self._pictures()[0].shape, np.uint8)
        self.observation_spaces = dict.fromkeys(PLAYERS, space)
        self.action_spaces = {player: spaces.Discrete(len(self._batch.actions)) for player in PLAYERS}
        self.meanings, self.counters = self._batch.actions, [number.name for number in self._batch.numbers]
        self._window = Window(name, self._batch.rate) if render_mode == "human" else None
        self._rng = np.random.default_rng()

    def observation_space(self, agent: str) -> spaces.Space[Any]:
        """Returns what a player sees."""
        return self.observation_spaces[agent]

    def action_space(self, agent: str) -> spaces.Space[Any]:
        """Returns what a player can do."""
        return self.action_spaces[agent]

    def reset(
        self, seed: int | None = None, options: dict[str, Any] | None = None
    ) -> tuple[dict[str, Observation], dict[str, dict[str, NDArray[np.int8]]]]:
        """Begin a match. Matches after one with a seed are drawn by it, too."""
        if seed is not None:
            self._rng = np.random.default_rng(seed)
        lots = int(self._rng.integers(SEEDS)) if seed is None else seed
        self._batch.begin(np.ones(len(PLAYERS), dtype=np.bool_), [lots] * len(PLAYERS))
        self.agents = [*PLAYERS]
        return self._observed(), self._infos()

    def step(self, actions: dict[str, Any]) -> Said:
        """Do an action of each player. Raises UsageError where no match is on, or one has no action."""
        if not self.agents:
            raise UsageError("No match is on: call reset() before step().")
        if missing := [player for player in PLAYERS if player not in actions]:
            raise UsageError(f"Both players act in each step: there is no action of {' and '.join(missing)}.")
        self._batch.step(np.array([actions[player] for player in PLAYERS], dtype=np.int64))
        batch = self._batch
        said = (
            self._observed(),
            dict(zip(PLAYERS, batch.rewards.tolist(), strict=True)),
            dict(zip(PLAYERS, batch.ended.tolist(), strict=True)),
            dict(zip(PLAYERS, batch.cut.tolist(), strict=True)),
            self._infos(),
        )
        if batch.ended[0] or batch.cut[0]:
            self.agents = []
        return said

    def render(self) -> Any:
        """Returns the picture of both, or the text, by the render mode; nothing for a person, who sees each step."""
        if self.render_mode == "ansi":
            return "\n".join(f"{player}\n{self._sight.text(seat)}" for seat, player in enumerate(PLAYERS))
        return self._pictures()[0] if self.render_mode == "rgb_array" else None

    def close(self) -> None:
        """Close the window, if there is one."""
        if self._window is not None:
            self._window.close()

    def _pictures(self) -> NDArray[np.uint8]:
        """Returns what each player sees: the own board and the other's to its right."""
        own = self._sight.pictures()
        return np.concatenate([own, own[::-1]], axis=2)

    def _observed(self) -> dict[str, Observation]:
        if self._window is not None:
            self._window.show(self._pictures()[0])
        seen = self._sight.observations()
        if not isinstance(seen, dict):
            return dict(zip(PLAYERS, self._pictures(), strict=True))
        rows = {key: array.copy() for key, array in seen.items()}
        return {
            player: {key: array[seat] for key, array in rows.items()} | {OPPONENT: rows["board"][1 - seat]}
            for seat, player in enumerate(PLAYERS)
        }

    def _infos(self) -> dict[str, dict[str, NDArray[np.int8]]]:
        mask = self._batch.mask
        return {
            player: {"action_mask": mask[seat].copy()} if mask.shape[1] else {} for seat, player in enumerate(PLAYERS)
        }
