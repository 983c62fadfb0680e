"""Flow rate out of a silo against Beverloo's law."""
from __future__ import annotations

import pathlib

import numpy as np

import carom

SCENE = pathlib.Path(__file__).with_suffix(".yaml")


def silo(hole: float, seed: int = 1) -> carom.Scene:
    """The scene with a square hole of this width in the middle of the floor."""
    scene = carom.Scene.load(SCENE, set={"seed": seed})
    border = (10 - hole) / 2
    for name, size, at in (("0", (border, 10), (border / 2, 5)), ("1", (border, 10), (10 - border / 2, 5)),
                           ("2", (hole - 0.02, border), (5, border / 2)), ("3", (hole - 0.02, border), (5, 10 - border / 2))):
        scene["meshes." + name + ".shape.rectangle.length"], scene["meshes." + name + ".shape.rectangle.width"] = size
        scene["meshes." + name + ".place.at"] = [*at, 4]
    return scene


def flow_rate(hole: float, seed: int = 1) -> float:
    """Grains through the hole per unit of time, while between 300 and 1000 of 1500 have left."""
    times, left = [], []
    for frame in carom.Simulation(silo(hole, seed)).frames(every=0.5, until=2000 / hole**2.5):
        times.append(frame.time)
        left.append((frame.positions[:, 2] < 4).sum())
    gone = np.array(left)
    steady = (gone > 300) & (gone < 1000)
    return float(np.polyfit(np.array(times)[steady], gone[steady], 1)[0])


if __name__ == "__main__":
    holes = np.array([3, 4, 5, 6])
    rates = np.array([flow_rate(hole) for hole in holes])
    slope, offset = np.polyfit(holes, rates ** 0.4, 1)
    print("rates", rates, "k = %.2f, C rho = %.2f" % (-offset / slope, slope**2.5))
    print("deviations", rates / (slope * holes + offset) ** 2.5 - 1)
