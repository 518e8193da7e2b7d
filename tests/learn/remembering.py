"""A simulated bridge with save states, for machines in Python: a state is a copy of all that the machine has."""

from __future__ import annotations

from copy import deepcopy
from dataclasses import replace
from typing import Any

import numpy as np

from emubot.bridges.protocol import BridgeFacts
from emubot.bridges.simulated import SimulatedBridge
from tests.toys.machine import ToyMachine


class RememberingBridge(SimulatedBridge):
    """Plays a toy's twin, and goes back to any frame of it."""

    def __init__(self, machine: ToyMachine) -> None:
        super().__init__(machine)
        self._toy = machine
        self._states: list[dict[str, Any]] = []

    @property
    def facts(self) -> BridgeFacts:
        return replace(super().facts, save_states=True)

    def save(self) -> bytes:
        self._states.append({name: deepcopy(value) for name, value in vars(self._toy).items() if name != "toy"})
        return str(len(self._states) - 1).encode()

    def load(self, state: bytes) -> None:
        for name, value in self._states[int(state)].items():
            if isinstance(value, np.ndarray):
                getattr(self._toy, name)[:] = value
            else:
                setattr(self._toy, name, value)
        self.epoch += 1
