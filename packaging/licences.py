#!/usr/bin/env python3
"""Prints the licences of all crates that are linked into the program, as a text file for packages.

    packaging/licences.py [TARGET] > third-party.txt

Asks cargo for the crates of the release build, for this machine or the target, and copies the licence files that
each of them carries.
"""

import json
import pathlib
import subprocess
import sys

LICENCE_FILES = ("LICENSE*", "LICENCE*", "COPYING*", "UNLICENSE*", "NOTICE*")


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


def texts(folder):
    files = {path for pattern in LICENCE_FILES for path in folder.glob(pattern) if path.is_file()}
    for path in sorted(files):
        yield path.name, path.read_text(errors="replace").strip()


def main():
    packages = {
        (package["name"], package["version"]): package
        for package in json.loads(run("cargo", "metadata", "--locked", "--format-version", "1"))["packages"]
    }
    # Many crates carry the same text: it is printed once.
    owners = {}
    print("Trebuchet is built with these crates. Each is named with its licence; their licence texts follow.\n")
    for key in linked():
        package = packages[key]
        if package["source"] is None:
            continue
        name = f"{package['name']} {package['version']}"
        print(f"{name}: {package['license']}, {package['repository'] or 'no address'}")
        for file, text in texts(pathlib.Path(package["manifest_path"]).parent):
            owners.setdefault(text, []).append(f"{name} ({file})")
    for text, names in owners.items():
        print(f"\n{'=' * 80}\n{', '.join(names)}\n\n{text}")


main()
