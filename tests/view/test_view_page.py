"""The live page in a real browser, headless. Skipped (77) where there is no Chromium, no node or no playwright-core:
tools/setup.sh all brings them."""
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
        gas = os.path.join(SOURCE, "examples/hard-sphere-fluid.yaml")
        sizes = ["--set", "particles.0.count=864", "--set", "run.until.time=1000", "--set", "observe=[]"]
        one, crossing, long = (os.path.join(folder, name) for name in ("one.yaml", "crossing.yaml", "long.yaml"))
        for path, text in ((one, TINY), (crossing, EDGE), (long, EGG)):
            with open(path, "w", encoding="utf-8") as file:
                file.write(text)
        with contextlib.ExitStack() as stack:
            served = [(gas, *sizes), (result,), (one,), (crossing,), (long,)]
            servers = [stack.enter_context(Server(*what)) for what in served]
            command = ["node", os.path.join(HERE, "page.mjs"), PLAYWRIGHT, chromium, os.path.abspath(kept)]
            pages = [server.url for server in servers]
            done = subprocess.run([*command, *pages, CAROM, disks], timeout=300, check=False)
            codes = [server.stop() for server in servers]
    if done.returncode != 0 or codes != [75, 0, 0, 0, 0]:
        print(f"the browser: {done.returncode}, the servers: {codes}")
        sys.exit(1)


if __name__ == "__main__":
    main()
