"""Detects links in Markdown to files or headings that do not exist, and formulas and references without a counterpart."""
from __future__ import annotations

import os
import re
import sys
from pathlib import Path
from typing import Dict, List

SOURCE = Path(os.environ.get("CAROM_SOURCE") or Path(__file__).resolve().parents[2])
sys.path.insert(0, str(SOURCE / "tools" / "site"))
import markdown  # noqa: E402

SKIPPED = ("build/", "web/node_modules/")
MADE = "docs/site/reference/"  # pages that `make site` writes from the sources


def pages() -> Dict[str, str]:
    found: Dict[str, str] = {}
    for folder, below, files in os.walk(SOURCE):
        below[:] = [name for name in below if not name.startswith(".") and name not in ("build", "node_modules")]
        for name in files:
            if name.endswith(".md"):
                path = Path(folder) / name
                found[path.relative_to(SOURCE).as_posix()] = path.read_text(encoding="utf-8")
    return found


def faults_of(name: str, text: str, anchors: Dict[str, List[str]]) -> List[str]:
    bad: List[str] = []
    for link, _ in markdown.links(text):
        if re.match(r"[a-z]+:", link):
            continue
        path, _, anchor = link.partition("#")
        goal = os.path.normpath(os.path.join(os.path.dirname(name), path)) if path else name
        if goal.startswith(MADE):
            continue
        if not (SOURCE / goal).exists():
            bad.append("%s: no file %s" % (name, link))
        elif anchor and goal in anchors and anchor not in anchors[goal]:
            bad.append("%s: no heading %s" % (name, link))
    return bad


def equation_faults(found: Dict[str, str]) -> List[str]:
    """Labels of equations, $$ ... $$ (label), and references to them, {eq}`label`."""
    labels: Dict[str, str] = {}
    bad: List[str] = []
    for name, text in found.items():
        if name.startswith("docs/site/"):
            for label in re.findall(r"\$\$ \(([\w-]+)\)", text):
                if label in labels:
                    bad.append("%s: the equation %s is in %s, too" % (name, label, labels[label]))
                labels[label] = name
    for name, text in found.items():
        bad += ["%s: no equation %s" % (name, label) for label in re.findall(r"\{eq\}`([\w-]+)`", text)
                if label not in labels and name.startswith("docs/site/")]
    return bad


def main() -> int:
    found = pages()
    anchors = {name: markdown.anchors(text) for name, text in found.items()}
    bad = [fault for name, text in found.items() for fault in faults_of(name, text, anchors)] + equation_faults(found)
    wrong = "# A heading\n\n[a](nothing.md) [b](#heading) ![c](no.png) `[d](none.md)`\n\n    [e](none.md)\n"
    count = len(faults_of("docs/wrong.md", wrong, {"docs/wrong.md": markdown.anchors(wrong)}))
    if count != 3:
        bad.append("a page with three broken links shows %d" % count)
    links = sum(len(markdown.links(text)) for text in found.values())
    print("%d pages, %d links, %d broken" % (len(found), links, len(bad)))
    print("\n".join(bad))
    return 1 if bad or links < 500 else 0


sys.exit(main())
