"""The metadata of the package, from pyproject.toml and CMakeLists.txt."""
from __future__ import annotations

import ast
import re
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
NAME = "carom"

# The wheel contains no code for one version of Python, hence py3-none. Metadata 2.1 is the newest version that the tools of
# Debian 12 (pip 23.0, twine 4.0) check.
METADATA_VERSION = "2.1"


def version() -> str:
    """The version of project() in CMakeLists.txt."""
    text = (ROOT / "CMakeLists.txt").read_text(encoding="utf-8")
    return re.search(r"^project\(carom VERSION ([0-9.]+)", text, re.MULTILINE)[1]


def read_tables(text: str) -> dict[str, dict[str, object]]:
    """The tables of pyproject.toml. Python 3.9 and 3.10 have no tomllib; the values used there are literals of Python, too.

    Inline tables are kept as text.
    """
    tables: dict[str, dict[str, object]] = {}
    table = tables.setdefault("", {})
    lines = iter(text.splitlines())
    for line in lines:
        if line.startswith("["):
            table = tables.setdefault(line.strip()[1:-1], {})
        elif line.strip() and not line.startswith("#"):
            key, value = line.split(" = ", 1)
            while value.count("[") > value.count("]"):
                value += "\n" + next(lines)
            table[key] = value if "{" in value else ast.literal_eval(value)
    return tables


def project_tables() -> dict[str, dict[str, object]]:
    return read_tables((ROOT / "pyproject.toml").read_text(encoding="utf-8"))


def metadata() -> str:
    """The text of METADATA in a wheel and of PKG-INFO in a source distribution."""
    tables = project_tables()
    project = tables["project"]
    author = re.search(r'name = "([^"]+)"', str(project["authors"]))[1]
    fields = [("Metadata-Version", METADATA_VERSION), ("Name", NAME), ("Version", version()),
              ("Summary", project["description"]), ("Author", author), ("License", project["license"]),
              ("Keywords", ",".join(project["keywords"]))]
    fields += [("Classifier", classifier) for classifier in project["classifiers"]]
    fields += [("Requires-Python", project["requires-python"])]
    fields += [("Requires-Dist", requirement) for requirement in project["dependencies"]]
    for extra, requirements in tables["project.optional-dependencies"].items():
        fields += [("Provides-Extra", extra)]
        fields += [("Requires-Dist", '%s; extra == "%s"' % (requirement, extra)) for requirement in requirements]
    fields += [("License-File", file) for file in project["license-files"]]
    fields += [("Description-Content-Type", "text/markdown; charset=UTF-8")]
    readme = (ROOT / str(project["readme"])).read_text(encoding="utf-8")
    return "".join("%s: %s\n" % field for field in fields) + "\n" + readme
