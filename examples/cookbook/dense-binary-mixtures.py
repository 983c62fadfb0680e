"""Dense mixtures: pressure of a binary fluid of disks, jamming of binary spheres."""
from __future__ import annotations

import heapq
import pathlib

import numpy as np

import carom

SCENE = pathlib.Path(__file__).with_suffix(".yaml")


def compressibility(packing_fraction: float, seed: int = 1) -> float:
    """P V / (N T) of disks with diameters 1 and 1.4, 1:1."""
    scene = carom.Scene.load(SCENE, set={"seed": seed, "box.packing_fraction": packing_fraction})
    sim = carom.Simulation(scene)
    sim.run(time=400)
    return sim.summary["observables"]["pressure"]["compressibility"]["mean"]


def theory(phi: float, diameters: np.ndarray) -> float:
    """Z of a mixture from that of equal disks (Luding 2001) by the rule of Santos, Yuste and Lopez de Haro (1999)."""
    contact = (1 - 7 * phi / 16) / (1 - phi) ** 2 - phi**3 / 128 / (1 - phi) ** 4
    equal = 1 + 2 * phi * contact
    share = diameters.mean() ** 2 / (diameters**2).mean()
    return (1 - share) / (1 - phi) + share * equal


def jammed(ratio: float, small_per_large: int, seed: int = 1) -> float:
    """Packing fraction at which spheres of diameters 1 and `ratio` jam."""
    count = 1000
    scene = carom.Scene(
        engine="hard", dimension=3, seed=seed,
        box={"packing_fraction": 0.2, "boundary": "periodic"},
        species={"small": {"diameter": 1, "density": 1}, "large": {"diameter": ratio, "density": 1}},
        particles=[{"species": {"small": small_per_large, "large": 1}, "count": count, "place": "random",
                    "velocity": {"maxwell": 1}, "zero_momentum": True}],
        hard={"compression": {"rate": 0.01}}, run={"until": {"pressure": 1e6}},
    )
    sim = carom.Simulation(scene)
    sim.run()
    radii = sim.frame.radii
    return 4 / 3 * np.pi * (radii**3).sum() / np.prod(sim.frame.box)


def closest_rods(diameters: np.ndarray, counts: np.ndarray, gap: float = 0.7654, rods: int = 4000) -> float:
    """Random close packing of spheres after Farr and Groot (2009): rods of the lengths of chords, greedily packed."""
    # Chords of a sphere of diameter D have the density 2 L / D^2, and a line meets spheres in proportion to D^2.
    weights = counts * diameters**2 / (counts * diameters**2).sum()
    quantiles = (np.arange(rods) + 0.5) / rods
    grid = np.linspace(0, diameters.max(), 20001)
    share = sum(w * np.minimum(grid / d, 1) ** 2 for w, d in zip(weights, diameters))
    lengths = np.sort(np.interp(quantiles, share, grid))[::-1]
    gaps = [-gap * lengths[0]]
    total = lengths[0] * (1 + gap)
    for length in lengths[1:]:
        widest = -heapq.heappop(gaps)
        need = (1 + 2 * gap) * length
        if widest < need:
            total += need - widest
            widest = need
        heapq.heappush(gaps, -gap * length)
        heapq.heappush(gaps, -(widest - (1 + gap) * length))
    return lengths.sum() / total


if __name__ == "__main__":
    for phi in (0.70, 0.72, 0.75):
        print(phi, compressibility(phi), theory(phi, np.array([1, 1.4])))
    print("mono", closest_rods(np.array([1.0]), np.array([1.0])))
    for ratio, n in ((1.4, 1), (3, 10), (3, 20), (4, 30)):
        print(ratio, n, jammed(ratio, n), closest_rods(np.array([1, ratio]), np.array([n, 1.0])))
