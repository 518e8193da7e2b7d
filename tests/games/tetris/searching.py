"""The search of two plies by features, as many tests need it."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from emubot.games.tetris.rules import Profile
from emubot.games.tetris.search.engine import features_engine
from emubot.games.tetris.search.search import Search
from emubot.tempo import Tempo


def search_by(weights: NDArray[np.float64], tempo: Tempo, profile: Profile) -> Search:
    return Search(features_engine(weights, tempo, profile), tempo, profile)
