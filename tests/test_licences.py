"""docs/reference/licences.md names each package that emubot may install, with the licence that it declares."""

from __future__ import annotations

import configparser
import re
from importlib.metadata import PackageMetadata, PackageNotFoundError, metadata

import pytest

from tests.paths import ROOT

PAGE = (ROOT / "docs" / "reference" / "licences.md").read_text(encoding="utf-8")
# A package | the extra | its licence
TABLE = PAGE.partition("\n|---|---|---|\n")[2].partition("\n\n")[0]
ROWS = dict(re.findall(r"^\| ([\w.-]+) \|[^|]*\| ([^|]+) \|", TABLE, re.MULTILINE))
FAMILIES = re.compile(r"\bBSD|MIT|\bISC|\bLGPL|\bGPL|\bMPL|\bApache|\bPSF")
WORDS = {
    "Python Software Foundation": "PSF",
    "Lesser General Public": "LGPL",
    "General Public": "GPL",
    "Mozilla": "MPL",
}


def families(text: str) -> set[str]:
    """The families of licences that a text names, in words or as SPDX writes them."""
    for words, family in WORDS.items():
        text = text.replace(words, family)
    return {*FAMILIES.findall(text)}


def declared(package: PackageMetadata) -> str:
    """What a package says of its licence: an SPDX expression, or the classifiers of older ones."""
    kinds = [line for line in package.get_all("Classifier") or [] if line.startswith("License ::")]
    return package["License-Expression"] if "License-Expression" in package else " ".join(kinds)


def used() -> list[str]:
    config = configparser.ConfigParser()
    config.read(ROOT / "setup.cfg", encoding="utf-8")
    lines = config["options"]["install_requires"].split()
    for extra in config["options.extras_require"].values():
        lines += extra.split()
    return sorted({re.split(r"[>\[]", line)[0] for line in lines}, key=str.lower)


@pytest.mark.parametrize("name", used())
def test_each_package_has_its_licence(name: str) -> None:
    assert name in ROWS, "give the package a row in docs/reference/licences.md"
    assert families(ROWS[name])
    try:
        said = families(declared(metadata(name)))
    except PackageNotFoundError:
        return
    assert said <= families(ROWS[name]), f"{name} is under {said}"


def test_no_row_is_left_over() -> None:
    assert [*ROWS] == used()
