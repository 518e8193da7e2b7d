"""What is true of one emulator that runs emubot's script, and of no other."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

from emubot.bridges.protocol import EmuSpeed


@dataclass(frozen=True, slots=True)
class ScriptHost:
    """An emulator with scripts.

    `name` is that of its bridge, `emulator` what people call it. `load` says where a script is loaded, and what else
    must be there; `{port}` in it is the one where emubot waits. `speeds` are the words by which the script sets a
    speed, None for the one that its user chose; `speed_menu` is where its user does so. `calls` says whether the
    emulator calls emubot, and not the other way round; `tells_pauses` whether the script reports a pause: without that,
    silence is one. `movie` says how a movie is stopped.
    """

    name: str
    emulator: str
    port: int
    load: str
    speeds: Mapping[EmuSpeed, bytes | None]
    speed_menu: str
    movie: str
    calls: bool = False
    tells_pauses: bool = False

    @property
    def restart(self) -> str:
        """The remedy where what answers is not the script of this emubot."""
        return f"stop the script in {self.emulator} and start the one that emubot bridge-script {self.name} names"
