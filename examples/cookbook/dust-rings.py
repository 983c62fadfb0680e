"""Steady temperature of a sheared gas of ice particles against the balance of energy."""
from __future__ import annotations

import math
import pathlib

import numpy as np

import carom

SCENE = pathlib.Path(__file__).with_suffix(".yaml")
SPEEDS = np.array([0.2, 0.4, 0.6, 0.8, 1, 1.5, 2, 3, 5, 10])


def ice(speed: np.ndarray, scale: float = 0.2) -> np.ndarray:
    """Restitution of ice: (speed / scale)^-0.234, at most 1 (Bridges, Hatzes and Lin 1984)."""
    return np.minimum(1, (speed / scale) ** -0.234)


def measured(rate: float = 0.02, seed: int = 1) -> tuple[float, float]:
    """Temperature in the steady state, and dissipated over supplied power."""
    scene = carom.Scene.load(SCENE, set={"seed": seed, "hard.shear.rate": rate})
    scene["contacts.0.restitution"] = {"table": np.column_stack((SPEEDS, ice(SPEEDS))).tolist()}
    sim = carom.Simulation(scene)
    sim.run(time=60 / rate)
    seen = sim.summary["observables"]
    return seen["temperature"]["mean"], seen["power"]["dissipated"]["mean"] / seen["power"]["mean"]


def balance(rate: float = 0.02, phi: float = 0.01) -> float:
    """Temperature at which Grad's solution for uniform shear (first order in density) balances the dissipation."""
    speed = np.linspace(0, 12, 4001)[1:]
    low, high = 1e-4, 100.0
    while high / low > 1 + 1e-6:
        temperature = math.sqrt(low * high)
        weight = speed**3 * np.exp(-speed**2 / 4)                 # normal impact speeds over sqrt(T / m), by energy
        e2 = (weight * ice(speed * math.sqrt(temperature)) ** 2).sum() / weight.sum()
        e = math.sqrt(e2)
        z, b = 5 * (1 - e2) / 12, (1 + e) * (2 + e) / 6
        contact = (1 - phi / 2) / (1 - phi) ** 3
        frequency = 16 / 5 * 6 * phi / math.pi * contact * math.sqrt(math.pi * temperature)
        wanted = rate / frequency
        if math.sqrt(3 * z / (2 * b)) * (b + z) < wanted:         # too cold: the shear heats more than collisions dissipate
            low = temperature
        else:
            high = temperature
    return temperature


if __name__ == "__main__":
    for rate in (0.02, 0.05):
        print("rate %g: T %.4f, dissipated / supplied %.3f, expected T %.4f" % (rate, *measured(rate), balance(rate)))
