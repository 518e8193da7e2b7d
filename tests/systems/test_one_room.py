"""Only the room `systems` asks which system it runs on, or uses what not every system has."""

from __future__ import annotations

import ast
import os
import subprocess
import sys
from collections.abc import Sequence
from pathlib import Path

import pytest

from tests.floors import PACKAGE, modules, parsed, room_of
from tests.paths import ROOT

pytestmark = pytest.mark.xdist_group("layers")  # each source is parsed once

HERE = "systems"
# Modules of Python's library that not every system has, or that are there to ask about the system.
MODULES = {
    *("termios", "tty", "pty", "fcntl", "resource", "pwd", "grp", "spwd", "syslog", "readline", "curses", "nis"),
    *("msvcrt", "winreg", "winsound", "_winapi", "_posixsubprocess", "platform", "ctypes"),
}
# What not every system has of modules that all have (docs.python.org, "Availability"; typeshed).
ATTRIBUTES = {
    "sys": {"platform", "getwindowsversion", "winver"},
    "os": {
        *("name", "uname", "fork", "forkpty", "killpg", "setsid", "setpgid", "getpgid", "getpgrp", "tcgetpgrp"),
        *("getuid", "geteuid", "getgid", "getegid", "getgroups", "getlogin", "setuid", "seteuid", "chown", "fchown"),
        *("fchmod", "lchown", "chroot", "umask", "nice", "getpriority", "setpriority", "PRIO_PROCESS", "getloadavg"),
        *("sched_getaffinity", "sched_setaffinity", "sched_yield", "sysconf", "confstr", "pread", "pwrite", "readv"),
        *("writev", "memfd_create", "mkfifo", "mknod", "openpty", "ttyname", "ctermid", "wait", "wait3", "wait4"),
        *("waitid", "WIFSIGNALED", "WTERMSIG", "WEXITSTATUS", "WNOHANG", "pipe2", "set_blocking", "posix_spawn"),
        *("statvfs", "fdatasync", "sync", "sendfile", "pidfd_open", "eventfd", "splice", "register_at_fork", "kill"),
        *("O_NONBLOCK", "O_NOCTTY", "O_CLOEXEC", "O_BINARY", "O_DIRECTORY", "O_NOFOLLOW", "O_SYNC", "startfile"),
    },
    "signal": {
        *("SIGHUP", "SIGKILL", "SIGQUIT", "SIGUSR1", "SIGUSR2", "SIGPIPE", "SIGALRM", "SIGCHLD", "SIGCONT", "SIGSTOP"),
        *("SIGTSTP", "SIGTTIN", "SIGTTOU", "SIGWINCH", "SIGBREAK", "CTRL_C_EVENT", "CTRL_BREAK_EVENT", "alarm"),
        *("setitimer", "pause", "sigwait", "sigpending", "pthread_kill", "pthread_sigmask", "set_wakeup_fd"),
        *("siginterrupt", "SIG_BLOCK", "SIG_UNBLOCK", "SIG_SETMASK"),
    },
    "socket": {
        *("AF_UNIX", "SO_REUSEPORT", "SO_REUSEADDR", "SO_EXCLUSIVEADDRUSE", "SO_LINGER", "TCP_QUICKACK", "TCP_CORK"),
        *("MSG_DONTWAIT", "MSG_NOSIGNAL", "CMSG_LEN", "send_fds", "recv_fds", "fromfd", "if_nameindex"),
    },
    "select": {"poll", "epoll", "kqueue", "POLLIN", "EPOLLIN"},
    "time": {"clock_gettime", "tzset", "pthread_getcpuclockid"},
    "subprocess": {
        *(
            "CREATE_NEW_PROCESS_GROUP",
            "CREATE_NO_WINDOW",
            "BELOW_NORMAL_PRIORITY_CLASS",
            "STARTUPINFO",
            "DETACHED_PROCESS",
        ),
    },
}
# Options of functions that not every system takes.
OPTIONS = {"start_new_session", "process_group", "preexec_fn", "pass_fds", "creationflags", "startupinfo"}
OUTSIDE = {"bridges/hosted/process.py": {"pass_fds", "process_group"}}  # where `passes_files` has said yes


def strange(path: Path) -> set[str]:
    """What a module uses that not every system has."""
    found: set[str] = set()
    for node in parsed(path):
        if isinstance(node, ast.Import):
            found |= {alias.name for alias in node.names if alias.name.partition(".")[0] in MODULES}
        elif isinstance(node, ast.ImportFrom):
            base = node.module or ""
            found |= {base} if base.partition(".")[0] in MODULES else set()
            found |= {f"{base}.{alias.name}" for alias in node.names if alias.name in ATTRIBUTES.get(base, ())}
        elif isinstance(node, ast.Attribute) and isinstance(node.value, ast.Name):
            if node.attr in ATTRIBUTES.get(node.value.id, ()):
                found.add(f"{node.value.id}.{node.attr}")
        elif isinstance(node, ast.Call) and isinstance(node.func, ast.Name) and node.func.id in ("hasattr", "getattr"):
            module, name = node.args[:2]
            known = ATTRIBUTES.get(module.id, set()) if isinstance(module, ast.Name) else set()
            if isinstance(name, ast.Constant) and name.value in known:
                found.add(ast.unparse(node))
        elif isinstance(node, ast.keyword) and node.arg in OPTIONS:
            found.add(node.arg)
    return found


def test_only_one_room_knows_the_system() -> None:
    found = {path.relative_to(PACKAGE).as_posix(): strange(path) for path in modules() if room_of(path) != HERE}
    assert {path: names for path, names in found.items() if names} == OUTSIDE


def test_the_room_is_found_out(tmp_path: Path) -> None:
    source = """
import fcntl, os.path, sys
from signal import SIGHUP, SIGINT
from platform import system
if sys.platform == "win32" or hasattr(os, "fork") or getattr(signal, "SIGKILL", None):
    os.killpg(1, 2), os.close(3), subprocess.Popen([], start_new_session=True, cwd=None)
"""
    path = tmp_path / "other.py"
    path.write_text(source, encoding="utf-8")
    assert strange(path) == {
        *("fcntl", "signal.SIGHUP", "platform", "sys.platform", "hasattr(os, 'fork')", "os.killpg"),
        *("getattr(signal, 'SIGKILL', None)", "start_new_session"),
    }


# Python as it is on Windows: without what it lacks there. What others' packages need is imported before.
WINDOWS = """
import importlib, sys
others, strange, attributes, ours = eval(sys.stdin.read())
for name in others:
    try: importlib.import_module(name)
    except Exception: pass
sys.platform = "win32"
for name in strange: sys.modules[name] = None
for module, names in attributes.items():
    for name in names - {"name", "platform"}:
        if hasattr(sys.modules[module], name): delattr(sys.modules[module], name)
sys.modules["os"].O_BINARY = 0
"""
IMPORTING = """
from emubot.errors import UsageError
for name in ours:
    try: importlib.import_module(name)
    except UsageError as missing: assert "not installed" in str(missing), missing
    print(name)
"""
RUNNING = """
from emubot.cli import doctor, main
doctor.bridge_findings = lambda *_, **__: []
for line in ours:
    try: code = main(line.split())
    except SystemExit as end: code = end.code
    print(line, code, sep=": ", flush=True)
"""


def on_windows(script: str, others: set[str], ours: Sequence[str], **environment: str) -> list[str]:
    """What a program prints there."""
    lacking = MODULES - {"msvcrt", "winreg", "winsound", "_winapi", "platform", "ctypes"}
    done = subprocess.run(
        [sys.executable, "-c", WINDOWS + script],
        input=repr((sorted(others), sorted(lacking), {**ATTRIBUTES}, [*ours])),
        env={**os.environ, "PYTHONPATH": str(ROOT), **environment},
        capture_output=True,
        text=True,
        check=False,
        timeout=300,
    )
    assert done.returncode == 0, done.stderr
    return done.stdout.splitlines()


@pytest.mark.slow
def test_every_module_can_be_imported_on_windows() -> None:
    others, ours = set[str](), []
    for path in modules():
        name = ".".join(("emubot", *path.relative_to(PACKAGE).with_suffix("").parts)).removesuffix(".__init__")
        ours += [] if name == "emubot.__main__" else [name]
        for node in parsed(path):
            names = [node.module or ""] if isinstance(node, ast.ImportFrom) else []
            names += [alias.name for alias in node.names] if isinstance(node, ast.Import) else []
            others |= {name for name in names if name.partition(".")[0] != "emubot"}
    assert on_windows(IMPORTING, others, ours) == ours


@pytest.mark.slow
def test_commands_that_play_nothing_run_on_windows(tmp_path: Path) -> None:
    others = {
        "numpy",
        "pydantic.fields",
        "rich.live",
        "rich.progress",
        "cffi",
        "filelock",
        "platformdirs",
        "yaml",
        "platform",
    }
    others |= {"subprocess", "socket", "select", "tempfile", "asyncio", "email.message", "concurrent.futures.process"}
    lines = {
        "--version": 0,
        "core list": 0,
        "core install": 3,
        "maps list": 0,
        f"doctor --report {tmp_path / 'report.txt'}": 0,
        "trace show none.npz": 2,
    }
    said = on_windows(RUNNING, others, [*lines], EMUBOT_CORES=str(tmp_path), XDG_DATA_HOME=str(tmp_path))
    assert [line for line in said if line in {f"{line}: {code}" for line, code in lines.items()}] == [
        f"{line}: {code}" for line, code in lines.items()
    ]
    assert "Windows" in (tmp_path / "report.txt").read_text(encoding="ascii")
