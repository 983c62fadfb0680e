"""Do two leaning cards stand?"""
from __future__ import annotations

import math
import pathlib

import carom

SCENE = pathlib.Path(__file__).with_suffix(".yaml")


def sinking(friction: float, time: float = 0.2) -> float:
    """Loss of height of the centre of mass, over the initial height."""
    scene = carom.Scene.load(SCENE, set={"contacts.1.friction": friction})
    sim = carom.Simulation(scene)
    start = sim.energy.potential
    sim.run(time=time)
    return 1 - sim.energy.potential / start


if __name__ == "__main__":
    print("limit of the friction: %.4f" % (math.tan(math.radians(20.054)) / 2))
    for friction in (0.1, 0.16, 0.2, 0.3):
        print("friction %.2f: the cards sink by %.4f" % (friction, sinking(friction)))
