"""Names of a room that are looked up when they are first used, so that importing the room costs nothing."""

from __future__ import annotations

TYPE_CHECKING = False  # as in typing, which is not loaded for it: the command's first signals wait for this module
if TYPE_CHECKING:
    from collections.abc import Callable, Mapping
    from typing import Any


def lazy_names(package: str, homes: Mapping[str, str]) -> tuple[Callable[[str], Any], Callable[[], list[str]]]:
    """Returns the `__getattr__` and `__dir__` of a package whose public names live in other modules (PEP 562).

    `homes` maps each name to its home, `module:name`; without a name after the colon it is the module itself.
    """

    def look_up(name: str) -> Any:
        from importlib import import_module

        if name not in homes:
            raise AttributeError(f"module {package!r} has no attribute {name!r}")
        module, _, attribute = homes[name].partition(":")
        found = import_module(module)
        return getattr(found, attribute) if attribute else found

    return look_up, lambda: sorted(homes)
