"""Pressure of hard disks through the region of melting."""
from __future__ import annotations

import pathlib

import carom

SCENE = pathlib.Path(__file__).with_suffix(".yaml")


def pressure(packing_fraction: float, count: int = 256, seed: int = 1, time: float = 4000) -> tuple[float, float]:
    """P d^2 / T and its standard error."""
    scene = carom.Scene.load(SCENE, set={"seed": seed, "particles.0.count": count, "box.packing_fraction": packing_fraction})
    sim = carom.Simulation(scene)
    sim.run(time=time)
    seen = sim.summary["observables"]["pressure"]
    return seen["mean"], seen["error"]


if __name__ == "__main__":
    for packing_fraction in (0.66, 0.69, 0.70, 0.71, 0.72, 0.73, 0.75):
        print("%.2f  P d^2 / T = %.3f +- %.3f" % (packing_fraction, *pressure(packing_fraction)))
