"""How long answers of `emubot serve` take, asked by one client and by a hundred at once, over loopback.

    python benchmarks/serve.py [--questions 400] [--json]

The server runs in a process of its own, as a user starts it. Questions are positions of games by the bot with lines and
levels as they come; each is asked once. Times are from the request to the last byte of the answer, by the clock.
"""

from __future__ import annotations

import argparse
import http.client
import json
import re
import statistics
import subprocess
import sys
import threading
import time
from pathlib import Path
from typing import Any, Final
from urllib.parse import urlencode

import numpy as np

ROOT: Final = Path(__file__).resolve().parents[1]
sys.path.insert(0, str(ROOT))

from emubot.games.tetris.batches.placements import PlacementsBatch  # noqa: E402
from emubot.games.tetris.rules import PIECE_NAMES  # noqa: E402
from emubot.games.tetris.worlds import NesWorld  # noqa: E402

_CLIENTS: Final = 100
_GAMES: Final = 40
Position = dict[str, Any]


def positions(number: int) -> list[Position]:
    """Returns positions of games in which low placements are taken, a few pieces apart."""
    batch = PlacementsBatch(NesWorld(actions="placements", taps="12hz", start_level=18), _GAMES)
    batch.begin(np.ones(_GAMES, dtype=np.bool_), list(range(_GAMES)))
    names = [counter.name for counter in batch.numbers]
    rows, found = np.arange(batch.mask.shape[1]) // 10 % 20, list[Position]()
    while len(found) < number:
        for _ in range(3):
            batch.step((batch.mask * (1 + rows)).argmax(1).astype(np.int64))
        for game in np.flatnonzero(~batch.ended).tolist():
            told = dict(zip(names, batch.counters[game].tolist(), strict=True))
            found.append(told | {"board": (batch.boards[game] != 0).astype(int)})
    return found[:number]


def as_query(position: Position) -> str:
    """Returns a position as StackRabbit's clients ask it."""
    return urlencode(
        {
            "board": "".join(map(str, position["board"].reshape(-1).tolist())),
            "currentPiece": PIECE_NAMES[position["piece"]],
            "nextPiece": PIECE_NAMES[position["next"]],
            "level": position["level"],
            "lines": position["lines"],
            "inputFrameTimeline": "X....",
        }
    )


def as_json(position: Position) -> str:
    """Returns the same in emubot's terms."""
    lines = ["".join(".#"[cell] for cell in row) for row in position["board"].tolist()]
    pieces = {"piece": PIECE_NAMES[position["piece"]], "next": PIECE_NAMES[position["next"]]}
    return json.dumps({"board": lines, **pieces, "level": position["level"], "lines": position["lines"]})


def asked(address: str, path: str, body: str | None) -> float:
    """Returns the seconds that an answer took."""
    began = time.perf_counter()
    connection = http.client.HTTPConnection(address)
    connection.request("POST" if body else "GET", path, body)
    answer = connection.getresponse()
    text = answer.read()
    connection.close()
    assert answer.status == 200, text
    return time.perf_counter() - began


def main() -> None:
    """Measures and prints a table."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--questions", type=int, default=400)
    parser.add_argument("--json", action="store_true")
    options = parser.parse_args()
    shown = positions(options.questions)
    cases: dict[str, list[tuple[str, str | None]]] = {
        "get-move": [(f"/get-move?{as_query(one)}", None) for one in shown],
        "engine-movelist-cpp-hybrid": [(f"/engine-movelist-cpp-hybrid?{as_query(one)}", None) for one in shown],
        "/v1/decide": [("/v1/decide", as_json(one)) for one in shown],
    }
    server = subprocess.Popen(
        [sys.executable, "-m", "emubot", "serve", "--port", "0"], stderr=subprocess.PIPE, text=True, cwd=ROOT
    )
    assert server.stderr is not None
    try:
        address = next(found[1] for line in server.stderr if (found := re.search(r"http://([\d.:]+)/", line)))
        threading.Thread(target=server.stderr.read, daemon=True).start()
        times: dict[str, list[float]] = {}
        for name, questions in cases.items():
            for path, body in questions[:3]:  # the search loads its tables once
                asked(address, path, body)
            times[f"{name}, one client"] = [asked(address, path, body) for path, body in questions]
        crowd: list[float] = []
        threads = [
            threading.Thread(target=lambda question=question: crowd.append(asked(address, *question)))
            for question in cases["get-move"][:_CLIENTS]
        ]
        for thread in threads:
            thread.start()
        for thread in threads:
            thread.join()
        times[f"get-move, {_CLIENTS} clients at once"] = crowd
    finally:
        server.terminate()
        server.wait(30)
    if options.json:
        print(json.dumps(times))
        return
    print("| question | p50 ms | p99 ms | longest ms | questions |\n|---|---|---|---|---|")
    for name, found in times.items():
        shown_ms = (statistics.median(found), statistics.quantiles(found, n=100)[98], max(found))
        print(f"| {name} | {' | '.join(f'{1e3 * seconds:.1f}' for seconds in shown_ms)} | {len(found)} |")


if __name__ == "__main__":
    main()
