#!/usr/bin/env python3
"""Builds the site of the documentation, build/site, for reading from the file system.

    build.py [--build FOLDER] [--target FOLDER] [--work FOLDER] [--no-pictures]

--no-pictures leaves out the pictures and films that the examples make: for a quick look at a text."""
from __future__ import annotations

import argparse
import os
import shutil
import subprocess
import sys
from pathlib import Path

import assemble
import catalogue
import header
import package
import theme

ROOT = Path(__file__).resolve().parents[2]
KATEX = Path("/usr/share/javascript/katex")


def main() -> int:
    options = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    options.add_argument("--build", type=Path, default=ROOT / "build/release", help="folder with the command carom")
    options.add_argument("--target", type=Path, default=ROOT / "build/site")
    options.add_argument("--work", type=Path, default=ROOT / "build", help="folder for intermediate files")
    options.add_argument("--no-pictures", action="store_true")
    chosen = options.parse_args()
    source, cache = chosen.work.resolve() / "site-source", chosen.work.resolve() / "site-pictures"
    if not chosen.no_pictures:
        catalogue.make(ROOT, (chosen.build / "carom").resolve(), cache)
    try:
        assemble_sources(source, cache)
    except assemble.Broken as broken:
        print(broken, file=sys.stderr)
        return 1
    words = [sys.executable, "-m", "sphinx", "-q", "-W", "--keep-going", "-b", "html", "-d", str(chosen.work.resolve() / "site-doctrees"), "-c",
             str(ROOT / "docs/site"), str(source), str(chosen.target)]
    library = str((chosen.build / "libcarom.so").resolve())
    status = subprocess.run(words, check=False, env=dict(os.environ, CAROM_LIBRARY=library, CAROM_SITE_SOURCE=str(source))).returncode
    if status == 0:
        theme.complete(chosen.target / "_static")
        print("site: %s" % (chosen.target / "index.html"))
    return status


def assemble_sources(source: Path, cache: Path) -> None:
    """Pages, the references of C and Python, style, fonts of formulas, pictures."""
    pages = assemble.Assembly(ROOT, source)
    pages.place_of("include/carom/carom.h", False)
    pages.place_of("examples/embed", False)
    pages.run()
    text = (ROOT / "include/carom/carom.h").read_text(encoding="utf-8")
    pages.write("reference/c.rst", header.reference(text))
    pages.write("reference/python.rst", package.reference(ROOT / "python/carom"))
    static = source / "static"
    shutil.copytree(ROOT / "docs/site/static", static)
    (static / "katex").mkdir()
    shutil.copyfile(KATEX / "katex.min.css", static / "katex/katex.min.css")
    shutil.copytree(KATEX / "fonts", static / "katex/fonts", ignore=shutil.ignore_patterns("*.ttf", "*.woff"))
    (static / "gallery").mkdir()
    for file in cache.glob("*"):
        if file.suffix in (".png", ".mp4"):
            shutil.copyfile(file, static / "gallery" / file.name)


if __name__ == "__main__":
    sys.exit(main())
