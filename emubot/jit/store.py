"""Keeps compiled kernels on the disk, and repairs what is damaged there; knows no game.

numba's own cache keeps stale code when a kernel in another file changes, and a damaged file breaks every later start.
So the code of each module is in a per-user folder, named by version and a hash of all sources that may affect it,
wherever these lie. A file that cannot be loaded is dropped and compiled again in the same process. The folder holds
pickles written by numba, so only its owner may write there.

A kernel for Python is kept as machine code. One for other kernels is kept as LLVM's code, with the names of the kernels
that it calls.
"""

from __future__ import annotations

import logging
import sys
from collections.abc import Callable
from functools import reduce
from importlib import import_module
from typing import Any, NamedTuple

from numba.core import caching, compiler

from emubot import interrupts
from emubot.jit.libraries import InnerLibrary
from emubot.jit.sources import cache_folder, kernel_scope, module_folder

_LOG = logging.getLogger(__name__)
_FunctionCache: Any = caching.FunctionCache
_CompileResults: Any = caching.CompileResultCacheImpl
_compile_result: Any = compiler.compile_result


def entry_cache(dispatcher: Any) -> None:
    """Keep the machine code of a kernel that Python calls."""
    if cache_folder(kernel_scope(dispatcher.py_func.__module__)) is not None:
        dispatcher._cache = _HealingCache(dispatcher.py_func)


def inner_cache(dispatcher: Any) -> None:
    """Keep the code of a kernel that other kernels call; one inside a function has no name to be found by."""
    function = dispatcher.py_func
    if "<locals>" not in function.__qualname__ and cache_folder(kernel_scope(function.__module__)) is not None:
        dispatcher._cache = _InnerCache(function)


class _Place:
    """Where numba keeps a kernel: in the folder of its module, whose name says which sources it is for."""

    def __init__(self, function: Callable[..., Any]) -> None:
        scope = kernel_scope(function.__module__)
        folder = cache_folder(scope)
        assert folder is not None, "without a folder nothing is cached"
        self._folder = module_folder(folder, scope, function.__module__)
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


class _KeptInner(_Kept):
    """How a kernel for other kernels is kept."""

    def __init__(self, function: Callable[..., Any]) -> None:
        super().__init__(function)
        self._filename_base += ".inner"

    def reduce(self, result: Any) -> Any:
        result.fndesc.typemap = result.fndesc.calltypes = None  # as numba does: these are large, and needed no more
        library = result.library
        return (
            library.bitcode(),
            [callee.address for callee in library.callees],
            result.fndesc,
            result.environment,
            result.signature,
            result.reload_init,
        )

    def rebuild(self, target_context: Any, payload: Any) -> Any:
        bitcode, addresses, description, environment, signature, reload_init = payload
        for load in reload_init:
            load()
        library = InnerLibrary(target_context.codegen(), description.qualname)
        library.restore(bitcode, [address.library() for address in addresses])
        entry_point = target_context.get_executable(library, description, environment)
        return _compile_result(
            target_context=target_context,
            typing_context=target_context.typing_context,
            library=library,
            environment=environment,
            entry_point=entry_point,
            fndesc=description,
            signature=signature,
            objectmode=False,
            lifted=(),
            reload_init=reload_init,
        )


class _Address(NamedTuple):
    """Where a kernel for other kernels is found again: module, name and arguments, and its name in the code."""

    module: str
    name: str
    arguments: tuple[Any, ...]
    symbol: str

    def library(self) -> InnerLibrary:
        """Returns its library, loaded or compiled. Raises _MovedError if its name in the code is another one now."""
        kernel: Any = reduce(getattr, self.name.split("."), import_module(self.module))
        kernel.inner.compile(self.arguments)
        result = kernel.inner.overloads[self.arguments]
        if result.fndesc.mangled_name != self.symbol:
            raise _MovedError
        library: InnerLibrary = result.library
        return library


class _MovedError(Exception):
    """A kernel was compiled anew after a kernel that calls it: this one must follow."""


class _HealingCache(_FunctionCache):  # type: ignore[misc]
    """numba's file cache, except that damage means "not cached" instead of an error."""

    _impl_class = _Kept

    def load_overload(self, sig: Any, target_context: Any) -> Any:
        try:
            return super().load_overload(sig, target_context)
        except _MovedError:
            return None
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


class _InnerCache(_HealingCache):
    """The same for kernels that other kernels call; tells each library the address under which its callers find it."""

    _impl_class = _KeptInner

    def load_overload(self, sig: Any, target_context: Any) -> Any:
        result = super().load_overload(sig, target_context)
        if result is not None:
            self._tell(result)
        return result

    def save_overload(self, sig: Any, data: Any) -> None:
        self._tell(data)
        if all(callee.address is not None for callee in data.library.callees):
            super().save_overload(sig, data)

    def _tell(self, result: Any) -> None:
        function = self._py_func
        result.library.address = _Address(
            function.__module__, function.__qualname__, tuple(result.signature.args), result.fndesc.mangled_name
        )
