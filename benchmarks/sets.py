"""Puts trained values into a weights file as a set for rules, colours and an aim; a set for the same is replaced.

python benchmarks/sets.py weights/famicom_puyo.json tsu 3,4,5 chain runs/tsu/weights.json [eagerness=1.1 ...]
"""

from __future__ import annotations

import argparse
from pathlib import Path

from emubot.games.colours.search.engine import check_features
from emubot.weight_parts import ValueSet
from emubot.weights import load_weights, save_weights


def main() -> None:
    """Write the file anew."""
    made = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    made.add_argument("file", type=Path)
    made.add_argument("rules")
    made.add_argument("colors", help="numbers of colours, such as 4,5")
    made.add_argument("aim")
    made.add_argument("trained", help="weights that training wrote")
    made.add_argument("settings", nargs="*", metavar="NAME=VALUE")
    options = made.parse_args()
    whole, trained = load_weights(str(options.file)), load_weights(options.trained)
    settings = {name: float(value) for name, _, value in (pair.partition("=") for pair in options.settings)}
    one = ValueSet(
        rules=options.rules,
        colors=tuple(map(int, options.colors.split(","))),
        aim=options.aim,
        features=trained.features,
        values=tuple(round(value, 4) for value in trained.values),
        settings=settings,
        provenance=trained.provenance,
    )
    key = (one.rules, one.aim, one.colors)
    kept = [other for other in whole.sets if (other.rules, other.aim, other.colors) != key]
    made_whole = whole.model_copy(update={"sets": (*kept, one)})
    check_features(made_whole)
    save_weights(made_whole, options.file)


if __name__ == "__main__":
    main()
