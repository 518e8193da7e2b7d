"""Checks a built site: each link leads to a page and a heading in it, and nothing is asked of another machine.

    python docs/check_site.py [FOLDER]

Links into the web are not followed. The exit code is 1 if something is wrong.
"""

from __future__ import annotations

import re
import sys
from collections.abc import Iterator
from html.parser import HTMLParser
from pathlib import Path
from urllib.parse import unquote, urlsplit

SITE = Path(__file__).resolve().parents[1] / "build" / "site"
LOADED = {("img", "src"), ("script", "src"), ("link", "href"), ("iframe", "src"), ("source", "src"), ("video", "src")}
_STYLE = re.compile(r"(?:url\(|@import )[\"']?(?:https?:)?//[^)\"'\s]+")


class Html(HTMLParser):
    """The anchors of a page, where it leads, and what it loads."""

    def __init__(self, text: str) -> None:
        super().__init__()
        self.anchors: set[str] = set()
        self.links: list[str] = []
        self.loaded: list[str] = []
        self.feed(text)

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        """Take up what an element names."""
        for name, value in attrs:
            if name in ("id", "name") and value:
                self.anchors.add(value)
            elif (tag, name) in LOADED and value:
                self.loaded.append(value)
            elif (tag, name) == ("a", "href") and value:
                self.links.append(value)


def faults(site: Path) -> Iterator[str]:
    """Yields a sentence for each fault of the site in a folder."""
    pages = {path: Html(path.read_text(encoding="utf-8")) for path in sorted(site.rglob("*.html"))}
    if site / "index.html" not in pages:
        yield f"{site} holds no site"
    for path, page in pages.items():
        name = path.relative_to(site).as_posix()
        for link in page.links + page.loaded:
            parts = urlsplit(link)
            if parts.scheme or parts.netloc:
                if link in page.loaded and parts.scheme != "data":
                    yield f"{name} loads {link}"
                continue
            target = (path.parent / unquote(parts.path)).resolve() if parts.path else path
            if path.name == "404.html" and parts.path.startswith("/"):
                continue  # it is shown for any address, so its links begin at the root of the site
            if not target.is_file():
                yield f"{name} leads to {link}, which is not there"
            elif parts.fragment and target in pages and unquote(parts.fragment) not in pages[target].anchors:
                yield f"{name} leads to {link}, where there is no such heading"
    for style in sorted(site.rglob("*.css")):
        for found in _STYLE.findall(style.read_text(encoding="utf-8")):
            yield f"{style.relative_to(site).as_posix()} loads {found}"


def main(words: list[str]) -> int:
    """Say what is wrong with the site, and how many pages it has."""
    site = Path(words[0]).resolve() if words else SITE
    found = [*faults(site)]
    for fault in found:
        print(fault)
    print(f"{len([*site.rglob('*.html')])} pages, {len(found)} faults")
    return 1 if found else 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
