"""Code of kernels on its way to the processor; knows numba's insides, and no file.

numba optimises each function with all that it calls, makes machine code of it and an entry for Python, and does this
again for each caller. A kernel that only other kernels call needs none of that: it stays LLVM's code, and is optimised
and translated once for each kernel that Python calls. That halves the time of a first use.
"""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

import llvmlite.binding as llvm
from llvmlite.binding import newpassmanagers
from numba.core import codegen, compiler

_Library: Any = codegen.JITCodeLibrary
_Compiler: Any = compiler.Compiler


class InnerLibrary(_Library):  # type: ignore[misc]
    """A kernel for other kernels, and what numba itself adds to it. The kernels that it calls are `callees`."""

    def __init__(self, owner: Any, name: str) -> None:
        super().__init__(owner, name)
        self.callees: list[InnerLibrary] = []
        self.address: Any = None  # under which a caller in another process finds it; the store's

    @property
    def codegen(self) -> Any:
        """The engine. It holds no code of this library, so there is no environment of this function to set."""
        return _WithoutEnvironments(self._codegen)

    def add_linking_library(self, library: Any) -> None:
        """Take what this code calls: a kernel is linked into the entry alone, numba's own parts at once."""
        if isinstance(library, InnerLibrary):
            self.callees.append(library)
        else:
            super().add_linking_library(library)

    def finalize(self) -> None:
        """End the library as LLVM's code, neither optimised nor compiled."""
        for library in dict.fromkeys(self._linking_libraries):
            self._reload_init.update(library._reload_init)
            self._final_module.link_in(library._get_module_for_linking(), preserve=True)
        self._drop_what_is_unused()
        self._finalize_dynamic_globals()
        self._finalized = True

    def get_pointer_to_function(self, name: str) -> int:
        """Returns 0, which is numba's word for "no such function": Python cannot call it."""
        del name
        self._ensure_finalized()
        return 0

    def own_module(self) -> Any:
        """Returns the code of this kernel alone, to be linked into an entry."""
        return super()._get_module_for_linking()

    def _get_module_for_linking(self) -> Any:
        """Returns the code with that of all kernels below: for a caller that numba compiles its own way."""
        module = self.own_module().clone()
        for library in _with_callees(self.callees):
            module.link_in(library.own_module(), preserve=True)
        return module

    def bitcode(self) -> bytes:
        """Returns the code for `restore`."""
        self._ensure_finalized()
        return bytes(self._final_module.as_bitcode())

    def restore(self, bitcode: bytes, callees: Iterable[InnerLibrary]) -> None:
        """Make this the library that once returned this code, with these libraries of the kernels that it calls."""
        self._final_module = llvm.parse_bitcode(bitcode)
        self.callees = list(callees)
        self._finalized = True

    def _drop_what_is_unused(self) -> None:
        """Drop for example the addresses of this process's kernels, which code on the disk may not hold."""
        passes = newpassmanagers.create_new_module_pass_manager()
        passes.add_sroa_pass()
        passes.add_dead_code_elimination_pass()
        passes.add_simplify_cfg_pass()
        passes.add_global_dead_code_eliminate_pass()
        passes.run(self._final_module, self._codegen._pass_builder())

    def _optimize_functions(self, module: Any) -> None:
        module.data_layout = self._codegen._data_layout


class EntryLibrary(_Library):  # type: ignore[misc]
    """A kernel that Python calls, with every kernel below it."""

    _linking_libraries: list[Any]

    def finalize(self) -> None:
        """Link all kernels below, optimise, and make machine code."""
        libraries = _with_callees(self._linking_libraries)
        for library in libraries:
            if isinstance(library, InnerLibrary):
                self._reload_init.update(library._reload_init)
                self._final_module.link_in(library.own_module(), preserve=True)
        self._linking_libraries = [library for library in libraries if not isinstance(library, InnerLibrary)]
        super().finalize()


class _WithoutEnvironments:
    def __init__(self, owner: Any) -> None:
        self._owner = owner

    def set_env(self, name: str, environment: object) -> None:
        """Do nothing: the code that would read it has not been compiled."""

    def __getattr__(self, name: str) -> Any:
        return getattr(self._owner, name)


def _with_callees(libraries: Iterable[Any]) -> list[Any]:
    """Returns these libraries and, once each, those of all kernels that they call."""
    known: dict[Any, None] = {}
    waiting = [*libraries][::-1]
    while waiting:
        library = waiting.pop()
        if library not in known:
            library._ensure_finalized()
            known[library] = None
            waiting += library.callees[::-1] if isinstance(library, InnerLibrary) else ()
    return list(known)


class InnerCompiler(_Compiler):  # type: ignore[misc]
    """Compiles a kernel for other kernels."""

    def __init__(self, typing_context: Any, target_context: Any, library: Any, *more: Any) -> None:
        library = library or InnerLibrary(target_context.codegen(), "inner kernel")
        super().__init__(typing_context, target_context, library, *more)


class EntryCompiler(_Compiler):  # type: ignore[misc]
    """Compiles a kernel for Python."""

    def __init__(self, typing_context: Any, target_context: Any, library: Any, *more: Any) -> None:
        if library is None:
            library = EntryLibrary(target_context.codegen(), "kernel")
            library.enable_object_caching()
        super().__init__(typing_context, target_context, library, *more)
