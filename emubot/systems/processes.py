"""Other processes: how they start apart from this one, at what priority, how they end, and how this one does."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
from contextlib import suppress
from pathlib import Path
from typing import Any, Final

ROOT: Final = Path(__file__).resolve().parents[2]  # where this emubot is found

_PR_SET_PDEATHSIG: Final = 1  # prctl(2)
_LOWEST: Final = 19  # of the priorities


def passes_files() -> bool:
    """Returns whether a child process can be given open files and pairs of sockets by their numbers."""
    return sys.platform != "win32"


def apart(*, lowest: bool = False) -> dict[str, Any]:
    """Returns the options with which `subprocess.Popen` starts a program that a terminal's signals do not reach.

    With `lowest` priority, call `lower` after the start as well.
    """
    if sys.platform == "win32":
        flags = subprocess.CREATE_NO_WINDOW | subprocess.CREATE_NEW_PROCESS_GROUP
        return {"creationflags": flags | (subprocess.BELOW_NORMAL_PRIORITY_CLASS if lowest else 0)}
    return {"start_new_session": True}


def module_environment() -> dict[str, str]:
    """Returns the environment in which `python -P -m MODULE` finds a module of this same emubot from any folder."""
    return {**os.environ, "PYTHONPATH": os.pathsep.join(filter(None, (str(ROOT), os.environ.get("PYTHONPATH"))))}


def lower(process: int) -> None:
    """Give a process the lowest priority, where that is not an option of its start."""
    if sys.platform != "win32":
        with suppress(OSError):  # it has ended
            os.setpriority(os.PRIO_PROCESS, process, _LOWEST)


def end_all(process: subprocess.Popen[Any]) -> None:
    """Kill a program that was started `apart`, or leads a group, and wait for its end.

    What it started ends too; on Windows only if it ends with its parent by itself.
    """
    if sys.platform != "win32":
        with suppress(ProcessLookupError, PermissionError):  # it has ended already
            os.killpg(process.pid, signal.SIGKILL)
    process.kill()
    process.wait()


def ask_to_end(process: Any) -> None:
    """Ask a child, of subprocess or asyncio, to end in good order; on Windows, where it cannot be asked, end it."""
    with suppress(ProcessLookupError):
        if sys.platform == "win32":
            process.terminate()
        else:
            process.send_signal(signal.SIGTERM)


def end_with(parent: int) -> None:
    """Let the system end this process as soon as the thread of its parent that started it ends, where it can."""
    if sys.platform == "linux":
        import ctypes

        ctypes.CDLL(None).prctl(_PR_SET_PDEATHSIG, signal.SIGKILL)
        if os.getppid() != parent:
            os._exit(1)


def is_alive(process: int) -> bool:
    """Returns whether there is a process of this number; True where that cannot be asked."""
    if sys.platform == "win32":  # where os.kill would send Ctrl-C
        return True
    try:
        os.kill(process, 0)
    except ProcessLookupError:
        return False
    except (PermissionError, OverflowError):
        return True
    return True


def how_it_ended(code: int) -> str:
    """Returns an exit code of `subprocess` in words, to follow the name of the program."""
    if code >= 0:
        return f"ended by itself with exit code {code}"
    number = -code
    if number not in {sign.value for sign in signal.Signals}:
        return f"was ended by signal {number}"
    return f"was ended by {signal.Signals(number).name} ({signal.strsignal(number)})"


def processors() -> int:
    """Returns how many processors this process may use."""
    if sys.platform == "linux":
        return len(os.sched_getaffinity(0))
    return os.cpu_count() or 1


def is_crowded() -> bool:
    """Returns whether more processes want to run than this machine has processors; False where it is unknown."""
    if sys.platform != "linux":
        return False
    try:
        running = Path("/proc/loadavg").read_text(encoding="ascii").split()[3].partition("/")[0]
    except OSError:
        return False
    return int(running) > (os.cpu_count() or 1)
