"""Links as pictures that a phone reads, by segno, which is imported on use; knows no page."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from emubot.extras import QR


def pictures_of(links: Mapping[str, str]) -> dict[str, Any]:
    """Returns each link's picture as an address of its own (data:), or a sentence that says what to install."""
    if not QR.is_met():
        return {"pictures": {}, "instead": QR.refusal()}
    import segno

    return {"pictures": {name: _picture(segno.make(link, error="m")) for name, link in links.items()}, "instead": ""}


def _picture(code: Any) -> str:
    """Returns a code on white, with the quiet edge that readers need, whatever the page's theme is."""
    return str(code.svg_data_uri(scale=4, border=4, light="#ffffff"))
