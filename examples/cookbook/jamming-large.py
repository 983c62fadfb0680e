"""Jamming of hard spheres: packing fraction, contacts, rattlers."""
from __future__ import annotations

import pathlib

import numpy as np

import carom

SCENE = pathlib.Path(__file__).with_suffix(".yaml")


def jam(count: int = 500, rate: float = 0.003, seed: int = 1, pressure: float = 1e8) -> tuple[float, float, float]:
    """Packing fraction, contacts per sphere without rattlers, share of rattlers."""
    scene = carom.Scene.load(SCENE, set={"seed": seed, "particles.0.count": count, "hard.compression.rate": rate})
    scene["run.until.pressure"] = pressure
    sim = carom.Simulation(scene)
    sim.run()
    positions, box = sim.frame.positions, sim.frame.box
    neighbours = contacts(positions, box, gap=100 / pressure)
    rigid = np.ones(count, dtype=bool)
    while True:                                     # a sphere with fewer than four contacts is a rattler
        degree = np.array([rigid[near].sum() for near in neighbours])
        loose = rigid & (degree < 4)
        if not loose.any():
            break
        rigid &= ~loose
    fraction = np.pi / 6 * count / np.prod(box)
    return fraction, degree[rigid].mean(), 1 - rigid.mean()


def contacts(positions: np.ndarray, box: np.ndarray, gap: float) -> list[np.ndarray]:
    """Spheres within 1 + gap of each sphere, to the nearest image."""
    near = []
    for n, position in enumerate(positions):
        step = positions - position
        step -= box * np.round(step / box)
        distance = (step**2).sum(axis=1) ** 0.5
        distance[n] = np.inf
        near.append(np.flatnonzero(distance < 1 + gap))
    return near


if __name__ == "__main__":
    for seed in (1, 2, 3):
        print("packing fraction %.4f, contacts %.3f, rattlers %.3f" % jam(seed=seed))
