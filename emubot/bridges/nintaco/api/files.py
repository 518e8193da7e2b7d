"""Files on the emulator's machine: cartridges, archives, save states, screenshots; knows no machine.

Ids 126-132, 134-137 and 150 of the API. Paths are on the emulator's machine. Opening, saving and loading happen some
time after the call. Opening and loading then send DEACTIVATE and ACTIVATE events.
"""

from __future__ import annotations

from emubot.bridges.nintaco.api.calls import Calls, within


class Files(Calls):
    """The functions of the File menu."""

    def get_working_directory(self) -> str:
        """The emulator's working folder; id 126."""
        return self._text(126)

    def get_content_directory(self) -> str:
        """The folder of the emulator's own files; id 127."""
        return self._text(127)

    def open(self, path: str) -> None:
        """Open a cartridge; id 128."""
        self._void(128, path)

    def open_archive_entry(self, archive: str, entry: str) -> None:
        """Open a cartridge inside an archive; id 129."""
        self._void(129, archive, entry)

    def get_archive_entries(self, archive: str) -> list[str]:
        """The cartridges inside an archive; id 130."""
        return self._texts(130, archive)

    def get_default_archive_entry(self, archive: str) -> str:
        """The cartridge that `open_default_archive_entry` opens; id 131."""
        return self._text(131, archive)

    def open_default_archive_entry(self, archive: str) -> None:
        """Open the default cartridge inside an archive; id 132."""
        self._void(132, archive)

    def save_state(self, path: str) -> None:
        """Save the machine's state into a file; id 134."""
        self._void(134, path)

    def load_state(self, path: str) -> None:
        """Load the machine's state from a file; id 135."""
        self._void(135, path)

    def quick_save_state(self, slot: int) -> None:
        """Save into one of the slots 0-9; id 136."""
        self._void(136, within(slot, 0, 9, "A slot"))

    def quick_load_state(self, slot: int) -> None:
        """Load from one of the slots 0-9; id 137."""
        self._void(137, within(slot, 0, 9, "A slot"))

    def save_screenshot(self) -> None:
        """Save the picture in the emulator's folder for screenshots; id 150."""
        self._void(150)
