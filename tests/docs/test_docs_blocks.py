"""Detects commands, scenes and programs in the documentation that fail, and outputs that differ from those that it shows."""
from __future__ import annotations

import os
import sys
import tempfile
import time
from pathlib import Path
from typing import List, Tuple

sys.path.insert(0, str(Path(__file__).resolve().parent))
import blocks  # noqa: E402

# Pages whose blocks are all run, or marked with a reason: pattern, and whether `make test` runs the page.
PAGES: List[Tuple[str, bool]] = [
    ("docs/site/index.md", True), ("docs/site/install.md", True), ("docs/site/gallery.md", True), ("docs/site/results.md", True),
    ("docs/site/bibliography.md", True), ("docs/site/theory/*.md", True), ("docs/site/tutorials/*.md", False), ("README.md", False), ("docs/manual.md", False),
    ("docs/shape.md", True), ("docs/sweep.md", True), ("docs/aggregation.md", False), ("docs/variational.md", True),
    ("docs/formats.md", True), ("docs/pictures.md", False), ("docs/events.md", True), ("docs/python.md", True),
]


def chosen(tier: str) -> List[str]:
    names: List[str] = []
    for pattern, quick in PAGES:
        found = sorted(path.relative_to(blocks.SOURCE).as_posix() for path in blocks.SOURCE.glob(pattern))
        if tier == "all" or quick == (tier == "quick"):
            names += [name for name in found if name not in names]
    return names


def rules_hold() -> List[str]:
    """The checks themselves: each wrong page has to fail."""
    wrong = {
        "a command that fails": "```sh\ncarom check nothing.yaml\n```\n",
        "an exit status": "<!-- exit: 3 -->\n```sh\ntrue\n```\n",
        "an output that differs": "```sh\necho 1.25\n```\n\n```text\n1.26\n```\n",
        "lines in another order": "```sh\nprintf 'a\\nb\\n'\n```\n\n```text\nb\na\n```\n",
        "a scene with a fault": "```yaml\ncarom: 1\nengine: hard\n```\n",
        "an unknown language": "```fortran\nend\n```\n",
        "no reason": "<!-- not run: -->\n```sh\ntrue\n```\n",
        "a printed number": "```python\nprint(1 + 1)  # -> 3\n```\n",
        "an exception": "```python\nraise ValueError\n```\n",
        "a program that does not compile": "```c\nint main(void) { return x; }\n```\n",
    }
    return ["no fault is found in %s" % what for what, text in wrong.items() if not run_text("wrong page", text).faults]


def run_text(name: str, text: str) -> blocks.Page:
    with tempfile.TemporaryDirectory(prefix="carom-docs-") as folder:
        page = blocks.Page(name, Path(folder))
        page.run(text)
        return page


def main() -> int:
    if os.environ.get("CAROM_SANITIZE") == "1":
        print("the blocks run without the sanitizers, which slow them down")
        return 77
    tier = os.environ.get("CAROM_TIER", "all")
    names = sys.argv[1:] or chosen(tier)
    faults = rules_hold() if tier != "long" and not sys.argv[1:] else []
    counts: "dict[str, int]" = {}
    for name in names:
        started = time.monotonic()
        page = run_text(name, (blocks.SOURCE / name).read_text(encoding="utf-8"))
        faults += [str(fault) for fault in page.faults]
        for kind, count in page.counts.items():
            counts[kind] = counts.get(kind, 0) + count
        print("%-40s %5.1f s  %s" % (name, time.monotonic() - started, ", ".join("%d %s" % (n, k) for k, n in sorted(page.counts.items()))), flush=True)
    print("%d pages: %s" % (len(names), ", ".join("%d %s" % (n, k) for k, n in sorted(counts.items()))))
    for fault in faults:
        print(fault)
    return 1 if faults else 0


sys.exit(main())
