"""Named checks of a test: a line for each, and the detail of those that fail."""
from __future__ import annotations

failures = 0


def check(what, good, detail=""):
    global failures
    print("%s: %s" % (what, "yes" if good else "NO"))
    if not good:
        failures += 1
        print(detail)
