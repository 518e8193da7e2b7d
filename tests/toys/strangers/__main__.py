"""Writes NAME.nes and NAME.json: `python -m tests.toys.strangers SEED ... --out FOLDER [--kind colours]`."""

from __future__ import annotations

import argparse
import json
from collections.abc import Sequence
from dataclasses import asdict, fields, replace
from pathlib import Path
from typing import Any

from emubot.pad import Pad
from tests.toys.strangers import Stranger, build, colours, stranger, truth
from tests.toys.strangers.beyond import beyond
from tests.toys.strangers.drawing import problem
from tests.toys.strangers.nongames import nongame

KINDS = {"blocks": stranger, "nongame": nongame, "beyond": beyond}


def main(words: Sequence[str] | None = None) -> None:
    """Writes them; ends with a sentence if a switch has another value than it can have."""
    parser = argparse.ArgumentParser(prog="python -m tests.toys.strangers", description=__doc__)
    parser.add_argument("seeds", metavar="SEED", nargs="+", type=int)
    parser.add_argument("--out", metavar="FOLDER", type=Path, required=True)
    parser.add_argument("--kind", choices=[*KINDS, "colours"], default="blocks", help="colours: with NAME.yaml, a map")
    parser.add_argument("--set", metavar="NAME=VALUE", action="append", default=[], help="another value of a switch")
    options = parser.parse_args(words)
    options.out.mkdir(parents=True, exist_ok=True)
    if options.kind == "colours":
        if options.set:
            parser.error("--set is for falling blocks")
        for seed in options.seeds:
            colours.write(colours.colour_stranger(seed), options.out)
        return
    for seed in options.seeds:
        made = KINDS[options.kind](seed)
        for assignment in options.set:
            name, _, text = assignment.partition("=")
            if name not in {field.name for field in fields(Stranger)}:
                parser.error(f"{name} is no switch; they are the fields of Stranger")
            made = replace(made, **{name: _value(getattr(made, name), text)})
        if (reason := problem(made)) is not None:
            parser.error(f"these switches of seed {seed} do not go together: {reason}")
        build(made, options.out)
        told = {"switches": _plain(asdict(made)), "truth": truth(made)}
        (options.out / f"{made.name}.json").write_text(json.dumps(told, indent=1) + "\n", encoding="ascii")


def _value(before: Any, text: str) -> Any:
    """Returns a value of the same kind as the one before."""
    if isinstance(before, Pad):
        return _pad(text)
    if isinstance(before, bool):
        return {"true": True, "false": False}[text.lower()]
    if isinstance(before, int):
        return int(text, 0)
    if isinstance(before, tuple):
        parts = [part for part in text.split(",") if part]
        if before and isinstance(before[0], Pad):
            return tuple(_pad(part) for part in parts)
        return tuple(int(part) if part.isdecimal() else part for part in parts)
    return text


def _pad(text: str) -> Pad:
    found = Pad.NONE
    for name in text.split("+"):
        found |= Pad[name]
    return found


def _plain(value: Any) -> Any:
    if isinstance(value, dict):
        return {name: _plain(part) for name, part in value.items()}
    if isinstance(value, list | tuple):
        return [_plain(part) for part in value]
    if isinstance(value, Pad):
        return "+".join(str(button.name) for button in reversed(Pad) if button and button in value)
    return value


if __name__ == "__main__":
    main()
