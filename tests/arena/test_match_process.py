"""The process of the matches: what it must have imported before the first thread begins."""

from __future__ import annotations

import json
import subprocess
import sys
import threading
from collections.abc import Callable

import pytest

from emubot.arena import match_process
from emubot.games.edition import Edition

MATCHES = (
    {"sides": [{"game": "blocks", "bot": "easy"}, {"game": "pairs", "bot": "full"}]},
    {"sides": [{"game": "pairs"}, {"game": "pairs", "bot": "easy"}], "challenge": "free"},
)
LATE = """
import json
import sys
from emubot.arena import match_process
from emubot.arena.match_runner import MatchRunner
from emubot.arena.orders import Close, Open
from emubot.arena.request import MatchRequest
from emubot.arena.runner import FRAME

host = match_process._Host(None, True, 50.0)
host._send = lambda message: None
match_process._load(True)
for game in ("blocks", "pairs"):  # this alone happens in threads, one after another
    host._prepare(game, None)
before = set(sys.modules)
for number, request in enumerate(json.loads(sys.argv[1])):
    frames, events = [], []

    def send(message):
        (frames if message[:1] == FRAME else events).append(message)
        if len(frames) == 400:
            runner.mail.put(Close())

    asked = MatchRequest.model_validate_json(json.dumps(request))
    runner = MatchRunner(Open(match=number, request=asked, seed=1), 50.0, send, lambda game, match: None)
    runner.run()
    assert len(frames) >= 400, events
print(json.dumps(sorted(name for name in set(sys.modules) - before if name.split(".")[0] in ("emubot", "numpy"))))
"""


@pytest.mark.slow
@pytest.mark.jit
def test_threads_import_nothing_of_ours_or_numpy() -> None:
    """Two threads that import NumPy at once can break it."""
    command = [sys.executable, "-c", LATE, json.dumps(MATCHES)]
    done = subprocess.run(command, check=False, capture_output=True, text=True, timeout=300)
    assert done.returncode == 0, done.stderr
    assert json.loads(done.stdout) == []


def test_a_match_waits_for_its_own_game_and_not_for_another_one_that_compiles(monkeypatch: pytest.MonkeyPatch) -> None:
    compiled: list[str] = []
    pairs_begun, go_on = threading.Event(), threading.Event()

    def compiles(edition: Edition, begins: Callable[[str], None]) -> None:
        compiled.append(edition.game.name)
        if edition.game.name == "puyo":
            pairs_begun.set()
            assert go_on.wait(60)

    monkeypatch.setattr("emubot.session.compiling.compile_kernels", compiles)
    host = match_process._Host(None, True, 1.0)  # type: ignore[arg-type]
    monkeypatch.setattr(host, "_send", lambda message: None)
    warm = threading.Thread(target=host._warm, args=(["blocks", "pairs"],))
    warm.start()
    assert pairs_begun.wait(60)
    match = threading.Thread(target=host._prepare, args=("blocks", 1))
    match.start()
    match.join(30)
    waited = match.is_alive()
    go_on.set()
    warm.join()
    match.join()
    assert not waited
    assert compiled == ["tetris", "puyo"]
