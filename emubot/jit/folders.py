"""Where compiled kernels lie, and under which names: by sources, settings and processor; loads no compiler.

A start asks whether all is compiled before it loads numba, which alone takes a second.
"""

from __future__ import annotations

import hashlib
import logging
import os
import shutil
import stat
import sys
from functools import cache
from importlib.metadata import version
from pathlib import Path
from typing import Final

from emubot.datafiles import user_cache
from emubot.jit.sources import digest_of_module, digest_of_sources, stored_digest
from emubot.version import __version__

_LOG = logging.getLogger(__name__)
_KEPT_FOLDERS: Final = 2  # per scope, and per module in it
_UNCACHED: Final = "EMUBOT_UNCACHED"  # in the environment, which processes that are started inherit: it was said


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
        if hasattr(os, "getuid") and folder.stat().st_uid != os.getuid():
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
