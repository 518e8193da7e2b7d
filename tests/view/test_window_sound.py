"""The loudspeaker: what a core plays comes out whole and in order, and without one the window is silent and says so."""

from __future__ import annotations

import logging
import time
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from numpy.typing import NDArray

from emubot.bridges.libretro import LibretroBridge, connect
from tests.bridges.cores import child, pad_cartridge
from tests.bridges.toy import build_toy
from tests.view.stage import Stage, require_pygame, until

pygame = require_pygame()

from emubot.view.window import Window  # noqa: E402
from emubot.view.window import speaker as speaker_module  # noqa: E402
from emubot.view.window.speaker import NoSound, Speaker  # noqa: E402

RATE = 48079.05
PIECE = 1280  # moments: a fortieth of a second, in whole buffers of 256


def saw(first: int, moments: int) -> NDArray[np.int16]:
    """What the toy core plays from moment `first` on."""
    left = np.arange(first, first + moments) % 10000 + 1
    return np.stack([left, -left], axis=1).astype(np.int16)


class Mixer:
    """pygame's mixer as far as the speaker uses it, with a hand on its clock: `finish` ends the piece now playing."""

    error = pygame.error

    def __init__(self) -> None:
        self.opened: dict[str, Any] = {}
        self.playing: list[bytes] = []
        self.finished: list[bytes] = []

    def init(self, **words: Any) -> None:
        self.opened = words

    def set_num_channels(self, count: int) -> None:
        assert count == 1

    def quit(self) -> None:
        self.opened = {}

    def Channel(self, number: int) -> Mixer:
        return self

    def Sound(self, *, buffer: bytes) -> bytes:
        return buffer

    def get_busy(self) -> bool:
        return bool(self.playing)

    def get_queue(self) -> bytes | None:
        return self.playing[1] if len(self.playing) > 1 else None

    def play(self, piece: bytes) -> None:
        assert not self.playing
        self.playing = [piece]

    def queue(self, piece: bytes) -> None:
        assert len(self.playing) == 1
        self.playing.append(piece)

    def finish(self) -> None:
        self.finished.append(self.playing.pop(0))

    def moments(self) -> NDArray[np.int16]:
        """All that was handed over, in order."""
        return np.frombuffer(b"".join([*self.finished, *self.playing]), dtype=np.int16).reshape(-1, 2)


@pytest.fixture
def mixer(monkeypatch: pytest.MonkeyPatch) -> Mixer:
    made = Mixer()
    monkeypatch.setattr(pygame, "mixer", made)
    return made


def test_it_is_opened_at_the_exact_rate(mixer: Mixer) -> None:
    Speaker(RATE)
    assert mixer.opened == {"frequency": 48079, "size": -16, "channels": 2, "buffer": 256, "allowedchanges": 0}


def test_it_begins_with_two_pieces_and_loses_nothing(mixer: Mixer) -> None:
    speaker = Speaker(RATE)
    fed = 0
    for frame in range(60):
        speaker.feed(saw(fed, 800))
        fed += 800
        assert mixer.get_busy() == (fed >= 2 * PIECE)
        if frame > 3 and frame % 8 in (0, 1, 3, 4, 6):  # the device plays 1280 of every 800 x 8 / 5
            mixer.finish()
    moments = mixer.moments()
    assert len(moments) > 30 * PIECE
    assert speaker.played == len(moments)
    np.testing.assert_array_equal(moments, saw(0, len(moments)))


def test_of_too_much_the_oldest_is_dropped(mixer: Mixer) -> None:
    speaker = Speaker(RATE)
    speaker.feed(saw(0, 2 * PIECE))
    for frame in range(100):
        speaker.feed(saw(2 * PIECE + frame * 800, 800))
    end = 2 * PIECE + 100 * 800
    for _ in range(3):
        mixer.finish()
        speaker.feed(saw(end, 0))
    np.testing.assert_array_equal(mixer.moments()[2 * PIECE :], saw(end - 4 * PIECE, 3 * PIECE))


def test_after_a_gap_it_waits_for_two_pieces_again(mixer: Mixer) -> None:
    speaker = Speaker(RATE)
    speaker.feed(saw(0, 2 * PIECE))
    mixer.finish()
    mixer.finish()
    speaker.feed(saw(0, PIECE))
    assert not mixer.get_busy()
    speaker.feed(saw(0, PIECE))
    assert len(mixer.playing) == 2


def test_double_speed_plays_every_second_moment_and_full_speed_none(mixer: Mixer) -> None:
    speaker = Speaker(RATE)
    speaker.feed(saw(0, 4 * PIECE), 2.0)
    np.testing.assert_array_equal(mixer.moments(), saw(0, 4 * PIECE)[::2])
    speaker.feed(saw(0, PIECE), None)
    mixer.finish()
    speaker.feed(saw(0, PIECE), None)
    assert len(mixer.playing) == 1


def test_muted_it_plays_nothing_new(mixer: Mixer) -> None:
    speaker = Speaker(RATE)
    speaker.muted = True
    speaker.feed(saw(0, 4 * PIECE))
    assert not mixer.get_busy()
    speaker.muted = False
    speaker.feed(saw(7, 2 * PIECE))
    np.testing.assert_array_equal(mixer.moments(), saw(7, 2 * PIECE))


@pytest.mark.parametrize("rate", [0.0, 100.0, 1e9, float("nan")])
def test_a_rate_that_is_none_is_no_sound(mixer: Mixer, rate: float) -> None:
    with pytest.raises(NoSound, match="samples a second"):
        Speaker(rate)
    assert not mixer.opened


@pytest.fixture
def toy(stage: Stage, tmp_path: Path) -> Iterator[LibretroBridge]:
    """A core that plays a saw tooth, at normal speed."""
    with connect(rom=pad_cartridge(), core=str(build_toy(tmp_path, "SOUND=2")), emu_speed=1.0) as opened:
        yield opened


def test_a_cores_sound_comes_out_whole(toy: LibretroBridge, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """SDL's disk driver is a loudspeaker that keeps what it plays."""
    out = tmp_path / "played.raw"
    monkeypatch.setenv("SDL_AUDIODRIVER", "disk")
    monkeypatch.setenv("SDL_DISKAUDIOFILE", str(out))
    with Window(toy, "sound") as window:
        played = 0

        def enough() -> bool:
            nonlocal played
            toy.advance()
            window.frame()
            speaker = window._remote._speaker
            assert speaker is not None
            played = speaker.played
            return played >= 10 * PIECE

        until(enough, "ten pieces")
    left, right = np.frombuffer(out.read_bytes()[: out.stat().st_size // 4 * 4], dtype=np.int16).reshape(-1, 2).T
    sounding = np.flatnonzero(left)
    assert len(sounding) >= 7 * PIECE, "all but what was still waiting when the window closed"
    np.testing.assert_array_equal(right[sounding], -left[sounding])
    steps = np.diff(left[sounding].astype(int))
    breaks = np.count_nonzero((steps != 1) & (steps != -9999))
    assert breaks <= 4, "a loaded machine may come too late now and then; a piece too short would break every time"


def test_muting_by_key(toy: LibretroBridge, monkeypatch: pytest.MonkeyPatch) -> None:
    with Window(toy, "mute") as window:
        said: list[str] = []
        monkeypatch.setattr(window, "say", said.append)
        for _ in range(2):
            pygame.event.post(pygame.event.Event(pygame.KEYDOWN, key=pygame.K_m))
            window.frame()
        assert said == ["sound off", "sound on"]
        speaker = window._remote._speaker
        assert speaker is not None
        assert not speaker.muted
    assert not pygame.mixer.get_init(), "the device is let go"


def test_without_a_device_it_goes_on_in_silence_and_says_one_sentence(
    toy: LibretroBridge,
    monkeypatch: pytest.MonkeyPatch,
    caplog: pytest.LogCaptureFixture,
    capfd: pytest.CaptureFixture[str],
) -> None:
    monkeypatch.setenv("SDL_AUDIODRIVER", "alsa")
    monkeypatch.setenv("ALSA_CONFIG_PATH", "/dev/null")  # a machine without a sound card
    with caplog.at_level(logging.WARNING), Window(toy, "silence") as window:
        said: list[str] = []
        monkeypatch.setattr(window, "say", said.append)
        for _ in range(5):
            toy.advance()
            pygame.event.post(pygame.event.Event(pygame.KEYDOWN, key=pygame.K_m))
            window.frame()
        assert toy.heard().shape == (0, 2), "nobody listens, nothing is copied"
    assert [record.getMessage()[:23] for record in caplog.records] == ["playing without sound: "]
    assert said == ["there is no sound here"] * 5
    assert capfd.readouterr() == ("", ""), "nor do the sound libraries"


def test_errors_of_the_system_keep_their_way_out(capfd: pytest.CaptureFixture[str]) -> None:
    import os

    with speaker_module._silent_stderr():
        os.write(2, b"lost")
    os.write(2, b"kept")
    assert capfd.readouterr().err == "kept"


def test_a_program_without_a_way_out_for_errors_has_sound_too() -> None:
    done = child(
        "import os\n"
        "from emubot.view.window.speaker import Speaker\n"
        "os.close(2)\n"
        "Speaker(48000).close()\n"
        "print('fine')\n",
        SDL_AUDIODRIVER="dummy",
    )
    assert done.stdout == "fine\n"


def test_a_frame_never_waits_for_the_loudspeaker(toy: LibretroBridge, monkeypatch: pytest.MonkeyPatch) -> None:
    toy.emu_speed = None
    with Window(toy, "fast") as window:
        monkeypatch.setattr(time, "sleep", lambda seconds: pytest.fail("it waited"))
        for _ in range(200):
            toy.advance()
            window.frame()
