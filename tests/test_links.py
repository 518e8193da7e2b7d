"""Every link of the pages leads to a file and to a heading that are there, and the site has a place for each page."""

from __future__ import annotations

import re
from pathlib import Path

from tests.pages import DOCS
from tests.paths import ROOT
from tests.programs import tracked_files

_FENCE = re.compile(r"^ *```.*?^ *```$", re.MULTILINE | re.DOTALL)
_HEADING = re.compile(r"^#+ (.+)$", re.MULTILINE)
_LINK = re.compile(r'\]\((?P<markdown>[^()\s]+)\)|(?:src|href)="(?P<html>[^"]+)"')
_OUTSIDE = re.compile(r"[a-z]+:")
_NAV = re.compile(r"^ +- (?:[^:\n]+: )?(\S+\.md)$", re.MULTILINE)


def links(text: str) -> list[str]:
    """Where the links of a page lead, code left out, and those into the web too."""
    found = _LINK.finditer(re.sub(r"`[^`\n]*`", "", _FENCE.sub("", text)))
    return [target for link in found if not _OUTSIDE.match(target := link["markdown"] or link["html"])]


def anchors(text: str) -> set[str]:
    """The anchors of a page's headings, as repositories and the site make them; a second one of a name has a number."""
    made: set[str] = set()
    for heading in _HEADING.findall(_FENCE.sub("", text)):
        words = re.sub(r"\[([^]]*)\]\([^)]*\)|[`*]", r"\1", heading)
        plain = re.sub(r"[^\w\- ]", "", words.lower()).replace(" ", "-")
        made.add(next(name for name in (plain, *(f"{plain}-{n}" for n in range(1, 99))) if name not in made))
    return made


def broken(page: Path, text: str) -> list[str]:
    """The links of a page that lead nowhere."""
    lost = []
    for link in links(text):
        name, _, anchor = link.partition("#")
        target = page.parent / name if name else page
        if not target.exists() or (
            anchor and target.suffix == ".md" and anchor not in anchors(target.read_text(encoding="utf-8"))
        ):
            lost.append(link)
    return lost


def test_links_lead_somewhere() -> None:
    pages = [ROOT / name for name in tracked_files(ROOT) if name.endswith(".md")]
    assert {ROOT / "README.md", DOCS / "index.md"} <= {*pages}
    lost = {page.relative_to(ROOT).as_posix(): broken(page, page.read_text(encoding="utf-8")) for page in pages}
    assert not {page: found for page, found in lost.items() if found}


def test_a_link_that_leads_nowhere_is_found() -> None:
    page = DOCS / "index.md"
    text = (
        "# One: `two`\n[a](nothing.md) [b](reference/maps.md#grid) [c](#one-two) [d](#three) <img src='x'> `[e](f)`\n"
    )
    assert broken(page, text) == ["nothing.md", "#one-two", "#three"]


def test_each_page_has_its_place_in_the_site() -> None:
    placed = _NAV.findall((ROOT / "mkdocs.yml").read_text(encoding="utf-8"))
    there = [name.removeprefix("docs/") for name in tracked_files(ROOT) if re.fullmatch(r"docs/.+\.md", name)]
    assert sorted(placed) == sorted(there)
