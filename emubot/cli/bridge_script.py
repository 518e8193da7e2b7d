"""`emubot bridge-script`: prints what an emulator must load so that emubot can attach; knows no emulator itself."""

from __future__ import annotations

import argparse
from pathlib import Path

from emubot.cli import common
from emubot.cli.result import emit_json

_DESCRIPTION = "Print what an emulator must load so that the bot can attach to it while it runs."

_EPILOG = """\
emulators:
  fceux       print the path of a Lua script: load it in FCEUX with File, Load Lua Script, Browse, Start,
              or start FCEUX with --loadlua and this path
  retroarch   print settings; save them in a file and start RetroArch with it: retroarch --appendconfig FILE ...

examples:
  emubot bridge-script fceux
  fceux --loadlua "$(emubot bridge-script fceux)" game.nes
  emubot bridge-script fceux --out emubot.lua       a copy that is easy to find in a file dialog
  emubot bridge-script retroarch --out emubot.cfg"""


def run(words: list[str]) -> int:
    """Run `emubot bridge-script WORDS` and return the exit code."""
    made = common.parser("bridge-script", _DESCRIPTION, _EPILOG)
    made.add_argument("emulator", choices=("fceux", "retroarch"), help="the emulator to attach to")
    made.add_argument("--out", type=common.new_file, metavar="FILE", help="write it to FILE and print the file's path")
    common.add_force(made, "--out")
    common.add_json(made)
    options = made.parse_intermixed_args(words)
    common.refuse_existing(options.out, options.force)
    if options.emulator == "retroarch" and options.out is None:
        _tell("settings", _settings(), options)
    else:
        _tell("file", _fceux(options.out) if options.emulator == "fceux" else _written(options.out), options)
    return 0


def _tell(what: str, said: str, options: argparse.Namespace) -> None:
    if options.json:
        emit_json({"emulator": options.emulator, what: said})
    else:
        print(said)


def _fceux(out: Path | None) -> str:
    from emubot.atomic import write_whole
    from emubot.bridges.fceux import script_path

    if out is None:
        return str(script_path())
    write_whole(out, script_path().read_bytes())
    return str(out.resolve())


def _settings() -> str:
    from emubot.bridges.retroarch.config import config_text

    return config_text().rstrip("\n")


def _written(out: Path) -> str:
    from emubot.bridges.retroarch.config import write_config

    return str(write_config(out).resolve())
