"""Names of a room that are looked up when they are first used, so that importing the room costs nothing."""

from __future__ import annotations

TYPE_CHECKING = False  # as in typing, which is not loaded for it: the command's first signals wait for this module
if TYPE_CHECKING:
    from collections.abc import Callable, Mapping
    from typing import Any


def lazy_names(package: str, homes: Mapping[str, str]) -> Callable[[str], Any]:
    """The `__getattr__` of a package whose public names live in other modules (PEP 562).

    `homes` says for each name `module:name` where it lives; an empty name after the colon means the module itself.
    """

    def look_up(name: str) -> Any:
        from importlib import import_module

        if name not in homes:
            raise AttributeError(f"module {package!r} has no attribute {name!r}")
        module, _, attribute = homes[name].partition(":")
        found = import_module(module)
        return getattr(found, attribute) if attribute else found

    return look_up
