"""Compiles kernels and keeps them on the disk; knows no game. numba is loaded with the first decorator."""

from __future__ import annotations

from emubot.lazy import lazy_names

TYPE_CHECKING = False
if TYPE_CHECKING:  # a kernel's cache also goes by these lines: it depends on the modules that they name
    from emubot.jit.kernels import Scalar as Scalar
    from emubot.jit.kernels import inlined as inlined
    from emubot.jit.kernels import kernel as kernel
    from emubot.jit.kernels import lean as lean
    from emubot.jit.kernels import leave_uncompiled as leave_uncompiled
    from emubot.jit.sources import STORED_SOURCES as STORED_SOURCES
    from emubot.jit.sources import cache_folder as cache_folder
    from emubot.jit.sources import digest_of_module as digest_of_module
    from emubot.jit.sources import digest_of_sources as digest_of_sources
    from emubot.jit.sources import kernel_scope as kernel_scope
    from emubot.jit.warm import is_warm as is_warm
    from emubot.jit.warm import mark as mark
    from emubot.jit.warm import warm_up as warm_up

_HOMES = {
    "kernels": ("Scalar", "inlined", "kernel", "lean", "leave_uncompiled"),
    "sources": ("cache_folder", "STORED_SOURCES", "digest_of_module", "digest_of_sources", "kernel_scope"),
    "warm": ("is_warm", "mark", "warm_up"),
}
__all__ = [
    "STORED_SOURCES",
    "Scalar",
    "cache_folder",
    "digest_of_module",
    "digest_of_sources",
    "inlined",
    "is_warm",
    "kernel",
    "kernel_scope",
    "lean",
    "leave_uncompiled",
    "mark",
    "warm_up",
]

__getattr__, __dir__ = lazy_names(
    __name__, {name: f"emubot.jit.{home}:{name}" for home, names in _HOMES.items() for name in names}
)
