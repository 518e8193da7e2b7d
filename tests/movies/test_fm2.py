"""FM2 movies: every line as the format has it, what a recording holds, and what other people's movies say."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from numpy.typing import NDArray

from emubot import Goal, Pilot
from emubot.bridges.simulated import SimulatedBridge
from emubot.errors import TraceError, UsageError
from emubot.movies import fm2, read_fm2
from emubot.pad import Pad
from emubot.pilot.recording import Recording
from emubot.rammap import load_map
from emubot.trace import Trace, read_trace
from tests.families import whole_edition, whole_game
from tests.movies.recordings import MD5, RECORDED


def pads(*rows: tuple[Pad, Pad]) -> NDArray[np.uint8]:
    return np.array(rows, dtype=np.uint8).reshape(-1, 2)


def parts(text: str) -> tuple[dict[str, str], list[str]]:
    """The keys, without comments, and the input log."""
    lines = text.splitlines()
    keys = [line.partition(" ")[::2] for line in lines if not line.startswith(("|", "comment "))]
    return dict(keys), [line for line in lines if line.startswith("|")]


def test_a_movie_in_full() -> None:
    text = fm2(pads((Pad.NONE, Pad.START), (Pad.A | Pad.LEFT, Pad.NONE)), "tiny.nes", MD5, 1, ["author somebody"])
    assert text == (
        "version 3\n"
        "emuVersion 20605\n"
        "rerecordCount 0\n"
        "palFlag 0\n"
        "romFilename tiny.nes\n"
        "romChecksum base64:AAECAwQFBgcICQoLDA0ODw==\n"
        "guid " + parts(text)[0]["guid"] + "\n"
        "fourscore 0\n"
        "microphone 0\n"
        "port0 1\n"
        "port1 1\n"
        "port2 0\n"
        "FDS 0\n"
        "NewPPU 0\n"
        "comment author somebody\n"
        "|0|........|........||\n"
        "|0|........|....T...||\n"
        "|0|.L.....A|........||\n"
    )


@pytest.mark.parametrize(
    ("pad", "field"),
    [
        (Pad.RIGHT, "R......."),
        (Pad.LEFT, ".L......"),
        (Pad.DOWN, "..D....."),
        (Pad.UP, "...U...."),
        (Pad.START, "....T..."),
        (Pad.SELECT, ".....S.."),
        (Pad.B, "......B."),
        (Pad.A, ".......A"),
    ],
)
def test_each_button_has_its_column(pad: Pad, field: str) -> None:
    """Order: fm2.txt, RLDUTSBA."""
    assert parts(fm2(pads((pad, Pad.NONE), (Pad.NONE, pad)), "x", MD5))[1] == [
        f"|0|{field}|........||",
        f"|0|........|{field}||",
    ]


@given(st.lists(st.tuples(st.integers(0, 255), st.integers(0, 255)), max_size=50), st.integers(0, 3))
def test_what_is_written_can_be_read_back(rows: list[tuple[int, int]], later: int) -> None:
    inputs = np.array(rows, dtype=np.uint8).reshape(-1, 2)
    log = parts(fm2(inputs, "x", MD5, later))[1]
    columns = [line.split("|")[2:4] for line in log]
    read = [tuple(sum(1 << bit for bit, sign in enumerate(field) if sign != ".") for field in row) for row in columns]
    assert read == [(0, 0)] * later + rows


def test_the_same_game_gives_the_same_file_and_another_one_another_guid() -> None:
    one, other = pads((Pad.A, Pad.NONE)), pads((Pad.B, Pad.NONE))
    assert fm2(one, "x", MD5) == fm2(one, "x", MD5)
    assert parts(fm2(one, "x", MD5))[0]["guid"] != parts(fm2(other, "x", MD5))[0]["guid"]


def test_what_is_no_movie_is_refused() -> None:
    with pytest.raises(UsageError, match="as \\(frames, 2\\) bytes"):
        fm2(np.zeros((4, 3), dtype=np.uint8), "x", MD5)
    with pytest.raises(UsageError, match="as \\(frames, 2\\) bytes"):
        fm2(np.zeros((4, 2), dtype=np.int64), "x", MD5)
    with pytest.raises(UsageError, match="leave out what breaks it"):
        fm2(pads(), "x\nport0 2", MD5)
    with pytest.raises(UsageError, match="leave out what breaks it"):
        fm2(pads(), "x", MD5, 0, ["author\r|0|"])


class Keeper(SimulatedBridge):
    """A simulator that keeps its pads, as bridges with a machine of their own do."""

    kept: list[tuple[int, int]] | None = None
    another = False

    def keep_pads(self) -> None:
        if self.frame:
            raise UsageError("too late")
        self.kept = []

    def pads_since_power_on(self) -> NDArray[np.uint8] | None:
        return None if self.kept is None or self.another else np.array(self.kept, dtype=np.uint8).reshape(-1, 2)

    def advance(self) -> int:
        if self.kept is not None:
            self.kept.append((int(self._held[0]), int(self._held[1])))
        return super().advance()


def session(bridge: SimulatedBridge, path: Path) -> Trace:
    """A game of three pieces, recorded."""
    game, ram_map = whole_game("tetris"), load_map("nes_tetris_usa")
    pilot = Pilot(bridge, Goal(pieces=3), game.open(ram_map))
    recording = Recording(path, pilot, "nmi-game", {"core": "FCEUmm x"})
    pilot.run()
    recording.close()
    return read_trace(path)


def simulated(kind: type[SimulatedBridge]) -> SimulatedBridge:
    return kind(whole_edition(load_map("nes_tetris_usa")).simulator.machine(np.random.default_rng(1), False))


@pytest.mark.jit
def test_a_recording_holds_the_pads_since_power_on(tmp_path: Path) -> None:
    bridge = simulated(Keeper)
    trace = session(bridge, tmp_path / "game.npz")
    assert isinstance(bridge, Keeper)
    assert trace.inputs.tolist() == [list(row) for row in bridge.kept or ()]
    assert len(trace.inputs) == bridge.frame > trace.frames, "the menus too"
    held = trace.inputs[-trace.frames :, 0]
    assert held.tolist() == trace.pads[:, 1].tolist(), "in the game they are what the game says that it read"


@pytest.mark.jit
@pytest.mark.parametrize("why", ["cannot", "too late", "state loaded"])
def test_a_recording_without_the_machines_start_holds_no_pads(tmp_path: Path, why: str) -> None:
    bridge = simulated(SimulatedBridge if why == "cannot" else Keeper)
    if why == "too late":
        bridge.advance()
    if isinstance(bridge, Keeper):
        bridge.another = why == "state loaded"
    trace = session(bridge, tmp_path / "game.npz")
    assert trace.frames
    assert trace.inputs.shape == (0, 2)


@pytest.mark.parametrize(
    "inputs", [np.zeros((9999, 3), np.uint8), np.zeros((9999, 2), np.int16), np.zeros((1, 2), np.uint8)]
)
def test_pads_of_another_shape_are_no_recording(tmp_path: Path, inputs: NDArray[np.generic]) -> None:
    file = tmp_path / "bad.npz"
    np.savez(file, **{**np.load(RECORDED), "inputs": inputs})
    with pytest.raises(TraceError, match=r"inputs (is|has)"):
        read_trace(file)


# What other people's movies hold.

HEAD = ("version 3", "emuVersion 20605", "palFlag 0", "romChecksum base64:AAECAwQFBgcICQoLDA0ODw==", "fourscore 0")
ROWS = ("|2|........|........||", "|0|R......A|.L......||")


def written(*more: str, rows: tuple[str, ...] = ROWS) -> bytes:
    return "\n".join([*HEAD, *more, *rows, ""]).encode()


@pytest.mark.parametrize("mark", [b"", b"\xef\xbb\xbf"])
def test_a_movie_is_read_with_and_without_a_byte_order_mark(mark: bytes) -> None:
    found = read_fm2(
        mark + written("port0 1", "port1 1", "port2 0", "FDS 0", "NewPPU 0", "RAMInitOption 0", "RAMInitSeed 25271")
    )
    assert found.pads.tolist() == [[0, 0], [Pad.RIGHT | Pad.A, Pad.LEFT]]
    assert found.md5 == MD5


def test_what_is_written_is_read() -> None:
    inputs = pads((Pad.NONE, Pad.START), (Pad.A | Pad.LEFT, Pad.NONE))
    assert read_fm2(fm2(inputs, "tiny.nes", MD5).encode()).pads.tolist() == inputs.tolist()


@pytest.mark.parametrize(
    ("content", "words"),
    [
        (written("savestate 0x46435358"), "begins with a save state of FCEUX, and only one from power-on can be"),
        (written("palFlag 1"), "was made on a PAL console (palFlag 1), and such a movie cannot be reviewed."),
        (written("FDS 1"), "is of a disk game (FDS 1)"),
        (written("NewPPU 1"), "was made with the new PPU of FCEUX, whose frames differ (NewPPU 1)"),
        (
            written("RAMInitOption 3", "RAMInitSeed 25271"),
            "other contents of the RAM at power-on than FCEUX's own (RAMI",
        ),
        (written("saveram 0x00"), "begins with the contents of a battery's memory (saveram 0x00)"),
        (written("fourscore 1"), "has four pads (fourscore 1)"),
        (written("port0 2"), "has something else than a pad in port 1 (port0 2)"),
        (written("port1 2"), "has something else than a pad in port 2 (port1 2)"),
        (written("port2 3"), "has a device in the expansion port (port2 3)"),
        (written("binary 1"), "is in the binary form of FM2 (binary 1)"),
        (written().decode().encode("utf-16"), "is saved as UTF-16: save it as UTF-8, as FCEUX writes it."),
        (written(rows=("|" + "9" * 5000 + "|........|........||",)), "Frame 0 of the movie cannot be read: '|999"),
        (written(rows=(ROWS[0], "|\u0661|........|........||")), "Frame 1 of the movie cannot be read"),
        (written(rows=(*ROWS, "|1|........|........||")), "Frame 2 of the movie has the command 1 (reset, power,"),
        (written(rows=("|4|........|........||",)), "Frame 0 of the movie has the command 4 (reset, power, disk"),
        (written(rows=()), "The movie has no frame."),
        (b"version 2\n", "not a movie in the text form of FM2, version 3."),
    ],
)
def test_a_movie_that_cannot_be_replayed_says_why(content: bytes, words: str) -> None:
    with pytest.raises(TraceError) as refused:
        read_fm2(content)
    assert words in str(refused.value)
    assert len(str(refused.value)) < 200
