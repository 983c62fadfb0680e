"""A force from C, or from Python: the period of a planet."""
from __future__ import annotations

import ctypes
import math
import pathlib
import subprocess
import sys
import tempfile
from typing import Any

import numpy as np

import carom

FOLDER = pathlib.Path(__file__).parent


def compiled() -> Any:
    """The function `sun` of coupling-c.c."""
    library = pathlib.Path(tempfile.mkdtemp()) / "coupling-c.so"
    subprocess.run(["cc", "-O2", "-shared", "-fPIC", FOLDER / "coupling-c.c", "-o", library, "-lm"], check=True)
    sun = ctypes.CDLL(str(library)).sun
    sun.restype = ctypes.c_double
    sun.argtypes = [ctypes.c_void_p, ctypes.c_double, ctypes.POINTER(ctypes.c_double), ctypes.POINTER(ctypes.c_double)]
    return sun


def in_python(positions: np.ndarray, time: float) -> tuple[float, np.ndarray]:
    """The same in Python."""
    away = positions - 5
    distance = float(np.linalg.norm(away))
    return -1 / distance, -away / distance**3


def miss(force: Any, step: float = 1e-3) -> float:
    """Distance from the start after one period of Kepler's third law."""
    sim = carom.Simulation(carom.Scene.load(FOLDER / "coupling-c.yaml"))
    sim.add_potential(force, step)
    axis = 1 / (2 - 1.2**2)                                  # energy 1.2^2 / 2 - 1 = -1 / (2 axis)
    sim.run(time=2 * math.pi * axis**1.5)
    return float(np.linalg.norm(sim.frame.positions[0] - (6, 5)))


def picture(path: str) -> None:
    """The orbit, by matplotlib."""
    import matplotlib
    matplotlib.use("Agg")
    import matplotlib.pyplot as plt
    sim = carom.Simulation(carom.Scene.load(FOLDER / "coupling-c.yaml"))
    sim.add_potential(compiled(), 1e-3)
    x, y = np.array([frame.positions[0] for frame in sim.frames(every=0.1, until=15)]).T
    figure, axes = plt.subplots(figsize=(3, 2.6), layout="constrained")
    axes.plot(x, y, ".", markersize=3)
    axes.plot(5, 5, "o", color="orange")
    axes.set(aspect="equal", xlabel="x", ylabel="y")
    figure.savefig(path, dpi=100)


if __name__ == "__main__":
    if len(sys.argv) > 1:
        picture(sys.argv[1])
    sun = compiled()
    for step in (4e-3, 2e-3, 1e-3):
        print("C, step %g: misses the start by %.2e" % (step, miss(sun, step)))
    print("Python, step 0.001: %.2e" % miss(in_python))
