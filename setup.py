"""What setup.cfg cannot say: pages of the project, README for an index page, and a source package that repeats."""

from __future__ import annotations

import gzip
import os
import re
import tarfile
from configparser import ConfigParser
from pathlib import Path
from typing import Any

from setuptools import setup
from setuptools.command.sdist import sdist

HERE = Path(__file__).parent


def text(name: str) -> str:
    """Return a file of the repository."""
    return (HERE / name).read_text(encoding="utf-8")


def address() -> str:
    """Return where the project is, from setup.cfg, the one place that says it."""
    config = ConfigParser()
    config.read_string(text("setup.cfg"))
    return config["metadata"]["url"]


def described() -> str:
    """Return README with each link into the repository as one to the same version at the project's address."""
    version = re.findall(r'"(.+)"', text("emubot/version.py"))[-1]
    inside = r"(?!\w+:|#)"
    linked = re.sub(rf"\]\({inside}", f"]({address()}/blob/v{version}/", text("README.md"))
    return re.sub(rf'src="{inside}', f'src="{address()}/raw/v{version}/', linked)


class RepeatableSdist(sdist):
    """A source package whose bytes depend on the files alone, and on SOURCE_DATE_EPOCH as those of a wheel do."""

    def make_archive(self, base_name: Any, format: str, *others: Any, **options: Any) -> str:  # noqa: A002
        """Make the archive, then pack its files once more: in order, of that time, and nobody's."""
        name: str = super().make_archive(base_name, format, *others, **options)
        time = int(os.environ.get("SOURCE_DATE_EPOCH", "315532800"))  # 1980, the first year that wheels know
        packed = Path(name)
        again = packed.with_suffix(".new")
        with (
            tarfile.open(packed) as made,
            again.open("wb") as file,
            gzip.GzipFile("", "wb", fileobj=file, mtime=time) as stream,
            tarfile.open(fileobj=stream, mode="w", format=tarfile.PAX_FORMAT) as repeated,
        ):
            for member in sorted(made, key=lambda member: member.name):
                member.mtime, member.mode = time, 0o755 if member.mode & 0o111 else 0o644
                member.uid, member.gid, member.uname, member.gname, member.pax_headers = 0, 0, "", "", {}
                repeated.addfile(member, made.extractfile(member))
        again.replace(packed)
        return name


setup(
    cmdclass={"sdist": RepeatableSdist},
    long_description=described(),
    project_urls={
        "Documentation": f"{address()}/tree/main/docs",
        "Changelog": f"{address()}/blob/main/CHANGELOG.md",
        "Issues": f"{address()}/issues",
        "Security": f"{address()}/security/policy",
    },
)
