"""The contest that the options of a command describe; plays nothing."""

from __future__ import annotations

import argparse
from typing import TYPE_CHECKING

from emubot.cli.game_options import given

if TYPE_CHECKING:
    from emubot.trials.evaluation.contest import Contest


def contest_of(options: argparse.Namespace, sides: int) -> Contest:
    """Returns the contest that the options of `evaluate` or `train` describe; it names only those that were given."""
    from emubot.trials.evaluation.contest import Contest

    return Contest(options.game, sides, options.rules, given(options, options.game, "evaluate"))
