"""Pressure of a fluid of hard spheres before and after crystallisation."""
from __future__ import annotations

import pathlib

import carom

SCENE = pathlib.Path(__file__).with_suffix(".yaml")


def pressures(packing_fraction: float = 0.56, seed: int = 1, step: float = 10, until: float = 500) -> list[float]:
    """P V / (N T) of successive intervals, from the collisional virial."""
    scene = carom.Scene.load(SCENE, set={"seed": seed, "box.packing_fraction": packing_fraction})
    values = []
    for start in (0.0, until - step):
        scene["observe.0"] = {"what": "pressure", "every": 1, "start": start}
        sim = carom.Simulation(scene)
        sim.run(time=start + step)
        values.append(sim.summary["observables"]["pressure"]["compressibility"]["mean"])
    return values


def fluid(phi: float) -> float:
    """Carnahan and Starling (1969)."""
    return (1 + phi + phi**2 - phi**3) / (1 - phi) ** 3


def crystal(phi: float) -> float:
    """Speedy, J. Phys.: Condens. Matter 10, 4387 (1998), face-centred cubic."""
    z = phi / 0.7404805
    return 3 / (1 - z) - 0.5921 * (z - 0.7072) / (z - 0.601)


if __name__ == "__main__":
    print("fluid %.2f, crystal %.2f" % (fluid(0.56), crystal(0.56)))
    for seed in (1, 2, 3):
        print("start %.2f, end %.2f" % tuple(pressures(seed=seed)))
