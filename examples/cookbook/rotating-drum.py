"""Work and mean angle of a rotating drum."""
from __future__ import annotations

import math
import pathlib

import numpy as np

import carom

SCENE = pathlib.Path(__file__).with_suffix(".yaml")


def drum(rate: float = 0.3, revolutions: float = 3, seed: int = 1) -> tuple[float, float]:
    """Mean angle of the centre of mass (degrees); work over that of the torque of gravity, after the first revolution."""
    scene = carom.Scene.load(SCENE, set={"seed": seed, "drives.0.motion.0.turn.rate": rate})
    turn = 2 * math.pi / rate
    sim = carom.Simulation(scene)
    sim.run(time=turn)
    start, steps = sim.energy.parts["work"], 100 * round(revolutions)
    centres = []
    for n in range(1, steps + 1):
        sim.run(time=turn * (1 + n / 100))
        frame = sim.frame
        centres.append(np.average(frame.positions, axis=0, weights=frame.masses) - (6, 1.5, 6))
    x, _, z = np.mean(centres, axis=0)
    torque = frame.masses.sum() * 1.0 * x              # weight times the horizontal distance from the axis
    return math.degrees(math.atan2(abs(x), -z)), abs((sim.energy.parts["work"] - start) / (revolutions * 2 * math.pi * torque))


if __name__ == "__main__":
    print("angle %.1f degrees, work over that of the torque %.3f" % drum())
