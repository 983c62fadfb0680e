"""Fractal dimension of ballistic and of diffusive aggregates."""
from __future__ import annotations

import pathlib

import numpy as np

import carom

FOLDER = pathlib.Path(__file__).parent


def clusters(positions: np.ndarray, box: np.ndarray, gap: float) -> list[np.ndarray]:
    """Connected components of disks of diameter 1, unwrapped across periodic boundaries."""
    left, found = set(range(len(positions))), []
    while left:
        first = left.pop()
        members, places = [first], [positions[first]]
        for member, place in zip(members, places):               # both lists grow during the loop
            rest = np.fromiter(left, dtype=int)
            step = positions[rest] - positions[member]
            step -= box * np.round(step / box)
            near = (step**2).sum(axis=1) < (1 + gap) ** 2
            for other, offset in zip(rest[near], step[near]):
                left.remove(int(other))
                members.append(int(other))
                places.append(place + offset)
        found.append(np.array(places))
    return found


def dimension(scene: carom.Scene, gap: float, smallest: int) -> float:
    """Exponent of the mass of clusters against their radius of gyration at the end of the run."""
    sim = carom.Simulation(scene)
    sim.run()
    shapes = [c for c in clusters(sim.frame.positions, sim.frame.box, gap) if len(c) >= smallest]
    radii = [np.sqrt(c.var(axis=0).sum()) for c in shapes]
    return float(1 / np.polyfit(np.log([len(c) for c in shapes]), np.log(radii), 1)[0])      # as carom shape: R_g over mass


if __name__ == "__main__":
    for seed in (1, 2, 3):
        ballistic = carom.Scene.load(FOLDER / "aggregates.yaml", set={"seed": seed})
        diffusive = carom.Scene.load(FOLDER / "diffusive-aggregates.yaml", set={"seed": seed})
        print("ballistic %.2f, diffusive %.2f" % (dimension(ballistic, 1e-6, 20), dimension(diffusive, 0.101, 10)))
