"""Cooling of a granular gas whose coefficient of restitution depends on the impact speed."""
from __future__ import annotations

import pathlib

import numpy as np

import carom

SCENE = pathlib.Path(__file__).with_suffix(".yaml")


def cooling_exponent(restitution: object, seed: int = 1) -> float:
    """Slope of log T against log t over the last decade."""
    scene = carom.Scene.load(SCENE, set={"seed": seed})
    scene["contacts.0.restitution"] = restitution
    sim = carom.Simulation(scene)
    times = np.geomspace(500, 5000, 11)
    energies = []
    for time in times:
        sim.run(time=time)
        energies.append(sim.energy.kinetic)
    return np.polyfit(np.log(times), np.log(energies), 1)[0]


if __name__ == "__main__":
    print("viscoelastic:", cooling_exponent({"viscoelastic": 0.1}), "theory", -5 / 3)
    print("constant 0.9:", cooling_exponent(0.9), "theory", -2)
