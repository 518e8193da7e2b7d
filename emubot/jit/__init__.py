"""Compiles kernels and keeps them on the disk; knows no game."""

from emubot.jit.kernels import Scalar, inlined, kernel, lean, leave_uncompiled
from emubot.jit.sources import STORED_SOURCES, digest_of_module, digest_of_sources, kernel_scope
from emubot.jit.store import cache_folder
from emubot.jit.warm import is_warm, warm_up

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
    "warm_up",
]
