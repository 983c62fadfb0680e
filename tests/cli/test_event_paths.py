"""Detects events and frames from which the script of docs/events.md finds wrong positions or velocities."""
import os
import re
import subprocess
import sys
import tempfile

sys.path.insert(0, os.path.dirname(os.path.abspath(__file__)))
from readers import expect, need  # noqa: E402

need("h5py")
import h5py  # noqa: E402
import numpy as np  # noqa: E402

CAROM, SOURCE = os.environ["CAROM"], os.environ["CAROM_SOURCE"]
FREE = """carom: 1
engine: hard
dimension: 2
seed: 3
box: {packing_fraction: 0.4}
species: {disk: {diameter: 1, mass: 2}}
particles: [{species: disk, count: 100, place: random, velocity: {maxwell: 1}}]
contacts: [{between: [disk, disk], restitution: 0.95}]
run: {until: {time: 4}}
output: {frames: {every: 1}, events: true}
"""


def script():
    with open(os.path.join(SOURCE, "docs/events.md"), encoding="utf-8") as file:
        blocks = re.findall(r"```python\n(.*?)```", file.read(), flags=re.S)
    names = {}
    exec(next(block for block in blocks if "def positions_at" in block), names)  # pylint: disable=exec-used
    return names["positions_at"]


def check(scene, name):
    subprocess.run([CAROM, "run", scene, "-o", name, "--quiet"], check=True)
    positions_at = script()
    with h5py.File(name) as f:
        times = f["particles/all/position/time"][:]
        for k in range(1, len(times)):
            box = np.diagonal(f["particles/all/box/edges/value"][k])
            there = f["particles/all/position/value"][k] + f["particles/all/image/value"][k] * box
            velocity = f["particles/all/velocity/value"][k]
            x, v = positions_at(name, np.nextafter(times[k], 0))
            expect(f"{name}, time {times[k]}: error of velocities", np.abs(v - velocity).max(), 0, 1e-12)
            expect(f"{name}, time {times[k]}: error of positions / box", np.abs(x - there).max() / box.max(), 0, 1e-12)
        # Half-way between two frames, spheres that collide next are in contact then.
        events = f["carom/events"]
        pairs = np.flatnonzero(events["kind"][:] == 0)
        radius = f["particles/all/radius"][:]
        for n in pairs[len(pairs) // 3::len(pairs) // 4]:
            x, _ = positions_at(name, events["time"][n])
            i, j = events["i"][n], events["j"][n]
            d = x[i] - x[j]
            wide = np.where([b == b"periodic" or b == "periodic" for b in f["particles/all/box"].attrs["boundary"]], box, np.inf)
            d -= np.where(np.isinf(wide), 0, box * np.rint(d / box))
            expect(f"distance at event {n}", np.linalg.norm(d) / (radius[i] + radius[j]), 1, 1e-11)
            expect(f"normal of event {n}", np.abs(d / np.linalg.norm(d) - events["normal"][n]).max(), 0, 1e-11)


os.chdir(tempfile.mkdtemp(prefix="carom-events-"))
with open("free.yaml", "w", encoding="utf-8") as file:
    file.write(FREE)
check("free.yaml", "free.h5")
check(os.path.join(SOURCE, "examples/recorded-gas.yaml"), "gas.h5")
