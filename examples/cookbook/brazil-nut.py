"""Height of a large disk in a shaken bed of small ones."""
from __future__ import annotations

import pathlib

import numpy as np

import carom

SCENE = pathlib.Path(__file__).with_suffix(".yaml")


def rank(density: float, seed: int = 1, until: float = 400) -> float:
    """Share of the grains below the centre of the nut, mean over the second half of the run."""
    scene = carom.Scene.load(SCENE, set={"seed": seed, "species.nut.density": density})
    below = []
    for frame in carom.Simulation(scene).frames(every=0.7, until=until):       # no multiple of the period, 2.5
        if frame.time > until / 2:
            height = frame.positions[:, 1]
            below.append((height[1:] < height[0]).mean())
    return float(np.mean(below))


if __name__ == "__main__":
    for density in (0.25, 0.5, 1, 4):
        print(density, " ".join("%.2f" % rank(density, seed) for seed in (1, 2, 3)))
