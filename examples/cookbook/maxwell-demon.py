"""Symmetry breaking of a shaken granular gas in two compartments."""
from __future__ import annotations

import pathlib

import carom

SCENE = pathlib.Path(__file__).with_suffix(".yaml")


def asymmetry(frequency: float, seed: int = 1, time: float = 1000) -> float:
    """|N_left - N_right| / N, mean over the second half of the run."""
    scene = carom.Scene.load(SCENE, set={"seed": seed, "drives.0.motion.0.oscillate.frequency": frequency})
    sim = carom.Simulation(scene)
    differences = []
    for frame in sim.frames(every=10, until=time):
        if frame.time > time / 2:
            left = (frame.positions[:, 0] < 10).mean()
            differences.append(2 * left - 1)
    return abs(sum(differences) / len(differences))


if __name__ == "__main__":
    for frequency in (1, 1.5, 2, 3):
        print(frequency, *("%.3f" % asymmetry(frequency, seed) for seed in (1, 2, 3)))
