"""`emubot bridge-script`: prints what an emulator must load so that emubot can attach; knows no emulator itself."""

from __future__ import annotations

import argparse
from pathlib import Path
from typing import Final

from emubot.cli import common
from emubot.cli.result import emit_json

_DESCRIPTION = "Print what an emulator must load so that the bot can attach to it while it runs."

_EPILOG = """\
emulators:
  fceux       print the path of a Lua script: load it in FCEUX with File, Load Lua Script, Browse, Start,
              or start FCEUX with --loadlua and this path
  mesen       print the path of a Lua script: open it in Mesen 2 with Debug, Script Window, and run it; in that window
              allow I/O and network access first (Script, Settings, Script Window)
  bizhawk     print the path of a Lua script: start emubot first, then BizHawk with --socket_ip=127.0.0.1
              --socket_port=9997 --lua= and this path
  retroarch   print settings; save them in a file and start RetroArch with it: retroarch --appendconfig FILE ...

examples:
  emubot bridge-script fceux
  fceux --loadlua "$(emubot bridge-script fceux)" game.nes
  emubot bridge-script mesen --out emubot.lua       a copy that is easy to find in a file dialog
  emubot bridge-script retroarch --out emubot.cfg"""

_RETROARCH: Final = "retroarch"


def run(words: list[str]) -> int:
    """Run `emubot bridge-script WORDS` and return the exit code."""
    options = build_parser().parse_intermixed_args(words)
    common.refuse_existing(options.out, options.force)
    if options.emulator == _RETROARCH and options.out is None:
        _tell("settings", _settings(), options)
    else:
        _tell("file", _settings_in(options.out) if options.emulator == _RETROARCH else _script(options), options)
    return 0


def build_parser() -> common.Parser:
    """Returns the parser of `emubot bridge-script`."""
    from emubot.bridges.scripted.script import SCRIPTED

    made = common.parser("bridge-script", _DESCRIPTION, _EPILOG)
    made.add_argument("emulator", choices=(*SCRIPTED, _RETROARCH), help="the emulator to attach to")
    made.add_argument("--out", type=common.new_file, metavar="FILE", help="write it to FILE and print the file's path")
    common.add_force(made, "--out")
    common.add_json(made)
    return made


def _tell(what: str, said: str, options: argparse.Namespace) -> None:
    if options.json:
        emit_json({"emulator": options.emulator, what: said})
    else:
        print(said)


def _script(options: argparse.Namespace) -> str:
    """Write the script where it was asked for, or else into the user's data folder, and return its path."""
    from emubot.atomic import cannot_be_written, write_whole
    from emubot.bridges.scripted.script import script_text
    from emubot.datafiles import user_data

    out: Path = options.out or user_data("scripts") / f"emubot-{options.emulator}.lua"
    if options.out is None:
        try:
            out.parent.mkdir(parents=True, exist_ok=True)
        except OSError as failure:
            raise cannot_be_written(out.parent, failure) from None
    write_whole(out, script_text(options.emulator).encode("utf-8"))
    return str(out.resolve())


def _settings() -> str:
    from emubot.bridges.retroarch.config import config_text

    return config_text().rstrip("\n")


def _settings_in(out: Path) -> str:
    from emubot.bridges.retroarch.config import write_config

    return str(write_config(out).resolve())
