#!/usr/bin/env python3
"""Copies README.md and docs/ into the folder of a package.

    packaging/docs.py FOLDER

A link to a file of the source that the package does not have becomes plain text.
"""

import pathlib
import re
import shutil
import sys

LINK = re.compile(r"(!?\[((?:[^\[\]]|\[[^\]]*\])*)\]\(([^()]+)\))")


def without_dead_links(page):
    """The text of a copied page; its links outside the package are only their words."""

    def kept(found):
        link, words, target = found.groups()
        file = target.split("#")[0]
        is_there = not file or "://" in target or (page.parent / file).exists()
        return link if is_there else words

    return LINK.sub(kept, page.read_text(encoding="utf-8"))


def main():
    source, package = pathlib.Path(__file__).resolve().parent.parent, pathlib.Path(sys.argv[1])
    (package / "docs").mkdir(parents=True, exist_ok=True)
    shutil.copyfile(source / "README.md", package / "README.md")
    shutil.copytree(source / "docs", package / "docs", dirs_exist_ok=True, copy_function=shutil.copy)
    for page in [package / "README.md", *package.glob("docs/*.md")]:
        page.write_text(without_dead_links(page), encoding="utf-8")


if __name__ == "__main__":
    main()
