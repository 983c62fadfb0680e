"""Detects notebooks that fail, that print other numbers than they store, or that do not suit a repository."""
from __future__ import annotations

import importlib.util
import json
import os
import pathlib
import re
import subprocess
import sys
import unittest
from typing import Any

from support import EXAMPLES, SOURCE, long

NOTEBOOKS = sorted((EXAMPLES / "notebooks").glob("*.ipynb"))


def cells_of(path: pathlib.Path, kind: str) -> "list[dict[str, Any]]":
    return [cell for cell in json.loads(path.read_text(encoding="utf-8"))["cells"] if cell["cell_type"] == kind]


class Stored(unittest.TestCase):
    def test_there_is_one_for_each_engine(self) -> None:
        self.assertEqual([path.stem for path in NOTEBOOKS], ["aggregation", "hard", "variational"])

    def test_outputs_are_stored_and_small(self) -> None:
        for path in NOTEBOOKS:
            with self.subTest(notebook=path.name):
                self.assertLess(path.stat().st_size, 500_000)
                cells = cells_of(path, "code")
                self.assertEqual([cell["execution_count"] for cell in cells], list(range(1, len(cells) + 1)))
                outputs = [output for cell in cells for output in cell["outputs"]]
                self.assertNotIn("error", {output["output_type"] for output in outputs})
                self.assertNotIn("stderr", {output.get("name") for output in outputs})
                kinds = {kind for output in outputs for kind in output.get("data", {})}
                self.assertTrue({"image/png", "text/html"} <= kinds, kinds)
                self.assertTrue(any("srcdoc=" in "".join(output.get("data", {}).get("text/html", "")) for output in outputs))

    def test_nothing_depends_on_the_machine(self) -> None:
        for path in NOTEBOOKS:
            text = path.read_text(encoding="utf-8")
            with self.subTest(notebook=path.name):
                self.assertIsNone(re.search(r"/tmp/|/home/|/root|\d\d:\d\d:\d\d| at 0x[0-9a-f]{6}", text))

    def test_each_compares_with_theory(self) -> None:
        for path in NOTEBOOKS:
            sources = ["".join(cell["source"]) for cell in cells_of(path, "code")]
            with self.subTest(notebook=path.name):
                self.assertGreaterEqual(sum(source.count("assert ") for source in sources), 3)

    def test_links_lead_somewhere(self) -> None:
        for path in NOTEBOOKS:
            for cell in cells_of(path, "markdown"):
                for target in re.findall(r"\]\(([^)#]+)", "".join(cell["source"])):
                    with self.subTest(notebook=path.name, target=target):
                        self.assertTrue((path.parent / target).exists())


@long
class Executed(unittest.TestCase):
    @unittest.skipIf(os.environ.get("CAROM_SANITIZE") == "1", "the sanitizers make them slow")
    @unittest.skipUnless(importlib.util.find_spec("nbclient") and importlib.util.find_spec("ipykernel")
                         and importlib.util.find_spec("matplotlib"), "nbclient, ipykernel or matplotlib is missing")
    def test_outputs_are_those_that_are_stored(self) -> None:
        for path in NOTEBOOKS:
            with self.subTest(notebook=path.name):
                done = subprocess.run([sys.executable, str(SOURCE / "tools/notebooks.py"), path.stem], capture_output=True,
                                      text=True, check=False)
                self.assertEqual(done.returncode, 0, done.stderr)
