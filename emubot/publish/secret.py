"""The secret with which NestrisChamps knows its user: from the environment or a private file; never shown."""

from __future__ import annotations

import os
import re
from pathlib import Path
from typing import Final

from emubot.datafiles import user_config
from emubot.errors import UsageError
from emubot.files import UnsuitableFile, open_regular
from emubot.systems.disk import is_ours, others_may_read

VARIABLE: Final = "EMUBOT_NTC_SECRET"
_FILE: Final = "ntc-secret"
_LONGEST: Final = 300  # bytes of the file
_FORM: Final = re.compile(r"[a-zA-Z0-9-]{1,256}")  # what its server takes (routes/websocket.js)


def secret_file() -> Path:
    """Returns the file in the user's own configuration folder; it need not exist."""
    return user_config(_FILE)


def secret() -> str:
    """Returns the secret. Raises UsageError if there is none, or if it lies in a file that others may read."""
    file = secret_file()
    text = os.environ.get(VARIABLE)
    source = VARIABLE if text else str(file)
    text = (text or _read(file)).strip()
    if not _FORM.fullmatch(text):
        raise UsageError(f"The secret in {source} is none: it has letters, digits and hyphens only, on one line.")
    return text


def _read(file: Path) -> str:
    try:
        with open_regular(file) as opened:
            status = os.fstat(opened.fileno())
            content = opened.read(_LONGEST + 1)
    except FileNotFoundError:
        raise UsageError(
            f"--publish needs the secret of your account: put it into the environment as {VARIABLE}, or into the file "
            f"{file} with mode 0600."
        ) from None
    except (UnsuitableFile, OSError) as wrong:
        raise UsageError(f"The secret's file {file} cannot be read: {wrong.strerror}.") from None
    if others_may_read(status) or not is_ours(status):
        raise UsageError(f"Others may read the secret's file {file}: make it your own, and run chmod 600 on it.")
    return content.decode("ascii", "replace")
