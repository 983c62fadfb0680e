"""Lateral pressure of hard spheres in a narrow slit."""
from __future__ import annotations

import math
import pathlib

import carom

SCENE = pathlib.Path(__file__).with_suffix(".yaml")


def lateral(count: int, height: float = 1.5, seed: int = 1) -> float:
    """Lateral pressure times the volume of the slit over N T."""
    scene = carom.Scene.load(SCENE, set={"seed": seed, "particles.0.count": count, "box.size": [30, 30, height]})
    sim = carom.Simulation(scene)
    sim.run(time=600)
    tensor = sim.summary["observables"]["pressure"]["tensor"]["mean"]
    return (tensor[0] + tensor[4]) / 2 * 900 * height / count


def theory(count: int, height: float = 1.5) -> float:
    """Disks (Henderson 1975) with the mean excluded area of the slit (Franosch, Lang, Schilling 2012)."""
    phi = math.pi / 4 * count / 900 * (1 - (height - 1) ** 2 / 6)
    return (1 + phi**2 / 8) / (1 - phi) ** 2


if __name__ == "__main__":
    for count in (90, 180, 360):
        print("%d spheres: %.3f, theory %.3f" % (count, lateral(count), theory(count)))
