"""What the site has and the pages do not: help of all commands, addresses of files outside docs; for mkdocs.yml."""

from __future__ import annotations

import configparser
import contextlib
import io
import os
import posixpath
import re
from pathlib import Path
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from mkdocs.config.defaults import MkDocsConfig
    from mkdocs.structure.files import Files
    from mkdocs.structure.pages import Page

ROOT = Path(__file__).resolve().parents[1]
COMMANDS = "<!-- the help of each command stands here in the site -->"
_LINK = re.compile(r"(\]\()([^()\s#:]+)((?:#[^()\s]*)?\))")


def repository() -> str:
    """Returns the address of the project, which setup.cfg alone states."""
    read = configparser.ConfigParser()
    read.read(ROOT / "setup.cfg", encoding="utf-8")
    return read["metadata"]["url"].rstrip("/")


def on_page_markdown(markdown: str, page: Page, config: MkDocsConfig, files: Files) -> str:
    """Link files outside docs to the repository, and fill in the help of all commands."""
    here = posixpath.dirname(page.file.src_uri)
    if page.is_homepage:
        page.meta["hide"] = ["navigation", "toc"]
    if here == "measurements":
        page.meta["search"] = {"boost": 0.3}  # pages that say how to do something come first

    def address(found: re.Match[str]) -> str:
        target = posixpath.normpath(posixpath.join("docs", here, found[2]))
        if target.startswith("docs/") or not (ROOT / target).exists():
            return found[0]
        kind = "tree" if (ROOT / target).is_dir() else "blob"
        return f"{found[1]}{repository()}/{kind}/main/{target}{found[3]}"

    return _LINK.sub(address, markdown).replace(COMMANDS, commands() if COMMANDS in markdown else "")


def commands() -> str:
    """Returns a section for each command, and for its actions that have options of their own, with their help."""
    from emubot.cli import COMMANDS as COMMANDS_OF_EMUBOT

    os.environ["COLUMNS"] = "100"
    sections = []
    for name in COMMANDS_OF_EMUBOT:
        text = help_of(name)
        sections.append(f"## {name}\n\n```text\n{text}```\n")
        actions = re.search(r"\{([a-z,-]+)\} ", text.partition("\n\n")[0].partition("[--json]")[2])
        for action in actions[1].split(",") if actions else []:
            if (own := help_of(name, action)) not in ("", text):
                sections.append(f"### {name} {action}\n\n```text\n{own}```\n")
    return "\n".join(sections)


def help_of(*words: str) -> str:
    """Returns what `emubot WORDS --help-all` prints, or `--help` where that is all; empty if there is no such help."""
    from emubot.cli import main

    for option in ("--help-all", "--help"):
        said = io.StringIO()
        with (
            contextlib.redirect_stdout(said),
            contextlib.redirect_stderr(io.StringIO()),
            contextlib.suppress(SystemExit),
        ):
            main([*words, option])
        if said.getvalue():
            break
    return said.getvalue()
