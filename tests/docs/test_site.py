"""Detects warnings of the build of the site, links of its pages without a target, and files that a browser would fetch from the network."""
from __future__ import annotations

import html.parser
import importlib.util
import os
import re
import shutil
import subprocess
import sys
import tempfile
from pathlib import Path
from typing import Dict, List, Set, Tuple
from urllib.parse import unquote, urlsplit

SOURCE = Path(os.environ.get("CAROM_SOURCE") or Path(__file__).resolve().parents[2])
BUILD = os.environ.get("CAROM_BUILD") or str(SOURCE / "build/release")
MODULES = ("sphinx", "myst_parser", "furo", "sphinx_copybutton", "numpy")
GALLERY = "_static/gallery/"  # pictures that only a full build makes


class Reader(html.parser.HTMLParser):
    """Links, anchors and fetched files of a page."""

    def __init__(self) -> None:
        super().__init__()
        self.links: List[str] = []
        self.fetched: List[str] = []
        self.anchors: Set[str] = set()
        self.formulas = 0

    def handle_starttag(self, tag: str, attributes: "List[Tuple[str, str | None]]") -> None:
        values = {name: value or "" for name, value in attributes}
        if "id" in values:
            self.anchors.add(values["id"])
        if tag == "a" and "href" in values:
            self.links.append(values["href"])
        if tag == "link" and values.get("rel") in ("stylesheet", "icon", "shortcut icon"):
            self.fetched.append(values["href"])
        if tag in ("img", "script", "source", "video"):
            self.fetched += [values[name] for name in ("src", "poster") if name in values]
        self.formulas += values.get("class", "") == "katex"


def read(site: Path) -> Dict[str, Reader]:
    pages: Dict[str, Reader] = {}
    for path in site.rglob("*.html"):
        reader = Reader()
        reader.feed(path.read_text(encoding="utf-8"))
        pages[path.relative_to(site).as_posix()] = reader
    return pages


def goal(page: str, link: str) -> Tuple[str, str]:
    parts = urlsplit(link)
    path = os.path.normpath(os.path.join(os.path.dirname(page), unquote(parts.path))) if parts.path else page
    return path, unquote(parts.fragment)


def faults_of(site: Path, pages: Dict[str, Reader]) -> List[str]:
    bad: List[str] = []
    for page, reader in pages.items():
        for link in reader.fetched:
            if urlsplit(link).scheme not in ("", "data") or link.startswith("/"):
                bad.append("%s: a browser would fetch %s" % (page, link))
            elif not link.startswith("data:") and GALLERY not in link and not (site / goal(page, link)[0]).exists():
                bad.append("%s: no file %s" % (page, link))
        for link in reader.links:
            if urlsplit(link).scheme:
                continue
            path, anchor = goal(page, link)
            if not (site / path).exists():
                bad.append("%s: no page %s" % (page, link))
            elif anchor and path in pages and anchor not in pages[path].anchors:
                bad.append("%s: no anchor %s" % (page, link))
    for style in site.rglob("*.css"):
        text = style.read_text(encoding="utf-8", errors="replace")
        bad += ["%s: a browser would fetch %s" % (style.name, word) for word in ("url(http", "url(/", "url(//") if word in text]
    return bad


def main() -> int:
    if os.environ.get("CAROM_SANITIZE") == "1":
        print("the site is built from the library of the release build")
        return 77
    missing = [name for name in MODULES if importlib.util.find_spec(name) is None]
    if missing or not shutil.which("node") or not Path("/usr/share/javascript/katex/katex.js").exists():
        print("not installed: %s; `tools/setup.sh site` installs what the site needs" % (", ".join(missing) or "node or KaTeX"))
        return 77
    with tempfile.TemporaryDirectory(prefix="carom-site-") as folder:
        site = Path(folder) / "site"
        done = subprocess.run([sys.executable, str(SOURCE / "tools/site/build.py"), "--build", BUILD, "--target", str(site), "--work",
                               folder, "--no-pictures"], check=False)
        if done.returncode:
            return 1
        pages = read(site)
        bad = faults_of(site, pages)
        reference = pages.get("reference/c.html", Reader()).anchors
        declared = set(re.findall(r"CAROM_API [^;]*?\b(carom_\w+)\(", (SOURCE / "include/carom/carom.h").read_text(encoding="utf-8")))
        bad += ["reference/c.html lacks %s" % name for name in sorted(declared) if "c.%s" % name not in reference]
        formulas = sum(reader.formulas for name, reader in pages.items() if name.startswith("theory/"))
        print("%d pages, %d links, %d formulas, %d functions" % (len(pages), sum(len(p.links) for p in pages.values()), formulas, len(declared)))
        print("\n".join(bad))
        return 1 if bad or formulas < 100 or len(pages) < 60 else 0


sys.exit(main())
