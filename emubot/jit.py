"""The cache of compiled kernels, and how it repairs itself; knows no game.

numba's own cache keeps stale code when a kernel in another file changes, and a damaged file breaks every later start.
So each family's kernels are in a per-user folder, named by version and a hash of all sources that may affect them,
wherever these lie. A file that cannot be loaded is dropped and compiled again in the same process. The folder holds
pickles written by numba, so only its owner may write there.
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
from collections.abc import Callable, Iterable, Iterator, Sequence
from functools import cache, partial
from pathlib import Path
from typing import Any, TypeAlias, TypeVar, cast

import llvmlite.binding as llvm
import numba
from numba.core import caching, types
from numba.core import config as numba_config

from emubot import interrupts
from emubot.datafiles import user_cache
from emubot.version import __version__

Scalar: TypeAlias = Any  # an integer inside a kernel, where numpy's and Python's integers are the same

_LOG = logging.getLogger(__name__)
# In the stand-alone program, which holds no sources, the digest of each scope's: the build wrote it beside this module.
STORED_SOURCES = "kernel_sources.json"
_KEPT_FOLDERS = 2  # per scope
_UNCACHED = "EMUBOT_UNCACHED"  # in the environment, which processes that are started inherit: the warning was given
# No kernel is an argument of another one, so none needs the wrapper in C for that. `_nrt` (numba's memory management)
# would be its caller's unless it is given.
_OPTIONS: dict[str, Any] = {"nogil": True, "no_cfunc_wrapper": True}
_FAMILY_DEPTH = 3  # emubot.games.tetris
# Packages and modules without a constant of a kernel (a test checks this): a change there recompiles nothing.
_WITHOUT_KERNELS = (
    *("arena", "cli", "session", "pilot", "view", "bridges", "demos", "rammap", "review", "learn", "trace"),
    *("interrupts", "training", "trials", "cartridge", "movie.py", "atomic.py", "datafiles.py", "errors.py"),
    *("files.py", "text.py", "__init__.py", "lazy.py", "version.py"),
)
# A module with kernels, which may import their decorators under other names; and the modules that a source imports.
_HAS_KERNELS = re.compile(rb"^[ \t]*(?:from|import)[ \t]+emubot\.jit\b", re.MULTILINE)
_IMPORTS = re.compile(
    rb"^[ \t]*from[ \t]+(\.*)([\w.]*)[ \t]+import[ \t]+(\([^)]*\)|[^\n]*)|^[ \t]*import[ \t]+([\w.]+)", re.MULTILINE
)
_CONFIG: Any = numba_config  # its settings are made at run time, so no type checker sees them
_FunctionCache: Any = caching.FunctionCache
_CompileResults: Any = caching.CompileResultCacheImpl
_Function = TypeVar("_Function", bound=Callable[..., Any])


def kernel(function: _Function) -> _Function:
    """Compile a function of C-ordered arrays and scalars on first use, and cache the machine code.

    The same as `numba.njit(cache=True, nogil=True)`, but the cache is never stale and repairs itself. If no folder is
    writable, the kernel works uncached, with one warning.
    """
    return _cached(function, numba.njit(**_OPTIONS | {"_nrt": True}))


def lean(function: _Function) -> _Function:
    """Compile like `kernel`, for the innermost loops: it may neither make an array nor assign one to a slice.

    Then numba need not count references to arrays. That takes longer than the rest where many arrays are handed on.
    """
    return _cached(function, numba.njit(**_OPTIONS | {"_nrt": False}))


def _cached(function: _Function, compile_: Callable[[_Function], Any]) -> _Function:
    compiled = compile_(function)
    if not _CONFIG.DISABLE_JIT:
        compiled.get_call_template = partial(_any_number, compiled.get_call_template)
    folder = cache_folder(kernel_scope(function.__module__))
    if folder is not None and not _CONFIG.DISABLE_JIT:
        compiled._cache = _HealingCache(function)
    return cast(_Function, compiled)


def _any_number(get_call_template: Callable[..., Any], args: Sequence[Any], kws: dict[str, Any]) -> Any:
    """Returns numba's view of a kernel that is called by another one, with constants taken as numbers.

    numba would otherwise compile the callee, and all that it calls, anew for each constant argument.
    """
    number: Any = types.unliteral
    return get_call_template([number(kind) for kind in args], {name: number(kind) for name, kind in kws.items()})


def inlined(function: _Function) -> _Function:
    """Compile a small part of hot loops, which is inlined into each kernel that calls it and never cached alone."""
    return cast(_Function, numba.njit(nogil=True, inline="always")(function))


class _Place:
    """Where numba keeps a kernel: in the folder of its scope, whose name says which sources it is for."""

    def __init__(self, function: Callable[..., Any]) -> None:
        scope = kernel_scope(function.__module__)
        module = function.__module__.removeprefix(scope).removeprefix(".")
        folder = cache_folder(scope)
        assert folder is not None, "without a folder nothing is cached"
        self._folder = folder / (module or "package")
        self._py_file = function.__code__.co_filename  # numba names it in a warning
        self._line = function.__code__.co_firstlineno

    def ensure_cache_path(self) -> None:
        self._folder.mkdir(parents=True, exist_ok=True)

    def get_cache_path(self) -> str:
        return str(self._folder)

    def get_source_stamp(self) -> str:
        return ""

    def get_disambiguator(self) -> str:
        return str(self._line)


class _Kept(_CompileResults):  # type: ignore[misc]
    """How numba keeps a kernel, but in its `_Place`. numba would go by the file of the source, wherever that lies."""

    def __init__(self, function: Callable[..., Any]) -> None:
        self._lineno = function.__code__.co_firstlineno
        self._locator = _Place(function)
        self._filename_base = self.get_filename_base(function.__qualname__, getattr(sys, "abiflags", ""))


class _HealingCache(_FunctionCache):  # type: ignore[misc]
    """numba's file cache, except that damage means "not cached" instead of an error."""

    _impl_class = _Kept

    def load_overload(self, sig: Any, target_context: Any) -> Any:
        try:
            return super().load_overload(sig, target_context)
        except Exception as damage:  # a damaged pickle may raise anything; the remedy is always to recompile
            _LOG.warning("compiled kernel cache was damaged (%s); compiling again", type(damage).__name__)
            self._rebuild()
            return None

    def save_overload(self, sig: Any, data: Any) -> None:
        try:
            with interrupts.held_back():  # else numba would leave a temporary file
                super().save_overload(sig, data)
        except Exception as damage:  # a full disk, or a damaged index
            _LOG.warning("compiled kernel could not be cached (%s)", damage)
            self._rebuild()

    def _rebuild(self) -> None:
        try:
            self.flush()
        except OSError as failure:
            _LOG.warning("the kernel cache cannot be written (%s); this run goes on uncached", failure)


def kernel_scope(module: str) -> str:
    """Returns the scope of a kernel's cache: its game family, or else its whole top-level package."""
    parts = module.split(".")
    return ".".join(parts[: _FAMILY_DEPTH if parts[1:2] == ["games"] else 1])


@cache
def cache_folder(scope: str) -> Path | None:
    """Returns the folder of a scope's kernels, made if needed; None (and one warning) if it is not writable.

    `scope` is a top-level package (`toyplugin`) or a family of one (`emubot.games.tetris`). `EMUBOT_CACHE_DIR`
    overrides the user's cache folder.
    """
    folder = user_cache() / "kernels" / f"{scope}-{__version__}-{source_hash(scope)}"
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
def source_hash(scope: str) -> str:
    """Returns twelve hex digits over the sources that may affect a scope's kernels, numba's version and settings.

    A kernel freezes the constants that it reads from any module.
    """
    settings = (numba.__version__, sys.version_info[:2], _CONFIG.OPT, _CONFIG.BOUNDSCHECK)
    stored = Path(__file__).with_name(STORED_SOURCES)
    sources = json.loads(stored.read_bytes()).get(scope) if stored.is_file() else None
    return hashlib.sha256(f"{settings!r} {sources or digest_of_sources(scope)}".encode()).hexdigest()[:12]


def digest_of_sources(scope: str) -> str:
    """Returns the SHA-256 of the sources that may affect a scope's kernels, in hex digits.

    These are the modules of the scope that hold kernels, and all that they import, however indirectly, without
    `_WITHOUT_KERNELS`. Each start of emubot waits for it, so imports are found as text.
    """
    package, *inner = scope.split(".")
    root = Path(sys.modules[package].__file__ or "").parent
    left_out = {root / room for room in _WITHOUT_KERNELS}
    known: dict[Path, bytes] = {}
    found = [path for path in sorted(root.joinpath(*inner).rglob("*.py")) if _HAS_KERNELS.search(path.read_bytes())]
    while found:
        path = found.pop()
        if path not in known and not left_out & {path, *path.parents}:
            known[path] = path.read_bytes()
            found += _imported(path, known[path], root)
    digest = hashlib.sha256()
    for path, source in sorted(known.items()):
        digest.update(path.relative_to(root).as_posix().encode() + b"\0" + source)
    return digest.hexdigest()


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


def is_warm(scope: str, purpose: str = "play") -> bool:
    """Returns whether a whole `warm_up` of exactly these sources ran on this kind of processor: the start is quick."""
    folder = cache_folder(scope)
    return folder is not None and (folder / _marker(purpose)).exists()


def warm_up(
    jobs: Iterable[tuple[str, Callable[[], object]]],
    scope: str,
    progress: Callable[[str], None] | None = None,
    purpose: str = "play",
) -> None:
    """Call each named job once, to compile or load the kernels of a scope that a purpose needs.

    `progress` is called with each job's name first.
    """
    for name, job in jobs:
        if progress is not None:
            progress(name)
        job()
    folder = cache_folder(scope)
    # A third version of emubot, started meanwhile, may have pruned the folder. Then the next start compiles again.
    if folder is not None and folder.is_dir() and not _CONFIG.DISABLE_JIT:
        (folder / _marker(purpose)).touch()


def _marker(purpose: str) -> str:
    """Returns the name of the file that marks "all compiled": for one kind of processor, as in numba."""
    return f"warm-{purpose}-{llvm.get_host_cpu_name()}"


def _prune(newest: Path) -> None:
    """Keep the newest folders of kernels, this one included, since another version of emubot may be using one."""
    scope = newest.name.partition("-")[0]
    siblings = [path for path in newest.parent.glob(f"{scope}-*") if path.is_dir() and path != newest]
    siblings.sort(key=lambda path: path.stat().st_mtime, reverse=True)
    for old in siblings[_KEPT_FOLDERS - 1 :]:
        shutil.rmtree(old, ignore_errors=True)
