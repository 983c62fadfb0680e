"""Detects a live page that fails in a real browser, headless. Skipped (77) without Chromium, node or playwright-core:
tools/setup.sh all installs them."""
import contextlib
import os
import shutil
import subprocess
import sys
import tempfile

from viewer import CAROM, SOURCE, Server, run

HERE = os.path.dirname(os.path.abspath(__file__))
PLAYWRIGHT = os.path.join(os.path.abspath(SOURCE), "build", "web", "node_modules", "playwright-core")
TINY = """
carom: 1
engine: hard
box: {size: [1e9, 1e9, 1e9], boundary: wall}
species: {a: {diameter: 1, mass: 1}}
particles: [{species: a, place: {at: [[4e8, 5e8, 6e8]]}, velocity: zero}]
run: {until: {time: 1}}
"""
EGG = """
carom: 1
engine: hard
box: {size: [4, 4, 4], boundary: open}
species: {a: {semi_axes: [1.6, 0.4, 0.4], mass: 1}}
particles: [{species: a, place: {at: [[2, 2, 2]]}, velocity: zero, orientation: {along: [0, 0, 1]}}]
run: {until: {time: 1}}
"""
CUP = """
carom: 1
engine: hard
box: {size: [4, 4, 4], boundary: open}
species: {a: {diameter: 1, mass: 1}}
meshes: [{name: cup, file: cup.obj, rigid: true}]
particles: [{species: a, place: {at: [[0.5001, 0.5001, 0.5001]]}, velocity: zero}]
run: {until: {time: 1}}
view: {azimuth: 40, elevation: 20, zoom: 0.8}
"""
TETRAHEDRON = """v 0 0 0
v 4 0 0
v 0 4 0
v 0 0 4
f 1 3 2
f 1 2 4
f 1 4 3
f 2 3 4
"""
TROUGH = """
carom: 1
engine: hard
box: {size: [4, 4, 4], boundary: open}
species: {a: {diameter: 1, mass: 1}}
meshes: [{name: trough, file: trough.obj, rigid: true}]
particles: [{species: a, place: {at: [[2, 2, -3]]}, velocity: zero}]
run: {until: {time: 1}}
view: {azimuth: 0, elevation: 90}
"""
VALLEY = """v 0 0 1
v 2 0 0
v 2 4 0
v 0 4 1
v 4 0 1
v 4 4 1
f 1 2 3
f 1 3 4
f 2 5 6
f 2 6 3
"""
PAIR = """
carom: 1
engine: hard
dimension: 2
box: {size: [4, 4], boundary: periodic}
species: {a: {diameter: 1, mass: 1}, b: {diameter: 0.5, mass: 1}}
particles:
  - {species: a, place: {at: [[0.6, 2]]}, velocity: zero}
  - {species: b, place: {at: [[3.6, 2]]}, velocity: zero}
bonds: [{name: pair, pairs: [[0, 1]], longest: 1.5}]
run: {until: {time: 1}}
"""
MERGED = """
carom: 1
engine: aggregation
dimension: 2
box: {size: [4, 4], boundary: periodic}
species: {a: {diameter: 1, mass: 1}, b: {diameter: 0.5, mass: 1}}
particles:
  - {species: a, place: {at: [[0.7, 2]]}, velocity: {each: [[-0.1, 0]]}}
  - {species: b, place: {at: [[3.6, 2]]}, velocity: {each: [[0.1, 0]]}}
run: {until: {clusters: 1}}
"""
EDGE = """
carom: 1
engine: hard
dimension: 2
box: {size: [4, 4], boundary: periodic}
species: {a: {diameter: 1, mass: 1}}
particles: [{species: a, place: {at: [[0.2, 2]]}, velocity: zero}]
run: {until: {time: 1}}
"""


def missing():
    if os.environ.get("CAROM_SANITIZE") == "1":
        print("skipped: what is sanitized of it, the server, has tests of its own, and the scenes would take minutes")
        sys.exit(77)
    chromium = shutil.which("chromium") or shutil.which("chromium-browser") or shutil.which("google-chrome")
    node, playwright = shutil.which("node"), os.path.isdir(PLAYWRIGHT)
    for what, there in (("chromium", chromium), ("node", node), ("playwright-core", playwright)):
        if not there:
            print(f"skipped: there is no {what}")
            sys.exit(77)
    return chromium


def main():
    chromium = missing()
    kept = os.path.join(os.environ.get("CAROM_BUILD", "build/release"), "page")  # to be looked at
    os.makedirs(kept, exist_ok=True)
    with tempfile.TemporaryDirectory() as folder:
        result = os.path.join(folder, "disks.h5")
        disks = os.path.join(SOURCE, "examples/disks-in-a-box.yaml")
        run("run", disks, "--set", "run.until.time=5", "-o", result, "--quiet")
        saved, thinned = (os.path.join(folder, name) for name in ("saved.html", "thinned.html"))
        run("view", result, "--save", saved, "--quiet")
        run("view", result, "--save", thinned, "--frames", "5", "--quiet")
        gas = os.path.join(SOURCE, "examples/hard-sphere-fluid.yaml")
        sizes = ["--set", "particles.0.count=864", "--set", "run.until.time=1000", "--set", "observe=[]"]
        names = ("one.yaml", "crossing.yaml", "long.yaml", "cup.yaml", "cup.obj", "pair.yaml", "trough.yaml",
                 "trough.obj", "merged.yaml")
        one, crossing, long, cup, mesh, pair, trough, valley, merged = (os.path.join(folder, name) for name in names)
        for path, text in ((one, TINY), (crossing, EDGE), (long, EGG), (cup, CUP), (mesh, TETRAHEDRON), (pair, PAIR),
                           (trough, TROUGH), (valley, VALLEY), (merged, MERGED)):
            with open(path, "w", encoding="utf-8") as file:
                file.write(text)
        with contextlib.ExitStack() as stack:
            served = [(gas, *sizes), (result,), (one,), (crossing,), (long,), (cup,), (pair,), (trough,), (merged,)]
            servers = [stack.enter_context(Server(*what)) for what in served]
            command = ["node", os.path.join(HERE, "page.mjs"), PLAYWRIGHT, chromium, os.path.abspath(kept)]
            pages = [server.url for server in servers]
            done = subprocess.run([*command, *pages, CAROM, disks, saved, thinned], timeout=300, check=False)
            codes = [server.stop() for server in servers]
    # The gas may have come to its end while the browser was busy.
    if done.returncode != 0 or codes[0] not in (0, 75) or any(codes[1:]):
        print(f"the browser: {done.returncode}, the servers: {codes}")
        sys.exit(1)


if __name__ == "__main__":
    main()
