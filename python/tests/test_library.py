"""Detects declarations that do not agree with carom.h, documentation whose examples fail, and missing hints."""
from __future__ import annotations

import doctest
import importlib
import inspect
import os
import pathlib
import pkgutil
import re
import subprocess
import sys
import unittest
from unittest import mock

import carom
from carom._library import Handle
from support import SOURCE

MODULES = sorted("carom." + found.name for found in pkgutil.iter_modules(carom.__path__) if not found.name.startswith("__"))


class Library(unittest.TestCase):
    def test_declarations_agree_with_the_header(self) -> None:
        done = subprocess.run([sys.executable, str(SOURCE / "tools/python_declarations.py"), "--check"],
                              capture_output=True, text=True)
        self.assertEqual(done.returncode, 0, done.stderr)

    def test_the_version_is_that_of_the_library(self) -> None:
        self.assertRegex(carom.__version__, r"^\d+\.\d+\.\d+")

    def test_a_missing_library_is_explained(self) -> None:
        environment = {**os.environ, "CAROM_LIBRARY": "/missing/libcarom.so", "PYTHONPATH": str(SOURCE / "python")}
        environment.pop("LD_PRELOAD", None)
        done = subprocess.run([sys.executable, "-c", "import carom"], capture_output=True, text=True, env=environment)
        self.assertIn("ImportError: libcarom is not installed (looked for /missing/libcarom.so)", done.stderr)

    def test_objects_end_in_their_process_only(self) -> None:
        """A forked process frees the objects of its parent, and closes their files."""
        freed: "list[int]" = []
        for process, expected in ((os.getpid() + 1, []), (os.getpid(), [7])):
            handle = Handle(7, lambda address: freed.append(address.value))
            with mock.patch("os.getpid", return_value=process):
                del handle
            self.assertEqual(freed, expected)

    def test_sizes_of_structs(self) -> None:
        """A struct of ctypes with another layout than that of the compiler gives wrong numbers."""
        import ctypes
        from carom import _declarations as declarations
        self.assertEqual(ctypes.sizeof(declarations.carom_limits), 32)
        self.assertEqual(ctypes.sizeof(declarations.carom_energy), 88)
        self.assertEqual(declarations.carom_channel.numbers.offset, 56)


class Documentation(unittest.TestCase):
    def test_examples_of_docstrings(self) -> None:
        for name in ["carom", *MODULES]:
            with self.subTest(module=name):
                result = doctest.testmod(importlib.import_module(name), optionflags=doctest.ELLIPSIS)
                self.assertEqual(result.failed, 0)

    def test_public_names_have_docstrings(self) -> None:
        """A property is described by its own docstring or in the section Attributes of its class."""
        missing = []
        for name in carom.__all__:
            thing = getattr(carom, name)
            if not callable(thing):
                continue
            text = inspect.getdoc(thing) or ""
            missing += [] if text else [name]
            for part, value in vars(thing).items() if inspect.isclass(thing) else ():
                described = inspect.getdoc(value) or re.search(r"^[\w, ]*\b%s\b[\w, ]* :" % part, text, re.M)
                if not part.startswith("_") and callable(getattr(value, "fget", value)) and not described:
                    missing.append("%s.%s" % (name, part))
        self.assertEqual(missing, [])

    def test_functions_have_type_hints(self) -> None:
        missing = []
        for name in MODULES:
            module = importlib.import_module(name)
            things = [value for value in vars(module).values() if getattr(value, "__module__", "") == name]
            functions = [f for f in things if inspect.isfunction(f)]
            for kind in (t for t in things if inspect.isclass(t)):
                functions += [f for f in vars(kind).values() if inspect.isfunction(f) and f.__module__ == name
                              and f.__code__.co_filename == module.__file__]
            for function in functions:
                hints = function.__annotations__
                wanted = [p for p in inspect.signature(function).parameters if p not in ("self", "cls")]
                if "return" not in hints or any(p not in hints for p in wanted):
                    missing.append("%s.%s" % (name, function.__qualname__))
        self.assertEqual(missing, [])

    def test_classes_of_results_are_exported(self) -> None:
        """The reference and `help(carom)` describe exported classes only; `repr` names those that users receive."""
        sources = pathlib.Path(carom.__file__).parent.glob("*.py")
        named = {name for source in sources for name in re.findall(r"<carom\.([A-Z]\w+)", source.read_text("utf-8"))}
        self.assertLessEqual({"Result", "Observable", "Table", "Comparison"}, named)
        self.assertEqual(named - set(carom.__all__), set())

    def test_importing_all_names_leaves_builtins(self) -> None:
        names: dict = {}
        exec("from carom import *", names)
        self.assertIs(names.get("open", open), open)
        self.assertIs(names["Simulation"], carom.Simulation)

    def test_every_name_is_exported_once(self) -> None:
        self.assertEqual(list(carom.__all__), sorted(set(carom.__all__), key=carom.__all__.index))
        for name in carom.__all__:
            self.assertTrue(hasattr(carom, name), name)
