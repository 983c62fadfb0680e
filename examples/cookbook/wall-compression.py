"""Adiabatic compression of a film of hard spheres by a piston."""
from __future__ import annotations

import pathlib

import numpy as np

import carom

SCENE = pathlib.Path(__file__).with_suffix(".yaml")


def heated(speed: float = 0.05, seed: int = 1) -> float:
    """Temperature after the compression from a thickness of 40 to 20, over the initial one."""
    scene = carom.Scene.load(SCENE, set={"seed": seed})
    scene["drives.0.motion"] = [{"velocity": [0, 0, -speed]}, {"time": 20 / speed}]
    sim = carom.Simulation(scene)
    start = sim.energy.kinetic
    sim.run(time=20 / speed)
    return sim.energy.kinetic / start


def pressure(phi: np.ndarray) -> np.ndarray:
    """P d^3 / T, Carnahan and Starling (1969)."""
    return 6 / np.pi * phi * (1 + phi + phi**2 - phi**3) / (1 - phi) ** 3


def tension(phi: np.ndarray) -> np.ndarray:
    """Surface tension d^2 / T at a hard wall, measured at the first layer of centres (Henderson and Plischke 1987)."""
    return -9 / (2 * np.pi) * phi**2 * (1 + 44 / 35 * phi - 4 / 5 * phi**2) / (1 - phi) ** 3


def adiabat(per_area: float, thick: float, thin: float, walls: bool = True) -> float:
    """Temperature ratio of a slow compression: d(ln T) = -(2/3) P / T dL / (N / A)."""
    phi = np.linspace(0.01, 0.5, 20001)
    density = 6 / np.pi * phi
    excess = -np.gradient(tension(phi), phi) * density / np.gradient(pressure(phi), phi)  # Gibbs: -d(tension)/d(mu)
    thickness = 1 + (per_area - 2 * excess) / density if walls else per_area / density
    inside = (thickness <= thick) & (thickness >= thin)
    force, path = pressure(phi[inside]), thickness[inside]
    work = ((force[1:] + force[:-1]) / 2 * np.diff(path)).sum()
    return float(np.exp(-2 / 3 * work / per_area))


if __name__ == "__main__":
    print("measured", heated(), "adiabat", adiabat(15.28, 40, 20), "without walls", adiabat(15.28, 40, 20, walls=False))
