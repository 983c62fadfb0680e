"""Force that pulls a reef knot, with and without friction."""
from __future__ import annotations

import pathlib

import numpy as np

import carom

SCENE = pathlib.Path(__file__).with_suffix(".yaml")


def pull(friction: float, until: float = 1) -> tuple[np.ndarray, np.ndarray, float]:
    """Distance pulled, mean force in each interval of it, and the error of the energy balance over the work."""
    scene = carom.Scene.load(SCENE, set={"contacts.0.friction": friction})
    sim = carom.Simulation(scene)
    times = np.linspace(0.05, until, round(until / 0.05))
    work = [0.0]
    for time in times:
        sim.run(time=time)
        work.append(sim.energy.parts["work"])
    return 10 * times, np.diff(work) / 0.5, sim.energy.drift / work[-1]     # the ends separate at a speed of 10


if __name__ == "__main__":
    for friction in (0, 0.3):
        distance, force, drift = pull(friction)
        print("friction %.1f, drift / work %.1e" % (friction, drift))
        print(" ".join("%.1f:%.1f" % pair for pair in zip(distance, force)))
