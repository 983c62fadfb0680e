#!/usr/bin/env python3
"""Packing of the clumps of validate/scenes/clumps.yaml at rest, beside published values: docs/validation.md#clumps.

    tools/clump_packing.py [--build DIR] [--friction MU]... [--set KEY=VALUE]...

Prints for each coefficient of friction (default: 0.5 and 0) the packing fraction of the core (two diameters away from walls, floor and
top), the contacts of a clump, their mean overlap, the largest speed, and the CPU time."""
import argparse
import itertools
import json
import os
import resource
import subprocess
import tempfile

import h5py
import numpy as np

ROOT = os.path.dirname(os.path.dirname(os.path.abspath(__file__)))
SCENE = os.path.join(ROOT, "validate", "scenes", "clumps.yaml")
POINTS = 12  # of the grid, for each diameter
RADIUS, SPHERES = 0.5, 2


def covered(centres, low, high):
    """The part of the points of a grid that lie in spheres."""
    count = np.round((high - low) * POINTS).astype(int)
    axes = [low[k] + (np.arange(count[k]) + 0.5) * (high[k] - low[k]) / count[k] for k in range(3)]
    hit = np.zeros(count, bool)
    for centre in centres:
        span = [slice(*np.searchsorted(axes[k], (centre[k] - RADIUS, centre[k] + RADIUS))) for k in range(3)]
        square = [(axes[k][span[k]] - centre[k]) ** 2 for k in range(3)]
        hit[tuple(span)] |= square[0][:, None, None] + square[1][:, None] + square[2] < RADIUS**2
    return hit.mean()


def contact_distances(centres):
    """Distances of overlapping spheres of two clumps."""
    cells, found = {}, []
    for i, cell in enumerate(map(tuple, np.floor(centres).astype(int))):
        cells.setdefault(cell, []).append(i)
    for cell, here in cells.items():
        near = [j for step in itertools.product((-1, 0, 1), repeat=3) for j in cells.get(tuple(np.add(cell, step)), [])]
        for i in here:
            other = np.array([j for j in near if j > i and j // SPHERES != i // SPHERES], int)
            distance = np.linalg.norm(centres[other] - centres[i], axis=1)
            found += list(distance[distance < 2 * RADIUS])
    return np.array(found)


def measure(path):
    with h5py.File(path) as file:
        centres, velocities = (file["particles/all/%s/value" % name][-1] for name in ("position", "velocity"))
        size = file["particles/all/box/edges/value"][-1].diagonal()
    top = np.median(np.sort(centres[:, 2])[-20:])
    low = np.full(3, 4 * RADIUS)
    high = np.array([size[0] - low[0], size[1] - low[1], top - low[2]])
    distances = contact_distances(centres)
    return {"packing fraction of the core": covered(centres, low, high), "contacts of a clump": 2 * SPHERES * len(distances) / len(centres),
            "mean overlap of a contact": 2 * RADIUS - distances.mean(), "largest speed": np.abs(velocities).max()}


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--build", default=os.path.join(ROOT, "build", "release"))
    parser.add_argument("--friction", type=float, action="append")
    parser.add_argument("--set", action="append", default=[], dest="changes")
    chosen = parser.parse_args()
    for mu in chosen.friction or [0.5, 0]:
        with tempfile.TemporaryDirectory() as folder:
            path = os.path.join(folder, "clumps.h5")
            changes = ["contacts.%d.friction=%r" % (k, mu) for k in range(2)] + chosen.changes
            sets = [word for change in changes for word in ("--set", change)]
            before = resource.getrusage(resource.RUSAGE_CHILDREN).ru_utime
            subprocess.run([os.path.join(chosen.build, "carom"), "run", SCENE, "-o", path, "--quiet", *sets], check=True)
            found = measure(path)
            found["CPU time, s"] = resource.getrusage(resource.RUSAGE_CHILDREN).ru_utime - before
        print("friction %g: %s" % (mu, json.dumps({name: round(float(value), 5) for name, value in found.items()})))


if __name__ == "__main__":
    main()
