"""Which sources the code of a kernel depends on, and where it lies on the disk; loads no compiler.

A start asks whether all is compiled before it loads numba, which alone takes a second.

A kernel freezes the constants that it reads from any module. So it depends on its own module and on all that this one
imports, however indirectly.
"""

from __future__ import annotations

import hashlib
import json
import logging
import os
import re
import shutil
import stat
import sys
from collections.abc import Iterable, Iterator
from functools import cache
from importlib.metadata import version
from pathlib import Path
from typing import Final

from emubot.datafiles import user_cache
from emubot.systems.disk import is_ours
from emubot.version import __version__

_LOG = logging.getLogger(__name__)
_KEPT_FOLDERS: Final = 2  # per scope, and per module in it
_UNCACHED: Final = "EMUBOT_UNCACHED"  # in the environment, which processes that are started inherit: it was said
# In the stand-alone program, which holds no sources, the digest of each scope's and each module's: the build wrote it
# beside this module.
STORED_SOURCES: Final = "kernel_sources.json"
_FAMILY_DEPTH: Final = 3  # emubot.games.tetris
# Packages and modules without a constant of a kernel (a test checks this): a change there recompiles nothing.
_WITHOUT_KERNELS: Final = (
    *("arena", "cli", "session", "pilot", "view", "bridges", "demos", "rammap", "review", "learn", "trace"),
    *("interrupts", "training", "trials", "cartridge", "movies", "atomic.py", "datafiles.py", "errors.py"),
    *("files.py", "text.py", "__init__.py", "lazy.py", "version.py", "program.py", "systems"),
    *("jit/turns.py", "jit/warm.py"),
)
# A module with kernels, which may import their decorators under other names; and the modules that a source imports.
_HAS_KERNELS: Final = re.compile(rb"^[ \t]*(?:from|import)[ \t]+emubot\.jit\b", re.MULTILINE)
_IMPORTS: Final = re.compile(
    rb"^[ \t]*from[ \t]+(\.*)([\w.]*)[ \t]+import[ \t]+(\([^)]*\)|[^\n]*)|^[ \t]*import[ \t]+([\w.]+)", re.MULTILINE
)


def kernel_scope(module: str) -> str:
    """Returns the scope of a kernel's cache: its game family, or else its whole top-level package."""
    parts = module.split(".")
    return ".".join(parts[: _FAMILY_DEPTH if parts[1:2] == ["games"] else 1])


def digest_of_sources(scope: str) -> str:
    """Returns the SHA-256 of the sources that may affect a scope's kernels, in hex digits."""
    package, *inner = scope.split(".")
    paths = sorted(_root(package).joinpath(*inner).rglob("*.py"))
    return _digest([path for path in paths if _HAS_KERNELS.search(path.read_bytes())], _root(package))


def digest_of_module(module: str) -> str:
    """Returns the SHA-256 of the sources that may affect one module's kernels, in hex digits."""
    source = getattr(sys.modules.get(module), "__file__", None)
    return _digest([Path(source)] if source else [], _root(module.partition(".")[0]))


def modules_with_kernels(package: str) -> Iterator[str]:
    """Yields the names of a package's modules that hold kernels."""
    root = _root(package)
    for path in sorted(root.rglob("*.py")):
        if _HAS_KERNELS.search(path.read_bytes()):
            place = path.relative_to(root).with_suffix("").parts
            yield ".".join([package, *(place[:-1] if place[-1] == "__init__" else place)])


def stored_digest(name: str) -> str | None:
    """Returns the digest of a scope or module that the stand-alone program was built with; None elsewhere."""
    return _stored().get(name)


@cache
def _stored() -> dict[str, str]:
    stored = Path(__file__).with_name(STORED_SOURCES)
    return dict(json.loads(stored.read_bytes())) if stored.is_file() else {}


def _root(package: str) -> Path:
    return Path(getattr(sys.modules[package], "__file__", None) or "").parent


def _digest(paths: Iterable[Path], root: Path) -> str:
    """Returns the digest of some sources and all that they import from their package, without `_WITHOUT_KERNELS`."""
    left_out = {root / room for room in _WITHOUT_KERNELS}
    known: dict[Path, bytes] = {}
    waiting = list(paths)
    while waiting:
        path = waiting.pop()
        if path not in known and not left_out & {path, *path.parents}:
            known[path], imported = _read(path, path.stat().st_mtime_ns, root)
            waiting += imported
    digest = hashlib.sha256()
    for path, source in sorted(known.items()):
        place = path.relative_to(root) if path.is_relative_to(root) else Path(path.name)
        digest.update(place.as_posix().encode() + b"\0" + source)
    return digest.hexdigest()


@cache
def _read(path: Path, written: int, root: Path) -> tuple[bytes, tuple[Path, ...]]:
    """Returns the SHA-256 of a source, and the sources that it imports.

    Each start waits for it, so these are found as text. `written` is when the source was written: a changed one is read
    again.
    """
    del written
    source = path.read_bytes()
    return hashlib.sha256(source).digest(), tuple(_imported(path, source, root))


def _imported(path: Path, source: bytes, root: Path) -> Iterator[Path]:
    """Yields the modules of a package that one of them imports; a name taken from a package may be a module, too."""
    for found in _IMPORTS.finditer(source):
        dots, module, names = (
            part.decode() for part in (found[1] or b"", found[2] or found[4] or b"", found[3] or b"")
        )
        package, *inner = module.split(".") if module else [""]
        if dots:
            place = path.parents[len(dots) - 1].joinpath(package, *inner)
        elif package == root.name:
            place = root.joinpath(*inner)
        else:
            continue
        for named in (place, *(place / name for name in re.findall(r"\w+", names))):
            yield from (file for file in (named.with_suffix(".py"), named / "__init__.py") if file.is_file())


@cache
def cache_folder(scope: str) -> Path | None:
    """Returns the folder of a scope's kernels, made if needed; None (and one warning) if it is not writable.

    `scope` is a top-level package (`toyplugin`) or a family of one (`emubot.games.tetris`). `EMUBOT_CACHE_DIR`
    overrides the user's cache folder.
    """
    folder = user_cache() / "kernels" / f"{scope}-{__version__}"
    try:
        fresh = not folder.is_dir()
        folder.mkdir(mode=stat.S_IRWXU, parents=True, exist_ok=True)
        if not os.access(folder, os.W_OK | os.X_OK):
            raise PermissionError(f"{folder} is not writable")
        if not is_ours(folder.stat()):
            raise PermissionError(f"{folder} belongs to another user")
        folder.chmod(stat.S_IRWXU)
        if fresh:
            _prune(folder)
    except OSError as failure:
        if _UNCACHED not in os.environ:
            os.environ[_UNCACHED] = "1"
            _LOG.warning(
                "kernels are compiled anew at every start: %s; set EMUBOT_CACHE_DIR to a folder of your own", failure
            )
        return None
    return folder


@cache
def scope_hash(scope: str) -> str:
    """Returns twelve hex digits over all sources that may affect a scope's kernels, numba's version and settings."""
    return _hashed(stored_digest(scope) or digest_of_sources(scope))


@cache
def module_folder(folder: Path, scope: str, module: str) -> Path:
    """Returns the folder of a module's kernels, in that of its scope. Folders of earlier sources are pruned."""
    name = module.removeprefix(scope).removeprefix(".") or "package"
    place = folder / f"{name}-{_hashed(stored_digest(module) or digest_of_module(module))}"
    if not place.is_dir():
        _prune(place)
    return place


def leaves_uncompiled() -> bool:
    """Returns whether this process leaves its kernels as they stand in their sources."""
    return os.environ.get("NUMBA_DISABLE_JIT", "0") != "0"


def _hashed(digest: str) -> str:
    """Returns a digest together with all that changes the code of the same sources, as numba reads it."""
    settings = [os.environ.get(name) for name in ("NUMBA_OPT", "NUMBA_BOUNDSCHECK")]
    return hashlib.sha256(f"{version('numba')} {sys.version_info[:2]} {settings} {digest}".encode()).hexdigest()[:12]


def _prune(newest: Path) -> None:
    """Keep the newest folders of kernels, this one included, since another version of emubot may be using one."""
    name = newest.name.rpartition("-")[0]
    siblings = [path for path in newest.parent.glob(f"{name}-*") if path.is_dir() and path != newest]
    siblings.sort(key=lambda path: path.stat().st_mtime, reverse=True)
    for old in siblings[_KEPT_FOLDERS - 1 :]:
        shutil.rmtree(old, ignore_errors=True)
