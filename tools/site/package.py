"""Writes the reference of the Python package: for each module of python/carom the names that the package exports, with their
docstrings (autodoc)."""
from __future__ import annotations

import ast
from pathlib import Path
from typing import Dict, List

# Order of the sections; other modules follow by name.
FIRST = ["scene", "scene_check", "simulation", "frame", "observers", "events", "state", "results", "merges", "pictures", "studies",
         "sweeps", "view"]
LAST = ["progress", "errors"]


def exported(init: str) -> Dict[str, List[str]]:
    """Names by module, from the imports of the package."""
    found: Dict[str, List[str]] = {}
    for node in ast.parse(init).body:
        if isinstance(node, ast.ImportFrom) and node.module and node.module.startswith("carom."):
            names = [alias.asname or alias.name for alias in node.names]
            found.setdefault(node.module[len("carom."):], []).extend(name for name in names if not name.startswith("_"))
    return {module: names for module, names in found.items() if names}


def ordered(modules: List[str]) -> List[str]:
    middle = sorted(name for name in modules if name not in FIRST + LAST)
    return [name for name in FIRST if name in modules] + middle + [name for name in LAST if name in modules]


def entry(tree: ast.Module, name: str) -> str:
    """The directive of a name: its kind is that of its definition."""
    for node in tree.body:
        if isinstance(node, ast.ClassDef) and node.name == name:
            return ".. autoclass:: %s\n   :members:\n" % name
        if isinstance(node, (ast.FunctionDef, ast.AsyncFunctionDef)) and node.name == name:
            return ".. autofunction:: %s\n" % name
    return ".. autodata:: %s\n" % name


def reference(folder: Path) -> str:
    found = exported((folder / "__init__.py").read_text(encoding="utf-8"))
    out = ["Python package\n==============\n",
           ":doc:`/python` is the guide. Names are those of the package: ``carom.Simulation``, ``carom.open``.\n",
           ".. py:currentmodule:: carom\n"]
    for module in ordered(list(found)):
        tree = ast.parse((folder / (module + ".py")).read_text(encoding="utf-8"))
        text = ast.get_docstring(tree) or ""
        title = module.replace("_", " ").capitalize()
        out.append("%s\n%s\n\n%s\n" % (title, "-" * len(title), text))
        out += [entry(tree, name) for name in found[module]]
    return "\n".join(out)
