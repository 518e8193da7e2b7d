"""A release fits together: one version, one address, and README installs from where emubot can be had."""

from __future__ import annotations

import configparser
import re

import yaml

from emubot import __version__
from tests.pages import PAGES, blocks_of
from tests.paths import ROOT
from tests.programs import tracked_files

FORMS = sorted((ROOT / ".github" / "ISSUE_TEMPLATE").glob("*.yml"))


def text(name: str) -> str:
    return (ROOT / name).read_text(encoding="utf-8")


def address() -> str:
    config = configparser.ConfigParser()
    config.read_string(text("setup.cfg"))
    return config["metadata"]["url"]


def newest() -> tuple[str, str]:
    """The version of the changelog's first section, and its date or "Unreleased"."""
    found = re.search(r"^## \[(\d+\.\d+\.\d+)\] - (\d{4}-\d\d-\d\d|Unreleased)$", text("CHANGELOG.md"), re.MULTILINE)
    assert found, "the first section is named like [1.0.0] - Unreleased, or with the date of its release"
    return found[1], found[2]


def test_changelog_and_citation_are_of_this_version() -> None:
    cited = yaml.safe_load(text("CITATION.cff"))
    version, date = newest()
    assert (version, cited["version"]) == (__version__, __version__)
    assert str(cited.get("date-released", "Unreleased")) == date


def test_readme_installs_from_where_emubot_can_be_had() -> None:
    """From the clone until the changelog has a date, and from then on from an index too (docs/how-to/releasing.md)."""
    blocks = blocks_of(ROOT / "docs" / "how-to" / "releasing.md")
    (for_index,) = (block.code for block in blocks if "pipx install emubot" in block.code)
    released = newest()[1] != "Unreleased" or len(re.findall(r"^## \[", text("CHANGELOG.md"), re.MULTILINE)) > 1
    assert (for_index in text("README.md")) == released
    for page in PAGES:
        installs = re.findall(r"(?:pip|pipx|uv tool) install (.*)", page.read_text(encoding="utf-8"))
        from_index = [words for words in installs if re.match(r"(-\S+ )*[\"']?emubot\b", words)]
        assert released or not from_index or page.name == "releasing.md", f"{page.name}: emubot is on no index yet"


def test_the_address_of_the_project_is_one() -> None:
    named = re.compile(re.escape(address().rpartition("/")[0]) + r"/[\w.-]+")
    for name in tracked_files(ROOT):
        if name.endswith((".md", ".cfg", ".cff", ".yml", ".toml")):
            assert {*named.findall(text(name))} <= {address()}, name
    assert yaml.safe_load(text("CITATION.cff"))["repository-code"] == address()


def test_issue_forms_are_such_and_ask_for_the_machine() -> None:
    assert {form.stem for form in FORMS} == {"config", "fault", "game", "wish"}
    for form in FORMS:
        asked = yaml.safe_load(form.read_text(encoding="utf-8"))
        if form.stem == "config":
            assert asked["contact_links"][0]["url"].startswith(address())
            continue
        assert {"name", "description", "body"} <= set(asked)
        fields = [field for field in asked["body"] if field["type"] != "markdown"]
        assert all(field["attributes"]["label"] for field in fields)
        assert len({field["id"] for field in fields}) == len(fields)
        report = next(field for field in fields if field["id"] == "report")
        assert "emubot doctor --report" in report["attributes"]["description"]
