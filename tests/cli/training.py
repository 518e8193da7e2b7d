"""Runs of `emubot train` for tests: in this process, where the kernels are loaded, and what must be the same."""

from __future__ import annotations

from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import pytest

from emubot.cli import main
from emubot.trials import executors


def trained(folder: Path, *words: str) -> int:
    return main(["train", *words, "--out", str(folder)])


def trained_here(folder: Path, *words: str) -> Path:
    """The folder of a run whose games were played by threads of this process."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(executors, "workers", ThreadPoolExecutor)
        assert trained(folder, *words, "-q") == 0
    return folder


def files(folder: Path) -> dict[str, bytes]:
    """What must be the same whoever worked and however often it was stopped."""
    return {path.name: path.read_bytes() for path in folder.iterdir() if path.name not in ("times.jsonl", ".lock")}
