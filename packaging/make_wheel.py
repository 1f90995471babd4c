#!/usr/bin/env python3
"""Packs a static program for Linux as a Python wheel into target/dist.

    packaging/make_wheel.py PROGRAM MACHINE

MACHINE is x86_64 or aarch64. Needs the Python package `wheel`. `pip install` of the wheel puts `trebuchet` on the
path, from where python-chess can start it.
"""

import os
import pathlib
import re
import subprocess
import sys
import time
import zipfile

from docs import LINK
from wheel.wheelfile import WheelFile

ROOT = pathlib.Path(__file__).resolve().parent.parent
SUMMARY = "A chess engine that plays standard chess, three-check, King of the Hill, Chess960, Racing Kings, Horde, Antichess, Suicide, Giveaway, Atomic and Crazyhouse"


def description():
    """The page on clients. A wheel has no other pages, so links to them are only their words."""

    def kept(found):
        link, words, target = found.groups()
        return link if "://" in target or target.startswith("#") else words

    return LINK.sub(kept, (ROOT / "docs" / "guis.md").read_text())


def main(program, machine):
    # The list of the files, which WheelFile adds, has this date.
    os.environ["SOURCE_DATE_EPOCH"] = str(commit_time())
    version = re.search(r'^version = "(.*)"', (ROOT / "Cargo.toml").read_text(), re.M)[1]
    # A static program runs with every C library.
    tags = [f"py3-none-manylinux2014_{machine}", f"py3-none-musllinux_1_1_{machine}"]
    platforms = ".".join(tag.rpartition("-")[2] for tag in tags)
    info = f"trebuchet-{version}.dist-info"
    metadata = "\n".join([
        "Metadata-Version: 2.1",
        "Name: trebuchet",
        f"Version: {version}",
        f"Summary: {SUMMARY}",
        "License: GPL-3.0-or-later",
        "Requires-Python: >=3.8",
        "Description-Content-Type: text/markdown",
        "",
        description(),
    ])
    wheel = "\n".join(["Wheel-Version: 1.0", "Generator: trebuchet", "Root-Is-Purelib: false"])
    wheel += "".join(f"\nTag: {tag}" for tag in tags) + "\n"
    # The program is static: the C library musl is in it.
    licences = [ROOT / "packaging" / "licences.py", f"{machine}-unknown-linux-musl"]
    licences = subprocess.run(licences, check=True, capture_output=True, text=True).stdout
    folder = ROOT / "target" / "dist"
    folder.mkdir(parents=True, exist_ok=True)
    path = folder / f"trebuchet-{version}-py3-none-{platforms}.whl"
    with WheelFile(path, "w") as archive:
        script = archive_entry(f"trebuchet-{version}.data/scripts/trebuchet", 0o755)
        archive.writestr(script, pathlib.Path(program).read_bytes())
        for name, text in [
            (f"{info}/METADATA", metadata),
            (f"{info}/WHEEL", wheel),
            (f"{info}/licenses/LICENSE", (ROOT / "LICENSE").read_text()),
            (f"{info}/licenses/third-party.txt", licences),
        ]:
            archive.writestr(archive_entry(name, 0o644), text)
    print(path)


def archive_entry(name, mode):
    entry = zipfile.ZipInfo(name, date_time=time.gmtime(commit_time())[:6])
    entry.external_attr = (0o100000 | mode) << 16
    entry.compress_type = zipfile.ZIP_DEFLATED
    return entry


def commit_time():
    """Every file gets the date of the commit, so that the same commit makes the same wheel."""
    try:
        return int(subprocess.run(["git", "log", "-1", "--format=%ct"], cwd=ROOT, check=True, capture_output=True).stdout)
    except (OSError, subprocess.CalledProcessError):
        return int(time.time())


main(*sys.argv[1:])
