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
    """Returns a section for each command with what `emubot help COMMAND` prints."""
    from emubot import cli

    os.environ["COLUMNS"] = "100"
    return "\n".join(f"## {name}\n\n{text}\n\n```text\n{help_of(name)}```\n" for name, text in cli.COMMANDS.items())


def help_of(command: str) -> str:
    """Returns what `emubot COMMAND --help` prints."""
    from emubot.cli import main

    with contextlib.redirect_stdout(io.StringIO()) as said, contextlib.suppress(SystemExit):
        main([command, "--help"])
    return said.getvalue()
