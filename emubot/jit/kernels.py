"""The decorators of kernels: compiled on first use, or left as they are; knows no file.

A kernel is compiled for Python when Python calls it, and for other kernels when one of these calls it.
"""

from __future__ import annotations

import os
import warnings
from collections.abc import Callable, Sequence
from functools import partial
from typing import Any, Final, TypeAlias, TypeVar, cast

import numba
from numba.core import config as numba_config
from numba.core import types

from emubot.jit.libraries import EntryCompiler, InnerCompiler
from emubot.jit.store import entry_cache, inner_cache

Scalar: TypeAlias = Any  # an integer inside a kernel, where numpy's and Python's integers are the same

_CONFIG: Any = numba_config  # its settings are made at run time, so no type checker sees them
# No kernel is an argument of another one, so none needs the wrapper in C for that. `_nrt` (numba's memory management)
# would be its caller's unless it is given.
_OPTIONS: Final[dict[str, Any]] = {"nogil": True, "no_cfunc_wrapper": True}
_Function = TypeVar("_Function", bound=Callable[..., Any])


def kernel(function: _Function) -> _Function:
    """Compile a function of C-ordered arrays and scalars on first use, and cache the machine code.

    The same as `numba.njit(cache=True, nogil=True)`, but the cache is never stale and repairs itself. If no folder is
    writable, the kernel works uncached, with one warning.
    """
    return _compiled(function, _nrt=True)


def lean(function: _Function) -> _Function:
    """Compile like `kernel`, for the innermost loops: it may neither make an array nor assign one to a slice.

    Then numba need not count references to arrays. That takes longer than the rest where many arrays are handed on.
    """
    return _compiled(function, _nrt=False)


def inlined(function: _Function) -> _Function:
    """Compile like `lean` a small part of hot loops, whose code becomes a part of each kernel that calls it."""
    return _compiled(function, _nrt=False, forceinline=True)


def leave_uncompiled() -> None:
    """Leave each kernel that is imported from now on as it stands in its source, in this process and its children.

    They find the same as compiled ones, some hundred times slower, and nobody waits for a compilation. Small integers
    wrap in both; Python would warn of it.
    """
    os.environ["NUMBA_DISABLE_JIT"] = "1"
    _CONFIG.DISABLE_JIT = 1
    warnings.filterwarnings("ignore", "overflow encountered", RuntimeWarning)


def _compiled(function: _Function, **options: Any) -> _Function:
    if _CONFIG.DISABLE_JIT:
        return function
    njit: Any = numba.njit  # it knows more options than it says
    inner = njit(pipeline_class=InnerCompiler, no_cpython_wrapper=True, **_OPTIONS, **options)(function)
    entry = njit(pipeline_class=EntryCompiler, **_OPTIONS, **{**options, "forceinline": False})(function)
    entry.inner = inner
    # What a kernel gets that calls this one.
    entry.get_call_template = partial(_any_number, inner.get_call_template)
    entry.get_overload = inner.get_overload
    entry._compiling_counter = inner._compiling_counter  # by which numba knows a kernel that calls itself
    entry_cache(entry)
    inner_cache(inner)
    return cast(_Function, entry)


def _any_number(get_call_template: Callable[..., Any], args: Sequence[Any], kws: dict[str, Any]) -> Any:
    """Returns numba's view of a kernel that is called by another one, with constants taken as numbers.

    numba would otherwise compile the callee, and all that it calls, anew for each constant argument.
    """
    number: Any = types.unliteral
    return get_call_template([number(kind) for kind in args], {name: number(kind) for name, kind in kws.items()})
