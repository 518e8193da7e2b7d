"""Opens the arena's page in the browser without showing its key to the machine's other users; prints nothing.

Everybody on a machine can read the command lines of all programs, and a browser is given its address there. The address
of the page holds a key. So the browser is given a file that only this user can read, and the file leads to the page.
"""

from __future__ import annotations

import contextlib
import html
import os
import tempfile
import threading
import webbrowser
from collections.abc import Iterator
from pathlib import Path
from typing import Final

import platformdirs

from emubot.systems.desktop import has_snaps

_PAGE: Final = """\
<!doctype html>
<html lang="en">
<meta charset="utf-8">
<meta name="referrer" content="no-referrer">
<meta http-equiv="refresh" content="0; url={url}">
<title>emubot</title>
<p><a href="{url}">Open emubot</a></p>
</html>
"""


@contextlib.contextmanager
def opened(url: str) -> Iterator[None]:
    """Open the address in the browser, if there is one; what leads to it is deleted at the end of the block.

    Nothing is opened where the environment says EMUBOT_NO_BROWSER=1, or where no file can be written.
    """
    with contextlib.ExitStack() as files:
        if os.environ.get("EMUBOT_NO_BROWSER") != "1":
            with contextlib.suppress(OSError):
                page = files.enter_context(page_to(url))
                threading.Thread(target=webbrowser.open, args=(page.as_uri(),), daemon=True).start()
        yield


@contextlib.contextmanager
def page_to(url: str) -> Iterator[Path]:
    """Yields a file, readable by its owner alone, that leads a browser to the address; it is deleted at the end."""
    with tempfile.TemporaryDirectory(prefix="emubot-", dir=_place(), ignore_cleanup_errors=True) as folder:
        path = Path(folder) / "emubot.html"
        path.touch(0o600, exist_ok=False)
        path.write_text(_PAGE.format(url=html.escape(url)), encoding="utf-8")
        yield path


def _place() -> Path | None:
    """Returns the folder for the temporary one, None for the system's own."""
    downloads = platformdirs.user_downloads_path()
    return downloads if has_snaps() and os.access(downloads, os.W_OK) else None
