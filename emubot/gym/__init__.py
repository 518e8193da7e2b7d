"""Environments for programs that learn, by the interfaces of Gymnasium and PettingZoo.

Importing this registers `emubot/NAME-v0`:

    import gymnasium, pettingzoo, emubot.gym
    env = gymnasium.make("emubot/NESTetris-v0", actions="placements", taps="12hz")
    many = gymnasium.make_vec("emubot/TextbookTetris-v0", num_envs=1024, board="10x20")
    match = pettingzoo.make("parallel", "emubot/FamicomPuyoMatch-v0", rules="tsu")

Which environments there are, and their options, the families declare (games/offers.py); docs/reference/environments.md
lists them. Raises ImportError, with the command that helps, if the packages of the extra `gym` are not there.
"""

from __future__ import annotations

from emubot.extras import GYM

if not GYM.is_met():
    raise ImportError(GYM.refusal())

from emubot.gym.environment import Environment
from emubot.gym.parallel import ParallelEnvironment
from emubot.gym.registered import environment_names, match_names, register
from emubot.gym.vector import VectorEnvironment

__all__ = ["Environment", "ParallelEnvironment", "VectorEnvironment", "environment_names", "match_names"]

register()
