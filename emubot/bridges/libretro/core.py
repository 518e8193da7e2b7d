"""One loaded libretro core as a state machine, so that a call out of order is an error and not a crash."""

from __future__ import annotations

import os
import tempfile
from collections.abc import Callable
from contextlib import ExitStack
from enum import Enum, auto
from pathlib import Path
from typing import Any, NoReturn, cast

import numpy as np
from numpy.typing import NDArray

from emubot.bridges.libretro import abi, picture
from emubot.bridges.libretro.environment import Environment
from emubot.bridges.libretro.library import CoreInfo, Library, require_nes
from emubot.bridges.libretro.sound import Sound
from emubot.errors import BridgeClosed, BridgeError, CoreError, RomError, StateError

# A port's answer for each button id 0-15, and for id 256 all buttons as bits; 257 entries, so a call is one index.
Answers = tuple[int, ...]
NOTHING_HELD: Answers = (0,) * (abi.JOYPAD_MASK + 1)

_PORTS = 16  # more than any core reads; the console has two
# Cores whose frame buffer stays in place until the next frame, so that keeping a pointer is enough.
_LASTING_FRAMES = {"FCEUmm", "Nestopia"}


class CoreStage(Enum):
    """The stages of a core's life."""

    CREATED = auto()
    LOADED = auto()
    CLOSED = auto()


class Core:
    """A core file opened for one cartridge. Raises CoreNotFound or CoreError if the file cannot be used.

    An exception inside a callback (Ctrl-C included: Python delivers it there) cannot pass through the core's own
    code. It is kept and raised as soon as the core returns, that is within the frame.
    """

    def __init__(self, path: Path) -> None:
        self.stage = CoreStage.CREATED
        self.held: list[Answers] = [NOTHING_HELD] * _PORTS
        self.sound = Sound()
        self._error: BaseException | None = None
        self._frame: tuple[Any, int, int, int] | None = None  # pointer or bytes, width, height, pitch
        with ExitStack() as undo:
            # Cores write saves and look for palettes and databases; they get a private folder for that.
            private = Path(undo.enter_context(tempfile.TemporaryDirectory(prefix="emubot-core-")))
            library = Library(path, private)
            undo.callback(library.close)
            self._functions = functions = library.functions
            self._run = functions.retro_run
            self._private = private
            self.info: CoreInfo = require_nes(functions, library.path)
            self.environment = Environment(_made(private / "system"), _made(private / "saves"))
            self._callbacks = self._make_callbacks()  # keep them: the memory of a collected callback is reused
            functions.retro_set_environment(self._callbacks["environment"])
            functions.retro_init()
            undo.callback(functions.retro_deinit)
            for name in ("video_refresh", "audio_sample", "audio_sample_batch", "input_poll", "input_state"):
                getattr(functions, f"retro_set_{name}")(self._callbacks[name])
            self._raise_kept()
            self._undo = undo.pop_all()

    def load(self, image: bytes, region: str = "ntsc") -> None:
        """Insert a validated iNES image and connect a standard pad to both ports; raises RomError if refused.

        `region` is that of a `Cartridge`. Not every core has the console of each; `frames_per_second` tells.
        """
        if self.stage is not CoreStage.CREATED:
            self._refuse("load a cartridge")
        self.environment.become(region)
        path = self._private / "cartridge.nes"
        if self.info.need_fullpath:
            path.write_bytes(image)
        self._image = abi.ffi.from_buffer(image)
        self._name = abi.ffi.new("char[]", os.fsencode(path))
        game = abi.ffi.new("struct retro_game_info *", {"path": self._name, "data": self._image, "size": len(image)})
        if self._functions.retro_load_game(game):
            self.stage = CoreStage.LOADED
            self._undo.callback(self._functions.retro_unload_game)
        self._raise_kept()
        if self.stage is not CoreStage.LOADED:
            raise RomError(f"The core {self.info} refused the cartridge: it may not know its mapper; try another core.")
        self._timing = abi.ffi.new("struct retro_system_av_info *")
        self._functions.retro_get_system_av_info(self._timing)
        for port in (0, 1):
            # Nestopia reads no pad at all from a port that was never set.
            self._functions.retro_set_controller_port_device(port, abi.DEVICE_JOYPAD)
        self._raise_kept()

    @property
    def frames_per_second(self) -> float:
        """The rate that the core reports for the loaded cartridge; rounded by some cores."""
        self._require_loaded("ask for the frame rate")
        return float(self._timing.timing.fps)

    @property
    def sound_rate(self) -> float:
        """Audio samples per second at `frames_per_second`."""
        self._require_loaded("ask for the sound's rate")
        return float(self._timing.timing.sample_rate)

    @property
    def picture_size(self) -> tuple[int, int]:
        """(width, height) in pixels of the picture as the core announces it; known before the first frame."""
        self._require_loaded("ask for the picture's size")
        geometry = self._timing.geometry
        return int(geometry.base_width), int(geometry.base_height)

    def run(self) -> None:
        """Run one frame; raises the error of a callback, if any."""
        if self.stage is not CoreStage.LOADED:
            self._refuse("run a frame")
        self._run()
        if self._error is not None:
            self._raise_kept()

    @property
    def bare_run(self) -> Callable[[], None]:
        """The core's own `retro_run` with a cartridge loaded, for benchmarks: it does not raise callback errors."""
        self._require_loaded("run a frame")
        return cast("Callable[[], None]", self._run)

    def reset(self) -> None:
        """Press the console's reset button."""
        self._require_loaded("reset")
        self._functions.retro_reset()
        self._raise_kept()

    def memory(self, kind: int) -> tuple[Any, int]:
        """Returns (pointer, bytes) of a memory of the cartridge; 0 bytes if there is none; valid until `close`."""
        self._require_loaded("read memory")
        pointer = self._functions.retro_get_memory_data(kind)
        return pointer, int(self._functions.retro_get_memory_size(kind)) if pointer else 0

    def save(self) -> bytes:
        """Returns the machine's state in the core's own format; raises StateError if the core cannot save it."""
        self._require_loaded("save a state")
        size = self._functions.retro_serialize_size()
        buffer = bytearray(size)
        saved = self._functions.retro_serialize(abi.ffi.from_buffer(buffer, require_writable=True), size)
        self._raise_kept()
        if not saved:
            raise StateError(f"The core {self.info} could not save its state.")
        return bytes(buffer)

    def restore(self, state: bytes) -> None:
        """Load a state of `save`; it must be complete and made by this core. Raises StateError."""
        self._require_loaded("load a state")
        restored = self._functions.retro_unserialize(abi.ffi.from_buffer(state), len(state))
        self._raise_kept()
        if not restored:
            raise StateError(f"The core {self.info} refused the save state.")

    def picture(self) -> NDArray[np.uint8]:
        """Returns the last frame as a new RGB uint8 array (height, width, 3); raises BridgeError if there is none."""
        self._require_loaded("show a picture")
        if self._frame is None:
            raise BridgeError("There is no picture yet: advance a frame first.")
        data, width, height, pitch = self._frame
        pixel_format = self.environment.pixel_format
        raw = data if isinstance(data, bytes) else _copied(data, width, height, pitch, pixel_format)
        return picture.to_rgb(raw, width, height, pitch, pixel_format)

    def close(self) -> None:
        """Remove the cartridge, unload the core and delete its folder; harmless when called again."""
        if self.stage is CoreStage.CLOSED:
            return
        self.stage = CoreStage.CLOSED
        self._undo.close()
        self._raise_kept()

    def _make_callbacks(self) -> dict[str, Any]:
        held = self.held
        environment = self.environment
        lasting = self.info.name in _LASTING_FRAMES

        def video_refresh(data: Any, width: int, height: int, pitch: int) -> None:
            if data:  # NULL repeats the last frame
                kept = data if lasting else _copied(data, width, height, pitch, environment.pixel_format)
                self._frame = (kept, width, height, pitch)

        def input_state(port: int, device: int, index: int, button: int) -> int:
            return held[port][button] if device == abi.DEVICE_JOYPAD else 0

        functions = {
            "environment": environment.answer,
            "video_refresh": video_refresh,
            "audio_sample": self.sound.sample,
            "audio_sample_batch": self.sound.batch,
            "input_poll": lambda: None,
            "input_state": input_state,
        }
        return {
            name: abi.ffi.callback(f"retro_{name}_t", function, onerror=self._keep)
            for name, function in functions.items()
        }

    def _keep(self, kind: type[BaseException], error: BaseException, trace: Any) -> None:
        self._error = self._error or error

    def _raise_kept(self) -> None:
        error, self._error = self._error, None
        if error is not None:
            raise error

    def _require_loaded(self, action: str) -> None:
        if self.stage is not CoreStage.LOADED:
            self._refuse(action)

    def _refuse(self, action: str) -> NoReturn:
        if self.stage is CoreStage.CLOSED:
            raise BridgeClosed(f"The core is closed and cannot {action}: connect again.")
        if self.stage is CoreStage.CREATED:
            raise CoreError(f"The core cannot {action}: no cartridge is loaded yet.")
        raise CoreError(f"The core cannot {action}: it has one; connect again for another.")


def _made(folder: Path) -> Path:
    folder.mkdir()
    return folder


def _copied(data: Any, width: int, height: int, pitch: int, pixel_format: int) -> bytes:
    return bytes(abi.ffi.buffer(data, picture.buffer_size(width, height, pitch, pixel_format)))
