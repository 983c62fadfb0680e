"""Dissipation of a sheared granular fluid against kinetic theory."""
from __future__ import annotations

import math
import pathlib

import numpy as np

import carom

SCENE = pathlib.Path(__file__).with_suffix(".yaml")


def dissipation(restitution: float, seed: int = 1, time: float = 200) -> tuple[float, float]:
    """Dissipated power over that of kinetic theory, and over the work of the shear stress."""
    scene = carom.Scene.load(SCENE, set={"seed": seed, "contacts.0.restitution": restitution})
    sim = carom.Simulation(scene)
    sim.run(time=time)
    seen = sim.summary["observables"]
    temperature, phi = seen["temperature"]["mean"], 0.3
    power = seen["power"]["dissipated"]["mean"] / sim.summary["box"][0] ** 3
    contact = (1 - phi / 2) / (1 - phi) ** 3
    density = 6 / math.pi                               # of a grain with diameter and mass 1
    theory = 12 * (1 - restitution**2) * phi**2 * contact * density * temperature**1.5 / math.sqrt(math.pi)
    return power / theory, power / seen["shear_viscosity"]["mean"]      # the shear rate is 1


if __name__ == "__main__":
    restitutions = np.array([0.95, 0.9, 0.8])
    ratios = [dissipation(e) for e in restitutions]
    for e, (theory, work) in zip(restitutions, ratios):
        print("e = %.2f: %.3f of kinetic theory, %.4f of the work" % (e, theory, work))
    slope, limit = np.polyfit(1 - restitutions**2, [r[0] for r in ratios], 1)
    print("elastic limit: %.3f" % limit)
