"""What this machine is, in words that name nobody; and the names on it, for whoever has to leave them out."""

from __future__ import annotations

import getpass
import os
import platform
import re
import struct
import sys
from contextlib import suppress
from pathlib import Path
from typing import Final

_USERS: Final = ("LOGNAME", "USER", "LNAME", "USERNAME", "SUDO_USER")
_MACHINES: Final = ("HOSTNAME", "HOST", "COMPUTERNAME", "USERDOMAIN", "NAME")
_NUMBER: Final = re.compile(r"\d+(?:\.\d+)*")


def python() -> str:
    """Returns the version of Python, and whether it has 64 bits."""
    return f"{platform.python_version()} ({struct.calcsize('P') * 8}-bit)"


def machine() -> str:
    """Returns the kind of the system and of the processor."""
    return f"{platform.system()} {platform.machine()}"


def system() -> str:
    """Returns the system with its version in numbers alone: who builds a kernel writes names into the rest."""
    if sys.platform == "darwin":
        return f"macOS {_number(platform.mac_ver()[0])}"
    if sys.platform == "win32":
        return f"Windows {_number(platform.version())}"
    libc, version = platform.libc_ver()
    return (
        f"{platform.system()} {_number(platform.release())}, {libc or 'another C library'} {_number(version)}".strip()
    )


def names() -> set[str]:
    """Returns the names by which the system knows this user and this machine."""
    found = {os.environ.get(name, "") for name in (*_USERS, *_MACHINES)}
    found |= {platform.node(), platform.node().partition(".")[0]}
    with suppress(OSError, KeyError, ImportError):  # a user without a name
        found.add(getpass.getuser())
    with suppress(RuntimeError):  # a user without a home
        found.add(Path.home().name)
    if sys.platform != "win32":
        import pwd

        with suppress(KeyError):
            account = pwd.getpwuid(os.geteuid())
            found |= {account.pw_name, *account.pw_gecos.split(",")}
    return found - {""}


def _number(text: str) -> str:
    found = _NUMBER.match(text)
    return found[0] if found else ""
