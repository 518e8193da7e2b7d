"""The arena's times: from a key to the screen, what server and page cost, and how punctual many matches are.

    python benchmarks/arena.py [latency] [load] [frames] [matches] [--seconds N] [--json]

latency: 500 presses in a match of a person against a bot, in headless Chromium on loopback: milliseconds from the key
event to the first animation frame after the frame that echoes it was drawn. load: the share of one core that the
server (page, sockets), the process of the matches and the page take for two boards at 60 frames a second. frames: what
the page draws of them in a second without a GPU, at the machine's speed and at a quarter of it, and the bytes that a
board gets. matches: 20 matches of bots at speed 5 at once, for five minutes; a frame is on time within 8 ms.
`benchmarks/startup.py` measures the first start. Needs the extras arena and browser.
"""

from __future__ import annotations

import argparse
import asyncio
import base64
import json
import os
import platform
import random
import statistics
import sys
import time
from pathlib import Path
from typing import Any

sys.path.insert(0, str(Path(__file__).resolve().parents[1]))

from emubot.arena.match_pool import MatchPool
from emubot.arena.orders import Open, Tell, ToMatch
from emubot.arena.request import Do, MatchRequest, SideRequest
from tests.arena.serving import Visitor, browser, served

PRESSES, MATCHES = 500, 20
COUNT = """(length) => new Promise((done) => {
    const begin = performance.now();
    let drawn = 0;
    const step = () => {
        drawn += 1;
        const took = performance.now() - begin;
        if (took < length) requestAnimationFrame(step);
        else done(1000 * drawn / took);
    };
    requestAnimationFrame(step);
})"""  # screen frames a second
TICKS = os.sysconf("SC_CLK_TCK")


def cpu_of(process: int) -> float:
    """Returns the CPU seconds of a process so far (Linux)."""
    fields = Path(f"/proc/{process}/stat").read_text(encoding="ascii").rpartition(")")[2].split()
    return (int(fields[11]) + int(fields[12])) / TICKS


def children(process: int) -> list[int]:
    """Returns the processes that a process has started, and theirs (Linux)."""
    found = []
    for path in Path("/proc").glob("[0-9]*/stat"):
        try:
            parent = int(path.read_text(encoding="ascii").rpartition(")")[2].split()[1])
        except OSError:
            continue
        if parent == process:
            found += [int(path.parent.name), *children(int(path.parent.name))]
    return found


def latency(visitor: Visitor) -> dict[str, float]:
    """Press keys at random moments and read what the page measured."""
    visitor.choose(("person", "pairs"), ("middle", "pairs"))
    visitor.start()
    draw = random.Random(1)
    while visitor.page.evaluate("arena.match.latencies.length") < 2 * PRESSES:
        if visitor.page.get_by_role("button", name="Rematch").is_visible():
            visitor.page.get_by_role("button", name="Rematch").click()
            visitor.until(lambda: not visitor.banner, "a new game")
        visitor.hold("ArrowLeft")
        visitor.page.wait_for_timeout(draw.uniform(20, 60))
        visitor.release("ArrowLeft")
        visitor.page.wait_for_timeout(draw.uniform(20, 60))
    times = sorted(visitor.page.evaluate("arena.match.latencies"))[: 2 * PRESSES]
    visitor.leave()
    return {"presses": len(times) // 2, "median_ms": statistics.median(times), "p95_ms": times[len(times) * 95 // 100]}


def load(visitor: Visitor, server: int, seconds: float) -> dict[str, float]:
    """Measure the CPU of all processes while two bots play."""
    visitor.choose(("middle", "blocks"), ("middle", "pairs"))
    visitor.start()
    matches = children(server)
    page = visitor.page.context.new_cdp_session(visitor.page)
    page.send("Performance.enable")

    def task() -> float:
        return float(
            {one["name"]: one["value"] for one in page.send("Performance.getMetrics")["metrics"]}["TaskDuration"]
        )

    before = (cpu_of(server), sum(map(cpu_of, matches)), task(), time.monotonic())
    visitor.page.wait_for_timeout(1000 * seconds)
    after = (cpu_of(server), sum(map(cpu_of, matches)), task(), time.monotonic())
    took = after[3] - before[3]
    names = ("server", "matches", "page")
    return {name: (after[at] - before[at]) / took for at, name in enumerate(names)}


def frames(visitor: Visitor, seconds: float) -> dict[str, float]:
    """Count what the page draws of two boards, and what it is sent, at the machine's speed and at a quarter of it."""
    visitor.choose(("middle", "blocks"), ("middle", "pairs"))
    visitor.start()
    visitor.page.wait_for_timeout(4_000)
    page = visitor.page.context.new_cdp_session(visitor.page)
    page.send("Network.enable")
    sent: list[int] = []
    page.on("Network.webSocketFrameReceived", lambda words: sent.append(_size_of(words["response"])))
    found = {}
    for rate, name in ((1, "whole_speed"), (4, "quarter_of_the_speed")):
        page.send("Emulation.setCPUThrottlingRate", {"rate": rate})
        visitor.page.wait_for_timeout(1_000)
        sent.clear()
        found[name] = visitor.page.evaluate(COUNT, 1000 * seconds)
        if rate == 1:
            found["bytes_a_board_and_second"] = sum(sent) / 2 / seconds
    page.detach()
    visitor.leave()
    return found


def _size_of(response: dict[str, Any]) -> int:
    """Returns the bytes of a message; those of a binary one come in base64."""
    data = response["payloadData"]
    return len(base64.b64decode(data)) if response["opcode"] == 2 else len(data.encode())


async def punctuality(seconds: float) -> dict[str, Any]:
    """Run MATCHES matches at once and count their frames."""
    frames, late, ready = [0] * (MATCHES + 1), [0] * (MATCHES + 1), asyncio.Event()
    before = [(0, 0)] * (MATCHES + 1)

    def hear(words: dict[str, Any]) -> None:
        if words["event"] == "loaded":
            ready.set()
        if words["event"] == "counted":
            frames[words["match"]], late[words["match"]] = words["frames"], words["late"]
        if words["event"] == "over":
            link.tell(ToMatch(match=words["match"], order=Do(type="rematch")))

    link = MatchPool(lambda number, frame: None, hear)
    link.open()
    await ready.wait()
    games = ("blocks", "pairs")
    for number in range(1, MATCHES + 1):
        sides = tuple(SideRequest(game=games[at % 2], bot="middle") for at in (number, number // 2))
        request = MatchRequest(sides=sides)
        link.begin(Open(match=number, request=request, seed=number), request)
        await asyncio.sleep(0.1)
    await asyncio.sleep(10)  # all are open, and play
    for phase in range(2):
        for number in range(1, MATCHES + 1):
            link.tell(ToMatch(match=number, order=Tell()))
        await asyncio.sleep(1)
        if phase == 0:
            before = list(zip(frames, late, strict=True))
            await asyncio.sleep(seconds)
    link.close()
    played = sum(frames) - sum(one for one, _ in before)
    missed = sum(late) - sum(one for _, one in before)
    return {"matches": MATCHES, "frames": played, "on_time": 1 - missed / max(played, 1)}


def main() -> None:
    """Measure what is wanted and print it."""
    made = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    made.add_argument("what", nargs="*", choices=["latency", "load", "frames", "matches", []], default=[])
    made.add_argument("--seconds", type=float, default=300.0, help="of the matches (default 300)")
    made.add_argument("--json", action="store_true")
    options = made.parse_args()
    wanted = options.what or ["latency", "load", "frames", "matches"]
    found: dict[str, Any] = {"machine": platform.processor() or platform.machine(), "load": os.getloadavg()[0]}
    if {"latency", "load", "frames"} & set(wanted):
        with browser() as chromium, served(1.0) as url:
            visitor = Visitor(chromium.new_page())
            visitor.page.goto(url)
            visitor.until(lambda: visitor.page.locator("#start").is_visible(), "the start screen")
            server = next(one for one in children(os.getpid()) if "Arena" in Path(f"/proc/{one}/cmdline").read_text())
            if "latency" in wanted:
                found["latency"] = latency(visitor)
            if "load" in wanted:
                found["share_of_a_core"] = load(visitor, server, min(options.seconds, 30.0))
                visitor.leave()
            if "frames" in wanted:
                found["frames"] = frames(visitor, min(options.seconds, 20.0))
    if "matches" in wanted:
        found["matches"] = asyncio.run(punctuality(options.seconds))
    print(json.dumps(found, indent=None if options.json else 2))


if __name__ == "__main__":
    main()
