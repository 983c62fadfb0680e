"""Detects Python programs that do not name a missing package, and the command that installs it, in one line."""
import os
import subprocess
import sys

SOURCE = os.environ.get("CAROM_SOURCE") or os.path.dirname(os.path.dirname(os.path.dirname(os.path.abspath(__file__))))
PROGRAMS = ((["tools/ccd_queries.py", "folder"], "numpy"),
            (["-m", "experiments", "plate"], "h5py, matplotlib, numpy, PIL"))

for program, missing in PROGRAMS:
    # -S: without the packages of the system; -B: nothing is written beside the sources.
    done = subprocess.run([sys.executable, "-S", "-B", *program], cwd=SOURCE, capture_output=True, text=True, timeout=60)
    print(program, done.returncode, done.stderr)
    assert done.returncode == 1 and done.stderr.count("\n") == 1, "one line, and a failure"
    assert " has no %s: `tools/setup.sh experiments`" % missing in done.stderr
