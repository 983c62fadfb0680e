#!/usr/bin/env python3
"""Runs modules of the tests of the package: run.py [MODULE...], all without arguments. CAROM_TIER (quick, long) selects
tests; the last line counts them as Check does, for tools/test.sh. Exit status 77: numpy is missing."""
from __future__ import annotations

import importlib
import importlib.util
import os
import pathlib
import signal
import sys
import unittest

FOLDER = pathlib.Path(__file__).resolve().parent
sys.path[:0] = [str(FOLDER), str(FOLDER.parent)]


def cases(suite: unittest.TestSuite) -> "list[unittest.TestCase]":
    found: list[unittest.TestCase] = []
    for part in suite:
        found += cases(part) if isinstance(part, unittest.TestSuite) else [part]
    return found


def is_long(case: unittest.TestCase) -> bool:
    method = getattr(case, case._testMethodName, None)
    return getattr(method, "is_long", False) or getattr(type(case), "is_long", False)


def main(names: "list[str]") -> int:
    if importlib.util.find_spec("numpy") is None:
        print("numpy is missing")
        return 77
    signal.signal(signal.SIGINT, signal.default_int_handler)  # background jobs of shells ignore it, and tests of Ctrl-C wait for ever
    tier = os.environ.get("CAROM_TIER", "all")
    loader, chosen = unittest.TestLoader(), unittest.TestSuite()
    for name in names or sorted(path.stem for path in FOLDER.glob("test_*.py")):
        for case in cases(loader.loadTestsFromModule(importlib.import_module(name))):
            if tier == "all" or is_long(case) == (tier == "long"):
                chosen.addTest(case)
    result = unittest.TextTestRunner(stream=sys.stdout, verbosity=2).run(chosen)
    ran = result.testsRun - len(result.skipped)
    failed, errors = len(result.failures) + len(result.unexpectedSuccesses), len(result.errors)
    share = 100 * (ran - failed - errors) // max(ran, 1)
    print("%d%%: Checks: %d, Failures: %d, Errors: %d" % (share, ran, failed, errors))
    return 0 if result.wasSuccessful() else 1


sys.exit(main(sys.argv[1:]))
