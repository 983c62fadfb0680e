"""Detects call cycles of more than four files in the kernels, and that a cycle that is put in is not found."""
import os
import subprocess
import sys
import tempfile

SOURCE = os.environ.get("CAROM_SOURCE") or os.path.dirname(os.path.dirname(os.path.dirname(os.path.abspath(__file__))))
TOOL = os.path.join(SOURCE, "tools", "cycles.py")


def cycles(*arguments):
    done = subprocess.run([sys.executable, TOOL, *arguments], capture_output=True, text=True, check=False)
    return done.returncode, done.stdout


def write(folder, name, text):
    with open(os.path.join(folder, name), "w", encoding="utf-8") as file:
        file.write(text)


KERNELS = [os.path.join(SOURCE, "src", engine, "kernel") for engine in ("hard", "aggregation", "variational")]
code, printed = cycles("--most", "4", *KERNELS)
assert code == 0, printed

with tempfile.TemporaryDirectory() as folder:
    write(folder, "press.c", "static void press(int n)\n{\n    /* kick(1); */ fire(n - 1);\n}\n")
    write(folder, "fire.c", "static void fire(int n)\n{\n    if (n > 0) press(n);\n    look();\n}\n")
    write(folder, "look.c", "static void look(void)\n{\n}\n")
    code, printed = cycles("--most", "1", folder)
    assert code == 1 and "a cycle of 2 files: fire, press" in printed and "look" not in printed.splitlines()[0], printed
    assert cycles("--most", "2", folder)[0] == 0
    write(folder, "fire.c", "static void fire(int n)\n{\n    look();\n}\n")
    code, printed = cycles("--most", "1", folder)
    assert code == 0 and printed == "", printed
print("no cycle of more than four files in %d kernels; one of two files is found" % len(KERNELS))
