"""Detects commands, scenes and programs in the documentation that fail, and outputs that differ from those that it shows."""
from __future__ import annotations

import os
import sys
import tempfile
import time
from pathlib import Path, PurePosixPath
from typing import List

sys.path.insert(0, str(Path(__file__).resolve().parent))
import blocks  # noqa: E402
import assemble  # noqa: E402  (tools/site)

# `make test` runs the pages whose blocks take seconds, `.ci/run` those of CI, too, `make test-all` all pages of the site, and README.md.
QUICK = ("docs/site/*.md", "docs/site/theory/*.md", "docs/shape.md", "docs/sweep.md", "docs/variational.md", "docs/formats.md",
         "docs/meshes.md", "docs/view.md", "docs/ccd.md", "docs/scene.md")
CI = ("docs/events.md", "docs/python.md", "docs/shells.md")
# python/tests/test_cookbook.py compares the scenes and scripts of these pages with the files and runs them; here their commands are run.
COMMANDS_ONLY = "docs/cookbook/"


def chosen(tier: str) -> List[str]:
    found = [name for name, path in assemble.page_sources(blocks.SOURCE) if path.suffix == ".md"] + ["README.md"]

    def tier_of(name: str) -> str:
        return "ci" if name in CI else "quick" if any(PurePosixPath(name).match(pattern) for pattern in QUICK) else "long"
    return [name for name in found if tier in ("all", tier_of(name))]


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
        "an option of a form": "<!-- form -->\n```sh\ncarom run SCENE --sed N\n```\n",
        "one line of several": "<!-- before: carom init gas > gas.yaml --><!-- lines part of: gas.yaml -->\n```yaml\nseed: 1\nseed: x\n```\n",
        "a key": "<!-- before: carom init gas > gas.yaml --><!-- key of: gas.yaml particles.0 -->\n```yaml\ncount: x\n```\n",
        "the statements of a program": "```c\ncarom_scene_load();\n```\n",
        "an exception": "```python\nraise ValueError\n```\n",
        "a program that does not compile": "```c\nint main(void) { return x; }\n```\n",
    }
    return ["no fault is found in %s" % what for what, text in wrong.items() if not run_text("wrong page", text).faults]


def run_text(name: str, text: str) -> blocks.Page:
    with tempfile.TemporaryDirectory(prefix="carom-docs-") as folder:
        page = blocks.Page(name, Path(folder), {""} if name.startswith(COMMANDS_ONLY) else None)
        page.run(text)
        return page


def main() -> int:
    if os.environ.get("CAROM_SANITIZE") == "1":
        print("the blocks run without the sanitizers, which slow them down")
        return 77
    tier = os.environ.get("CAROM_TIER", "all")
    names = sys.argv[1:] or chosen(tier)
    faults = rules_hold() if tier in ("all", "quick") and not sys.argv[1:] else []
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
