"""check_bridge: our bridges and good toy ones pass; each broken promise is told in a sentence."""

from __future__ import annotations

from collections.abc import Callable
from contextlib import suppress
from dataclasses import replace

import pytest

from emubot.bridges import checked_pads
from emubot.bridges.check import BridgeCheckError, check_bridge
from emubot.bridges.checked_pads import DEMOS, demo_of
from emubot.bridges.hosted import open_hosted
from emubot.bridges.libretro import connect as start_core
from emubot.bridges.simulated import connect as simulate
from emubot.cartridge import load_cartridge
from emubot.demos import IMAGES, image
from emubot.errors import EmulatorNotFound, UsageError
from tests.bridges.broken_bridges import (
    BROKEN,
    GOOD,
    OBSERVED,
    ForeignError,
    Good,
    NegativeLatency,
    Recorder,
    TwoAtOnce,
)
from tests.bridges.cores import in_each_core, require_core


@pytest.fixture
def no_time(monkeypatch: pytest.MonkeyPatch) -> None:
    """For machines of ours, where nothing happens while nobody asks."""
    monkeypatch.setattr(checked_pads.ClockedBridge, "think", lambda watched, frames: None)


def on_one_machine(bridge: type[Good]) -> Callable[[], Good]:
    """Each call attaches anew to the same machine."""
    machine = Recorder()
    return lambda: bridge(machine)


@pytest.mark.usefixtures("no_time")
@pytest.mark.parametrize("bridge", GOOD, ids=lambda bridge: str(bridge.__name__))
def test_good_bridges_pass(bridge: type[Good]) -> None:
    check_bridge(on_one_machine(bridge), OBSERVED)
    check_bridge(bridge, OBSERVED, seed=3)


@pytest.mark.usefixtures("no_time")
@pytest.mark.parametrize("latency", [0, 1, 2])
def test_the_simulated_bridge_passes(latency: int) -> None:
    check_bridge(lambda: simulate(machine=Recorder(), latency=latency), OBSERVED)


@pytest.mark.parametrize("demo", IMAGES)
@in_each_core("core", quick="nestopia")
def test_the_libretro_bridge_passes(core: str, demo: str) -> None:
    file = str(require_core(core))
    check_bridge(lambda: start_core(rom=image(demo), core=file, emu_speed=None))


@pytest.mark.parametrize("demo", [pytest.param("tetris", marks=pytest.mark.slow), "puyo"])
@in_each_core("core", quick="fceumm")
def test_the_libretro_bridge_passes_in_a_child_process(core: str, demo: str) -> None:
    file = str(require_core(core))
    check_bridge(lambda: open_hosted("libretro", rom=image(demo), core=file, emu_speed=None))


@pytest.mark.usefixtures("no_time")
@pytest.mark.parametrize("bridge", BROKEN, ids=lambda bridge: str(bridge.__name__))
def test_a_broken_promise_is_told(bridge: type[Good]) -> None:
    with pytest.raises(BridgeCheckError) as told:
        check_bridge(on_one_machine(bridge), OBSERVED)
    lines = str(told.value).splitlines()
    assert any(BROKEN[bridge] in line for line in lines), lines
    assert all(line.endswith(".") for line in lines)
    kinds = [line.partition(":")[0] for line in lines]
    assert max(kinds.count(kind) for kind in kinds) <= 3 * checked_pads.TOLD, "not a thousand times"


@pytest.mark.usefixtures("no_time")
@pytest.mark.parametrize("bridge", [Good, NegativeLatency, TwoAtOnce, ForeignError])
def test_every_bridge_that_was_opened_is_closed(bridge: type[Good]) -> None:
    opened: list[Good] = []

    def make() -> Good:
        opened.append(bridge())
        return opened[-1]

    with suppress(BridgeCheckError):
        check_bridge(make, OBSERVED)
    assert opened
    assert all(made._closed for made in opened)


def test_what_make_raises_is_not_a_fault_of_the_bridge() -> None:
    def make() -> Good:
        raise EmulatorNotFound("Nobody answers at 127.0.0.1:9998: start the emulator.")

    with pytest.raises(EmulatorNotFound, match="start the emulator"):
        check_bridge(make)


def test_a_cartridge_nobody_knows_needs_its_addresses() -> None:
    with pytest.raises(UsageError, match="says that simulated:recorder runs: run a demo cartridge, or give"):
        check_bridge(Good)


@pytest.mark.parametrize("demo", IMAGES)
@pytest.mark.parametrize("hashed", ["sha1", "md5", "crc32"])
def test_the_demo_cartridges_are_known_by_any_hash(demo: str, hashed: str) -> None:
    identity = getattr(load_cartridge(image(demo)), hashed)
    assert demo_of(replace(Good().facts, rom_identity=identity)) is DEMOS[demo]
