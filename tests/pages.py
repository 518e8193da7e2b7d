"""The code blocks of README and docs, each with the comment above it that says how it is tested."""

from __future__ import annotations

import re
from dataclasses import dataclass
from pathlib import Path

from tests.paths import ROOT

DOCS = ROOT / "docs"
# Without the laboratory: its commands repeat a figure, some in days.
PAGES = [
    ROOT / "README.md",
    *sorted(page for page in DOCS.rglob("*.md") if page.parent != DOCS / "measurements"),
]
RUNNING = ("sh", "console", "python", "yaml")  # languages of blocks that somebody may run
_BLOCK = re.compile(
    r"(?:^<!-- (?P<mark>[^\n]*) -->\n\n?)?^```(?P<language>\w*)\n(?P<code>.*?)^```$", re.MULTILINE | re.DOTALL
)


@dataclass(frozen=True, slots=True)
class Block:
    """A fenced block. `mark` is the comment right above it, or empty."""

    page: Path
    line: int
    language: str
    mark: str
    code: str

    def __str__(self) -> str:
        return f"{self.page.relative_to(ROOT).as_posix()}:{self.line}"

    @property
    def is_slow(self) -> bool:
        """Whether only long test runs run it."""
        return self.mark == "slow"

    @property
    def runs_here(self) -> bool:
        """Whether it is run as part of its page, and not by another test or not at all."""
        return self.language in ("sh", "python") and self.mark in ("", "slow")

    @property
    def is_run(self) -> bool:
        """Whether it is run at all."""
        return self.language in RUNNING and not self.mark.startswith(("not run: ", "excerpt: ", "part of "))


def blocks_of(page: Path) -> list[Block]:
    """All blocks of a page, in order."""
    text = page.read_text(encoding="utf-8")
    return [
        Block(page, text[: found.start()].count("\n") + 1, found["language"], found["mark"] or "", found["code"])
        for found in _BLOCK.finditer(text)
    ]


def all_blocks() -> list[Block]:
    """The blocks of all pages."""
    return [block for page in PAGES for block in blocks_of(page)]


_WRITTEN = re.compile(r"(?:--(?:record|fm2|bk2|r08|ngf|plot|picture|gif|out)|trace record|>)[ =](\S+)")


def written(block: Block) -> set[str]:
    """The files and folders that the commands of a block make, most of which are refused where they exist."""
    found = set()
    for line in block.code.splitlines() if block.language in ("sh", "console") else []:
        if block.language == "console" and not line.startswith("$ "):
            continue
        found |= {*_WRITTEN.findall(line)}
        if plotted := re.search(r"train plot (\S+)", line):
            found.add(f"{plotted[1]}/fitness.png")
        if "--out" not in line and (reviewed := re.search(r"emubot review ([^\s.]+)", line)):
            found.add(f"{reviewed[1]}-review.html")
    return found
