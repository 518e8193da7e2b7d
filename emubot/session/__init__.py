"""Opens bridges and makes pilots from a request, for commands and for programs; prints nothing."""

from __future__ import annotations

from emubot.lazy import lazy_names

TYPE_CHECKING = False
if TYPE_CHECKING:
    from emubot.session.request import SessionRequest as SessionRequest
    from emubot.session.seating import Seat as Seat
    from emubot.session.session import Session as Session
    from emubot.session.session import open_session as open_session

__all__ = ["Seat", "Session", "SessionRequest", "open_session"]

__getattr__, __dir__ = lazy_names(
    __name__,
    {
        "Seat": "emubot.session.seating:Seat",
        "Session": "emubot.session.session:Session",
        "SessionRequest": "emubot.session.request:SessionRequest",
        "open_session": "emubot.session.session:open_session",
    },
)
