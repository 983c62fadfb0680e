#!/usr/bin/env python3
"""Executes the notebooks of examples/notebooks in a fresh kernel each, and compares their text with what they store.

    tools/notebooks.py [NOTEBOOK...]            fails if a cell fails or prints something else
    tools/notebooks.py --update [NOTEBOOK...]   stores the outputs

Needs nbclient and ipykernel (tools/setup.sh all). The kernel uses python/ and the library of this checkout, or
CAROM_LIBRARY. Pictures and pages are not compared: they depend on the versions of matplotlib and of the page."""
from __future__ import annotations

import argparse
import os
import pathlib
import sys
import tempfile
import time
from typing import Any

ROOT = pathlib.Path(__file__).resolve().parent.parent
FOLDER = ROOT / "examples/notebooks"
SECONDS = 600  # for a cell: a defect, not a slow machine


def printed(cell: Any) -> str:
    """The standard output of a cell, which a kernel sends in pieces."""
    return "".join("".join(output["text"]) for output in cell.get("outputs", [])
                   if output["output_type"] == "stream" and output["name"] == "stdout")


def texts_of(cell: Any) -> "list[str]":
    """What a cell prints, and the text of its value; pictures and pages have sizes and addresses there."""
    return [printed(cell)] + ["".join(output["data"]["text/plain"]) for output in cell.get("outputs", [])
                              if list(output.get("data", {})) == ["text/plain"]]


def kinds_of(cell: Any) -> "list[list[str]]":
    """The kinds of the values of a cell."""
    return [sorted(output["data"]) for output in cell.get("outputs", []) if "data" in output]


def execute(book: Any) -> None:
    """Runs all cells in order, in an empty folder."""
    import nbclient
    os.environ["PYTHONPATH"] = os.pathsep.join([str(ROOT / "python"), os.environ.get("PYTHONPATH", "")]).strip(os.pathsep)
    os.environ["PYTHONDONTWRITEBYTECODE"] = "1"
    os.environ["PYDEVD_DISABLE_FILE_VALIDATION"] = "1"  # no warning about a debugger
    with tempfile.TemporaryDirectory() as folder:
        client = nbclient.NotebookClient(book, timeout=SECONDS, kernel_name="python3", record_timing=False,
                                         resources={"metadata": {"path": folder}})
        client.execute()


def store(book: Any, path: pathlib.Path) -> None:
    """Without what differs from machine to machine."""
    import nbformat
    book.metadata = nbformat.from_dict({"kernelspec": {"display_name": "Python 3", "language": "python", "name": "python3"},
                                        "language_info": {"name": "python"}})
    for number, cell in enumerate(book.cells):
        text = printed(cell)
        if cell.cell_type == "code":  # without progress bars
            cell.outputs = ([nbformat.v4.new_output("stream", name="stdout", text=text)] if text else []) + \
                [output for output in cell.outputs if output["output_type"] != "stream"]
        cell.metadata = nbformat.from_dict({})
        cell.id = "%s-%02d" % (path.stem, number)
    nbformat.validate(book)
    nbformat.write(book, str(path))


def differences(stored: Any, fresh: Any, name: str) -> "list[str]":
    found = []
    for number, (before, after) in enumerate(zip(stored.cells, fresh.cells)):
        if texts_of(before) != texts_of(after):
            found.append("%s, cell %d:\n  stored: %s\n  now:    %s" % (name, number, texts_of(before), texts_of(after)))
        elif kinds_of(before) != kinds_of(after):
            found.append("%s, cell %d: stored %s, now %s" % (name, number, kinds_of(before), kinds_of(after)))
    return found


def main() -> int:
    parser = argparse.ArgumentParser(description=(__doc__ or "").splitlines()[0])
    parser.add_argument("--update", action="store_true", help="store the outputs")
    parser.add_argument("notebooks", nargs="*", help="names or paths; default: all")
    given = parser.parse_args()
    import nbformat
    faults = []
    names = [pathlib.Path(name).stem for name in given.notebooks] or sorted(path.stem for path in FOLDER.glob("*.ipynb"))
    for name in names:
        path, began = FOLDER / (name + ".ipynb"), time.monotonic()
        stored, fresh = nbformat.read(str(path), 4), nbformat.read(str(path), 4)
        execute(fresh)
        if given.update:
            store(fresh, path)
        else:
            faults += differences(stored, fresh, name)
        print("%s: %d cells, %.0f s, %d kB" % (name, len(fresh.cells), time.monotonic() - began,
                                               path.stat().st_size / 1000), flush=True)
    print("\n".join(faults), end="\n" if faults else "", file=sys.stderr)
    return 1 if faults else 0


if __name__ == "__main__":
    sys.exit(main())
