"""`play --publish`, `trace export --ngf` and `review GAME.ngf`, as somebody types them."""

from __future__ import annotations

import dataclasses
import json
import socket
import threading
import time
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path
from types import SimpleNamespace
from typing import Any, cast

import pytest
from websockets.sync.server import ServerConnection

from emubot.cli import main, publishing
from emubot.games.recorded import memory_of
from emubot.judging.judge import JudgedMove, Review, review
from emubot.judging.moves import moves_of
from emubot.publish import link
from emubot.publish.frame import Frame
from emubot.publish.link import Link
from emubot.publish.ngf import read_ngf
from emubot.publish.secret import VARIABLE, secret_file
from emubot.review.sources import source_of
from emubot.session.request import SessionRequest
from emubot.trace import read_trace
from emubot.weights import load_weights
from tests.publish.games import RECORDED, broadcast_of, filmed, played
from tests.publish.layout import read, rows
from tests.publish.server import SECRET, WAIT, FakeServer, serving

DEMO = "play --demo tetris --bridge simulated --emu-speed max --weights meatfighter --view none --pieces 4"


@pytest.fixture(autouse=True)
def _no_proxy(monkeypatch: pytest.MonkeyPatch) -> None:
    for name in ("http_proxy", "https_proxy", "all_proxy", "ws_proxy", "wss_proxy"):
        monkeypatch.delenv(name, raising=False)
        monkeypatch.delenv(name.upper(), raising=False)


@pytest.fixture
def with_secret(monkeypatch: pytest.MonkeyPatch, capfd: pytest.CaptureFixture[str]) -> Iterator[list[str]]:
    """The secret in the environment; all that is said, in which it never is, is in the list at the end."""
    monkeypatch.setenv(VARIABLE, SECRET)
    monkeypatch.setattr(link, "GAP", 0.0)
    monkeypatch.setattr(link.Link.__init__, "__defaults__", (0.0, 0.01))
    monkeypatch.setattr(link, "WAITING", 1 << 16)
    said: list[str] = []
    yield said
    said += capfd.readouterr()
    assert SECRET not in "".join(said)


def run(line: str, server: FakeServer, *words: str) -> int:
    return main([*line.split(), "--publish", f"ws://{server.host}", *words])


def received(server: FakeServer) -> list[dict[str, object]]:
    """All that came, read by the layout alone."""
    return [read(data) for data in server.frames(server.received.qsize())]


@pytest.mark.jit
@pytest.mark.parametrize("loud", [[], ["-vv"]])
def test_a_game_is_shown_frame_by_frame(
    loud: list[str], with_secret: list[str], capfd: pytest.CaptureFixture[str]
) -> None:
    with serving() as server:
        assert run(DEMO, server, "--json", *loud) == 0
        said = capfd.readouterr()
        with_secret += said
        frames = received(server)
    assert json.loads(said.out)["pieces"] == 4
    assert f"emubot: {server.host}, your room, shows player 1's game." in said.err
    assert SECRET not in said.out + said.err
    games = [frame for frame in frames if frame["score"] is not None]
    assert len(games) > 60
    assert frames[0]["score"] is None, "it begins in the menus"
    assert {(frame["game"], frame["type"], frame["player"]) for frame in games} == {(1, 1, 0)}
    counts = [sum(int(str(frame[letter])) for letter in "TJZOSLI") for frame in games]
    assert counts == sorted(counts)
    assert counts[0] == 1
    assert counts[-1] in (4, 5)
    times = [int(str(frame["ms"])) for frame in frames]
    assert times == sorted(times)
    assert "publish" not in {thread.name for thread in threading.enumerate()}, "the link is closed"


@pytest.mark.jit
def test_the_first_of_two_bots_is_shown(with_secret: list[str]) -> None:
    with serving() as server:
        assert run(DEMO.replace("play", "play AIvsAI"), server) == 0
        counts = [frame["score"] for frame in received(server) if frame["score"] is not None]
    assert counts
    assert server.connections == 1


@pytest.mark.jit
def test_the_secret_may_lie_in_a_file(
    user_config: Path, with_secret: list[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    assert user_config.is_dir()
    monkeypatch.delenv(VARIABLE)
    file = secret_file()
    file.write_text(f"{SECRET}\n", encoding="ascii")
    file.chmod(0o600)
    with serving() as server:
        assert run(DEMO, server) == 0
    assert server.paths == [f"/ws/room/producer/{SECRET}"]


@pytest.mark.jit
def test_a_connection_that_is_lost_does_not_end_the_game(
    with_secret: list[str], capfd: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    def closes(connection: ServerConnection) -> None:
        connection.recv()
        connection.close(1011)

    send = Link.send

    def send_and_wait(link: Link, frame: Frame) -> None:
        """A short game at full speed would be over before its link sees the end of the connection."""
        send(link, frame)
        until = time.monotonic() + WAIT
        while not link._said and time.monotonic() < until:
            time.sleep(0.01)

    monkeypatch.setattr(Link, "send", send_and_wait)
    with serving(closes) as server:
        assert run(DEMO, server) == 0
    said = capfd.readouterr()
    with_secret += said
    assert said.err.count(f"The connection to {server.host} is lost: the game goes on, and emubot tries again.") == 1


def test_a_person_at_the_first_port_is_shown_and_not_the_bot_beside_them() -> None:
    """The bot's pilot has port 1; the memory of both is in its frames."""
    trace = read_trace(RECORDED[0])
    edition, snapshots = played(RECORDED[0])
    memory = [memory_of(trace, row, edition.ram_map) for row in range(40)]
    bot = edition.decoder(1)
    sent: list[Frame] = []
    pilot = SimpleNamespace(port=1, edition=edition, on_frame=[])
    link = SimpleNamespace(send=sent.append, news=lambda: ["It is so."])
    said: list[str] = []
    publishing._Watch(cast("Any", pilot), broadcast_of(edition).camera(), cast("Any", link), said.append)
    for ram in memory:
        pilot.on_frame[0](ram, bot(ram))
    shown = [replace(frame, milliseconds=0) for frame in sent]
    assert shown == [replace(frame, milliseconds=0) for frame in filmed(RECORDED[0])[:40]]
    assert sum(shown[-1].cells) > 0
    assert said == ["It is so."] * 40
    own = SimpleNamespace(port=0, edition=edition, on_frame=[])
    publishing._Watch(cast("Any", own), broadcast_of(edition).camera(), cast("Any", link), said.append)
    own.on_frame[0](bytes(edition.ram_map.image_size), snapshots[0])
    assert replace(sent[-1], milliseconds=0) == shown[0]


def sentence(capfd: pytest.CaptureFixture[str], told: list[str]) -> str:
    said = capfd.readouterr()
    told += said
    assert SECRET not in said.out + said.err
    assert "Traceback" not in said.err
    return said.err


@pytest.mark.jit
@pytest.mark.parametrize("loud", [[], ["-v"]])
def test_no_game_begins_without_a_first_connection(
    loud: list[str], with_secret: list[str], capfd: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    with socket.create_server(("127.0.0.1", 0)) as closed:
        port = closed.getsockname()[1]
    assert main([*DEMO.split(), "--json", "--publish", f"ws://127.0.0.1:{port}", *loud]) == 3
    said = capfd.readouterr()
    with_secret += said
    assert "Nothing listens at 127.0.0.1" in said.err
    assert json.loads(said.out)["code"] == 3
    monkeypatch.setenv(VARIABLE, "another-secret")
    with serving() as server:
        assert run(DEMO, server, *loud) == 3
    said = capfd.readouterr()
    assert "does not know the secret" in said.err
    assert "another-secret" not in said.out + said.err


def test_a_game_of_another_family_is_refused(with_secret: list[str], capfd: pytest.CaptureFixture[str]) -> None:
    line = DEMO.replace("tetris", "puyo").replace("--weights meatfighter", "")
    with serving() as server:
        assert run(line, server) == 2
    said = sentence(capfd, with_secret)
    assert "--publish shows falling blocks" in said
    assert server.connections == 0


def test_what_cannot_be_is_said_before_anything_opens(
    user_config: Path, with_secret: list[str], capfd: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    assert user_config.is_dir()
    line = "play --rom none.nes --publish"
    assert main([*line.split(), f"wss://host/ws/room/producer/{SECRET}"]) == 2
    assert "--publish takes wss://HOST" in sentence(capfd, with_secret)
    monkeypatch.delenv(VARIABLE)
    assert main([*line.split(), "wss://host"]) == 2
    assert "--publish needs the secret" in sentence(capfd, with_secret)
    secret_file().write_text(SECRET, encoding="ascii")
    secret_file().chmod(0o644)
    assert main([*line.split(), "wss://host"]) == 2
    assert "chmod 600" in sentence(capfd, with_secret)


def reviewed(path: Path) -> Review:
    source = source_of(path, 0, None, SessionRequest())
    weights = load_weights(source.edition.game.facts.default_weights)
    return review(source.edition, weights, moves_of(source.snapshots), source.title, nodes=500)


def judgement(judged: JudgedMove) -> tuple[object, ...]:
    """All that a page shows of a move, and its frame."""
    shown = (judged.played.name, judged.best.name, judged.played.value, judged.best.value)
    place = dataclasses.astuple(judged.move.locked)
    board = judged.move.snapshot.playfield.tolist()
    return judged.move.number, judged.move.frame, place, board, *shown, judged.loss, judged.accuracy, judged.remarks


@pytest.mark.slow
@pytest.mark.jit
def test_a_recording_is_reviewed_like_the_trace_of_the_same_game(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    game, recording = tmp_path / "game.npz", tmp_path / "game.ngf"
    line = f"{DEMO} --record {game} --level 18 -q".replace("--pieces 4", "--pieces 6")
    assert main(line.split()) == 0
    assert main(["trace", "export", str(game), "--ngf", str(recording), "--json"]) == 0
    told = json.loads(capsys.readouterr().out)
    assert told == {"file": str(game), "ngf": str(recording), "frames": len(read_ngf(recording))}
    by_trace, by_frames = reviewed(game), reviewed(recording)
    assert [judgement(move) for move in by_frames.judged] == [judgement(move) for move in by_trace.judged]
    assert (by_frames.skipped, by_frames.accuracy) == (by_trace.skipped, by_trace.accuracy)
    assert len(by_frames.judged) >= 5
    assert any(move.loss > 0 for move in by_frames.judged), "there is something to compare"
    assert main(["review", str(recording), "--json", "--nodes", "500"]) == 0
    assert json.loads(capsys.readouterr().out)["placements"] == len(by_frames.judged)
    assert (tmp_path / "game-review.html").is_file()


def test_an_exported_game_has_the_time_of_its_console(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    out = tmp_path / "game.ngf"
    path = next(path for path in RECORDED if path.stem == "nes_tetris_0")
    assert main(["trace", "export", str(path), "--ngf", str(out)]) == 0
    assert capsys.readouterr().out.startswith(f"written: {out} (623 frames)")
    frames = list(read_ngf(out))
    assert frames[-1].milliseconds == int(1000 * 622 / 60.0988)
    assert main(["trace", "export", str(path), "--ngf", str(out)]) == 2
    assert "is there already" in capsys.readouterr().err
    assert main(["trace", "export", str(path), "--ngf", str(out), "--force"]) == 0
    assert list(read_ngf(out)) == frames
    assert main(["trace", "export", str(path)]) == 2
    assert "--ngf OUT" in capsys.readouterr().err


@pytest.mark.parametrize(
    ("name", "content", "words", "more"),
    [
        ("none.ngf", None, "There is no file", []),
        ("x.ngf", b"\x1f\x8b" + bytes(30), "is not a recorded game of NestrisChamps", []),
        ("x.NGF", b"\x80" * 73, "of version 4", []),
        ("x.ngf", b"\x68" + bytes(72), "leave out --player", ["--player", "2"]),
        ("x.ngf", b"\x68" + bytes(72), "the map demo_pairs is not of one", ["--map", "demo_pairs"]),
        ("x.ngf", b"\x68" + bytes(72), "has no piece that locked", []),
    ],
)
def test_what_cannot_be_reviewed_is_one_sentence(
    name: str,
    content: bytes | None,
    words: str,
    more: list[str],
    tmp_path: Path,
    capsys: pytest.CaptureFixture[str],
) -> None:
    path = tmp_path / name
    if content is not None:
        path.write_bytes(content)
    assert main(["review", str(path), "-q", *more]) == 2
    said = capsys.readouterr().err
    assert words in said
    assert said.count("\n") == 1


def test_rows_of_the_layout_are_drawn_from_the_top() -> None:
    assert rows({"field": [1, *[0] * 198, 3]})[0] == "1........."
    assert rows({"field": [1, *[0] * 198, 3]})[-1] == ".........3"
