"""Density profile and floor pressure of a granular Leidenfrost state."""
from __future__ import annotations

import pathlib

import numpy as np

import carom

SCENE = pathlib.Path(__file__).with_suffix(".yaml")


def leidenfrost(seed: int = 1, time: float = 2100) -> tuple[float, float]:
    """Pressure on the floor; packing fraction of the densest layer over that of the lowest."""
    scene = carom.Scene.load(SCENE, set={"seed": seed})
    sim = carom.Simulation(scene)
    layers = np.arange(0, 52, 2)
    count, profile = 0, np.zeros(len(layers) - 1)
    for frame in sim.frames(every=2, until=time):
        if frame.time >= 100:
            count += 1
            profile += np.histogram(frame.positions[:, 1], bins=layers)[0]
    profile *= np.pi / 4 / (count * 2 * 40)
    pressure = sim.summary["observables"]["wall_pressure"]["faces"]["mean"][2]
    return pressure, profile.max() / profile[0]


if __name__ == "__main__":
    for seed in (1, 2, 3):
        print("floor pressure %.3f, density inversion %.2f" % leidenfrost(seed))
