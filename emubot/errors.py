"""All errors of emubot: each message is one sentence for a person plus what to do; knows nothing else."""

from __future__ import annotations


class EmubotError(Exception):
    """Base of every error that emubot raises on purpose; `exit_code` is the exit code of the command line."""

    exit_code = 1


class UsageError(EmubotError):
    """An option or an argument cannot be used as given."""

    exit_code = 2


class RomError(EmubotError):
    """A cartridge file is missing, damaged, refused or unknown."""

    exit_code = 2


class MapError(EmubotError):
    """An address map is missing or breaks a rule of the schema; the message names file, line and key."""

    exit_code = 2


class NotDiscovered(EmubotError):
    """Experiments with an unknown cartridge did not show what a map needs."""


class WeightsError(EmubotError):
    """A weights file is missing, malformed or made for other features."""

    exit_code = 2


class CheckpointError(EmubotError):
    """No checkpoint of a training run can be used to continue."""

    exit_code = 2


class TraceError(EmubotError):
    """A recorded trace is missing, malformed or of another game."""

    exit_code = 2


class PositionError(EmubotError):
    """A board, a piece or a counter is one that no game can have: nothing is searched or replayed from there."""

    exit_code = 2


class BridgeError(EmubotError):
    """An emulator or core is missing, cannot be loaded or does not answer."""

    exit_code = 3


class EmulatorNotFound(BridgeError):
    """No running emulator answers at that address, or not yet."""


class EmulatorBusy(EmulatorNotFound):
    """An emulator is there, and another program is attached to it."""


class CoreNotFound(BridgeError):
    """No libretro core was found, or the named one is missing."""


class CoreError(BridgeError):
    """A libretro core was found, but it cannot be loaded or refused a request."""


class CoreCrashed(BridgeError):
    """A core, or another emulator in a child process, ended or hung during its work."""


class StateError(BridgeError):
    """A save state is damaged or belongs to another core or cartridge."""


class BridgeClosed(BridgeError):
    """A bridge was used after it was closed."""


class ClusterError(EmubotError):
    """A cluster does not answer, has no workers that can do the work, or was lost."""

    exit_code = 3


class PublishError(EmubotError):
    """A server that is to show the game does not answer, or refuses."""

    exit_code = 3


class StorageError(EmubotError):
    """A file could not be read or written (permissions, disk full)."""

    exit_code = 4


class Stopped(EmubotError):
    """Ended early on request; the message says what is kept."""

    exit_code = 130
