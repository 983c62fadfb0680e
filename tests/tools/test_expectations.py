"""Detects a table of examples in docs/validation.md that differs from what the examples expect
(tools/expectations.py)."""
import os
import re
import shutil
import subprocess
import sys
import tempfile

SOURCE = os.environ.get("CAROM_SOURCE") or os.path.dirname(os.path.dirname(os.path.dirname(os.path.abspath(__file__))))


def check(root):
    done = subprocess.run([sys.executable, "-B", os.path.join(root, "tools", "expectations.py")], capture_output=True, text=True, timeout=60)
    print(done.stdout, done.stderr)
    return done


done = check(SOURCE)
assert done.returncode == 0, "tools/expectations.py --write"
assert int(re.match(r"(\d+) rows, 0 differ", done.stdout).group(1)) > 30

with tempfile.TemporaryDirectory() as root:  # another value is noticed, and so is a name that no example expects
    for folder in ("tools", "examples", "validate"):
        shutil.copytree(os.path.join(SOURCE, folder), os.path.join(root, folder), ignore=shutil.ignore_patterns("__pycache__"))
    os.mkdir(os.path.join(root, "docs"))
    shutil.copy(os.path.join(SOURCE, "docs", "validation.md"), os.path.join(root, "docs"))
    scene = os.path.join(root, "examples", "newtons-cradle.yaml")
    with open(scene) as file:
        text = file.read()
    for old, new, said in (("collisions = 4 ", "collisions = 5 ", "1 differ"), ("expect collisions", "expect impacts", "is not expected")):
        assert old in text
        with open(scene, "w") as file:
            file.write(text.replace(old, new))
        done = check(root)
        assert done.returncode == 1 and said in done.stdout + done.stderr
