"""The optional packages: what needs them, and the command that adds them where emubot runs; imports none of them."""

from __future__ import annotations

import re
import sys
from collections.abc import Sequence
from dataclasses import dataclass
from importlib.metadata import PackageNotFoundError, requires
from importlib.util import find_spec
from pathlib import Path
from typing import Final

from emubot.errors import UsageError
from emubot.systems.desktop import python, quoted

_CHECKOUT: Final = Path(__file__).resolve().parent.parent


@dataclass(frozen=True, slots=True)
class Need:
    """A part of emubot that needs the packages of an extra; `sentence` begins the message if they are missing."""

    extra: str
    sentence: str
    modules: tuple[str, ...]
    instead: str = ""  # what else the user can do

    def is_met(self) -> bool:
        """Returns whether all packages are installed; imports none."""
        return all(find_spec(module) is not None for module in self.modules)

    def require(self) -> None:
        """Raises UsageError, with the command that installs the packages, if one of them is missing."""
        if not self.is_met():
            raise UsageError(self.refusal())

    def refusal(self, failure: ImportError | None = None) -> str:
        """Returns the message, after a failed import or before any; its end can be copied into a terminal."""
        reason = f"which cannot be loaded: {failure}" if failure and self.is_met() else "not installed"
        instead = f"{self.instead}, or " if self.instead else ""
        return f"{self.sentence} ({reason}): {instead}{remedy(self.extra)}"


ARENA: Final = Need("arena", "The page needs starlette, uvicorn and websockets", ("starlette", "uvicorn", "websockets"))
CLUSTER: Final = Need("cluster", "A cluster needs dask", ("dask", "distributed"))
CMAES: Final = Need("train", "CMA-ES needs the cma library", ("cma",))
CYNES: Final = Need("cynes", "--bridge cynes needs the package cynes", ("cynes",), "use --bridge libretro")
DQN: Final = Need("dqn", "dqn needs scikit-learn", ("sklearn",))
QR: Final = Need("qr", "A link as a QR code needs segno", ("segno",))
GIF: Final = Need("gif", "An animated picture needs Pillow", ("PIL",))
SERVE: Final = Need("serve", "Answers over HTTP need starlette and uvicorn", ("starlette", "uvicorn"))
GYM: Final = Need("gym", "Environments need gymnasium and pettingzoo", ("gymnasium", "pettingzoo"))
PLOTS: Final = Need("train", "Pictures of figures need matplotlib", ("matplotlib",))
PUBLISH: Final = Need("publish", "--publish needs the package websockets", ("websockets",))
WINDOW: Final = Need("window", "The window needs pygame-ce", ("pygame",), "take --view board or --view web")


def remedy(extra: str) -> str:
    """Returns the end of a sentence that says how to get an extra's packages."""
    from emubot.datafiles import is_standalone  # which imports a package, and that may be the missing one

    if is_standalone():
        return "install emubot with pip, because the stand-alone program takes no packages."
    return f"run: {install_command(extra)}"


def install_command(extra: str) -> str:
    """Returns the command that adds an extra's packages to the Python, or the tool's folder, that emubot runs in.

    emubot is on no package index, so the packages are named rather than the extra.
    """
    named = _packages_of(extra)
    return command_for(named or ["--editable", f"{_CHECKOUT}[{extra}]"])


def command_for(packages: Sequence[str]) -> str:
    """Returns the command that installs these packages where emubot runs: for pip, pipx or uv."""
    tool = installed_by()
    if tool == "pipx":
        words = ["pipx", "inject", Path(sys.prefix).name]
    elif tool == "uv":
        words = ["uv", "pip", "install", "--python", sys.executable]
    elif find_spec("pip") is not None:
        words = [sys.executable, "-m", "pip", "install"]
    else:  # as after "python3 -m venv --without-pip"
        words = [python(), "-m", "pip", "--python", sys.executable, "install"]
    return " ".join(quoted(word) for word in [*words, *packages])


def installed_by() -> str:
    """Returns the tool that has made the environment of this Python: pipx, uv, or else pip."""
    home = Path(sys.prefix)
    if (home / "pipx_metadata.json").is_file():
        return "pipx"
    return "uv" if find_spec("pip") is None and _made_by_uv(home) else "pip"


def _packages_of(extra: str) -> list[str]:
    """Returns an extra's packages as the installation lists them; none if it is older than the extra, or none."""
    try:
        listed = requires("emubot") or []
    except PackageNotFoundError:
        return []
    condition = re.compile(r"(.+?)\s*;\s*extra\s*==\s*['\"]" + re.escape(extra) + r"['\"]")
    return [found[1] for line in listed if (found := condition.fullmatch(line))]


def _made_by_uv(home: Path) -> bool:
    try:
        return re.search(r"^uv = ", (home / "pyvenv.cfg").read_text(encoding="utf-8"), re.MULTILINE) is not None
    except OSError:
        return False
