#!/usr/bin/env python3
"""Prints the licences of all that others have made and that is in the program, as a text file for packages.

    packaging/licences.py [TARGET] > third-party.txt

Asks cargo for the crates of the release build, for this machine or the target, and copies the licence files that
each of them carries. For a crate without one it prints the authors and the text of the licence.
"""

import json
import pathlib
import re
import subprocess
import sys

# What is in the program but is no crate.
BOARD_AND_PIECES = """\
The board of the page and of reports is chessground, the pieces of all pictures are cburnett.

chessground by Lichess: GPL-3.0-or-later, https://github.com/lichess-org/chessground
cburnett by Colin M.L. Burnett: GPL-2.0-or-later
"""
# What compiler and linker add. The texts of Unicode-3.0 and Zlib are among those of the crates.
RUST_LIBRARY = (
    "the standard library of Rust: MIT OR Apache-2.0, and for parts of it Unicode-3.0 and Zlib, "
    "https://github.com/rust-lang/rust",
    "The Rust Project Developers (https://thanks.rust-lang.org) and the authors of the crates in it",
)
MUSL = ("the C library musl: MIT, https://musl.libc.org", "Copyright 2005-2020 Rich Felker, et al.")
# Debian's package of it, which the linker for Windows needs, has its licences.
MINGW = pathlib.Path("/usr/share/doc/mingw-w64-x86-64-dev/copyright")
LICENCE_FILE = re.compile(r"licen[cs]e|copying|notice", re.IGNORECASE)


def run(*command):
    return subprocess.run(command, check=True, capture_output=True, text=True).stdout


def linked():
    """The names and versions of the crates in the program."""
    target = [word for name in sys.argv[1:] for word in ("--target", name)]
    tree = ("cargo", "tree", "--locked", "-p", "trebuchet", "-e", "normal", "--prefix", "none", "--format", "{p}")
    # A crate that many need stands there more than once.
    crates = {tuple(line.split()[:2]) for line in run(*tree, *target).splitlines()}
    for name, version in sorted(crates):
        yield name, version.removeprefix("v")


def texts(package):
    """Where each licence text of a crate is from, and the text."""
    folder = pathlib.Path(package["manifest_path"]).parent
    files = [path for path in sorted(folder.iterdir()) if path.is_file() and LICENCE_FILE.search(path.name)]
    for path in files:
        yield path.name, path.read_text(errors="replace").strip()
    if not files:
        yield "without a licence file", usual_text(package)


def usual_text(package):
    """The text of a crate's licence, with the authors that it names."""
    if package["license"] == "GPL-3.0-or-later":
        return "The text is that of Trebuchet's own licence."
    if package["authors"] and "MIT" in re.split(" OR |/", package["license"]):
        return mit_text(", ".join(package["authors"]))
    sys.exit(f"licences: {package['name']} has no licence file, and what to print for it is not known")


def mit_text(authors):
    """The MIT licence of these authors."""
    text = pathlib.Path(__file__).with_name("licence-mit.txt").read_text().strip()
    return f"Authors: {authors}\n\n{text}"


def system_libraries(target):
    """The libraries that the toolchain links into a program for the target: a name with licence, and the text."""
    for name, authors in [RUST_LIBRARY] + [MUSL] * ("musl" in target):
        yield name, mit_text(authors)
    if "windows-gnu" in target:
        if not MINGW.exists():
            sys.exit(f"licences: those of mingw-w64 are not known, because {MINGW} is missing")
        yield "the C library's start of mingw-w64: ZPL-2.1 and others, https://www.mingw-w64.org", MINGW.read_text().strip()


def main():
    packages = {
        (package["name"], package["version"]): package
        for package in json.loads(run("cargo", "metadata", "--locked", "--format-version", "1"))["packages"]
    }
    # Many crates carry the same text: it is printed once.
    owners = {}
    print(BOARD_AND_PIECES)
    print("Trebuchet is built with these crates. Each is named with its licence; their licence texts follow.\n")
    for key in linked():
        package = packages[key]
        if package["source"] is None:
            continue
        name = f"{package['name']} {package['version']}"
        print(f"{name}: {package['license']}, {package['repository'] or 'no address'}")
        for file, text in texts(package):
            owners.setdefault(text, []).append(f"{name} ({file})")
    print("\nThe compiler and the linker add these.\n")
    for name, text in system_libraries("".join(sys.argv[1:])):
        print(name)
        owners[text] = [name.partition(":")[0]]
    for text, names in owners.items():
        print(f"\n{'=' * 80}\n{', '.join(names)}\n\n{text}")


main()
