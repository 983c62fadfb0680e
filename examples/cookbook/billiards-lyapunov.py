"""Lyapunov exponent of Sinai's billiard from pairs of neighbouring trajectories."""
from __future__ import annotations

import math
import pathlib

import numpy as np

import carom

SCENE = pathlib.Path(__file__).with_suffix(".yaml")


def trajectory(angle: float, shift: float, until: float) -> np.ndarray:
    """Positions at every tenth of a unit of time, of a disk that starts at (0.1, 0.15 + shift) with speed 1."""
    scene = carom.Scene.load(SCENE)
    scene["particles.0.place"] = {"at": [[0.1, 0.15 + shift]]}
    scene["particles.0.velocity"] = {"each": [math.cos(angle), math.sin(angle)]}
    return np.array([frame.positions[0] for frame in carom.Simulation(scene).frames(every=0.1, until=until)])


def lyapunov(trajectories: int = 40, shift: float = 1e-13) -> tuple[float, float]:
    """Mean growth rate of the logarithm of the distance, and its standard error."""
    rates = []
    for angle in 0.05 + 2 * math.pi * np.arange(trajectories) / trajectories:
        apart = np.linalg.norm(trajectory(angle, shift, 60) - trajectory(angle, 0, 60), axis=1)
        grown = np.flatnonzero(apart > 1e-3)[0]                # beyond this the distance is no longer small
        late = np.flatnonzero(apart > 1e-11)[0]
        rates.append((math.log(apart[grown] / apart[late]), 0.1 * (grown - late)))
    growth, time = np.array(rates).T
    estimate = growth.sum() / time.sum()
    return estimate, np.std(growth - estimate * time) * math.sqrt(trajectories) / time.sum()


def exact(radius: float = 0.2, reach: float = 0.98, collisions: int = 30000, seed: int = 1) -> float:
    """The same exponent without carom: curvature of the wave front along one long trajectory of a point."""
    random = np.random.default_rng(seed)
    position, angle = np.array([0.05, 0.1]), random.uniform(0, 2 * math.pi)
    direction = np.array([math.cos(angle), math.sin(angle)])
    centre, time, growth, spread = np.full(2, reach / 2), 0.0, 0.0, 1.0    # spread: radius of curvature of the front
    hits = 0
    while hits < collisions:
        walls = np.where(direction > 0, (reach - position) / direction, -position / direction)
        flight, axis = walls.min(), int(walls.argmin())
        away = position - centre
        b, c = away @ direction, away @ away - radius**2
        post = b < 0 and b * b > c
        if post and -b - math.sqrt(b * b - c) < flight:
            flight = -b - math.sqrt(b * b - c)
        else:
            post = False
        position = position + flight * direction
        time += flight
        growth += math.log1p(flight / spread)
        spread += flight
        if post:
            normal = (position - centre) / np.linalg.norm(position - centre)
            cosine = -direction @ normal
            direction = direction + 2 * cosine * normal
            direction /= np.linalg.norm(direction)
            spread = 1 / (1 / spread + 2 / (radius * cosine))
            hits += 1
        else:
            direction[axis] = -direction[axis]
    return growth / time


if __name__ == "__main__":
    print("pairs of trajectories %.3f +- %.3f" % lyapunov())
    print("curvature of the wave front %.3f" % exact())
