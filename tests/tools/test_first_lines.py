"""Detects test files whose first line does not say what defect they detect."""
import glob
import os
import re
import sys

SOURCE = os.environ["CAROM_SOURCE"]
FIRST = re.compile(r'(#!.*\n)?(/\* |# |""")Detects \S')

files = [path for kind in ("*/test_*.c", "*/test_*.py", "*/test_*.sh", "cli/cases/*.sh", "fuzz/fuzz_*.c", "calls/calls.c")
         for path in glob.glob(os.path.join(SOURCE, "tests", kind))]
bad = 0
for path in sorted(files):
    with open(path, encoding="utf-8") as file:
        if not FIRST.match(file.read()):
            print("%s: the first line does not begin with 'Detects'" % os.path.relpath(path, SOURCE))
            bad += 1
print("%d test files, %d without a first line that says what they detect" % (len(files), bad))
sys.exit(bad > 0 or len(files) < 190)
