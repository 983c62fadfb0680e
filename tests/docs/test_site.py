"""Detects warnings of the build of the site, links of its pages without a target, and files that a browser would fetch from the network;
pictures of the gallery that cannot be made; functions and names that the references lack; a search that needs a server, or fails in a browser."""
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
PLAYWRIGHT = SOURCE / "build/web/node_modules/playwright-core"
MODULES = ("sphinx", "myst_parser", "furo", "sphinx_copybutton", "numpy")


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
            elif not link.startswith("data:") and not (site / goal(page, link)[0]).exists():
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


def exported() -> Set[str]:
    """The names that `import carom` offers."""
    code = "import carom; print(*(name for name in carom.__all__ if not name.startswith('_')))"
    return set(subprocess.run([sys.executable, "-c", code], check=True, stdout=subprocess.PIPE, universal_newlines=True,
                              env=dict(os.environ, PYTHONPATH=str(SOURCE / "python"), CAROM_LIBRARY=BUILD + "/libcarom.so")).stdout.split())


def search_faults(site: Path) -> List[str]:
    """What is wrong with a search from the file system, in a browser; nothing without Chromium and playwright-core."""
    chromium = next(filter(None, map(shutil.which, ("chromium", "chromium-browser", "google-chrome"))), None)
    if not chromium or not PLAYWRIGHT.is_dir():
        print("the search is not tested: no Chromium, or no playwright-core (tools/setup.sh all)")
        return []
    done = subprocess.run(["node", str(SOURCE / "tests/docs/search.mjs"), str(PLAYWRIGHT), chromium, str(site)], check=False,
                          stdout=subprocess.PIPE, stderr=subprocess.STDOUT, universal_newlines=True)
    return done.stdout.strip().split("\n") if done.returncode else []


def main() -> int:
    if os.environ.get("CAROM_SANITIZE") == "1":
        print("the site is built from the library of the release build")
        return 77
    missing = [name for name in MODULES if importlib.util.find_spec(name) is None]
    missing += [name for name in ("node", "ffmpeg") if not shutil.which(name)]
    if missing or not Path("/usr/share/javascript/katex/katex.js").exists():
        print("not installed: %s; `tools/setup.sh site` installs what the site needs" % (", ".join(missing) or "KaTeX"))
        return 77
    with tempfile.TemporaryDirectory(prefix="carom-site-") as folder:
        site = Path(folder) / "site"
        done = subprocess.run([sys.executable, str(SOURCE / "tools/site/build.py"), "--build", BUILD, "--target", str(site), "--work",
                               folder], check=False)
        if done.returncode:
            return 1
        pages = read(site)
        bad = faults_of(site, pages)
        reference = pages.get("reference/c.html", Reader()).anchors
        declared = set(re.findall(r"CAROM_API [^;]*?\b(carom_\w+)\(", (SOURCE / "include/carom/carom.h").read_text(encoding="utf-8")))
        bad += ["reference/c.html lacks %s" % name for name in sorted(declared) if "c.%s" % name not in reference]
        offered = exported() | {"open"}
        described = pages.get("reference/python.html", Reader()).anchors
        bad += ["reference/python.html lacks %s" % name for name in sorted(offered) if "carom.%s" % name not in described]
        bad += search_faults(site)
        formulas = sum(reader.formulas for name, reader in pages.items() if name.startswith("theory/"))
        print("%d pages, %d links, %d formulas, %d functions, %d names of Python" % (
            len(pages), sum(len(p.links) for p in pages.values()), formulas, len(declared), len(offered)))
        print("\n".join(bad))
        return 1 if bad or formulas < 100 or len(pages) < 60 else 0


sys.exit(main())
