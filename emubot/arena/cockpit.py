"""What `emubot play` can do, as choices for a page, and the command line of what was chosen; starts nothing.

The page gets ids only. Paths of cartridges and recordings are put in here, from lists that this machine made.
"""

from __future__ import annotations

import os
import shlex
from collections.abc import Mapping
from pathlib import Path
from typing import Final

from emubot import games
from emubot.arena.catalogue import PRESETS, demos, preset, usual_nodes
from emubot.arena.form import FormOption, Value, checked, of_games, same
from emubot.arena.recordings import new_game
from emubot.bridges import known_bridges
from emubot.bridges.libretro.finding import found_cores
from emubot.games.declared import all_options, merged
from emubot.rammap import all_maps
from emubot.tempo import USUAL_TAPS
from emubot.weights import known_weights

_ROM, _DEMO, _RUNNING = "rom:", "demo:", "running"
_MOST_ROMS: Final = 500


def options() -> tuple[FormOption, ...]:
    """Returns everything that can be chosen on this machine now."""
    families = all_options()
    return (
        FormOption("what", "What", "what", "choice", choices=sources()),
        FormOption("bot", "Bot", "who", "choice", choices=_presets()),
        FormOption("speed", "Bot speed", "who", "number", high=10),
        FormOption("versus", "Two bots (AIvsAI)", "who", "flag"),
        FormOption("bot2", "Second bot", "who", "choice", choices=_presets()),
        FormOption("speed2", "Second bot's speed", "who", "number", "--speed2", high=10),
        FormOption("human", "You play port", "who", "choice", "--human", choices=same("1", "2")),
        FormOption("weights", "Weights", "who", "choice", "--weights", choices=same(*known_weights())),
        FormOption("weights2", "Second bot's weights", "who", "choice", "--weights2", choices=same(*known_weights())),
        FormOption("nodes2", "Second bot's boards a decision", "who", "number", "--nodes2", high=2**31 - 1),
        FormOption(
            "taps",
            "Tap rate instead of speed",
            "who",
            "choice",
            "--taps",
            choices=same(*USUAL_TAPS),
        ),
        *of_games(merged({name: own.strength for name, own in families.items()}), "who"),
        *of_games(merged({name: own.menus for name, own in families.items()}), "rules"),
        FormOption("mode", "Mode", "rules", "choice", "--mode", choices=same("endless", "versus")),
        FormOption("seed", "Seed", "rules", "number", "--seed", high=2**31 - 1),
        FormOption("pieces", "Stop after pieces", "rules", "number", "--pieces", low=1, high=10**9),
        FormOption("games", "Stop after games", "rules", "number", "--games", low=1, high=10**6),
        FormOption("emu_speed", "Emulator speed", "where", "choice", "--emu-speed", choices=same("1", "2", "max")),
        FormOption("bridge", "Emulator", "where", "choice", "--bridge", choices=same(*known_bridges())),
        FormOption("core", "Core", "where", "choice", "--core", choices=_cores()),
        FormOption("map", "Address map", "where", "choice", "--map", choices=same(*(one.name for one in all_maps()))),
        FormOption("record", "Record the game", "where", "flag", "--record"),
    )


def sources() -> list[tuple[str, str]]:
    """Returns what can be played, (id, text): the demos, the files in the folder EMUBOT_ROMS, a running emulator."""
    found = [(_DEMO + name, f"Demo cartridge: {title}") for name, (_, title) in demos().items()]
    found += [(_ROM + name, f"Your cartridge: {name}") for name in _roms()]
    return [*found, (_RUNNING, "A running emulator")]


def words_of(chosen: Mapping[str, Value], recording: Path | None = None) -> list[str]:
    """Returns the words of `emubot play` for what was chosen; `recording` is the file of "record".

    Raises UsageError for an option or a value that is not offered.
    """
    known = {option.name: option for option in options()}
    checked(tuple(known.values()), chosen)
    chosen = _without_presets(chosen)
    words: list[str] = []
    if "speed" in chosen:
        words.append(str(chosen["speed"]))
    if chosen.get("versus"):
        words.append("AIvsAI")
    words += _source_words(str(chosen.get("what", _DEMO + next(iter(demos())))))
    for name, value in chosen.items():  # the values of presets are the families' own
        option = known[name]
        if option.name == "record":
            words += [str(option.flag), str(recording or new_game())] if value else []
        else:
            words += option.words(value)
    return words


def command_line(chosen: Mapping[str, Value]) -> str:
    """Returns the line that does the same in a terminal. Raises UsageError as `words_of` does."""
    return shlex.join(["emubot", "play", *words_of(chosen)])


def _presets() -> list[tuple[str, str]]:
    return [(one.id, f"{one.title}: {one.about}") for one in PRESETS.values()]


def _without_presets(chosen: Mapping[str, Value]) -> dict[str, Value]:
    """Returns the choices with each preset's own in its place, where nothing else was chosen.

    Weights and nodes are those of a demo's family; what a cartridge of the user's is, only `emubot play` finds out.
    """
    family, _ = demos().get(str(chosen.get("what", _DEMO + next(iter(demos())))).removeprefix(_DEMO), ("", ""))
    found = {name: value for name, value in chosen.items() if name not in ("bot", "bot2")}
    for name, number in (("bot", ""), ("bot2", "2")):
        if name not in chosen:
            continue
        one = preset(str(chosen[name]))
        strength = one.strength(family)
        own: dict[str, Value | None] = {
            f"speed{number}": one.speed,
            f"weights{number}": strength.weights,
            f"nodes{number}": strength.nodes,
        }
        if name == "bot2" and family:  # what is left out, `play` takes from the first bot
            own["weights2"] = strength.weights or games.game(family).facts.default_weights
            if strength.nodes is None and "nodes" in found:
                own["nodes2"] = usual_nodes(family)
        rivals = {"nodes": "budget_ms", "nodes2": "budget_ms", "speed": "taps"}  # `play` takes one of the two
        kept = {key: value for key, value in own.items() if value is not None and rivals.get(key) not in found}
        found = {**kept, **found}
    return found


def _source_words(source: str) -> list[str]:
    if source.startswith(_DEMO):
        return ["--demo", source.removeprefix(_DEMO)]
    if source.startswith(_ROM):
        return ["--rom", str(_roms()[source.removeprefix(_ROM)])]
    return []


def _roms() -> dict[str, Path]:
    """Returns the cartridges in the folder EMUBOT_ROMS by file name."""
    folder = os.environ.get("EMUBOT_ROMS", "")
    if not folder or not Path(folder).is_dir():
        return {}
    files = sorted(
        path for path in Path(folder).iterdir() if path.suffix.lower() in (".nes", ".zip") and path.is_file()
    )
    return {path.name: path for path in files[:_MOST_ROMS]}


def _cores() -> list[tuple[str, str]]:
    return same(*dict.fromkeys(path.stem.removesuffix("_libretro") for path in found_cores()))
