"""What the tests of foreign readers share: a result made by the command, and an interpreter that has the module."""
import atexit
import importlib.util
import os
import shutil
import subprocess
import sys
import tempfile

SKIPPED = 77
SCENE = """carom: 1
title: For other readers
engine: hard
dimension: {dimension}
seed: 5
box: {{size: [{sizes}], boundary: {boundary}}}
species:
  small: {{diameter: 1, mass: 1}}
  large: {{diameter: 1.5, mass: 2}}
particles:
  - {{species: small, count: 40, place: random, velocity: {{maxwell: 1.0}}}}
  - {{species: large, count: 20, place: random, velocity: {{maxwell: 1.0}}}}
run: {{until: {{time: 2}}}}
observe:
  - {{what: energy, every: 0.25}}
output: {{frames: {{every: 0.5}}}}
"""


def need_library(*modules):
    """Ensures that the interpreter has these modules, loads the library of the build, and finds the packages of the
    project."""
    for module in modules:
        need(module)
    if os.environ.get("CAROM_SANITIZE") == "1":
        print("skipped: a library under the sanitizers does not load into Python")
        sys.exit(SKIPPED)
    sys.path.insert(0, os.environ["CAROM_SOURCE"])
    sys.dont_write_bytecode = True


def need(module):
    """Continues in an interpreter that has `module`: this one or that of Debian; otherwise skips the test."""
    if importlib.util.find_spec(module) is not None:
        return
    debian = "/usr/bin/python3"
    if os.path.exists(debian) and "CAROM_TRIED_DEBIAN" not in os.environ:
        os.environ["CAROM_TRIED_DEBIAN"] = "1"
        os.execv(debian, [debian, *sys.argv])
    print(f"skipped: no python module {module}")
    sys.exit(SKIPPED)


def run(*arguments):
    subprocess.run([os.environ["CAROM"], *arguments], check=True, stdout=subprocess.DEVNULL)


def result(dimension=3, boundary="periodic"):
    """A folder with r.h5: 60 spheres, frames at 0, 0.5, ... 2."""
    folder = tempfile.mkdtemp(prefix="carom-readers-")
    atexit.register(shutil.rmtree, folder)
    scene = os.path.join(folder, "r.yaml")
    with open(scene, "w") as file:
        file.write(SCENE.format(dimension=dimension, sizes=", ".join(["9" if dimension == 3 else "16"] * dimension), boundary=boundary))
    run("run", scene, "-o", os.path.join(folder, "r.h5"), "--quiet")
    return folder


def expect(what, value, wanted, tolerance=0.0):
    print(f"{what} = {value}, expected {wanted}")
    if tolerance > 0:
        assert abs(value - wanted) <= tolerance, what
    else:
        assert value == wanted, what
