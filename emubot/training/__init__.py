"""Optimisers, fitness, checkpoints: from self-play to weights; knows games only by their trials, and no emulator."""

from __future__ import annotations

from typing import Final

METHODS: Final = ("battle", "ga", "ga-rank", "pso", "ce", "cmaes", "dqn", "td")
