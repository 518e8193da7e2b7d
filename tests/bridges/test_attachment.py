"""Notes of what was changed in an emulator, and the lock on it: both outlive what a kill leaves of emubot."""

from __future__ import annotations

import logging
import os
import subprocess
import sys
from pathlib import Path

import pytest

from emubot.bridges.attachment import Attachment
from emubot.errors import EmulatorBusy

AT = ("::1", 9999)


def test_a_note_is_there_until_everything_is_as_it_was() -> None:
    ours = Attachment("nintaco", *AT)
    assert ours.left() == frozenset()
    ours.note("speed")
    ours.note("pads")
    heirs = Attachment("nintaco", *AT)
    assert heirs.left() == {"speed", "pads"}
    assert Attachment("fceux", *AT).left() == Attachment("nintaco", "::1", 9998).left() == frozenset()
    heirs.forget()
    assert Attachment("nintaco", *AT).left() == frozenset()


def test_only_who_wrote_a_note_or_found_it_takes_it_away() -> None:
    first, second = Attachment("nintaco", *AT), Attachment("nintaco", *AT)
    first.note("speed")
    first.forget()
    second.note("speed")
    first.forget()
    assert Attachment("nintaco", *AT).left() == {"speed"}


def test_an_emulator_is_one_emubots_until_it_ends_or_is_killed(attachments: Path) -> None:
    program = (
        "import sys, time; from emubot.bridges.attachment import Attachment;"
        f"kept = Attachment('retroarch', *{AT!r}); kept.claim(0); print('mine', flush=True); time.sleep(60)"
    )
    environment = {**os.environ, "EMUBOT_CACHE_DIR": str(attachments.parent)}
    with subprocess.Popen([sys.executable, "-c", program], env=environment, stdout=subprocess.PIPE) as other:
        try:
            assert other.stdout is not None
            assert other.stdout.readline() == b"mine\n"
            ours = Attachment("retroarch", *AT)
            with pytest.raises(EmulatorBusy, match=r"Another emubot is attached to retroarch at ::1:9999"):
                ours.claim(0)
            Attachment("retroarch", "::1", 1).claim(0)
        finally:
            other.kill()
    ours.claim(10)
    ours.release()
    Attachment("retroarch", *AT).claim(0)


def test_one_emulator_has_one_lock_by_whichever_name_of_this_machine() -> None:
    ours = Attachment("nintaco", "127.0.0.1", 9999)
    ours.claim(0)
    with pytest.raises(EmulatorBusy, match=r"Another emubot is attached to nintaco at 127\.0\.0\.1:9999"):
        Attachment("nintaco", "localhost", 9999).claim(0)
    ours.release()


def test_where_nothing_can_be_kept_play_goes_on_with_a_warning(
    attachments: Path, caplog: pytest.LogCaptureFixture
) -> None:
    attachments.write_bytes(b"a file where the folder should be")
    with caplog.at_level(logging.WARNING):
        for _ in range(3):  # as emubot tries again while it waits
            ours = Attachment("retroarch", *AT)
            ours.claim(0)
        assert not caplog.text, "nobody else is disturbed while there is no emulator"
        for _ in range(3):
            ours = Attachment("retroarch", *AT)
            ours.claim(0)
            ours.connected()
            ours.note("pads")
        assert caplog.text.count("could disturb each other") == 1
        assert caplog.text.count("If emubot is killed") == 1
    ours.forget()
    ours.release()
