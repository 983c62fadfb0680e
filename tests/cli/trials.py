"""What the tests of the experiments share: an interpreter that has what they need, and comparing."""
import os
import sys

from readers import SKIPPED, need

for module in ("numpy", "matplotlib", "h5py", "PIL"):
    need(module)
if os.environ.get("CAROM_SANITIZE") == "1":
    print("skipped: a library under the sanitizers does not load into Python")
    sys.exit(SKIPPED)
sys.path.insert(0, os.environ["CAROM_SOURCE"])
sys.dont_write_bytecode = True


def close(what, value, wanted, within=1e-12):
    print("%s: %r, wanted %r" % (what, value, wanted))
    assert abs(value - wanted) <= within, what
