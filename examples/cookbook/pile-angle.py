"""Angle of friction of a block, and of a pile of disks."""
from __future__ import annotations

import math
import pathlib

import numpy as np

import carom

SCENE = pathlib.Path(__file__).with_suffix(".yaml")


def slides(slope: float, friction: float) -> bool:
    """Whether a block on four corners slides down a slope of this tangent."""
    angle = math.atan(slope)
    scene = carom.Scene(
        engine="variational", dimension=2, box={"size": [40, 10], "boundary": "open"},
        species={"corner": {"diameter": 0.2, "mass": 1}},
        particles=[{"species": "corner", "place": {"at": [[5, 0.1], [7, 0.1], [7, 1.1], [5, 1.1]]}}],
        bodies=[{"name": "block", "particles": {"from": 0, "to": 3}}],
        planes=[{"name": "slope", "point": [0, 0], "normal": [0, 1]}],
        contacts=[{"between": ["corner", "slope"], "restitution": 0, "friction": friction}],
        fields={"gravity": [math.sin(angle), -math.cos(angle)]},
    )
    sim = carom.Simulation(scene)
    sim.run(time=10)
    return bool(sim.frame.positions[0, 0] > 5.1)


def pile(friction: float = 0.5, seed: int = 1) -> float:
    """Mean angle of the two sides of the pile, in degrees, from the second moments of a triangle of the same shape."""
    scene = carom.Scene.load(SCENE, set={"seed": seed, "contacts.0.friction": friction})
    sim = carom.Simulation(scene)
    sim.run(time=40)
    frame = sim.frame
    x, y = frame.positions.T
    height = 3 * np.average(y, weights=frame.masses)                        # of a triangle: centre of mass at a third
    half = math.sqrt(6 * np.cov(x, aweights=frame.masses))                  # of its base: variance at a sixth
    return math.degrees(math.atan(height / half))


if __name__ == "__main__":
    print("slope 0.5: friction 0.49", slides(0.5, 0.49), "0.51", slides(0.5, 0.51))
    for friction in (0.2, 0.5):
        print("pile, friction %.1f: %s" % (friction, " ".join("%.1f" % pile(friction, seed) for seed in (1, 2))))
